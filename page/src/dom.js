// SPDX-License-Identifier: BSD-3-Clause
// Small helpers to make elements: no framework, no HTML from text.

/**
 * Make an element: make("button", { class: "plain", onclick }, "Go").
 * Keys that begin with "on" are listeners, "class", "text" and properties of the element are set, the rest are attributes.
 */
export function make(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [key, value] of Object.entries(properties)) {
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (key === "class") element.className = value;
    else if (key === "text") element.textContent = value;
    else if (value === true) element.setAttribute(key, "");
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(key, value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

/** Make an element of an SVG. */
export function draw(tag, attributes = {}, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

/** Find the element with an id. */
export const by = (id) => document.getElementById(id);

const ICONS = {
  pause: "M6 4h4v16H6zM14 4h4v16h-4z",
  play: "M7 4l13 8-13 8z",
  step: "M5 4l10 8-10 8zM17 4h3v16h-3z",
  reset: "M12 5V1L6 6l6 5V7a5 5 0 1 1-5 5H5a7 7 0 1 0 7-7z",
  record: "M12 5a7 7 0 1 0 0 14a7 7 0 1 0 0-14z",
  sound: "M4 9v6h4l5 4V5L8 9zM16 8.5a5 5 0 0 1 0 7zM16 5a8 8 0 0 1 0 14v-2a6 6 0 0 0 0-10z",
  mute: "M4 9v6h4l5 4V5L8 9zM16 9l1.5-1.5L20 10l2.5-2.5L24 9l-2.5 3L24 15l-1.5 1.5L20 14l-2.5 2.5L16 15l2.5-3z",
  tone: "M12 3a9 9 0 1 0 9 9a7 7 0 0 1-9-9z",
  keys: "M2 6h20v12H2zM5 9v2h2V9zM9 9v2h2V9zM13 9v2h2V9zM17 9v2h2V9zM7 13v2h10v-2z",
  sticks: "M7 14h10a4 4 0 0 1 4 4l-1 2H4l-1-2a4 4 0 0 1 4-4zM11 7h2v7h-2zM12 2a3 3 0 1 0 0 6a3 3 0 1 0 0-6z",
  window: "M4 4h7v2H6v12h12v-5h2v7H4zM13 3h8v8h-2V6.4l-8 8L9.6 13l8-8H13z",
  panel: "M3 4h18v16H3zM5 6v12h9V6z",
  one: "M3 4h18v16H3zM5 6v12h14V6z",
  two: "M3 4h18v16H3zM5 6v12h6V6zM13 6v12h6V6z",
  four: "M3 4h18v16H3zM5 6v5h6V6zM13 6v5h6V6zM5 13v5h6v-5zM13 13v5h6v-5z",
  levers: "M8 3a4 4 0 1 0 0 8a4 4 0 1 0 0-8zM7 11h2v9H7zM17 7a3 3 0 1 0 0 6a3 3 0 1 0 0-6zM16 13h2v7h-2z",
  plus: "M11 4h2v7h7v2h-7v7h-2v-7H4v-2h7z",
  close: "M5 6.4L6.4 5 12 10.6 17.6 5 19 6.4 13.4 12 19 17.6 17.6 19 12 13.4 6.4 19 5 17.6 10.6 12z",
};

/** A small picture by name. */
export const icon = (name) =>
  draw("svg", { viewBox: "0 0 24 24", class: "icon", "aria-hidden": "true" }, draw("path", { d: ICONS[name], "fill-rule": "evenodd" }));

/** Change what a button shows. */
export function setIcon(button, name) {
  if (button.dataset.icon === name) return;
  button.dataset.icon = name;
  button.querySelector("svg")?.replaceWith(icon(name));
}
