// SPDX-License-Identifier: BSD-3-Clause
// Paint: the material of machines. Light is computed at corners (faces are flat, so nobody sees it) and only the shadow at
// every pixel: a third of the cost of three's own, which counts where the processor draws.
import * as THREE from "three";

const VERTEX = `
  uniform vec3 toSun, sunlight, skylight, bounce; uniform float gloss;
  varying vec3 inShade, inSun;
  #include <common>
  #include <color_pars_vertex>
  #include <shadowmap_pars_vertex>
  void main() {
    #include <color_vertex>
    #include <beginnormal_vertex>
    #include <defaultnormal_vertex>
    #include <begin_vertex>
    #include <project_vertex>
    #include <worldpos_vertex>
    #include <shadowmap_vertex>
    vec3 n = inverseTransformDirection(normalize(transformedNormal), viewMatrix);
    inShade = vColor.rgb * mix(bounce, skylight, 0.5 + 0.5 * n.z);
    inSun = vColor.rgb * sunlight * max(dot(n, toSun), 0.0);
    vec3 toEye = normalize(cameraPosition - worldPosition.xyz);
    inSun += gloss * sunlight * pow(max(dot(n, normalize(toSun + toEye)), 0.0), 24.0);
  }`;
const FRAGMENT = `
  varying vec3 inShade, inSun;
  uniform float opacity;
  #include <common>
  #include <lights_pars_begin>
  #include <shadowmap_pars_fragment>
  #include <shadowmask_pars_fragment>
  void main() { gl_FragColor = vec4(inShade + inSun * getShadowMask(), opacity); }`;

export class Paint {
  constructor(toSun) {
    /** Shared by all materials: changed once, seen everywhere. */
    this.light = {
      toSun: { value: toSun }, sunlight: { value: new THREE.Color() }, skylight: { value: new THREE.Color() }, bounce: { value: new THREE.Color() },
    };
  }

  /** A material whose colours are those of the corners or of the instances. */
  material({ gloss = 0.08, opacity = 1 } = {}) {
    return new THREE.ShaderMaterial({
      uniforms: { ...THREE.UniformsUtils.clone(THREE.UniformsLib.lights), ...this.light, gloss: { value: gloss }, opacity: { value: opacity } },
      vertexShader: VERTEX, fragmentShader: FRAGMENT, lights: true, vertexColors: true, transparent: opacity < 1, depthWrite: opacity === 1,
    });
  }

  /** Day or night. */
  tone({ sunlight, skylight, bounce }) {
    for (const [name, value] of Object.entries({ sunlight, skylight, bounce })) this.light[name].value.set(value);
  }
}
