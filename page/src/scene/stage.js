// SPDX-License-Identifier: BSD-3-Clause
// Stage: one canvas with one, two or four views of the same machine, each with a camera of its own.
import * as THREE from "three";
import { Rig } from "./cameras.js";
import { Machine } from "./machine.js";
import { Quality } from "./quality.js";
import { World } from "./world.js";

/** Layouts: views as [left, top, width, height] in parts of the canvas, and what they show at first. */
export const LAYOUTS = {
  1: { places: [[0, 0, 1, 1]], kinds: ["orbit"] },
  2: { places: [[0, 0, 0.5, 1], [0.5, 0, 0.5, 1]], kinds: ["orbit", "cab"] },
  4: { places: [[0, 0, 0.5, 0.5], [0.5, 0, 0.5, 0.5], [0, 0.5, 0.5, 0.5], [0.5, 0.5, 0.5, 0.5]], kinds: ["orbit", "cab", "side", "follow"] },
};

export class Stage {
  /** @param {HTMLCanvasElement} canvas */
  constructor(canvas) {
    this.canvas = canvas;
    const soft = new Quality(document.createElement("canvas").getContext("webgl2") ?? fail()).software;
    this.renderer = new THREE.WebGLRenderer({ canvas, antialias: !soft, powerPreference: "high-performance" });
    this.quality = new Quality(this.renderer.getContext());
    this.renderer.autoClear = false;
    this.renderer.outputColorSpace = THREE.LinearSRGBColorSpace;
    this.views = [];
    this.pictures = 0;
    this.at = 0;  // ms, of the last picture
    this.tone = "light";
    this.dirty = true;
    new ResizeObserver(() => this.fit()).observe(canvas.parentElement);
  }

  /** Take a machine onto the stage. */
  load(scene, poses) {
    this.world = new World(scene);
    this.machine = new Machine(scene, poses, this.world.paint, this.world.shadow);
    this.world.scene.add(this.machine.group);
    this.world.tone(this.tone);
    this.views = [];
    this.layout("1");
    this.fit();
  }

  /** Show one, two or four views; those that stay keep their cameras. */
  layout(name) {
    const { places, kinds } = LAYOUTS[name];
    this.shown = name;
    this.views = places.map((place, i) => {
      if (this.views[i]) return { ...this.views[i], place };
      const rig = new Rig(this.machine, this.world);
      rig.set(kinds[i]);
      return { rig, place };
    });
    this.dirty = true;
  }

  setTone(name) {
    this.tone = name;
    this.world?.tone(name);
    this.dirty = true;
  }

  pose(poses) {
    this.machine.pose(poses);
    this.dirty = true;
  }

  /** Follow the size of the place that the canvas fills. */
  fit() {
    const { clientWidth: wide, clientHeight: tall } = this.canvas.parentElement;
    if (!wide || !tall) return;
    this.renderer.setPixelRatio(this.quality.ratio());
    this.renderer.setSize(wide, tall, false);
    this.size = [wide, tall];
    this.dirty = true;
  }

  /** Take into account how long the browser took from one picture to the next, s. */
  note(seconds) {
    if (this.world && this.quality.note(seconds)) this.fit();
  }

  /** Draw what is new at a time in ms; return whether there was anything. */
  draw(now) {
    if (!this.world || !this.size || !this.dirty) return false;
    const seconds = Math.min((now - this.at) / 1000, 0.5);
    this.at = now;
    this.dirty = false;
    const { renderer } = this, [wide, tall] = this.size;
    renderer.setClearColor(this.world.ground.earth);
    renderer.setScissorTest(true);
    for (const { rig, place: [x, y, w, h] } of this.views) {
      rig.place((w * wide) / (h * tall), seconds);
      const box = [x * wide, (1 - y - h) * tall, w * wide, h * tall];
      renderer.setViewport(...box);
      renderer.setScissor(...box);
      renderer.clear();
      renderer.render(this.world.scene, rig.camera);
    }
    renderer.getContext().flush();  // begin now: the browser would wait with it until it needs the picture
    this.pictures += 1;
    this.dirty = this.views.some(({ rig }) => rig.kind === "follow");
    return true;
  }
}

function fail() {
  throw new Error("This browser has no WebGL 2, which the picture of the machine needs.");
}
