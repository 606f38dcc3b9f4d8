// SPDX-License-Identifier: BSD-3-Clause
// Help: the keys and what they do on this machine, in a dialog.
import { make } from "../dom.js";
import { COMMANDS, keysOf, MOVES } from "../levers/actions.js";

/**
 * Return a function that shows the dialog.
 * @param {HTMLDialogElement} dialog
 * @param {() => {mapping: object, hands: import("../levers/hands.js").Hands}} state
 */
export function help(dialog, state) {
  return () => {
    if (dialog.open) return dialog.close();
    const { mapping, hands } = state();
    const line = (action, text, does) => {
      const keys = keysOf(mapping.keys, action);
      return keys.length ? make("li", {}, make("span", { class: "keys" }, ...keys.map((key) => make("kbd", { text: key }))), make("span", {}, text, does ? make("b", { text: ` ${does}` }) : null)) : null;
    };
    const moves = [...MOVES].map(([action, text]) => {
      const does = hands?.does(action);
      return action === "fine" || does ? line(action, text, does?.join(" ") ?? "") : null;
    });
    const rest = [...COMMANDS].map(([action, text]) => line(action, text, ""));
    dialog.replaceChildren(
      make("h2", { text: "Keys" }),
      make("div", { class: "columns" },
        make("section", {}, make("h3", { text: `Levers${hands && hands.patterns.length > 1 ? `, ${hands.pattern.toUpperCase()} pattern` : ""}` }), make("ul", {}, ...moves.filter(Boolean))),
        make("section", {}, make("h3", { text: "Page" }), make("ul", {}, ...rest.filter(Boolean)), make("p", { class: "hint", text: "Picture: drag to turn, right button or Shift to move, wheel or two fingers to zoom; with the keyboard: Tab to the picture, then arrows, + and −. Levers spring back when a key is let go." }))),
      make("div", { class: "foot" }, make("button", { type: "button", class: "strong", text: "Close", onclick: () => dialog.close() })),
    );
    dialog.showModal();
    return undefined;
  };
}

/** The hint on the picture: one key and what it does, and which keys move the two levers. */
export function hint(mapping, hands) {
  const order = ["left", "right"].flatMap((side) => [`${side}.y+`, `${side}.x-`, `${side}.y-`, `${side}.x+`]);
  const ways = order.filter((action) => hands.does(action)).map((action) => [action, keysOf(mapping.keys, action)[0]]).filter(([, key]) => key);
  const [first, key] = ways.find(([action]) => action === "right.y-") ?? ways[0] ?? [];
  const tried = first ? ["Hold ", make("kbd", { text: key }), `: ${hands.does(first).join(" ")} · `] : [];
  const [helpKey] = keysOf(mapping.keys, "help");
  return [...tried, ...ways.map(([, one]) => make("kbd", { text: one })), " move the levers · ", make("kbd", { text: helpKey ?? "" }), " all keys"];
}
