// SPDX-License-Identifier: BSD-3-Clause
// Paint: the material of machines. Light is computed at corners: faces are flat, so nobody sees that, and a pixel costs next to nothing.
import * as THREE from "three";
import { PLACED } from "./pieces.js";

const VERTEX = `
  ${PLACED}
  attribute float gloss;
  uniform vec3 toSun, sunlight, skylight, bounce; uniform float floorHeight;
  varying vec3 seen; varying float height;
  void main() {
    vec3 place = placed(vec4(position, 1.0)), n = normalize(placed(vec4(normal, 0.0)));
    vec3 toEye = normalize(cameraPosition - place), light = mix(bounce, skylight, 0.5 + 0.5 * n.z) + sunlight * max(dot(n, toSun), 0.0);
    seen = color * tint() * light + gloss * sunlight * pow(max(dot(n, normalize(toSun + toEye)), 0.0), 24.0);
    height = place.z - floorHeight;
    gl_Position = projectionMatrix * viewMatrix * vec4(place, 1.0);
  }`;
const FRAGMENT = `
  varying vec3 seen; varying float height;
  uniform float opacity;
  void main() {
    if (height < 0.0) discard;  // eyes are above the ground: what is below it is hidden by it
    gl_FragColor = vec4(seen, opacity);
  }`;

export class Paint {
  constructor(toSun, floor) {
    /** Shared by all materials: changed once, seen everywhere. */
    this.light = {
      toSun: { value: toSun }, floorHeight: { value: floor }, sunlight: { value: new THREE.Color() }, skylight: { value: new THREE.Color() }, bounce: { value: new THREE.Color() },
    };
  }

  /** A material for the pieces of a machine. */
  material(pieces, opacity = 1) {
    return new THREE.ShaderMaterial({
      uniforms: { ...this.light, pieces: { value: pieces.texture }, opacity: { value: opacity } },
      vertexShader: VERTEX, fragmentShader: FRAGMENT, vertexColors: true, transparent: opacity < 1, depthWrite: opacity === 1,
    });
  }

  /** Day or night. */
  tone({ sunlight, skylight, bounce }) {
    for (const [name, value] of Object.entries({ sunlight, skylight, bounce })) this.light[name].value.set(value);
  }
}
