// SPDX-License-Identifier: BSD-3-Clause
// Quality: how finely to draw, so that it stays fluent. Starts from what draws (a graphics card or the processor) and adapts.

const RATIOS = [0.5, 0.65, 0.8, 1, 1.5, 2];  // pixels per CSS pixel
const SLOW = 1 / 45, FAST = 1 / 57;  // s per picture: below 45 a second is slow, 57 is as fast as it goes
const PATIENCE = 1.5, HOPE = 12;  // s of slowness before going down; s of speed before trying to go up, twice as long after each time it was too much
const YOUNG = 3;  // s at first that say nothing: shaders are compiled

export class Quality {
  /** @param {WebGL2RenderingContext} gl */
  constructor(gl) {
    const about = gl.getExtension("WEBGL_debug_renderer_info");
    const drawnBy = about ? gl.getParameter(about.UNMASKED_RENDERER_WEBGL) : "";
    /** Whether the processor computes the picture. */
    this.software = /swiftshader|llvmpipe|software|basic render/i.test(drawnBy);
    this.level = RATIOS.indexOf(this.software ? 1 : 1.5);
    this.hope = HOPE;
    this.mean = 1 / 60;
    this.slow = this.fast = this.age = 0;
  }

  /** Pixels per CSS pixel to draw with: no more than the screen has. */
  ratio() {
    return Math.min(RATIOS[this.level], window.devicePixelRatio || 1);
  }

  /** Take the time since the last picture into account; true when the level changed. */
  note(seconds) {
    if (seconds > 0.5) return false;  // hidden, or just begun
    this.age += seconds;
    if (this.age < YOUNG) return false;
    this.mean += 0.08 * (seconds - this.mean);
    this.slow = this.mean > SLOW ? this.slow + seconds : 0;
    this.fast = this.mean < FAST ? this.fast + seconds : 0;
    if (this.slow > PATIENCE && this.level > 0) {
      this.hope *= 2;
      return this.#go(this.level - 1);
    }
    if (this.fast > this.hope && this.level < RATIOS.length - 1 && RATIOS[this.level] < (window.devicePixelRatio || 1)) return this.#go(this.level + 1);
    return false;
  }

  #go(level) {
    this.level = level;
    this.slow = this.fast = 0;
    return true;
  }
}
