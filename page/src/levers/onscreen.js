// SPDX-License-Identifier: BSD-3-Clause
// On-screen levers for mouse and touch: two crosswise levers, wheels and pedals that spring back, sliders that stay.
import { draw, make } from "../dom.js";
import { digits, words } from "../units.js";
import { AXES, keysOf } from "./actions.js";

const RADIUS = 42, KNOB = 17, TRAVEL = 27;  // of the picture of a lever, 100 wide

export class Onscreen {
  /**
   * @param {HTMLElement} place where the levers go
   * @param {HTMLElement} beside where inputs go that are no levers
   * @param {import("./hands.js").Hands} hands
   * @param {() => object} mapping
   */
  constructor(place, beside, hands, mapping) {
    this.place = place;
    this.beside = beside;
    this.hands = hands;
    this.mapping = mapping;
    this.values = new Map();
    this.applied = null;
    this.held = [];
    this.shown = [];
    this.grips = new Set();
    window.addEventListener("blur", () => this.centre());
    document.addEventListener("visibilitychange", () => this.centre());
    this.build();
  }

  /** Make the levers that the machine has in its pattern. */
  build() {
    this.shown = [];
    this.grips.clear();
    const side = (name) => make("div", { class: `hand ${name}` }, this.#lever(name), this.#wheels([`thumb.${name}`, `pedal.${name}`]));
    this.place.replaceChildren(side("left"), this.#buttons(), side("right"));
    this.#sliders();
  }

  /** Let go of everything. */
  centre() {
    this.values.clear();
    for (const grip of this.grips) grip();
  }

  /** What is pushed now, by axis. */
  axes() {
    return this.values;
  }

  #at(axis) {
    return this.hands.stands(axis, this.applied);
  }

  #says(action) {
    return this.hands.does(action)?.join(" ") ?? "";
  }

  #keys(axis) {
    const { keys } = this.mapping();
    return ["-", "+"].map((sign) => keysOf(keys, `${axis}${sign}`)[0] ?? "");
  }

  #lever(side) {
    const [x, y] = [`${side}.x`, `${side}.y`];
    if (!this.hands.of(x) && !this.hands.of(y)) return null;
    const [left, right] = this.#keys(x), [back, ahead] = this.#keys(y);
    const stem = draw("line", { x1: 50, y1: 50, x2: 50, y2: 50, class: "stem" });
    const knob = draw("circle", { cx: 50, cy: 50, r: KNOB, class: "knob" });
    const ways = [[`${y}+`, "ahead", ahead], [`${x}-`, "aside-left", left], [`${y}-`, "back", back], [`${x}+`, "aside-right", right]].filter(([action]) => this.#says(action));
    const labels = ways.map(([action, at, key]) => make("span", { class: `word ${at}` }, make("kbd", { text: key }), make("span", { text: this.#says(action) })));
    const told = ways.map(([action, , key]) => `${this.#says(action)}, key ${key || "none"}`).join("; ");
    const picture = draw(
      "svg", { viewBox: "0 0 100 100" }, draw("circle", { cx: 50, cy: 50, r: RADIUS, class: "well" }),
      draw("path", { d: "M50 14V86M14 50H86", class: "cross" }), stem, knob,
    );
    const lever = make(
      "div", { class: "lever", role: "group", "data-lever": side, "aria-label": `${side} lever: ${told}` }, ...labels, picture,
    );
    const show = () => {
      const a = 50 + TRAVEL * this.#at(x), b = 50 - TRAVEL * this.#at(y);
      for (const [element, names] of [[knob, ["cx", "cy"]], [stem, ["x2", "y2"]]]) {
        element.setAttribute(names[0], a.toFixed(1));
        element.setAttribute(names[1], b.toFixed(1));
      }
    };
    this.shown.push(show);
    this.#grip(picture, (event, box) => {
      const reach = (TRAVEL / 100) * box.width;
      const across = (event.clientX - box.left - box.width / 2) / reach, up = -(event.clientY - box.top - box.height / 2) / reach;
      this.values.set(x, clip(across));
      this.values.set(y, clip(up));
    }, () => [x, y].forEach((axis) => this.values.delete(axis)));
    return lever;
  }

  #wheels(axes) {
    const used = axes.filter((axis) => this.hands.of(axis));
    return used.length ? make("div", { class: "wheels" }, ...used.map((axis) => this.#wheel(axis))) : null;
  }

  #wheel(axis) {
    const [down, up] = this.#keys(axis), [what, minus] = this.hands.does(`${axis}-`), [, plus] = this.hands.does(`${axis}+`), [name] = AXES[axis];
    const way = (key, word) => make("span", { class: "way" }, make("kbd", { text: key }), make("span", { class: "word", text: word }));
    const knob = make("div", { class: "grip" }), track = make("div", { class: "track" }, knob);
    this.shown.push(() => knob.style.setProperty("--at", this.#at(axis).toFixed(3)));
    this.#grip(track, (event, box) => this.values.set(axis, clip(-(event.clientY - box.top - box.height / 2) / (0.38 * box.height))), () => this.values.delete(axis));
    return make(
      "div", { class: "wheel", role: "group", "data-lever": axis, "aria-label": `${name}: ${what} ${plus}, key ${up || "none"}; ${what} ${minus}, key ${down || "none"}` },
      way(up, plus), track, way(down, minus), make("span", { class: "word name", text: what }),
    );
  }

  #buttons() {
    const buttons = Object.keys(this.hands.controls[this.hands.pattern] ?? {}).filter((axis) => axis.startsWith("button."));
    return make("div", { class: "pushes" }, ...buttons.map((axis) => {
      const [key] = keysOf(this.mapping().keys, axis), label = this.#says(axis);
      const pad = make("button", { class: "push", type: "button", "data-lever": axis, "aria-label": `${label}, key ${key ?? "none"}` }, make("kbd", { text: key ?? "" }), label);
      this.shown.push(() => pad.classList.toggle("pushed", this.#at(axis) > 0.01));
      this.#grip(pad, () => this.values.set(axis, 1), () => this.values.delete(axis));
      return pad;
    }));
  }

  /** Inputs that stay where they are put: a load, the speed of a pump. */
  #sliders() {
    const { loose } = this.hands;
    const sliders = loose.map(({ name, low, high, meaning, rest, shown: [label, factor, offset] }) => {
      const figure = make("span", { class: "figure" });
      const put = (value) => {
        this.hands.put(name, value);
        figure.replaceChildren(make("b", { text: digits(factor * value + offset) }), ` ${label}`);
      };
      const slider = make("input", {
        type: "range", min: low, max: high, step: "any", "data-input": name,
        oninput: () => put(Number(slider.value)),
        ondblclick: () => { slider.value = rest; put(rest); },
      });
      const number = this.hands.number.get(name);
      slider.value = this.hands.held[number];
      put(this.hands.held[number]);
      let foreign = false;
      this.shown.push(() => {
        const program = this.held.includes(name);
        if (!program && !foreign) return;
        foreign = program;
        slider.disabled = program;
        slider.value = program ? this.applied[number] : this.hands.held[number];
        figure.replaceChildren(make("b", { text: digits(factor * slider.value + offset) }), ` ${label}`);
      });
      return make("label", { class: "row stay", title: meaning }, make("span", { class: "title", text: words(name).replace(".", " ") }), slider, figure);
    });
    const group = make("details", { class: "group", open: true, "data-group": "inputs" }, make("summary", { text: "Inputs" }), ...sliders);
    this.beside.replaceChildren(...(loose.length ? [group] : []));
  }

  #grip(element, move, end) {
    const finish = () => { element.classList.remove("held"); end(); };
    const follow = (event) => { if (element.classList.contains("held")) move(event, element.getBoundingClientRect()); };
    element.addEventListener("pointerdown", (event) => {
      event.preventDefault();
      element.setPointerCapture(event.pointerId);
      element.classList.add("held");
      follow(event);
    });
    element.addEventListener("pointermove", follow);
    for (const kind of ["pointerup", "pointercancel", "lostpointercapture"]) element.addEventListener(kind, finish);
    if (element.matches("button")) {
      element.addEventListener("keydown", (event) => { if (event.key === "Enter") move(event, element.getBoundingClientRect()); });
      for (const kind of ["keyup", "blur"]) element.addEventListener(kind, finish);
    }
    this.grips.add(finish);
  }

  /** Show where the levers are, whoever moves them: `applied` are the inputs of a frame, `held` names those that a program holds. */
  show(applied, held) {
    this.applied = applied;
    this.held = held;
    for (const one of this.shown) one();
  }
}

const clip = (value) => Math.min(Math.max(value, -1), 1);
