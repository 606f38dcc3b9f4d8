// SPDX-License-Identifier: BSD-3-Clause
// Warnings: which are on now. One stays a moment after it has gone, so that a short one is seen.
import { make } from "../dom.js";

const STAY = 1500;  // ms
/** By the kind of a warning, protocol docs/cabin_protocol.md. */
export const MARKS = { relief: "◉", cavitation: "≋", end_stop: "⊣", lug_down: "⇣", stall: "⊘", tipping: "◺", deadline: "◔" };

export class Warnings {
  /**
   * @param {HTMLElement} place
   * @param {object[]} warnings of hello
   */
  constructor(place, warnings) {
    this.place = place;
    this.all = warnings.map((one) => ({ ...one, seen: -Infinity, chip: null }));
    place.replaceChildren();
  }

  /** Take the bits of a frame. */
  take(words) {
    const now = performance.now();
    this.all.forEach((one, i) => {
      if ((words[i >> 5] >>> (i & 31)) & 1) one.seen = now;
      const on = now - one.seen < STAY;
      if (on === (one.chip !== null)) return;
      if (on) {
        one.chip = make("li", { class: `warning ${one.kind}`, "data-warning": one.id }, make("span", { "aria-hidden": "true", text: MARKS[one.kind] ?? "!" }), one.text);
        this.place.append(one.chip);
      } else {
        one.chip.remove();
        one.chip = null;
      }
    });
  }
}
