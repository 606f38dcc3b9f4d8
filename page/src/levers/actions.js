// SPDX-License-Identifier: BSD-3-Clause
// Actions: everything that a key or a button can do, with its words and its usual keys (by their place on the keyboard).

export const AXES = {
  "left.x": ["left lever", "left", "right"],
  "left.y": ["left lever", "back", "forward"],
  "right.x": ["right lever", "left", "right"],
  "right.y": ["right lever", "back", "forward"],
  "thumb.left": ["left thumb wheel", "down", "up"],
  "thumb.right": ["right thumb wheel", "down", "up"],
  "pedal.left": ["left pedal", "back", "forward"],
  "pedal.right": ["right pedal", "back", "forward"],
};
const BUTTONS = 8;

const LEVERS = Object.entries(AXES).flatMap(([axis, [name, minus, plus]]) => [
  [`${axis}-`, `${name} ${minus}`],
  [`${axis}+`, `${name} ${plus}`],
]);
const PUSHED = Array.from({ length: BUTTONS }, (_, i) => [`button.${i}`, `button ${i + 1}`]);

/** Actions that move the machine: name and words. */
export const MOVES = new Map([...LEVERS, ...PUSHED, ["fine", "fine: levers at a third"]]);

/** Actions of the page: name and words. */
export const COMMANDS = new Map([
  ["pause", "pause or go on"],
  ["step", "single step while paused"],
  ["slower", "slower"],
  ["faster", "faster"],
  ["reset", "back to the start"],
  ["record", "record"],
  ["camera.orbit", "camera: orbit"],
  ["camera.cab", "camera: cab"],
  ["camera.side", "camera: side"],
  ["camera.follow", "camera: follow"],
  ["views", "one, two or four views"],
  ["sound", "sound on or off"],
  ["help", "show the keys"],
]);

export const ACTIONS = new Map([...MOVES, ...COMMANDS]);

/** Key: action, before anybody has changed it. */
export const USUAL_KEYS = {
  KeyA: "left.x-", KeyD: "left.x+", KeyS: "left.y-", KeyW: "left.y+",
  KeyJ: "right.x-", KeyL: "right.x+", KeyK: "right.y-", KeyI: "right.y+",
  ArrowLeft: "right.x-", ArrowRight: "right.x+", ArrowDown: "right.y-", ArrowUp: "right.y+",
  KeyQ: "thumb.left-", KeyE: "thumb.left+", KeyU: "thumb.right-", KeyO: "thumb.right+",
  KeyF: "pedal.left-", KeyR: "pedal.left+", KeyH: "pedal.right-", KeyY: "pedal.right+",
  KeyZ: "button.0", KeyX: "button.1", KeyC: "button.2", KeyV: "button.3",
  KeyB: "button.4", KeyN: "button.5", KeyM: "button.6", Comma: "button.7",
  ShiftLeft: "fine", ShiftRight: "fine",
  Space: "pause", Period: "step", Minus: "slower", Equal: "faster", Backspace: "reset", KeyG: "record",
  Digit1: "camera.orbit", Digit2: "camera.cab", Digit3: "camera.side", Digit4: "camera.follow", Digit5: "views",
  Digit0: "sound", F1: "help", Slash: "help",
};

const SPECIAL = {
  Space: "Space", Period: ".", Comma: ",", Minus: "−", Equal: "=", Backspace: "⌫", ShiftLeft: "Shift", ShiftRight: "Shift",
  ArrowLeft: "←", ArrowRight: "→", ArrowUp: "↑", ArrowDown: "↓", Enter: "Enter", Slash: "/", Semicolon: ";", Quote: "'",
};

/** A key as it is printed on most keyboards. */
export const keyLabel = (code) => SPECIAL[code] ?? code.replace(/^(Key|Digit)/, "").replace(/^Numpad/, "Num ");

/** The keys of an action, for people. */
export const keysOf = (keys, action) => [...new Set(Object.keys(keys).filter((code) => keys[code] === action).map(keyLabel))];
