// SPDX-License-Identifier: BSD-3-Clause
// World: sky, ground, light and shadow around a machine, by day and by night. World axes, z up, metres.
import * as THREE from "three";
import { Ground } from "./ground.js";
import { Haze } from "./haze.js";
import { Paint } from "./paint.js";
import { scenery, stars } from "./scenery.js";
import { Shadow } from "./shadow.js";

// colours are mixed as they are seen: a picture computed by the processor has no time for more
THREE.ColorManagement.enabled = false;

const TONES = {
  light: { zenith: "#4d98de", horizon: "#d9e8f2", earth: "#c9b995", line: "#8f7d5c", light: "#ffffff", dark: "#8b8a92", skylight: "#8f959c", bounce: "#4f4a42", sunlight: "#a89c86", props: "#ffffff" },
  dark: { zenith: "#060a14", horizon: "#2a3850", earth: "#6d6962", line: "#3f3d3c", light: "#efe9dd", dark: "#72747e", skylight: "#5e6670", bounce: "#33312f", sunlight: "#b3a184", props: "#5a6884" },
};
const SUN = new THREE.Vector3(0.3, -0.72, 0.85).normalize();
const FAR = 320;  // m: where ground and sky meet, for a machine of 12 m

/** The side of a grid cell that suits a machine's size, m: 1, 2 or 5 times a power of ten. */
function cellOf(size) {
  const rough = size / 14, power = 10 ** Math.floor(Math.log10(rough));
  return power * [1, 2, 5, 10].find((step) => power * step >= rough * 0.999);
}

/** Where the level ground is: below all terrains, or at zero, unless the machine hangs well below. */
function floorOf({ bounds: [low], size, floor = null }) {
  if (floor !== null) return floor;
  return low[2] > -0.12 * size && low[2] < 2 * size ? 0 : low[2];
}

export class World {
  constructor({ bounds, size, floor }) {
    const [low, high] = bounds.map((corner) => new THREE.Vector3(...corner));
    this.centre = low.clone().add(high).multiplyScalar(0.5);
    this.floor = floorOf({ bounds, size, floor });
    this.reach = Math.max(0.5 * low.distanceTo(high), 0.4 * size);
    /** Half of what a camera should see, across and up, m. */
    this.half = [Math.max(0.5 * Math.hypot(high.x - low.x, high.y - low.y), 0.3 * size), Math.max(0.5 * (high.z - low.z), 0.2 * size)];
    this.scale = size / 12;
    this.far = FAR * this.scale;
    this.sky = 1.15 * this.far;
    this.cell = cellOf(size);
    this.scene = new THREE.Scene();
    this.paint = new Paint(SUN, this.floor);
    this.shadow = new Shadow(SUN, this.floor);
    this.haze = new Haze(0.5 * this.far, 0.95 * this.far);
    this.ground = new Ground({ ...this, far: 1.2 * this.far, lined: 1.5 * this.reach }, this.haze);
    this.#sky();
    this.props = new THREE.Color();
    this.stars = stars(this.far);
    this.dome.add(this.stars);
    this.scene.add(this.ground.group, this.dome);
    if (size > 4) this.scene.add(scenery(this.floor, 1.5 * this.reach, this.centre, SUN, this.haze.material(this.props)));
    this.tone("light");
  }

  #sky() {
    const dome = new THREE.SphereGeometry(this.sky, 16, 8, 0, 2 * Math.PI, 0, Math.PI / 2).rotateX(Math.PI / 2);
    dome.setAttribute("color", new THREE.BufferAttribute(new Float32Array(3 * dome.attributes.position.count), 3));
    const clear = new Haze(2 * this.far, 3 * this.far);
    this.dome = new THREE.Mesh(dome, clear.material(new THREE.Color("#ffffff"), { side: THREE.BackSide, depthWrite: false }));
    this.dome.position.set(this.centre.x, this.centre.y, this.floor);
    this.dome.renderOrder = 10;  // last: only where nothing else is
  }

  /** Day or night. */
  tone(name) {
    const tones = TONES[name], zenith = new THREE.Color(tones.zenith), horizon = new THREE.Color(tones.horizon), mixed = new THREE.Color();
    for (const one of [this.haze, this.paint, this.shadow, this.ground]) one.tone(tones);
    this.props.set(tones.props);
    this.stars.visible = name === "dark";
    const { position, color } = this.dome.geometry.attributes, radius = this.sky;
    for (let i = 0; i < position.count; i++) {
      const height = Math.max(position.getZ(i) / radius, 0);
      mixed.lerpColors(horizon, zenith, Math.min(1.6 * height, 1) ** 0.6).toArray(color.array, 3 * i);
    }
    color.needsUpdate = true;
  }
}
