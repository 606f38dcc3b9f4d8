// SPDX-License-Identifier: BSD-3-Clause
// Quality: how finely to draw, so that it stays fluent. Starts from what draws (a graphics card or the processor) and adapts.

const LEVELS = [
  // pixels per CSS pixel, shadow map, shadows redrawn every so many pictures
  { ratio: 0.5, shadow: 512, every: 3 },
  { ratio: 0.65, shadow: 512, every: 2 },
  { ratio: 0.8, shadow: 1024, every: 2 },
  { ratio: 1, shadow: 1024, every: 1 },
  { ratio: 1.5, shadow: 2048, every: 1 },
  { ratio: 2, shadow: 2048, every: 1 },
];
const SLOW = 1 / 40, FAST = 1 / 57;  // s per picture: below 40 a second is slow, 57 is as fast as it goes
const PATIENCE = 1.5, HOPE = 12;  // s of slowness before going down, s of speed before trying to go up

export class Quality {
  /** @param {WebGL2RenderingContext} gl */
  constructor(gl) {
    const about = gl.getExtension("WEBGL_debug_renderer_info");
    const drawnBy = about ? gl.getParameter(about.UNMASKED_RENDERER_WEBGL) : "";
    /** Whether the processor computes the picture. */
    this.software = /swiftshader|llvmpipe|software|basic render/i.test(drawnBy);
    this.level = this.software ? 2 : 4;
    this.ceiling = LEVELS.length - 1;
    this.mean = 1 / 60;
    this.slow = 0;
    this.fast = 0;
  }

  get now() {
    return LEVELS[this.level];
  }

  /** Pixels per CSS pixel to draw with. */
  ratio() {
    return Math.min(this.now.ratio, Math.max(window.devicePixelRatio || 1, this.now.ratio < 1 ? 0 : 1));
  }

  /** Take the time since the last picture into account; true when the level changed. */
  note(seconds) {
    if (seconds > 0.5) return false;  // hidden, or just begun
    this.mean += 0.08 * (seconds - this.mean);
    this.slow = this.mean > SLOW ? this.slow + seconds : 0;
    this.fast = this.mean < FAST ? this.fast + seconds : 0;
    if (this.slow > PATIENCE && this.level > 0) {
      this.ceiling = Math.max(this.level - 1, 1);  // it was too much once: do not go there again
      return this.#go(this.level - 1);
    }
    if (this.fast > HOPE && this.level < this.ceiling && this.now.ratio < (window.devicePixelRatio || 1)) return this.#go(this.level + 1);
    return false;
  }

  #go(level) {
    this.level = level;
    this.slow = this.fast = 0;
    return true;
  }
}
