// The field, what was sent from it and is not confirmed yet, and where the page is scrolled to.
// What the server confirmed is the server's to draw. Nothing typed is lost: not while the server is away, not in a reload.
const UNSENT = "novaberg.unsent";
const PATIENCE_MS = 8000;
const NEAR_END_PX = 48;

const count = (text) => [...text].length;

function newId() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

export default {
  props: { texts: Object, limit: Number, verdicts: Array },
  emits: ["say", "restored"],
  data() {
    return { draft: "", outbox: [], connected: true, follows: true, hasMore: false, complaint: "" };
  },
  watch: {
    verdicts: {
      deep: true,
      handler(verdicts) {
        for (const verdict of verdicts ?? []) this.settle(verdict);
      },
    },
  },
  mounted() {
    this.restore();
    this.stops = [
      this.listen(window, "pagehide", () => this.keep()),
      this.listen(document, "visibilitychange", () => (document.hidden ? this.keep() : this.forget())),
      this.listen(window, "scroll", () => this.scrolled()),
      this.listen(document, "click", (event) => this.clicked(event)),
      this.watchConnection(),
      this.watchSize(),
    ];
    if (matchMedia("(pointer: fine)").matches) this.$refs.field.focus();
  },
  unmounted() {
    this.stops.forEach((stop) => stop());
  },
  methods: {
    // ── sending ──
    send() {
      const text = this.draft.trimEnd();
      this.complaint = "";
      if (!text.trim()) return;
      if (count(text) > this.limit) {
        this.complaint = this.texts.too_long.replace("{count}", this.number(count(text)));
        return;
      }
      const message = { id: newId(), text, state: "sending", reason: "" };
      this.outbox.push(message);
      this.draft = "";
      this.follows = true;
      this.$nextTick(this.grow);
      this.deliver(message.id);
    },
    deliver(id) {
      const message = this.outbox.find((other) => other.id === id);
      message.state = this.connected ? "sending" : "waiting";
      message.reason = "";
      this.$emit("say", { id, text: message.text });
      setTimeout(() => {
        const late = this.outbox.find((other) => other.id === id);
        if (late?.state === "sending") late.state = "waiting";
      }, PATIENCE_MS);
    },
    settle({ id, reason }) {
      const place = this.outbox.findIndex((message) => message.id === id);
      if (place < 0) return;
      if (reason) Object.assign(this.outbox[place], { state: "refused", reason });
      else this.outbox.splice(place, 1);
    },
    edit(id) {
      const place = this.outbox.findIndex((message) => message.id === id);
      const [message] = this.outbox.splice(place, 1);
      this.draft = this.draft.trim() ? `${message.text}\n${this.draft}` : message.text;
      this.$nextTick(() => {
        this.grow();
        this.$refs.field.focus();
      });
    },
    pressed(event) {
      if (event.key !== "Enter" || event.shiftKey || event.isComposing || event.keyCode === 229) return;
      event.preventDefault();
      this.send();
    },
    typed(event) {
      this.draft = event.target.value;
      if (this.complaint && count(this.draft.trimEnd()) <= this.limit) this.complaint = "";
      this.grow();
    },
    grow() {
      const field = this.$refs.field;
      field.style.height = "auto";
      field.style.height = `${field.scrollHeight}px`;
    },
    number(value) {
      return value.toLocaleString(document.documentElement.lang || "de");
    },

    // ── what survives a reload ──
    keep() {
      const unsent = { draft: this.draft, outbox: this.outbox.map(({ id, text }) => ({ id, text })) };
      if (unsent.draft || unsent.outbox.length) sessionStorage.setItem(UNSENT, JSON.stringify(unsent));
      else this.forget();
    },
    forget() {
      sessionStorage.removeItem(UNSENT);
    },
    restore() {
      const kept = sessionStorage.getItem(UNSENT);
      this.forget();
      if (!kept) return;
      const { draft, outbox } = JSON.parse(kept);
      this.draft = draft;
      this.outbox = outbox.map(({ id, text }) => ({ id, text, state: "waiting", reason: "" }));
      this.$nextTick(this.grow);
      if (outbox.length) this.$emit("restored", { ids: outbox.map(({ id }) => id) });
    },

    // ── connection ──
    watchConnection() {
      const sign = document.getElementById("popup"); // the framework's own sign of a lost connection
      const look = () => {
        this.connected = sign.getAttribute("aria-hidden") !== "false";
        if (!this.connected) this.outbox.filter((m) => m.state === "sending").forEach((m) => (m.state = "waiting"));
      };
      const observer = new MutationObserver(look);
      observer.observe(sign, { attributes: true, attributeFilter: ["aria-hidden"] });
      look();
      return () => observer.disconnect();
    },

    // ── scrolling ──
    distanceToEnd() {
      return document.documentElement.scrollHeight - window.innerHeight - window.scrollY;
    },
    scrolled() {
      // Only going up leaves the end: what has grown meanwhile is no wish of the reader's.
      const distance = this.distanceToEnd();
      if (distance < NEAR_END_PX) this.follows = true;
      else if (window.scrollY < this.lastTop) this.follows = false;
      this.lastTop = window.scrollY;
      this.hasMore = distance > 2 * NEAR_END_PX;
    },
    toEnd() {
      window.scrollTo({ top: document.documentElement.scrollHeight });
    },
    follow() {
      const last = document.querySelector(".nb-talk")?.lastElementChild;
      const header = document.querySelector(".nb-top")?.offsetHeight ?? 0;
      const end = document.documentElement.scrollHeight - window.innerHeight;
      const waits = this.outbox.length > 0;
      // A long answer is read from its beginning.
      const start = last && !waits ? last.getBoundingClientRect().top + window.scrollY - header - 20 : end;
      if (Math.min(end, start) > window.scrollY) window.scrollTo({ top: Math.min(end, start) });
    },
    watchSize() {
      const page = document.querySelector(".nb-page");
      const observer = new ResizeObserver(() => {
        if (this.anchor) this.holdAnchor();
        else if (this.follows) this.follow();
        this.hasMore = this.distanceToEnd() > 2 * NEAR_END_PX;
      });
      observer.observe(page);
      return () => observer.disconnect();
    },
    clicked(event) {
      if (event.target.closest(".nb-between")) this.follows = false; // what is opened stays under the eye
      if (event.target.closest(".nb-older")) {
        const first = document.querySelector(".nb-talk")?.firstElementChild;
        if (first) this.anchor = { first, top: first.getBoundingClientRect().top };
      }
    },
    holdAnchor() {
      const { first, top } = this.anchor;
      if (document.querySelector(".nb-talk").firstElementChild === first) return;
      window.scrollBy(0, first.getBoundingClientRect().top - top);
      this.anchor = undefined;
    },
    listen(target, name, handler) {
      target.addEventListener(name, handler, { passive: true });
      return () => target.removeEventListener(name, handler);
    },
  },
  render() {
    const { h } = Vue;
    const t = this.texts;
    const button = (css, text, onClick) => h("button", { type: "button", class: css, onClick }, text);
    const unsent = (message) =>
      h("li", { key: message.id, class: "nb-exchange" }, [
        h("div", { class: "nb-said" }, [h("p", { class: "nb-bubble nb-unsent", dir: "auto" }, message.text)]),
        message.state === "sending"
          ? h("p", { class: "nb-stage" }, t.sending)
          : h("div", { class: "nb-trouble", role: "status" }, [
              h("p", message.state === "refused" ? message.reason : t.not_arrived),
              h("p", { class: "nb-choices" }, [
                button("nb-quiet", t.send_again, () => this.deliver(message.id)),
                button("nb-quiet", t.edit_again, () => this.edit(message.id)),
              ]),
            ]),
      ]);
    return h("div", { class: "nb-composer" }, [
      h("ol", { class: "nb-outbox", hidden: !this.outbox.length }, this.outbox.map(unsent)),
      h("div", { class: "nb-dock" }, [
        h("div", { class: "nb-to-end", hidden: !this.hasMore }, [button("nb-quiet", t.to_the_end, () => this.toEnd())]),
        h(
          "form",
          {
            class: "nb-form",
            onSubmit: (event) => {
              event.preventDefault();
              this.send();
            },
          },
          [
            h("label", { class: "nb-hidden", for: "nb-field" }, t.field_label),
            h("textarea", {
              id: "nb-field",
              ref: "field",
              class: "nb-field",
              rows: 1,
              placeholder: t.placeholder,
              enterkeyhint: "send",
              value: this.draft,
              "aria-describedby": "nb-hint nb-complaint",
              "aria-invalid": this.complaint ? "true" : undefined,
              onInput: this.typed,
              onKeydown: this.pressed,
            }),
            h("button", { type: "submit", class: "nb-send" }, t.send),
          ],
        ),
        h("p", { id: "nb-complaint", class: "nb-complaint", role: "alert" }, this.complaint),
        h("p", { class: "nb-foot" }, [
          h("span", { id: "nb-hint", class: "nb-hint" }, t.hint),
          h(
            "span",
            { class: ["nb-connection", { "nb-lost": !this.connected }], role: "status" },
            this.connected ? t.connected : t.disconnected,
          ),
        ]),
      ]),
    ]);
  },
};
