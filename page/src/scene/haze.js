// SPDX-License-Identifier: BSD-3-Clause
// Haze: the material of all that stands still: colours at the corners, paler with the distance. Computed at the corners, too.
import * as THREE from "three";

const VERTEX = `
  uniform vec3 tone, fogColour; uniform vec2 fog;
  varying vec3 seen;
  void main() {
    vec4 place = modelViewMatrix * vec4(position, 1.0);
    seen = mix(color * tone, fogColour, smoothstep(fog.x, fog.y, -place.z));
    gl_Position = projectionMatrix * place;
  }`;
const FRAGMENT = `
  varying vec3 seen;
  void main() { gl_FragColor = vec4(seen, 1.0); }`;

export class Haze {
  /** @param {number} near where things begin to pale, m  @param {number} far where nothing is left of them, m */
  constructor(near, far) {
    this.fog = { fogColour: { value: new THREE.Color() }, fog: { value: new THREE.Vector2(near, far) } };
  }

  /** A material whose colours are multiplied by `tone`. */
  material(tone, options = {}) {
    return new THREE.ShaderMaterial({ uniforms: { ...this.fog, tone: { value: tone } }, vertexShader: VERTEX, fragmentShader: FRAGMENT, vertexColors: true, ...options });
  }

  /** Day or night. */
  tone({ horizon }) {
    this.fog.fogColour.value.set(horizon);
  }
}
