// SPDX-License-Identifier: BSD-3-Clause
// The circuit of a report: fitted into its box, zoomed and moved by wheel, drag, two fingers, keys and buttons.
//
// makeDrawing(svg) changes the picture's viewBox only, so lines and words stay sharp. Fitted is also the farthest.
"use strict";

const makeDrawing = (() => {
  const CLOSEST = 40, STEP = 1.25, PAUSE_MS = 300;

  return function makeDrawing(svg, buttons) {
    const [left, top, wide, high] = svg.getAttribute("viewBox").split(/\s+/).map(Number);
    const view = { x: left, y: top, zoom: 1 };
    let scrolled = -Infinity;

    // a small circuit is not blown up without end; the box has room to zoom into, whatever the circuit's shape
    svg.removeAttribute("width");
    svg.removeAttribute("height");
    svg.style.minHeight = `min(${Math.max(Math.round(1.6 * high), 280)}px, 24rem, 70vw)`;
    svg.style.maxHeight = `min(85vh, ${Math.round(1.6 * high)}px)`;
    svg.tabIndex = 0;

    function show() {
      const w = wide / view.zoom, h = high / view.zoom;
      // something of the circuit always stays in sight
      view.x = Math.min(Math.max(view.x, left - 0.8 * w), left + wide - 0.2 * w);
      view.y = Math.min(Math.max(view.y, top - 0.8 * h), top + high - 0.2 * h);
      if (view.zoom <= 1) Object.assign(view, { x: left, y: top });
      svg.style.touchAction = view.zoom > 1 ? "none" : "pan-y";  // a finger scrolls the page until there is more to see
      svg.setAttribute("viewBox", `${view.x} ${view.y} ${w} ${h}`);
    }
    function place(event) {
      const inverse = svg.getScreenCTM().inverse();
      return new DOMPoint(event.clientX, event.clientY).matrixTransform(inverse);
    }
    function zoom(factor, at = { x: view.x + wide / view.zoom / 2, y: view.y + high / view.zoom / 2 }) {
      const wanted = Math.min(Math.max(view.zoom * factor, 1), CLOSEST), part = view.zoom / wanted;
      Object.assign(view, { zoom: wanted, x: at.x + (view.x - at.x) * part, y: at.y + (view.y - at.y) * part });
      show();
    }
    function move(x, y) {
      // by pixels of the screen
      const scale = svg.getScreenCTM().a || 1;
      view.x -= x / scale;
      view.y -= y / scale;
      show();
    }
    function reset() {
      view.zoom = 1;
      show();
    }

    // --- wheel: a page that is being scrolled scrolls on, and one that reads downwards is never held ---
    addEventListener("scroll", () => { scrolled = performance.now(); }, { passive: true });
    svg.addEventListener("wheel", (event) => {
      const passing = performance.now() - scrolled < PAUSE_MS && !event.ctrlKey;
      if (passing || (event.deltaY > 0 && view.zoom <= 1 && !event.ctrlKey)) return;
      event.preventDefault();
      zoom(Math.exp(-0.0015 * event.deltaY), place(event));
    }, { passive: false });

    // --- drag and two fingers ---
    const pointers = new Map();
    svg.addEventListener("pointerdown", (event) => {
      svg.setPointerCapture(event.pointerId);
      pointers.set(event.pointerId, event);
    });
    for (const kind of ["pointerup", "pointercancel"]) svg.addEventListener(kind, (event) => pointers.delete(event.pointerId));
    svg.addEventListener("pointermove", (event) => {
      const before = pointers.get(event.pointerId);
      if (!before) return;
      const other = [...pointers.values()].find((one) => one.pointerId !== event.pointerId);
      pointers.set(event.pointerId, event);
      if (other) {
        const apart = (one) => Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY) || 1;
        const middle = { clientX: (event.clientX + other.clientX) / 2, clientY: (event.clientY + other.clientY) / 2 };
        zoom(apart(event) / apart(before), place(middle));
      }
      const share = other ? 0.5 : 1;
      move(share * (event.clientX - before.clientX), share * (event.clientY - before.clientY));
    });

    // --- keys and buttons ---
    const DO = {
      "+": () => zoom(STEP), "=": () => zoom(STEP), "-": () => zoom(1 / STEP), 0: reset,
      ArrowLeft: () => move(60, 0), ArrowRight: () => move(-60, 0), ArrowUp: () => move(0, 60), ArrowDown: () => move(0, -60),
    };
    svg.addEventListener("keydown", (event) => {
      if (!DO[event.key] || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      DO[event.key]();
    });
    for (const button of buttons) button.addEventListener("click", DO[button.dataset.drawing]);
    show();
    // paper shows all of it
    addEventListener("beforeprint", reset);
  };
})();
