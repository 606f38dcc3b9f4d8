// SPDX-License-Identifier: BSD-3-Clause
// One axis of a device on the mapping page: what it moves, inverted or not, dead zone, curve, and a live picture of all that.
import { draw, make } from "../dom.js";
import { AXES } from "../levers/actions.js";
import { shape } from "../levers/curve.js";

/**
 * @param {string} device its name
 * @param {{from: number, to: string, invert: boolean, deadzone: number, curve: number}} axis changed in place
 * @param {() => number} raw what the device says now
 * @param {() => void} keep called after a change
 * @returns {{element: HTMLElement, preview: () => void}}
 */
export function axisRow(device, axis, raw, keep) {
  const label = `axis ${axis.from + 1} of ${device}`, line = draw("path", { class: "curve" }), dot = draw("circle", { r: 4, class: "dot" }), figure = make("b", { class: "figure" });
  const picture = draw("svg", { viewBox: "-54 -54 108 108", class: "response" }, draw("path", { d: "M-50 0H50M0 -50V50", class: "ticks" }), line, dot);

  function trace() {
    const points = Array.from({ length: 51 }, (_, i) => 2 * i - 50).map((x) => `${x} ${(-50 * shape(x / 50, axis)).toFixed(1)}`);
    line.setAttribute("d", `M${points.join("L")}`);
  }
  function changed() {
    trace();
    keep();
  }
  const range = (key, min, max, text) => {
    const shown = make("output", { text: axis[key].toFixed(2) });
    const slider = make("input", {
      type: "range", min, max, step: 0.01, "aria-label": `${text} of ${label}`, "data-setting": key,
      oninput: () => { axis[key] = Number(slider.value); shown.textContent = axis[key].toFixed(2); changed(); },
    });
    slider.value = axis[key];
    return make("label", {}, text, slider, shown);
  };
  const to = make("select", { "aria-label": `what ${label} moves`, onchange: () => { axis.to = to.value; changed(); } },
    make("option", { value: "", text: "nothing" }),
    ...Object.entries(AXES).map(([value, [name]]) => make("option", { value, text: `${name}${/\.[xy]$/.test(value) ? (value.endsWith("x") ? ", across" : ", forward") : ""}` })));
  to.value = axis.to;
  const invert = make("input", { type: "checkbox", onchange: () => { axis.invert = invert.checked; changed(); } });
  invert.checked = axis.invert;
  trace();
  const element = make(
    "div", { class: "axis", "data-axis": axis.from }, make("span", { class: "number", text: `${axis.from + 1}` }), picture, figure,
    make("div", { class: "settings" }, to, make("label", {}, invert, "inverted"), range("deadzone", 0, 0.5, "dead zone"), range("curve", 0.5, 3, "curve")),
  );
  const preview = () => {
    const now = raw(), value = shape(now, axis);
    dot.setAttribute("cx", (50 * Math.min(Math.max(now, -1), 1)).toFixed(1));
    dot.setAttribute("cy", (-50 * value).toFixed(1));
    figure.textContent = value.toFixed(2);
  };
  return { element, preview };
}
