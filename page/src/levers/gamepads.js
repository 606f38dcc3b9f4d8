// SPDX-License-Identifier: BSD-3-Clause
// Gamepads: sticks, gamepads and pedals that the browser knows, any number at once, as levers.
import { shape } from "./curve.js";
import { usualDevice } from "./mapping.js";

export class Gamepads {
  /** @param {() => object} mapping gives the mapping of now; devices that are new to it get their usual one */
  constructor(mapping) {
    this.mapping = mapping;
    this.values = new Map();
  }

  /** The devices that are plugged in. Two of the same make are told apart by their place. */
  devices() {
    const found = [...(navigator.getGamepads?.() ?? [])].filter((pad) => pad?.connected), seen = new Map();
    return found.map((pad) => {
      const number = (seen.get(pad.id) ?? 0) + 1;
      seen.set(pad.id, number);
      return { pad, name: number === 1 ? pad.id : `${pad.id} (${number})` };
    });
  }

  /** Axes (-1 to 1) and buttons (0 to 1) by name. */
  axes() {
    this.values.clear();
    const { devices } = this.mapping();
    let sticks = 0;
    for (const { pad, name } of this.devices()) {
      devices[name] ??= usualDevice(pad, sticks);
      if (pad.mapping !== "standard") sticks += 1;
      for (const one of devices[name].axes) if (one.to) this.#add(one.to, shape(pad.axes[one.from] ?? 0, one));
      for (const { from, to } of devices[name].buttons) {
        const value = pad.buttons[from]?.value ?? 0;
        if (!to || !value) continue;
        if (/[+-]$/.test(to)) this.#add(to.slice(0, -1), to.endsWith("+") ? value : -value);
        else this.#add(to, value);
      }
    }
    return this.values;
  }

  #add(axis, value) {
    this.values.set(axis, Math.min(Math.max((this.values.get(axis) ?? 0) + value, -1), 1));
  }
}
