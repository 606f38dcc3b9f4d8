// SPDX-License-Identifier: BSD-3-Clause
// Mapping page: keys, sticks and buttons, with a live preview; kept in the browser, saved and loaded as a file.
import { icon, make } from "../dom.js";
import { ACTIONS, keyLabel, MOVES } from "../levers/actions.js";
import { download, parse, save, usual, usualDevice } from "../levers/mapping.js";
import { axisRow } from "./axis_row.js";

export class MappingPage {
  /**
   * @param {HTMLDialogElement} dialog
   * @param {import("../levers/gamepads.js").Gamepads} gamepads
   * @param {{get: () => object, set: (mapping: object) => void, hands: () => import("../levers/hands.js").Hands}} store
   */
  constructor(dialog, gamepads, store) {
    this.dialog = dialog;
    this.gamepads = gamepads;
    this.store = store;
    this.previews = [];
    this.waiting = null;
    dialog.addEventListener("keydown", (event) => this.#learn(event), true);
    dialog.addEventListener("close", () => { this.waiting = null; });
    for (const kind of ["gamepadconnected", "gamepaddisconnected"]) window.addEventListener(kind, () => { if (dialog.open) this.build(); });
  }

  show() {
    this.plugged = "";
    this.build();
    this.dialog.showModal();
    const tick = () => {
      if (!this.dialog.open) return;
      const now = this.gamepads.devices().map(({ name }) => name).join();
      if (now !== this.plugged) this.build();
      for (const preview of this.previews) preview();
      requestAnimationFrame(tick);
    };
    tick();
  }

  /** Keep a mapping: here, and in this browser. */
  keep(mapping = this.store.get()) {
    this.store.set(mapping);
    if (!save(mapping)) this.#say("This browser does not keep anything; save the mapping as a file.", true);
    else this.#say("Kept in this browser.");
  }

  #say(text, wrong = false) {
    const line = this.dialog.querySelector(".said");
    if (!line) return;
    line.textContent = text;
    line.classList.toggle("alarm", wrong);
  }

  build() {
    this.previews = [];
    const devices = this.gamepads.devices(), hands = this.store.hands(), mapping = this.store.get();
    this.plugged = devices.map(({ name }) => name).join();
    const scrolled = this.dialog.querySelector(".scroll")?.scrollTop ?? 0, said = this.dialog.querySelector(".said");
    const patterns = hands && hands.patterns.length > 1
      ? make("fieldset", { class: "patterns" }, make("legend", { text: "Lever pattern" }), ...hands.patterns.map((name) => {
        const radio = make("input", { type: "radio", name: "pattern", value: name, onchange: () => this.keep({ ...this.store.get(), pattern: name }) });
        radio.checked = name === hands.pattern;
        return make("label", {}, radio, name.toUpperCase());
      }))
      : null;
    const sticks = devices.length
      ? devices.map(({ pad, name }) => this.#device(pad, name, mapping))
      : [make("p", { class: "hint", text: "No stick or gamepad is seen. Plug one in and press one of its buttons; several work at once." })];
    this.dialog.replaceChildren(
      make("h2", { text: "Levers, sticks and keys" }), said ?? make("p", { class: "said hint", role: "status" }),
      make("div", { class: "scroll" }, patterns, make("h3", { text: "Sticks and gamepads" }), ...sticks, make("h3", { text: "Keys" }), this.#keys(mapping)),
      make("div", { class: "foot" },
        make("button", { type: "button", text: "Usual mapping", onclick: () => { this.keep(usual()); this.build(); } }),
        make("button", { type: "button", text: "Save as file", onclick: () => download(this.store.get()) }),
        make("label", { class: "file button" }, "Load file", make("input", { type: "file", accept: ".json,application/json", onchange: (event) => this.#read(event.target) })),
        make("button", { type: "button", class: "strong", text: "Close", onclick: () => this.dialog.close() })),
    );
    this.dialog.querySelector(".scroll").scrollTop = scrolled;
  }

  async #read(input) {
    const [file] = input.files;
    input.value = "";
    if (!file) return;
    try {
      const mapping = parse(await file.text());
      this.keep(mapping);
      this.build();
      this.#say(`Loaded ${file.name}.`);
    } catch (error) {
      this.#say(error.message, true);
    }
  }

  // --- keys ---

  #keys(mapping) {
    const rows = [...ACTIONS].map(([action, text]) => {
      const codes = Object.keys(mapping.keys).filter((code) => mapping.keys[code] === action);
      const chips = codes.map((code) => make("button", {
        type: "button", class: "chip", title: "take this key away", "aria-label": `${text}: take key ${keyLabel(code)} away`,
        onclick: () => { delete mapping.keys[code]; this.keep(); this.build(); },
      }, make("kbd", { text: keyLabel(code) }), icon("close")));
      const add = make("button", { type: "button", class: "tiny", "data-learn": action, "aria-label": `add a key for ${text}`, onclick: () => this.#wait(action, add) }, icon("plus"));
      return make("li", {}, make("span", { text }), ...chips, add);
    });
    return make("ul", { class: "bindings" }, ...rows);
  }

  #wait(action, button) {
    this.dialog.querySelector(".waiting")?.classList.remove("waiting");
    this.waiting = action;
    button.classList.add("waiting");
    this.#say(`Press the key for '${ACTIONS.get(action)}'; Escape leaves it as it is.`);
  }

  #learn(event) {
    if (!this.waiting || event.key === "Tab") return;
    event.preventDefault();
    event.stopPropagation();
    const action = this.waiting;
    this.waiting = null;
    if (event.key !== "Escape") {
      this.store.get().keys[event.code] = action;
      this.keep();
    } else this.#say("");
    this.build();
    this.dialog.querySelector(`[data-learn="${action}"]`)?.focus();
  }

  // --- sticks ---

  #device(pad, name, mapping) {
    const device = (mapping.devices[name] ??= usualDevice(pad, 0));
    const keep = () => this.keep(), live = () => this.gamepads.devices().find((one) => one.name === name)?.pad;
    const axes = [...pad.axes].map((_, from) => {
      let one = device.axes.find((row) => row.from === from);
      if (!one) device.axes.push((one = { from, to: "", invert: false, deadzone: 0.08, curve: 1.6 }));
      const row = axisRow(name, one, () => live()?.axes[from] ?? 0, keep);
      this.previews.push(row.preview);
      return row.element;
    });
    const buttons = pad.buttons.map((_, from) => {
      const one = device.buttons.find((row) => row.from === from);
      const choose = make("select", {
        "aria-label": `button ${from + 1} of ${name}`,
        onchange: () => {
          device.buttons = device.buttons.filter((row) => row.from !== from);
          if (choose.value) device.buttons.push({ from, to: choose.value });
          keep();
        },
      }, make("option", { value: "", text: "–" }), ...[...MOVES].map(([value, text]) => make("option", { value, text })));
      choose.value = one?.to ?? "";
      const lamp = make("i", { class: "lamp" });
      this.previews.push(() => lamp.classList.toggle("on", (live()?.buttons[from]?.value ?? 0) > 0.1));
      return make("label", { class: "pad-button" }, lamp, String(from + 1), choose);
    });
    return make("section", { class: "device" }, make("h4", { text: name }), ...axes, make("details", {}, make("summary", { text: `${buttons.length} buttons` }), make("div", { class: "pad-buttons" }, ...buttons)));
  }
}
