// SPDX-License-Identifier: BSD-3-Clause
// Mapping: which key, stick and button does what. Kept in the browser, written and read as a file, checked when read.
import { ACTIONS, AXES, MOVES, USUAL_KEYS } from "./actions.js";

const KIND = "knuckleboom mapping", VERSION = 1, PLACE = "knuckleboom.mapping";
const LARGEST = 200_000;  // letters of a file

/** A mapping that nobody has changed. Devices get theirs when they are plugged in. */
export const usual = () => ({ kind: KIND, version: VERSION, pattern: "", keys: { ...USUAL_KEYS }, devices: {} });

const STICK = { deadzone: 0.08, curve: 1.6 };

/** What a device does that has not been mapped: a gamepad has two sticks, a first joystick is the left lever, a second the right. */
export function usualDevice({ mapping, axes, buttons }, earlier) {
  const stick = (from, to, invert) => ({ from, to, invert, ...STICK });
  if (mapping === "standard") {
    return {
      axes: [stick(0, "left.x", false), stick(1, "left.y", true), stick(2, "right.x", false), stick(3, "right.y", true)],
      buttons: [
        { from: 14, to: "thumb.left-" }, { from: 15, to: "thumb.left+" }, { from: 13, to: "thumb.right-" }, { from: 12, to: "thumb.right+" },
        { from: 4, to: "pedal.left-" }, { from: 6, to: "pedal.left+" }, { from: 5, to: "pedal.right-" }, { from: 7, to: "pedal.right+" },
        ...[0, 1, 2, 3].map((from) => ({ from, to: `button.${from}` })),
      ],
    };
  }
  const side = earlier % 2 ? "right" : "left";
  return {
    axes: [stick(0, `${side}.x`, false), stick(1, `${side}.y`, true), stick(2, `thumb.${side}`, false)].slice(0, axes.length),
    buttons: buttons.slice(0, 4).map((_, from) => ({ from, to: `button.${from + (earlier % 2) * 4}` })),
  };
}

/** Return what is wrong with a mapping, in one sentence; "" when nothing is. */
function problem(value) {
  const isObject = (one) => typeof one === "object" && one !== null && !Array.isArray(one);
  if (!isObject(value) || value.kind !== KIND) return `This is not a mapping of a cabin: it has no "kind": "${KIND}".`;
  if (value.version !== VERSION) return `This mapping is of version ${String(value.version)}; this page reads version ${VERSION}.`;
  if (typeof value.pattern !== "string") return 'The "pattern" of this mapping is not a word.';
  if (!isObject(value.keys)) return 'This mapping has no "keys".';
  for (const [code, action] of Object.entries(value.keys)) {
    if (!ACTIONS.has(action)) return `Key ${code} is to do '${String(action)}', which is nothing this page knows.`;
  }
  if (!isObject(value.devices)) return 'This mapping has no "devices".';
  for (const [name, device] of Object.entries(value.devices)) {
    const wrong = isObject(device) ? deviceProblem(device) : "it is empty";
    if (wrong) return `Device '${name}': ${wrong}.`;
  }
  return "";
}

function deviceProblem({ axes, buttons }) {
  const index = (one) => Number.isInteger(one) && one >= 0 && one < 64;
  const within = (one, low, high) => typeof one === "number" && one >= low && one <= high;
  if (!Array.isArray(axes) || !Array.isArray(buttons)) return 'it needs lists "axes" and "buttons"';
  for (const one of axes) {
    if (!index(one?.from)) return "an axis has no number";
    if (one.to !== "" && !(one.to in AXES)) return `axis ${one.from} is to be '${String(one.to)}', which is no lever`;
    if (typeof one.invert !== "boolean") return `"invert" of axis ${one.from} is neither true nor false`;
    if (!within(one.deadzone, 0, 0.9)) return `the dead zone of axis ${one.from} is not between 0 and 0.9`;
    if (!within(one.curve, 0.3, 5)) return `the curve of axis ${one.from} is not between 0.3 and 5`;
  }
  for (const one of buttons) {
    if (!index(one?.from)) return "a button has no number";
    if (one.to !== "" && !MOVES.has(one.to)) return `button ${one.from} is to do '${String(one.to)}', which is nothing this page knows`;
  }
  return "";
}

/** Read a mapping from the text of a file; throws an Error whose message is for people. */
export function parse(text) {
  if (text.length > LARGEST) throw new Error("This file is too large for a mapping.");
  let value;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Error("This file is not JSON, so it is no mapping. Choose a file that was saved here.");
  }
  const wrong = problem(value);
  if (wrong) throw new Error(wrong);
  return value;
}

/** The mapping of this browser. */
export function load() {
  try {
    return parse(localStorage.getItem(PLACE) ?? "");
  } catch {
    return usual();
  }
}

/** Keep it in this browser; false when the browser does not allow that. */
export function save(mapping) {
  try {
    localStorage.setItem(PLACE, JSON.stringify(mapping));
    return true;
  } catch {
    return false;
  }
}

/** Let the person save it as a file. */
export function download(mapping) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([JSON.stringify(mapping, null, 2)], { type: "application/json" }));
  link.download = "knuckleboom-mapping.json";
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
