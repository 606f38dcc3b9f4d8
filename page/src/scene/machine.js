// SPDX-License-Identifier: BSD-3-Clause
// Machine: the bodies of hello's scene, and what spans between bodies: rams, coils, bars. One mesh of pieces, and one of glass.
import * as THREE from "three";
import { mergeGeometries, mergeVertices } from "three/examples/jsm/utils/BufferGeometryUtils.js";
import { Pieces, belonging } from "./pieces.js";
import { coil, coloured, cylinder, isGlass, sheet, solid } from "./shapes.js";

const STEEL = "#646d78", CHROME = "#e4e8ec", WIRE = "#8593a1", WHITE = "#ffffff";
const HOT = new THREE.Color("#d8342a"), CLOSED = 0.96;  // a barrel is drawn so long as a part of the closed ram
const SHINE = { paint: 0.08, glass: 0.5, chrome: 0.9, wire: 0.3 }, OPACITY = 0.42;  // of glass
const UP = new THREE.Vector3(0, 0, 1), ONE = new THREE.Vector3(1, 1, 1), tone = new THREE.Color();

export class Machine {
  /**
   * @param {{bodies: string[], solids: object[], lines: object[]}} scene of hello
   * @param {Float32Array} poses of the first frame
   * @param {import("./paint.js").Paint} paint
   * @param {import("./shadow.js").Shadow} shadow
   */
  constructor(scene, poses, paint, shadow) {
    this.scene = scene;
    /** Where the bodies are; the ground is last and does not move. */
    this.bodies = [...scene.bodies, "ground"].map((name) => ({ name, position: new THREE.Vector3(), quaternion: new THREE.Quaternion() }));
    this.lines = scene.lines.map((line) => ({ ...line, ends: [new THREE.Vector3(), new THREE.Vector3()] }));
    this.rams = this.lines.filter(({ form }) => form === "ram");
    this.cab = this.#cab();
    this.#follow(poses);
    this.#build(paint, shadow);
    this.rams.forEach((_, i) => this.tint(i, [0, 0]));
    this.pose(poses);
  }

  #build(paint, shadow) {
    const ground = this.scene.bodies.length, painted = [], dark = [], panes = [];
    let count = ground + 1;
    for (const one of this.scene.solids) {
      const glass = isGlass(one), number = one.body < 0 ? ground : one.body;
      (glass ? panes : painted).push(belonging(solid(one, false), number, glass ? SHINE.glass : SHINE.paint));
      if (!glass) dark.push(belonging(solid(one, true), number, 0));
    }
    for (const one of this.scene.sheets ?? []) painted.push(belonging(sheet(one), ground, 0));
    /** One more piece of its own. */
    const add = (geometry, colour, gloss = SHINE.paint) => {
      const piece = belonging(coloured(plain(geometry), new THREE.Color(colour)), count, gloss);
      painted.push(piece);
      dark.push(piece);
      return count++;
    };
    const tube = cylinder(10), ball = new THREE.SphereGeometry(1, 7, 5);
    for (const line of this.lines) {
      const { form, ends: [a, b], radius, wire } = line;
      if (form === "ram") {
        line.barrels = [add(tube, WHITE), add(tube, WHITE)];
        Object.assign(line, { collar: add(tube, STEEL), bar: add(tube, CHROME, SHINE.chrome), eyes: [add(ball, STEEL), add(ball, STEEL)] });
      } else line.piece = form === "coil" ? add(coil(radius, wire, Math.max(a.distanceTo(b), 1e-3)), WIRE, SHINE.wire) : add(tube, STEEL);
    }
    this.pieces = new Pieces(count);
    this.group = new THREE.Group();
    const put = (parts, material, order) => {
      if (!parts.length) return;
      const mesh = new THREE.Mesh(mergeVertices(mergeGeometries(parts), 1e-5), material);
      mesh.renderOrder = order;
      mesh.frustumCulled = false;  // where its pieces are only the texture knows
      this.group.add(mesh);
    };
    put(painted, paint.material(this.pieces), 0);
    put(panes, paint.material(this.pieces, OPACITY), 0);
    put(dark.map(bare), shadow.material(this.pieces), 1);
    this.pieces.place(ground, new THREE.Matrix4());
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

  /** Redden the two chambers of a ram by their pressures, each 0 to 1. */
  tint(number, shares) {
    shares.forEach((share, chamber) => {
      tone.set(STEEL).lerp(HOT, 0.9 * Math.min(Math.max(share, 0), 1));
      this.pieces.tint(this.rams[number].barrels[chamber], tone);
    });
  }

  /** Move everything to the poses of a frame (x y z, qw qx qy qz for each body). */
  pose(poses) {
    this.#follow(poses);
    this.bodies.slice(0, -1).forEach(({ position, quaternion }, i) => this.pieces.place(i, matrix.compose(position, quaternion, ONE)));
    for (const line of this.lines) {
      const [a, b] = line.ends;
      if (line.form === "ram") this.#placeRam(line);
      else this.#span(line.piece, a, b, 0, a.distanceTo(b), line.form === "coil" ? 1 : line.radius);
    }
  }

  #follow(poses) {
    for (let i = 0; i < this.bodies.length - 1; i++) {
      const k = 7 * i, body = this.bodies[i];
      body.position.set(poses[k], poses[k + 1], poses[k + 2]);
      body.quaternion.set(poses[k + 4], poses[k + 5], poses[k + 6], poses[k + 3]);
    }
    for (const { a, b, ends } of this.lines) {
      this.#end(a, ends[0]);
      this.#end(b, ends[1]);
    }
  }

  #end([body, at], point) {
    point.fromArray(at);
    if (body >= 0) point.applyQuaternion(this.bodies[body].quaternion).add(this.bodies[body].position);
  }

  #placeRam({ ends: [a, b], barrel: whole, radius, rod, barrels, collar, bar, eyes }) {
    const reach = a.distanceTo(b), barrel = Math.min(whole, 0.97 * reach);
    // the piston parts the barrel: what the ram is longer than closed is oil below it
    const piston = Math.min(Math.max(reach - whole / CLOSED, 0.04 * barrel), 0.96 * barrel);
    this.#span(barrels[0], a, b, 0, piston, radius);
    this.#span(barrels[1], a, b, piston, barrel, radius);
    this.#span(collar, a, b, Math.max(barrel - 0.7 * radius, 0), barrel + 0.01 * reach, 1.1 * radius);
    this.#span(bar, a, b, 0.5 * barrel, reach, rod);
    this.pieces.place(eyes[0], matrix.compose(a, turn, size.setScalar(radius)));
    this.pieces.place(eyes[1], matrix.compose(b, turn, size.setScalar(Math.max(1.7 * rod, 0.7 * radius))));
  }

  /** Put a piece of unit length along a line, from one distance from its end a to another. */
  #span(number, a, b, from, to, radius) {
    along.copy(b).sub(a).normalize();
    turn.setFromUnitVectors(UP, along);
    place.copy(a).addScaledVector(along, (from + to) / 2);
    this.pieces.place(number, matrix.compose(place, turn, size.set(radius, radius, Math.max(to - from, 1e-6))));
  }
}

const volume = ({ size }) => size[0] * size[1] * size[2];
const along = new THREE.Vector3(), place = new THREE.Vector3(), turn = new THREE.Quaternion(), size = new THREE.Vector3(), matrix = new THREE.Matrix4();

/** A geometry without what a shadow does not need. */
function bare(geometry) {
  const some = geometry.clone();
  for (const name of ["normal", "color", "gloss"]) some.deleteAttribute(name);
  return some;
}

function plain(geometry) {
  const whole = geometry.index ? geometry.toNonIndexed() : geometry.clone();
  whole.deleteAttribute("uv");
  return whole;
}
