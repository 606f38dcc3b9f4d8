// SPDX-License-Identifier: BSD-3-Clause
// Handling: mouse, touch and keys that turn, move and zoom the camera of the view under them.

const TURN = 0.006, KEY_TURN = 0.06, NOTCH = 1.0015;

/** @param {import("./stage.js").Stage} stage */
export function handle(stage) {
  const { canvas } = stage, pointers = new Map();
  const viewAt = (x, y) => {
    const [wide, tall] = stage.size;
    return stage.views.find(({ place: [left, top, w, h] }) => x / wide >= left && x / wide < left + w && y / tall >= top && y / tall < top + h)?.rig;
  };
  const spread = () => {
    const [a, b] = [...pointers.values()];
    return Math.hypot(a.x - b.x, a.y - b.y);
  };

  canvas.addEventListener("pointerdown", (event) => {
    event.preventDefault();  // a click takes no focus: arrows stay levers
    document.activeElement?.blur();
    canvas.setPointerCapture(event.pointerId);
    pointers.set(event.pointerId, { x: event.offsetX, y: event.offsetY, rig: viewAt(event.offsetX, event.offsetY) });
  });
  for (const end of ["pointerup", "pointercancel"]) canvas.addEventListener(end, (event) => pointers.delete(event.pointerId));
  canvas.addEventListener("pointermove", (event) => {
    const before = pointers.get(event.pointerId);
    if (!before?.rig) return;
    const apart = pointers.size === 2 ? spread() : 0, x = event.offsetX - before.x, y = event.offsetY - before.y;
    before.x = event.offsetX;
    before.y = event.offsetY;
    if (pointers.size === 2) before.rig.zoom(apart / Math.max(spread(), 1));
    else if (event.shiftKey || event.buttons & 6) before.rig.shift(x / stage.size[1], y / stage.size[1]);
    else before.rig.turn(TURN * x, TURN * y);
    stage.dirty = true;
  });
  canvas.addEventListener("contextmenu", (event) => event.preventDefault());
  canvas.addEventListener("wheel", (event) => {
    event.preventDefault();
    viewAt(event.offsetX, event.offsetY)?.zoom(NOTCH ** event.deltaY);
    stage.dirty = true;
  }, { passive: false });
  canvas.addEventListener("keydown", (event) => {
    const turns = { ArrowLeft: [1, 0], ArrowRight: [-1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key];
    const rig = stage.views[0]?.rig;
    if (turns) rig?.turn(...turns.map((one) => KEY_TURN * one));
    else if (event.key === "+" || event.key === "-") rig?.zoom(event.key === "+" ? 0.9 : 1 / 0.9);
    else return;
    event.preventDefault();
    event.stopPropagation();  // with the focus here, arrows are no levers
    stage.dirty = true;
  });
}
