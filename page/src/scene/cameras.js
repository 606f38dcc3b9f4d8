// SPDX-License-Identifier: BSD-3-Clause
// Cameras: orbit around the machine, from the cab, from the side, following a body. One rig per view.
import * as THREE from "three";

export const KINDS = { orbit: "Orbit", cab: "Cab", side: "Side", follow: "Follow" };
const FIELD = 38, CAB_FIELD = 62, SIDE_FIELD = 24;  // degrees
const SHARE = { orbit: 1.1, side: 1.15, follow: 0.6 };  // of the machine that is in the picture
const INSIDE = 0.84;  // of the half picture: tools reach beyond the origin of their body
const spot = new THREE.Vector3();
const HOME = { orbit: [-0.72, 0.2], side: [-Math.PI / 2, 0.06], follow: [-0.9, 0.22], cab: [0, -0.16] };

export class Rig {
  /**
   * @param {import("./machine.js").Machine} machine
   * @param {import("./world.js").World} world
   */
  constructor(machine, world) {
    this.machine = machine;
    this.world = world;
    this.camera = new THREE.PerspectiveCamera(FIELD, 1, 0.1, 1000);
    this.camera.up.set(0, 0, 1);
    this.target = new THREE.Vector3();
    this.followed = tool(machine);
    this.set("orbit");
  }

  /** Choose a kind of camera and bring it home. */
  set(kind) {
    this.kind = kind === "cab" && !this.machine.cab ? "orbit" : kind;
    [this.yaw, this.pitch] = HOME[this.kind];
    this.zoomed = this.room = 1;
    this.pan = new THREE.Vector3();
    this.camera.fov = { cab: CAB_FIELD, side: SIDE_FIELD }[this.kind] ?? FIELD;
    this.fresh = true;
  }

  turn(x, y) {
    const inside = this.kind === "cab";
    this.yaw -= inside ? -0.6 * x : x;
    this.pitch = Math.min(Math.max(this.pitch + (inside ? -0.6 * y : y), inside ? -1.3 : -0.02), 1.5);
  }

  zoom(factor) {
    this.zoomed = Math.min(Math.max(this.zoomed * factor, 0.15), 4);
  }

  /** Move the target across the picture, in parts of its height. */
  shift(x, y) {
    const wide = 2 * Math.tan((this.camera.fov * Math.PI) / 360) * this.#distance();
    const right = new THREE.Vector3().setFromMatrixColumn(this.camera.matrixWorld, 0);
    const up = new THREE.Vector3().setFromMatrixColumn(this.camera.matrixWorld, 1);
    this.pan.addScaledVector(right, -x * wide).addScaledVector(up, y * wide);
  }

  #distance() {
    const { half: [across, up], reach } = this.world, tall = Math.tan((this.camera.fov * Math.PI) / 360), wide = tall * this.camera.aspect;
    const need = Math.max((SHARE[this.kind] * across) / wide, (1.1 * SHARE[this.kind] * up) / tall) + 0.35 * reach;
    return this.zoomed * this.room * need;
  }

  /** Place the camera for the poses of now; `seconds` since the last time smooths what follows. */
  place(aspect, seconds) {
    const { camera, world } = this, { size } = this.machine.scene;
    camera.aspect = aspect;
    camera.near = this.kind === "cab" ? 0.004 * size : 0.012 * size;
    camera.far = 45 * size;
    if (this.kind === "cab") this.#sit();
    else {
      const goal = this.kind === "follow" ? this.machine.bodies[this.followed].position : world.centre;
      if (this.fresh) this.target.copy(goal);
      else this.target.lerp(goal, 1 - Math.exp(-seconds / (this.kind === "follow" ? 0.25 : 2)));
      const c = Math.cos(this.pitch), distance = this.#distance(), at = this.target.clone().add(this.pan);
      if (this.kind === "orbit") at.z -= 0.12 * world.reach;  // the levers cover the foot of the picture
      camera.position.set(Math.cos(this.yaw) * c, Math.sin(this.yaw) * c, Math.sin(this.pitch)).multiplyScalar(distance).add(at);
      camera.position.z = Math.max(camera.position.z, world.floor + 0.03 * size);
      camera.lookAt(at);
    }
    camera.updateProjectionMatrix();
    camera.updateMatrixWorld();
    if (this.kind === "orbit" || this.kind === "side") this.#keepInside(Math.min(seconds, 0.1));
    this.fresh = false;
  }

  /** Step back while a body leaves the picture, and come nearer again when all have long been well inside. */
  #keepInside(seconds) {
    if (this.zoomed !== 1) return;  // somebody chose how near
    let out = 0;
    for (const { position } of this.machine.bodies.slice(0, -1)) {
      spot.copy(position).project(this.camera);
      out = Math.max(out, Math.abs(spot.x), Math.abs(spot.y));
    }
    if (out > INSIDE) this.room = Math.min(this.room * (1 + 2 * seconds), 2.5);
    else if (out < 0.8 * INSIDE) this.room = Math.max(this.room * (1 - 0.3 * seconds), 1);
  }

  #sit() {
    const { body, eye } = this.machine.cab, seat = this.machine.bodies[body], c = Math.cos(this.pitch);
    const ahead = new THREE.Vector3(Math.cos(this.yaw) * c, Math.sin(this.yaw) * c, Math.sin(this.pitch)).applyQuaternion(seat.quaternion);
    this.camera.fov = CAB_FIELD * Math.min(this.zoomed, 1.6);
    this.camera.position.copy(eye).applyQuaternion(seat.quaternion).add(seat.position);
    this.camera.lookAt(ahead.add(this.camera.position));
  }
}

/** The tool: the last of the bodies that are far from the first one across the ground. */
function tool(machine) {
  const [first] = machine.bodies, own = machine.bodies.slice(0, -1);
  const away = own.map(({ position: p }) => Math.hypot(p.x - first.position.x, p.y - first.position.y));
  return Math.max(away.findLastIndex((one) => one >= 0.7 * Math.max(...away)), 0);
}
