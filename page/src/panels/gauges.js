// SPDX-License-Identifier: BSD-3-Clause
// Gauges: dials, bars, angles and numbers of hello's list, in groups. Each shows factor x signal + offset in its own unit.
import { draw, make } from "../dom.js";
import { digits, pretty } from "../units.js";

const TITLES = { pumps: "Supply", cylinders: "Cylinders", motors: "Motors", joints: "Joints", machine: "Machine" };
const FIRST = ["machine", "pumps"];
const SWEEP = 240;  // degrees of a dial
const point = (degrees, radius) => {
  const angle = ((degrees - 90) * Math.PI) / 180;
  return `${(50 + radius * Math.cos(angle)).toFixed(2)} ${(50 + radius * Math.sin(angle)).toFixed(2)}`;
};
const arc = (from, to, radius) => `M${point(from, radius)}A${radius} ${radius} 0 ${to - from > 180 ? 1 : 0} 1 ${point(to, radius)}`;

export class Gauges {
  /**
   * @param {HTMLElement} place where those go that are always looked at
   * @param {HTMLElement} more where the others go
   * @param {object[]} gauges of hello
   * @param {import("../signals.js").Signals} signals
   */
  constructor(place, more, gauges, signals) {
    this.signals = signals;
    this.shown = [];
    signals.want("gauges", gauges.map(({ path }) => path));
    gauges = gauges.map((one) => ({ ...one, title: one.title[0].toUpperCase() + one.title.slice(1) }));
    const groups = grouped(gauges);
    for (const [box, first] of [[place, true], [more, false]]) {
      box.replaceChildren(...[...groups].filter(([group]) => FIRST.includes(group) === first).map(([group, some]) => this.#group(group, some)));
    }
  }

  #group(group, gauges) {
    const small = gauges.filter(({ kind }) => kind === "dial" || kind === "angle"), rows = gauges.filter((one) => !small.includes(one));
    // rows that share a unit have it in their heading: "bar gauge" is too long for each of them
    const title = TITLES[group] ?? group, [first] = rows, common = rows.length > 1 && rows.every(({ unit }) => unit === first.unit);
    const unit = common ? () => "" : (one) => ` ${pretty(one.unit)}`;
    return make(
      "details", { class: "group", open: true, "data-group": group }, make("summary", { text: common ? `${title}, ${pretty(first.unit)}` : title }),
      small.length ? make("div", { class: "dials" }, ...small.map((one) => (one.kind === "dial" ? this.#dial(one) : this.#angle(one)))) : null,
      ...rows.map((one) => (one.kind === "bar" ? this.#bar(one, unit(one)) : this.#number(one, unit(one)))),
    );
  }

  #follow(gauge, show) {
    let last = null;
    this.shown.push(() => {
      const signal = this.signals.value(gauge.path);
      if (signal === undefined) return;
      const value = gauge.factor * signal + gauge.offset, written = digits(value);
      const share = Math.min(Math.max((value - gauge.low) / (gauge.high - gauge.low || 1), 0), 1), mark = `${written} ${share.toFixed(3)}`;
      if (mark === last) return;
      last = mark;
      show(value, share, written, gauge.red !== null && value >= gauge.red[0] && value <= gauge.red[1]);
    });
  }

  #dial(gauge) {
    const { low, high, red } = gauge, at = (value) => SWEEP * ((value - low) / (high - low || 1) - 0.5);
    const needle = draw("path", { d: "M50 50m-2.2 8l2.2-44l2.2 44z", class: "needle" }), value = draw("text", { x: 50, y: 81, class: "value" });
    const ticks = Array.from({ length: 9 }, (_, i) => SWEEP * (i / 8 - 0.5)).map((a, i) => `M${point(a, 43)}L${point(a, i % 2 ? 40 : 36)}`).join("");
    const clip = (one) => Math.min(Math.max(one, low), high);
    const face = draw(
      "svg", { viewBox: "0 0 100 96", class: "dial" }, draw("path", { d: arc(-SWEEP / 2, SWEEP / 2, 43), class: "scale" }),
      ...(red ? [draw("path", { d: arc(at(clip(red[0])), at(clip(red[1])), 43), class: "red" })] : []), draw("path", { d: ticks, class: "ticks" }),
      needle, draw("circle", { cx: 50, cy: 50, r: 5, class: "hub" }), value,
    );
    const unit = draw("text", { x: 50, y: 92, class: "unit" });
    unit.append(pretty(gauge.unit));
    face.append(unit);
    const box = frame("gauge", gauge, face, make("span", { class: "title", text: gauge.title }));
    this.#follow(gauge, (_, share, written, hot) => {
      needle.setAttribute("transform", `rotate(${(SWEEP * (share - 0.5)).toFixed(1)} 50 50)`);
      value.textContent = written;
      box.classList.toggle("hot", hot);
    });
    return box;
  }

  #angle(gauge) {
    const hand = draw("path", { d: "M50 50L88 50", class: "hand" }), value = make("b");
    const face = draw("svg", { viewBox: "0 0 100 100", class: "angle" }, draw("circle", { cx: 50, cy: 50, r: 42, class: "well" }), draw("path", { d: "M8 50H92", class: "ticks" }), hand);
    const box = frame("gauge angle", gauge, face, make("span", { class: "title" }, value, ` ${gauge.title}`));
    this.#follow(gauge, (shown, _, written, hot) => {
      hand.setAttribute("transform", `rotate(${shown.toFixed(1)} 50 50)`);
      value.textContent = `${written}${pretty(gauge.unit)}`;
      box.classList.toggle("hot", hot);
    });
    return box;
  }

  #bar(gauge, unit) {
    const fill = make("i"), value = make("b"), { low, high, red } = gauge, bar = make("span", { class: "bar" }, fill);
    if (red) {
      const mark = make("u");
      mark.style.setProperty("left", `${(100 * (Math.max(red[0], low) - low)) / (high - low || 1)}%`);
      bar.append(mark);
    }
    const box = frame("row", gauge, make("span", { class: "title", text: gauge.title }), bar, make("span", { class: "figure" }, value, unit));
    this.#follow(gauge, (_, share, written, hot) => {
      fill.style.setProperty("transform", `scaleX(${share.toFixed(3)})`);
      value.textContent = written;
      box.classList.toggle("hot", hot);
    });
    return box;
  }

  #number(gauge, unit) {
    const value = make("b");
    const box = frame("row", gauge, make("span", { class: "title", text: gauge.title }), make("span", { class: "figure" }, value, unit));
    this.#follow(gauge, (_, __, written, hot) => {
      value.textContent = written;
      box.classList.toggle("hot", hot);
    });
    return box;
  }

  /** Show the newest values. */
  show() {
    for (const one of this.shown) one();
  }
}

const frame = (kind, gauge, ...children) => make("div", { class: kind, title: `${gauge.title}: ${gauge.path}`, "data-path": gauge.path }, ...children);

function grouped(gauges) {
  const groups = new Map();
  for (const one of gauges) groups.set(one.group, [...(groups.get(one.group) ?? []), one]);
  return groups;
}
