// The log rows of a turn: one line each, the whole content as JSON when a line is opened.
export default {
  props: { heading: String, columns: Array, lines: Array },
  render() {
    const { h } = Vue;
    const row = ([time, node, kind, content, json, path], index) =>
      h("li", { key: index }, [
        h("details", { class: "nb-row", "data-kind": kind }, [
          h("summary", { title: path }, [
            h("span", { class: "nb-row-time" }, time),
            h("span", { class: "nb-row-node" }, node),
            h("span", { class: "nb-row-kind" }, kind),
            h("span", { class: "nb-row-content" }, content),
          ]),
          h("pre", { tabindex: 0 }, json),
        ]),
      ]);
    return h("section", { class: "nb-trace", "aria-label": this.heading }, [
      h("p", { class: "nb-trace-head", "aria-hidden": "true" }, (this.columns ?? []).map((name) => h("span", name))),
      h("ol", (this.lines ?? []).map(row)),
    ]);
  },
};
