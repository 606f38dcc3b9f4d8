// SPDX-License-Identifier: BSD-3-Clause
// Keyboard: keys as levers. A lever follows its key within a tenth of a second and springs back when the key, the focus or the page goes.
import { COMMANDS } from "./actions.js";

const OUT = 9, BACK = 14;  // of the lever's range per second
const FINE = 1 / 3;

export class Keyboard {
  /**
   * @param {() => object} mapping gives the mapping of now
   * @param {(command: string) => void} command carries out an action of the page
   */
  constructor(mapping, command) {
    this.mapping = mapping;
    this.command = command;
    this.down = new Set();
    this.values = new Map();
    window.addEventListener("keydown", (event) => this.#press(event));
    window.addEventListener("keyup", (event) => this.down.delete(event.code));
    window.addEventListener("blur", () => this.centre());
    document.addEventListener("visibilitychange", () => this.centre());
  }

  /** Let go of everything. */
  centre() {
    this.down.clear();
    this.values.clear();
  }

  #press(event) {
    const action = this.mapping().keys[event.code];
    if (!action || event.ctrlKey || event.altKey || event.metaKey || writes(event)) return;
    if (document.querySelector("dialog[open]") && action !== "help") return;
    if (COMMANDS.has(action)) {
      if (event.code === "Space" && event.target.closest?.("button, summary, a")) return;  // Space presses what has the focus
      event.preventDefault();
      if (!event.repeat) this.command(action);
      return;
    }
    event.preventDefault();
    this.down.add(event.code);
  }

  /** Axes (-1 to 1) and buttons (0 or 1) by name, after so many seconds more. */
  axes(seconds) {
    const { keys } = this.mapping(), goals = new Map(), held = [...this.down].map((code) => keys[code]);
    for (const action of held) {
      if (!action || action === "fine") continue;
      const [axis, sign] = /[+-]$/.test(action) ? [action.slice(0, -1), action.endsWith("+") ? 1 : -1] : [action, 1];
      goals.set(axis, (goals.get(axis) ?? 0) + sign * (held.includes("fine") ? FINE : 1));
    }
    for (const axis of new Set([...goals.keys(), ...this.values.keys()])) {
      const goal = goals.get(axis) ?? 0, now = this.values.get(axis) ?? 0;
      const most = seconds * (Math.abs(goal) > Math.abs(now) ? OUT : BACK), next = now + Math.min(Math.max(goal - now, -most), most);
      if (next === 0 && goal === 0) this.values.delete(axis);
      else this.values.set(axis, next);
    }
    return this.values;
  }
}

/** Whether a key writes text, or works something that has the focus, rather than a lever. */
function writes({ target, code }) {
  if (target.closest?.("textarea, select, [contenteditable]")) return true;
  if (!target.matches?.("input")) return false;
  return target.type !== "range" || /^(Arrow|Home|End|Page)/.test(code);
}
