// SPDX-License-Identifier: BSD-3-Clause
// Shadow: what stands in the sun is drawn once more, pressed flat onto the ground along the light. The ground is flat, so this is the shadow that
// it has; a machine casts none on itself. A shadow map costs three times as much where the processor draws.
import * as THREE from "three";
import { PLACED } from "./pieces.js";

const LIFT = 0.006;  // m above the ground, so that the ground does not show through

const VERTEX = `
  ${PLACED}
  uniform vec3 toSun; uniform float floorHeight;
  void main() {
    vec3 place = placed(vec4(position, 1.0));
    place -= toSun * (max(place.z - floorHeight, 0.0) / toSun.z);
    gl_Position = projectionMatrix * viewMatrix * vec4(place.xy, floorHeight, 1.0);
  }`;
const FRAGMENT = `
  uniform vec3 shade;
  void main() { gl_FragColor = vec4(shade, 1.0); }`;

export class Shadow {
  constructor(toSun, floor) {
    this.light = { toSun: { value: toSun }, floorHeight: { value: floor + LIFT }, shade: { value: new THREE.Color() } };
  }

  /** A material for the shadow of the pieces of a machine. */
  material(pieces) {
    const uniforms = { ...this.light, pieces: { value: pieces.texture } };
    return new THREE.ShaderMaterial({ uniforms, vertexShader: VERTEX, fragmentShader: FRAGMENT });
  }

  /** Day or night: the colour of the ground in the shade. */
  tone({ earth, dark }) {
    this.light.shade.value.set(earth).multiply(new THREE.Color(dark));
  }
}
