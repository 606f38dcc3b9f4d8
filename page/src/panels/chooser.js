// SPDX-License-Identifier: BSD-3-Clause
// Chooser: finds a named signal by any part of its path or meaning.
import { make } from "../dom.js";

const MOST = 80;  // shown at once

/**
 * Fill the dialog that chooses signals.
 * @param {HTMLDialogElement} dialog
 * @param {import("../signals.js").Signals} signals
 * @param {import("./charts.js").Charts} charts
 */
export function chooser(dialog, signals, charts) {
  const list = make("ul", { class: "choices" }), count = make("p", { class: "hint", "aria-live": "polite" });
  const search = make("input", { type: "search", placeholder: "pressure boom …", "aria-label": "search signals", spellcheck: "false", autocomplete: "off", oninput: () => show() });

  function show() {
    const asked = search.value.toLowerCase().split(/\s+/).filter(Boolean), all = [...signals.known.values()];
    const found = all.filter(({ path, meaning }) => asked.every((word) => `${path} ${meaning}`.toLowerCase().includes(word)));
    count.textContent = found.length > MOST ? `${found.length} of ${all.length} signals; the first ${MOST} are shown` : `${found.length} of ${all.length} signals`;
    list.replaceChildren(...found.slice(0, MOST).map(({ path, shown: [unit], meaning }) => {
      const box = make("input", { type: "checkbox", onchange: () => (box.checked ? charts.add(path) : charts.remove(path)) });
      box.checked = charts.paths.includes(path);
      return make("li", {}, make("label", {}, box, make("b", { text: path }), make("span", { text: `${unit === "bar gauge" ? meaning.replace("absolute pressure", "gauge pressure") : meaning}${meaning ? ", " : ""}${unit || "1"}` })));
    }));
  }

  const close = make("button", { type: "button", class: "strong", text: "Done", onclick: () => dialog.close() });
  dialog.replaceChildren(make("h2", { text: "Signals to chart" }), search, count, list, make("div", { class: "foot" }, close));
  return () => {
    show();
    dialog.showModal();
    search.focus();
  };
}
