// SPDX-License-Identifier: BSD-3-Clause
// Ground: packed earth with a grid, made in code. Flat, so its light is one number; only near the machine are shadows looked up.
import * as THREE from "three";
import { generator } from "./random.js";

const TILE = 512;  // pixels of one tile, ten cells wide

const VERTEX = `
  varying vec2 place; varying float shade, mist;
  attribute float tint;
  uniform float fogNear, fogFar;
  #include <common>
  #include <shadowmap_pars_vertex>
  void main() {
    #include <beginnormal_vertex>
    #include <defaultnormal_vertex>
    #include <begin_vertex>
    #include <project_vertex>
    #include <worldpos_vertex>
    #include <shadowmap_vertex>
    place = uv;
    shade = tint;
    mist = smoothstep(fogNear, fogFar, -mvPosition.z);
  }`;
const FRAGMENT = `
  varying vec2 place; varying float shade, mist;
  uniform sampler2D map; uniform vec3 fogColor, light, dark;
  #ifdef NEAR
    #include <common>
    #include <lights_pars_begin>
    #include <shadowmap_pars_fragment>
    #include <shadowmask_pars_fragment>
  #endif
  void main() {
    vec3 tone = texture2D(map, place).rgb * shade;
    #ifdef NEAR
      tone *= mix(dark, light, getShadowMask());
    #else
      tone *= light;
    #endif
    gl_FragColor = vec4(mix(tone, fogColor, mist), 1.0);
  }`;

export class Ground {
  /**
   * @param {{centre: THREE.Vector3, floor: number, cell: number, scale: number, far: number, shadows: number}} world
   *   shadows: how far from the centre they fall, m
   */
  constructor({ centre, floor, cell, scale, far, shadows }) {
    this.texture = new THREE.CanvasTexture(document.createElement("canvas"));
    this.texture.minFilter = THREE.LinearMipmapNearestFilter;
    this.texture.wrapS = this.texture.wrapT = THREE.RepeatWrapping;
    this.group = new THREE.Group();
    this.materials = [];
    for (const [inner, outer, near] of [[0.001, shadows, true], [shadows, far, false]]) {
      const ring = new THREE.RingGeometry(inner, outer, 72, near ? 8 : 16), { position, normal, uv } = ring.attributes;
      const tint = new Float32Array(position.count);
      for (let i = 0; i < position.count; i++) {
        // the outer ring is finer near its inner edge, where it is seen from close by
        const r = Math.hypot(position.getX(i), position.getY(i)), share = Math.max((r - inner) / (outer - inner), 0);
        const stretch = near ? 1 : (inner + (outer - inner) * share ** 2.4) / r;
        const x = position.getX(i) * stretch + centre.x, y = position.getY(i) * stretch + centre.y;
        tint[i] = 0.95 + 0.05 * Math.sin((0.11 * x) / scale + 1.7 * Math.sin((0.07 * y) / scale));
        position.setXYZ(i, x, y, floor);
        normal.setXYZ(i, 0, 0, 1);
        uv.setXY(i, x / (10 * cell), y / (10 * cell));
      }
      ring.setAttribute("tint", new THREE.BufferAttribute(tint, 1));
      const mesh = new THREE.Mesh(ring, this.#paint(near));
      mesh.receiveShadow = near;
      this.group.add(mesh);
    }
  }

  #paint(near) {
    const own = { map: { value: this.texture }, light: { value: new THREE.Color() }, dark: { value: new THREE.Color() }, fogColor: { value: new THREE.Color() }, fogNear: { value: 1 }, fogFar: { value: 2 } };
    const material = new THREE.ShaderMaterial({
      uniforms: { ...THREE.UniformsUtils.clone(near ? THREE.UniformsLib.lights : {}), ...own },
      defines: near ? { NEAR: "" } : {}, lights: near, fog: true, vertexShader: VERTEX, fragmentShader: FRAGMENT,
    });
    this.materials.push(material);
    return material;
  }

  /** Day or night: colours of earth and lines, light in the open and in shadow. */
  tone({ earth, line, light, dark }) {
    paintTile(this.texture.image, earth, line);
    this.texture.needsUpdate = true;
    for (const { uniforms } of this.materials) {
      uniforms.light.value.set(light);
      uniforms.dark.value.set(dark);
    }
  }
}

/** One tile of packed earth: speckles, damp spots, and the lines of a grid of ten by ten cells. */
function paintTile(canvas, earth, line) {
  canvas.width = canvas.height = TILE;
  const pen = canvas.getContext("2d"), random = generator(7);
  pen.fillStyle = earth;
  pen.fillRect(0, 0, TILE, TILE);
  for (let i = 0; i < 5200; i++) {
    const grain = 0.6 + 2.2 * random() ** 3, tone = random() < 0.5 ? 0 : 255;
    pen.fillStyle = `rgba(${tone},${tone},${tone},${0.035 + 0.05 * random()})`;
    pen.fillRect(TILE * random(), TILE * random(), grain, grain);
  }
  for (let i = 0; i < 60; i++) {
    const x = TILE * random(), y = TILE * random(), r = 6 + 26 * random(), spot = pen.createRadialGradient(x, y, 0, x, y, r);
    spot.addColorStop(0, `rgba(70,55,30,${0.05 * random() + 0.02})`);
    spot.addColorStop(1, "rgba(70,55,30,0)");
    pen.fillStyle = spot;
    pen.fillRect(x - r, y - r, 2 * r, 2 * r);
  }
  pen.strokeStyle = line;
  for (let i = 0; i <= 10; i++) {
    const at = (TILE * i) / 10;
    pen.globalAlpha = i % 10 ? 0.3 : 0.75;
    pen.lineWidth = i % 10 ? 1 : 3;
    pen.beginPath();
    pen.moveTo(at, 0);
    pen.lineTo(at, TILE);
    pen.moveTo(0, at);
    pen.lineTo(TILE, at);
    pen.stroke();
  }
  pen.globalAlpha = 1;
}
