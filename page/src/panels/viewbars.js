// SPDX-License-Identifier: BSD-3-Clause
// View bars: in the corner of each view, which camera it shows and, when it follows, which body.
import { make } from "../dom.js";
import { KINDS } from "../scene/cameras.js";
import { words } from "../units.js";

/**
 * Put a bar onto each view.
 * @param {HTMLElement} place laid over the canvas
 * @param {import("../scene/stage.js").Stage} stage
 */
export function viewbars(place, stage) {
  place.replaceChildren(...stage.views.map(({ rig, place: [x, y, w, h] }, number) => {
    const bodies = make("select", { "aria-label": `body that view ${number + 1} follows`, onchange: () => { rig.followed = Number(bodies.value); stage.dirty = true; bodies.blur(); } },
      ...stage.machine.scene.bodies.map((name, i) => make("option", { value: i, text: words(name) })));
    bodies.value = rig.followed;
    const show = () => {
      for (const button of bar.querySelectorAll("button")) button.setAttribute("aria-pressed", String(button.dataset.camera === rig.kind));
      bodies.hidden = rig.kind !== "follow";
      stage.dirty = true;
    };
    const buttons = Object.entries(KINDS).filter(([kind]) => kind !== "cab" || stage.machine.cab).map(([kind, text]) =>
      make("button", { type: "button", "data-camera": kind, "aria-label": `view ${number + 1}: ${text} camera`, onclick: () => { rig.set(kind); show(); } }, text));
    const bar = make("div", { class: "viewbar", role: "group", "aria-label": `camera of view ${number + 1}` }, ...buttons, bodies);
    const box = make("div", { class: "view", "data-view": number }, bar);
    for (const [side, value] of Object.entries({ left: x, top: y, width: w, height: h })) box.style.setProperty(side, `${100 * value}%`);
    show();
    return box;
  }));
}
