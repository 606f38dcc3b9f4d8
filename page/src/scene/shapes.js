// SPDX-License-Identifier: BSD-3-Clause
// Shapes: unit meshes of solids as three.js geometries, coloured, ready to be merged. World axes, z up, metres.
import * as THREE from "three";
import { RoundedBoxGeometry } from "three/examples/jsm/geometries/RoundedBoxGeometry.js";

const SIDES = 20;

/** A cylinder along z, unit radius and height, or a cone. */
export function cylinder(top = 1, sides = SIDES) {
  return new THREE.CylinderGeometry(top, 1, 1, sides).rotateX(Math.PI / 2);
}

/** A helix along z of unit length; sizes are baked in, its length is scaled later. */
export function coil(radius, wire, length) {
  const turns = 8, ends = 0.08;
  class Helix extends THREE.Curve {
    getPoint(u, point = new THREE.Vector3()) {
      const inner = Math.min(Math.max((u - ends) / (1 - 2 * ends), 0), 1), a = 2 * Math.PI * turns * inner;
      const r = radius * Math.min(1, Math.min(u, 1 - u) / ends);
      return point.set(r * Math.cos(a), r * Math.sin(a), (u - 0.5) * length);
    }
  }
  return new THREE.TubeGeometry(new Helix(), 110, wire, 5).scale(1, 1, 1 / length);
}

function unit(mesh, size) {
  if (mesh === "box") {
    // edges a little broken, as steel is: they catch the light
    const bevel = 0.12 * Math.min(...size);
    if (bevel < 0.016) return new THREE.BoxGeometry(...size);
    return new RoundedBoxGeometry(...size, 1, Math.min(bevel, 0.05));
  }
  if (mesh === "sphere") return new THREE.SphereGeometry(1, 18, 12).scale(...size);
  return cylinder(1, size[0] > 0.3 ? 28 : SIDES).scale(...size);
}

/** Return one solid of hello's scene, placed on its body and coloured. */
export function solid({ mesh, at, turn, size, colour }) {
  const geometry = unit(mesh, size);
  const plain = geometry.index ? geometry.toNonIndexed() : geometry;
  plain.deleteAttribute("uv");
  const [w, x, y, z] = turn;
  plain.applyQuaternion(new THREE.Quaternion(x, y, z, w)).translate(...at);
  return coloured(plain, colourOf(colour));
}

/** Give every corner of a geometry one colour. */
export function coloured(geometry, colour) {
  const count = geometry.attributes.position.count, values = new Float32Array(3 * count);
  for (let i = 0; i < count; i++) colour.toArray(values, 3 * i);
  geometry.setAttribute("color", new THREE.BufferAttribute(values, 3));
  return geometry;
}

const known = new Map();

/** A colour by its CSS name; an unknown one is grey. */
export function colourOf(name) {
  if (!known.has(name)) {
    const good = /^#[0-9a-f]{6}$/i.test(name) || name.toLowerCase() in THREE.Color.NAMES;
    known.set(name, new THREE.Color(good ? name : "#808080"));
  }
  return known.get(name);
}

/** Glass is pale blue: what is behind it is seen, and who drives sits behind it. */
export function isGlass({ mesh, colour }) {
  const hsl = colourOf(colour).getHSL({});
  return mesh === "box" && hsl.h > 0.5 && hsl.h < 0.62 && hsl.s > 0.25 && hsl.l > 0.65;
}
