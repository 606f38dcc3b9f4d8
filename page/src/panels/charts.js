// SPDX-License-Identifier: BSD-3-Clause
// Charts: named signals over the last seconds, drawn by uPlot. Signals of one unit share a chart.
import uPlot from "uplot";
import { icon, make } from "../dom.js";

const SPAN = 20, EVERY = 1 / 25, MOST = 6, TALL = 118, JUMP = 3;  // s shown, s between points, signals in a chart, px, s
const COLOURS = ["#2f7fd6", "#e07b1f", "#2fa36b", "#b3569b", "#c9a227", "#7a8694"];

export class Charts {
  /**
   * @param {HTMLElement} place
   * @param {import("../signals.js").Signals} signals
   */
  constructor(place, signals) {
    this.place = place;
    this.signals = signals;
    this.cards = new Map();
    this.times = [];
    this.width = 0;
    new ResizeObserver(() => this.#resize()).observe(place);
  }

  get paths() {
    return [...this.cards.values()].flatMap(({ paths }) => paths);
  }

  /** Add a signal to the chart of its unit. */
  add(path) {
    const known = this.signals.known.get(path);
    if (!known || this.paths.includes(path)) return;
    const [unit, factor, offset] = known.shown;
    const card = this.cards.get(unit) ?? { unit, factor, offset, paths: [], values: new Map(), box: null, plot: null };
    if (card.paths.length >= MOST) this.#drop(card, card.paths[0]);
    card.paths.push(path);
    card.values.set(path, new Array(this.times.length).fill(null));
    this.cards.set(unit, card);
    this.#draw(card);
    this.#want();
  }

  remove(path) {
    for (const card of [...this.cards.values()]) if (card.paths.includes(path)) this.#drop(card, path);
    this.#want();
  }

  #drop(card, path) {
    card.paths = card.paths.filter((one) => one !== path);
    card.values.delete(path);
    if (card.paths.length) this.#draw(card);
    else {
      card.plot?.destroy();
      card.box?.remove();
      this.cards.delete(card.unit);
    }
  }

  #want() {
    this.signals.want("charts", this.paths);
    this.place.dispatchEvent(new CustomEvent("charts", { detail: this.paths }));
  }

  #draw(card) {
    card.plot?.destroy();
    const legend = card.paths.map((path, i) => {
      const swatch = make("i"), { meaning } = this.signals.known.get(path);
      swatch.style.setProperty("background", COLOURS[i]);
      return make("li", { title: meaning }, swatch, make("span", { text: path }), make("button", { class: "tiny", type: "button", "aria-label": `remove ${path}`, onclick: () => this.remove(path) }, icon("close")));
    });
    const box = make("div", { class: "chart", "data-unit": card.unit }, make("ul", { class: "legend" }, ...legend), make("div", { class: "plot", role: "img", "aria-label": `chart of ${card.paths.join(", ")}` }));
    if (card.box) card.box.replaceWith(box);
    else this.place.append(box);
    card.box = box;
    const style = getComputedStyle(document.documentElement), ink = style.getPropertyValue("--soft").trim(), line = style.getPropertyValue("--line").trim();
    const axis = { stroke: ink, grid: { stroke: line, width: 1 }, ticks: { show: false }, font: "10px system-ui, sans-serif" };
    card.plot = new uPlot({
      width: this.#width(), height: TALL, legend: { show: false }, cursor: { show: false }, padding: [6, 8, 0, 0],
      scales: { x: { time: false } },
      axes: [{ ...axis, size: 18, gap: 2 }, { ...axis, size: 44, gap: 2, label: card.unit || "1", labelSize: 12, labelGap: 0, labelFont: "10px system-ui, sans-serif", space: 26 }],
      series: [{}, ...card.paths.map((_, i) => ({ stroke: COLOURS[i], width: 1.5, points: { show: false } }))],
    }, this.#data(card), box.querySelector(".plot"));
  }

  #data(card) {
    return [this.times, ...card.paths.map((path) => card.values.get(path))];
  }

  #width() {
    return Math.max(this.place.clientWidth - 2, 120);
  }

  #resize() {
    const width = this.#width();
    if (width === this.width) return;
    this.width = width;
    for (const { plot } of this.cards.values()) plot.setSize({ width, height: TALL });
  }

  /** Note the values of now. */
  note(time) {
    const last = this.times.at(-1);
    if (last !== undefined && (time < last || time > last + JUMP)) this.clear();  // it was reset, or moved by hand
    else if (last !== undefined && time - last < EVERY) return;
    this.times.push(time);
    for (const card of this.cards.values()) for (const path of card.paths) {
      const value = this.signals.value(path);
      card.values.get(path).push(value === undefined ? null : card.factor * value + card.offset);
    }
    if (time - this.times[0] <= 1.2 * SPAN) return;
    const old = this.times.findIndex((one) => one >= time - SPAN);
    this.times.splice(0, old);
    for (const card of this.cards.values()) for (const values of card.values.values()) values.splice(0, old);
  }

  clear() {
    this.times.length = 0;
    for (const card of this.cards.values()) for (const values of card.values.values()) values.length = 0;
  }

  /** Draw what was noted. */
  show() {
    if (!this.times.length) return;
    const end = this.times.at(-1);
    for (const card of this.cards.values()) {
      card.plot.batch(() => {
        card.plot.setData(this.#data(card), false);
        card.plot.setScale("x", { min: Math.max(end - SPAN, this.times[0]), max: Math.max(end, this.times[0] + 1) });
        card.plot.setScale("y", range(card));
      });
    }
  }

  /** Colours follow the tone of the page. */
  repaint() {
    for (const card of this.cards.values()) this.#draw(card);
  }
}

function range(card) {
  let low = Infinity, high = -Infinity;
  for (const values of card.values.values()) for (const value of values) if (value !== null) { low = Math.min(low, value); high = Math.max(high, value); }
  if (low > high) return { min: 0, max: 1 };
  const room = Math.max(0.08 * (high - low), 0.02 * Math.abs(high), 1e-6);
  return { min: low - room, max: high + room };
}
