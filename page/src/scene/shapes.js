// SPDX-License-Identifier: BSD-3-Clause
// Shapes: unit meshes of solids as three.js geometries, coloured, ready to be merged. World axes, z up, metres.
import * as THREE from "three";

const WHITE = new THREE.Color("#ffffff");

/** A cylinder along z, unit radius and height. */
export function cylinder(sides) {
  return new THREE.CylinderGeometry(1, 1, 1, sides).rotateX(Math.PI / 2);
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
  return new THREE.TubeGeometry(new Helix(), 48, wire, 3).scale(1, 1, 1 / length);
}

/** A unit mesh at its size; `coarse` is for shadows, in which nobody counts edges. */
function unit(mesh, size, coarse) {
  if (mesh === "box") return coarse ? new THREE.BoxGeometry(...size) : chamfered(...size);
  if (mesh === "sphere") return (coarse ? new THREE.SphereGeometry(1, 6, 4) : new THREE.SphereGeometry(1, 12, 8)).scale(...size);
  return cylinder(coarse ? 7 : size[0] > 0.3 ? 18 : size[0] > 0.12 ? 12 : 8).scale(...size);
}

/** A box whose edges are a little broken, as steel is: they catch the light. */
function chamfered(x, y, z) {
  const bevel = Math.min(0.1 * Math.min(x, y, z), 0.045);
  if (bevel < 0.02) return new THREE.BoxGeometry(x, y, z);
  const half = [x / 2, y / 2, z / 2], corners = [], signs = [-1, 1];
  const triangle = (a, b, c) => {
    // outside is where the corners are: the box is around the origin
    const u = new THREE.Vector3(...b).sub(new THREE.Vector3(...a)), v = new THREE.Vector3(...c).sub(new THREE.Vector3(...a));
    corners.push(...(u.cross(v).dot(new THREE.Vector3(...a)) > 0 ? [...a, ...b, ...c] : [...a, ...c, ...b]));
  };
  const quad = (a, b, c, d) => { triangle(a, b, c); triangle(a, c, d); };
  /** The corner of the face across an axis that lies towards the three signs. */
  const corner = (axis, s) => half.map((value, k) => s[k] * (k === axis ? value : value - bevel));
  const at = (axis, side, u, v) => { const s = [0, 0, 0]; s[axis] = side; s[(axis + 1) % 3] = u; s[(axis + 2) % 3] = v; return s; };
  for (let axis = 0; axis < 3; axis++) {
    const next = (axis + 1) % 3, other = (axis + 2) % 3;
    for (const side of signs) quad(...[[-1, -1], [1, -1], [1, 1], [-1, 1]].map(([u, v]) => corner(axis, at(axis, side, u, v))));
    for (const u of signs) for (const v of signs) {
      const [low, high] = signs.map((side) => at(axis, side, u, v));  // the edge along this axis
      quad(corner(next, low), corner(next, high), corner(other, high), corner(other, low));
    }
  }
  for (const a of signs) for (const b of signs) for (const c of signs) triangle(...[0, 1, 2].map((axis) => corner(axis, [a, b, c])));
  const geometry = new THREE.BufferGeometry().setAttribute("position", new THREE.Float32BufferAttribute(corners, 3));
  geometry.computeVertexNormals();
  return geometry;
}

/** Return one solid of hello's scene, placed on its body and coloured. */
export function solid({ mesh, at, turn, size, colour }, coarse) {
  const geometry = unit(mesh, size, coarse);
  const plain = geometry.index ? geometry.toNonIndexed() : geometry;
  plain.deleteAttribute("uv");
  const [w, x, y, z] = turn;
  plain.applyQuaternion(new THREE.Quaternion(x, y, z, w)).translate(...at);
  return coloured(plain, colourOf(colour).clone().lerp(WHITE, 0.06));  // black, too, shows its form
}

/** Return a sheet of hello's scene, ground that is not level: rows of points in the world. */
export function sheet({ rows, columns, points: text, colour }) {
  const points = new Float32Array(Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0)).buffer), faces = [];
  for (let i = 0; i + 1 < rows; i++) for (let j = 0; j + 1 < columns; j++) {
    const at = i * columns + j;
    faces.push(at, at + columns, at + columns + 1, at, at + columns + 1, at + 1);
  }
  const geometry = new THREE.BufferGeometry().setAttribute("position", new THREE.BufferAttribute(points, 3)).setIndex(faces);
  geometry.computeVertexNormals();
  return coloured(geometry.toNonIndexed(), colourOf(colour));
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
function colourOf(name) {
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
