// SPDX-License-Identifier: BSD-3-Clause
// Ground: packed earth, flat, with lines around the machine that show its size and its movement. Near the machine it is what the picture is
// cleared with, which costs nothing; only where it pales into the distance is it drawn. What is below it is left out (paint.js).
import * as THREE from "three";
import { coloured } from "./shapes.js";

const LIFT = 0.003;  // m: lines above the earth, below shadows
const SIDES = 36, RINGS = 5, BEGIN = 60;  // m, where it begins to be drawn, for a machine of 12 m: nearer than haze begins for the farthest eye
const WHITE = new THREE.Color("#ffffff");

export class Ground {
  /**
   * @param {{centre: THREE.Vector3, floor: number, cell: number, scale: number, far: number, lined: number}} world
   *   lined: how far from the centre there are lines, m
   * @param {import("./haze.js").Haze} haze
   */
  constructor({ centre, floor, cell, scale, far, lined }, haze) {
    this.group = new THREE.Group();
    /** Its colour where nothing is in between. */
    this.earth = new THREE.Color();
    this.line = new THREE.Color();
    const earth = new THREE.Mesh(coloured(ring(centre, floor, BEGIN * scale, far), WHITE), haze.material(this.earth));
    earth.renderOrder = 2;  // behind the machine, which hides a part of it
    const lines = new THREE.LineSegments(coloured(grid(centre, floor + LIFT, cell, lined), WHITE), haze.material(this.line));
    lines.renderOrder = 3;
    this.group.add(earth, lines);
  }

  /** Day or night: colours of earth and lines. */
  tone({ earth, line, light }) {
    this.earth.set(earth).multiply(new THREE.Color(light));
    this.line.set(line);
  }
}

/** A ring of rings that widen with the distance. */
function ring(centre, floor, near, far) {
  const geometry = new THREE.RingGeometry(near, far, SIDES, RINGS), { position } = geometry.attributes;
  for (let i = 0; i < position.count; i++) {
    const r = Math.hypot(position.getX(i), position.getY(i)), share = (r - near) / (far - near), stretch = (near + (far - near) * share ** 2) / r;
    position.setXYZ(i, position.getX(i) * stretch + centre.x, position.getY(i) * stretch + centre.y, floor);
  }
  return geometry;
}

/** Lines along x and y inside a circle, at whole multiples of the cell. */
function grid(centre, height, cell, reach) {
  const ends = [];
  const across = (middle, line) => {
    for (let k = Math.ceil((middle - reach) / cell); k * cell <= middle + reach; k++) line(k * cell, Math.sqrt(Math.max(reach ** 2 - (k * cell - middle) ** 2, 0)));
  };
  across(centre.x, (x, half) => ends.push(x, centre.y - half, height, x, centre.y + half, height));
  across(centre.y, (y, half) => ends.push(centre.x - half, y, height, centre.x + half, y, height));
  return new THREE.BufferGeometry().setAttribute("position", new THREE.Float32BufferAttribute(ends, 3));
}
