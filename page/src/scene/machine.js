// SPDX-License-Identifier: BSD-3-Clause
// Machine: the bodies of hello's scene as one mesh each, and what spans between bodies: rams, coils, bars.
import * as THREE from "three";
import { mergeGeometries, mergeVertices } from "three/examples/jsm/utils/BufferGeometryUtils.js";
import { coil, coloured, cylinder, isGlass, solid } from "./shapes.js";

const STEEL = "#646d78", CHROME = "#e4e8ec", WIRE = "#8593a1";
const HOT = new THREE.Color("#d8342a"), CLOSED = 0.96;  // a barrel is drawn so long as a part of the closed ram
const UP = new THREE.Vector3(0, 0, 1), tone = new THREE.Color();

export class Machine {
  /**
   * @param {{bodies: string[], solids: object[], lines: object[]}} scene of hello
   * @param {import("./paint.js").Paint} paints
   */
  constructor(scene, paints) {
    this.paints = paints;
    this.scene = scene;
    this.group = new THREE.Group();
    const paint = paints.material(), glass = paints.material({ gloss: 0.5, opacity: 0.42 });
    /** Groups that move with the bodies; the ground is last and does not move. */
    this.bodies = [...scene.bodies, "ground"].map((name, number) => this.#body(name, number, paint, glass));
    this.ground = this.bodies.at(-1);
    this.lines = scene.lines.map((line) => ({ ...line, ends: [new THREE.Vector3(), new THREE.Vector3()] }));
    this.#spans();
    this.cab = this.#cab();
  }

  #body(name, number, paint, glass) {
    const own = this.scene.solids.filter(({ body }) => (body < 0 ? this.scene.bodies.length : body) === number);
    const group = new THREE.Group();
    group.name = name;
    for (const [material, some] of [[paint, own.filter((one) => !isGlass(one))], [glass, own.filter(isGlass)]]) {
      if (!some.length) continue;
      const mesh = new THREE.Mesh(mergeVertices(mergeGeometries(some.map(solid)), 1e-5), material);
      mesh.castShadow = material === paint;
      mesh.receiveShadow = material === paint;
      group.add(mesh);
    }
    this.group.add(group);
    return group;
  }

  /** Where the driver sits: behind the glass, on the body that turns most with the work. */
  #cab() {
    const panes = this.scene.solids.filter((one) => one.body >= 0 && isGlass(one));
    const last = Math.max(...panes.map(({ body }) => body), -1);
    const largest = panes.filter(({ body }) => body === last).sort((a, b) => volume(b) - volume(a))[0];
    const fixed = this.scene.solids.filter((one) => one.body < 0 && isGlass(one))[0];
    const pane = largest ?? fixed;
    if (!pane) return null;
    const [x, y, z] = pane.at;
    return { body: pane.body < 0 ? this.scene.bodies.length : pane.body, eye: new THREE.Vector3(x + 0.12 * pane.size[0], y, z + 0.2 * pane.size[2]) };
  }

  // --- rams, coils and bars ---

  #spans() {
    const rams = this.lines.filter(({ form }) => form === "ram"), bars = this.lines.filter(({ form }) => form === "bar");
    const tube = cylinder(1, 14), ball = new THREE.SphereGeometry(1, 8, 6);
    const many = (geometry, colour, count, gloss) => {
      const mesh = new THREE.InstancedMesh(coloured(geometry.clone(), new THREE.Color(colour)), this.paints.material({ gloss }), Math.max(count, 1));
      mesh.count = count;
      mesh.castShadow = mesh.receiveShadow = true;
      mesh.frustumCulled = false;
      this.group.add(mesh);
      return mesh;
    };
    this.parts = { rams, bars };
    this.barrels = many(tube, "#ffffff", 2 * rams.length);
    this.collars = many(tube, STEEL, rams.length);
    this.rods = many(tube, CHROME, rams.length, 0.9);
    this.eyes = many(ball, STEEL, 2 * rams.length);
    this.sticks = many(tube, STEEL, bars.length);
    rams.forEach((_, i) => this.tint(i, [0, 0]));
    this.coilPaint = this.paints.material({ gloss: 0.3 });
    this.coils = this.lines.filter(({ form }) => form === "coil").map((line) => ({ line, mesh: null }));
  }

  #coil(one, reach) {
    const { radius, wire } = one.line;
    one.mesh = new THREE.Mesh(coloured(coil(radius, wire, reach), new THREE.Color(WIRE)), this.coilPaint);
    this.group.add(one.mesh);
  }

  /** Redden the two chambers of a ram by their pressures, each 0 to 1. */
  tint(number, shares) {
    shares.forEach((share, chamber) => {
      tone.set(STEEL).lerp(HOT, 0.9 * Math.min(Math.max(share, 0), 1));
      this.barrels.setColorAt(2 * number + chamber, tone);
    });
    this.barrels.instanceColor.needsUpdate = true;
  }

  /** Move everything to the poses of a frame (x y z, qw qx qy qz for each body). */
  pose(poses) {
    for (let i = 0; i < this.bodies.length - 1; i++) {
      const k = 7 * i, body = this.bodies[i];
      body.position.set(poses[k], poses[k + 1], poses[k + 2]);
      body.quaternion.set(poses[k + 4], poses[k + 5], poses[k + 6], poses[k + 3]);
    }
    for (const line of this.lines) {
      this.#end(line.a, line.ends[0]);
      this.#end(line.b, line.ends[1]);
    }
    this.#placeSpans();
  }

  #end([body, at], point) {
    point.fromArray(at);
    if (body >= 0) point.applyQuaternion(this.bodies[body].quaternion).add(this.bodies[body].position);
  }

  #placeSpans() {
    this.parts.rams.forEach((ram, i) => {
      const [a, b] = ram.ends, reach = a.distanceTo(b), barrel = Math.min(ram.barrel, 0.97 * reach);
      // the piston parts the barrel: what the ram is longer than closed is oil below it
      const piston = Math.min(Math.max(reach - ram.barrel / CLOSED, 0.04 * barrel), 0.96 * barrel);
      span(this.barrels, 2 * i, a, b, 0, piston, ram.radius);
      span(this.barrels, 2 * i + 1, a, b, piston, barrel, ram.radius);
      span(this.collars, i, a, b, Math.max(barrel - 0.7 * ram.radius, 0), barrel + 0.01 * reach, 1.1 * ram.radius);
      span(this.rods, i, a, b, 0.5 * barrel, reach, ram.rod);
      spot(this.eyes, 2 * i, a, ram.radius);
      spot(this.eyes, 2 * i + 1, b, Math.max(1.7 * ram.rod, 0.7 * ram.radius));
    });
    this.parts.bars.forEach((bar, i) => span(this.sticks, i, ...bar.ends, 0, bar.ends[0].distanceTo(bar.ends[1]), bar.radius));
    for (const mesh of [this.barrels, this.collars, this.rods, this.eyes, this.sticks]) mesh.instanceMatrix.needsUpdate = true;
    for (const one of this.coils) {
      const [a, b] = one.line.ends, reach = a.distanceTo(b);
      if (!one.mesh && reach > 0) this.#coil(one, reach);
      if (!one.mesh) continue;
      one.mesh.position.copy(a).add(b).multiplyScalar(0.5);
      one.mesh.quaternion.setFromUnitVectors(UP, along.copy(b).sub(a).normalize());
      one.mesh.scale.set(1, 1, Math.max(reach, 1e-6));
    }
  }
}

const volume = ({ size }) => size[0] * size[1] * size[2];
const along = new THREE.Vector3(), place = new THREE.Vector3(), turn = new THREE.Quaternion(), size = new THREE.Vector3(), matrix = new THREE.Matrix4();

function span(mesh, number, a, b, from, to, radius) {
  along.copy(b).sub(a).normalize();
  turn.setFromUnitVectors(UP, along);
  place.copy(a).addScaledVector(along, (from + to) / 2);
  mesh.setMatrixAt(number, matrix.compose(place, turn, size.set(radius, radius, Math.max(to - from, 1e-6))));
}

function spot(mesh, number, at, radius) {
  mesh.setMatrixAt(number, matrix.compose(at, turn, size.setScalar(radius)));
}
