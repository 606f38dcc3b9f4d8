// SPDX-License-Identifier: BSD-3-Clause
// Scenery: hills, clouds, spruces, cones and heaps of earth around the place of work. To look at only: nothing can be hit.
import * as THREE from "three";
import { mergeGeometries, mergeVertices } from "three/examples/jsm/utils/BufferGeometryUtils.js";
import { coloured } from "./shapes.js";
import { generator } from "./random.js";

/** Return everything as a few meshes of a material, lit by the sun; nothing stands nearer than the clearance, m. */
export function scenery(floor, clearance, centre, sun, material) {
  const group = new THREE.Group();
  group.position.set(centre.x, centre.y, floor);
  const sectors = new Map();
  // one mesh for each sixth of the round, so that what is behind the camera costs nothing
  for (const part of [...hills(), ...clouds(), ...woods(clearance), ...workplace(clearance)]) {
    part.computeBoundingBox();
    const { x, y } = part.boundingBox.getCenter(new THREE.Vector3()), sector = Math.floor((3 * Math.atan2(y, x)) / Math.PI);
    sectors.set(sector, [...(sectors.get(sector) ?? []), part]);
  }
  for (const parts of sectors.values()) group.add(new THREE.Mesh(lit(mergeGeometries(parts), sun), material));
  return group;
}

/** What does not move is lit once: the light goes into its colours. */
function lit(geometry, sun) {
  geometry.computeVertexNormals();
  const { normal, color } = geometry.attributes, n = new THREE.Vector3();
  for (let i = 0; i < normal.count; i++) {
    n.fromBufferAttribute(normal, i);
    const light = 0.52 + 0.14 * n.z + 0.42 * Math.max(n.dot(sun), 0);
    color.setXYZ(i, light * color.getX(i), light * color.getY(i), light * color.getZ(i));
  }
  geometry.deleteAttribute("normal");
  return mergeVertices(geometry, 1e-3);
}

const plain = (geometry, colour) => {
  const whole = geometry.index ? geometry.toNonIndexed() : geometry;
  whole.deleteAttribute("uv");
  return coloured(whole, new THREE.Color(colour));
};
const upright = (radius, height, sides, at) =>
  new THREE.ConeGeometry(radius, height, sides, 1, true).rotateX(Math.PI / 2).translate(0, 0, at + height / 2);

function hills() {
  const random = generator(11), parts = [];
  for (let i = 0; i < 18; i++) {
    const angle = (2 * Math.PI * (i + 0.7 * random())) / 18, away = 190 + 60 * random(), wide = 45 + 40 * random();
    const hill = new THREE.SphereGeometry(1, 10, 3, 0, 2 * Math.PI, 0, Math.PI / 2).rotateX(Math.PI / 2);
    hill.scale(wide, wide, 9 + 13 * random()).translate(away * Math.cos(angle), away * Math.sin(angle), -1);
    parts.push(plain(hill, ["#5d7a4e", "#6b8757", "#537048"][i % 3]));
  }
  return parts;
}

function clouds() {
  const random = generator(23);
  return Array.from({ length: 7 }, () => {
    const angle = 2 * Math.PI * random(), away = 150 + 60 * random(), high = 48 + 40 * random();
    const puffs = Array.from({ length: 3 }, (_, i) => new THREE.SphereGeometry(1, 7, 4).rotateX(Math.PI / 2).scale(11 + 5 * random(), 7, 3 + 2 * random()).translate(12 * (i - 1), 4 * random(), 2 * random()));
    return plain(mergeGeometries(puffs).rotateZ(angle + Math.PI / 2).translate(away * Math.cos(angle), away * Math.sin(angle), high), "#ffffff");
  });
}

function woods(clearance) {
  const spruce = mergeGeometries([
    plain(new THREE.CylinderGeometry(0.16, 0.22, 1.4, 3, 1, true).rotateX(Math.PI / 2).translate(0, 0, 0.7), "#5a432e"),
    plain(upright(1.9, 3.6, 5, 1.1), "#2f5d3a"),
    plain(upright(1.4, 3.4, 5, 3.2), "#366a41"),
    plain(upright(0.85, 2.6, 5, 5.2), "#3f774a"),
  ]);
  const random = generator(3), matrix = new THREE.Matrix4(), turn = new THREE.Quaternion(), up = new THREE.Vector3(0, 0, 1);
  return Array.from({ length: 70 }, () => {
    // a wood on one side and clumps elsewhere: the view stays open
    const side = random() < 0.6 ? 1.9 + 1.5 * (random() - 0.5) : 2 * Math.PI * random();
    const away = clearance + 26 + 105 * random() ** 1.2, tall = 0.7 + 0.75 * random();
    turn.setFromAxisAngle(up, 6.3 * random());
    matrix.compose(new THREE.Vector3(away * Math.cos(side), away * Math.sin(side), 0), turn, new THREE.Vector3(tall, tall, tall * (0.9 + 0.4 * random())));
    return spruce.clone().applyMatrix4(matrix);
  });
}

function workplace(clearance) {
  const parts = [], random = generator(5);
  for (let i = 0; i < 9; i++) {
    const angle = -2.2 + 0.27 * i, away = clearance + 1.5;
    const cone = mergeGeometries([
      plain(new THREE.BoxGeometry(0.42, 0.42, 0.05).translate(0, 0, 0.025), "#2b2b2b"),
      plain(upright(0.17, 0.7, 7, 0.03), "#ef6a1f"),
      plain(new THREE.CylinderGeometry(0.085, 0.115, 0.14, 7, 1, true).rotateX(Math.PI / 2).translate(0, 0, 0.36), "#f5f5f5"),
    ]);
    parts.push(cone.translate(away * Math.cos(angle), away * Math.sin(angle), 0));
  }
  for (const [x, y, r] of [[0.9, 0.75, 3.2], [1.12, 0.55, 2.3]]) {
    const heap = new THREE.ConeGeometry(r, 0.62 * r, 13, 3).rotateX(Math.PI / 2).translate(0, 0, 0.31 * r);
    const { position } = heap.attributes;
    for (let i = 0; i < position.count; i++) {
      if (position.getZ(i) > 0.02) position.setZ(i, position.getZ(i) * (0.85 + 0.2 * random()));
    }
    parts.push(plain(heap.translate((clearance + 3) * x, (clearance + 3) * y, 0), "#7d6544"));
  }
  return parts;
}

/** Stars on a dome of this radius, m. */
export function stars(radius) {
  const random = generator(31), places = [];
  while (places.length < 3 * 420) {
    const up = 0.06 + 0.94 * random(), angle = 2 * Math.PI * random(), flat = Math.sqrt(1 - up * up);
    places.push(radius * flat * Math.cos(angle), radius * flat * Math.sin(angle), radius * up);
  }
  const geometry = new THREE.BufferGeometry().setAttribute("position", new THREE.Float32BufferAttribute(places, 3));
  const points = new THREE.Points(geometry, new THREE.PointsMaterial({ color: "#c9d6ee", size: 1.6, sizeAttenuation: false, depthWrite: false }));
  points.renderOrder = 11;
  return points;
}
