// Draws what the server read out of an answer: known tags with text in them, nothing else. Never any HTML.
const TAGS = new Set(
  "p br h3 h4 em strong s code pre a span ul ol li blockquote hr table thead tbody tr th td".split(" "),
);
const WEB = /^https?:\/\/[^\s\\]+$/i;

function draw(node) {
  if (typeof node === "string") return node;
  const [tag, attributes, children] = node;
  if (!TAGS.has(tag)) return children.map(draw);
  const drawn = Vue.h(tag, allowed(tag, attributes), children.map(draw));
  return tag === "table" ? Vue.h("div", { class: "nb-wide", tabindex: 0 }, [drawn]) : drawn;
}

function allowed(tag, attributes) {
  if (tag === "a" && WEB.test(attributes.href)) {
    return { href: attributes.href, title: attributes.href, target: "_blank", rel: "noopener noreferrer nofollow" };
  }
  if (tag === "ol" && /^\d{1,9}$/.test(attributes.start)) return { start: attributes.start };
  if (tag === "span" && attributes.class === "nb-target") return { class: "nb-target" };
  if (tag === "pre") return { tabindex: 0 };
  return {};
}

export default {
  props: { tree: Array },
  render() {
    return Vue.h("div", { class: "nb-prose" }, (this.tree ?? []).map(draw));
  },
};
