// SPDX-License-Identifier: BSD-3-Clause
// Pieces: all that moves is one mesh. Each corner says to which piece it belongs, and a small texture has where the pieces are, so that
// a machine is drawn by one call.
import * as THREE from "three";

/** For the corners: `placed(p)` is where p of this corner's piece is in the world, `tint()` the colour of the piece. */
export const PLACED = `
  attribute float piece;
  uniform highp sampler2D pieces;
  vec4 row(int k) { return texelFetch(pieces, ivec2(k, int(piece)), 0); }
  vec3 placed(vec4 p) { return vec3(dot(row(0), p), dot(row(1), p), dot(row(2), p)); }
  vec3 tint() { return row(3).rgb; }`;

export class Pieces {
  constructor(count) {
    this.values = new Float32Array(16 * count).fill(1);
    this.texture = new THREE.DataTexture(this.values, 4, count, THREE.RGBAFormat, THREE.FloatType);
  }

  /** Put a piece where a matrix says. */
  place(number, { elements: e }) {
    for (let row = 0; row < 3; row++) for (let k = 0; k < 4; k++) this.values[16 * number + 4 * row + k] = e[4 * k + row];
    this.texture.needsUpdate = true;
  }

  /** Multiply the colours of a piece. */
  tint(number, colour) {
    colour.toArray(this.values, 16 * number + 12);
    this.texture.needsUpdate = true;
  }
}

/** Write onto a geometry's corners to which piece they belong, and how much they shine. */
export function belonging(geometry, piece, gloss) {
  const { count } = geometry.attributes.position;
  for (const [name, value] of [["piece", piece], ["gloss", gloss]]) geometry.setAttribute(name, new THREE.BufferAttribute(new Float32Array(count).fill(value), 1));
  return geometry;
}
