// SPDX-License-Identifier: BSD-3-Clause
// Signals: who wants which named numbers, one subscription for all of them, and their newest values.

const MOST = 256, LONGEST = 4000;  // signals that the server gives one client, letters of a message that it reads

const fits = (paths) => paths.length <= MOST && JSON.stringify(paths).length < LONGEST;

export class Signals {
  /**
   * @param {object[]} known of hello: {path, unit, meaning}
   * @param {(paths: string[]) => void} subscribe asks the server for these, in this order
   */
  constructor(known, subscribe) {
    this.known = new Map(known.map((one) => [one.path, one]));
    this.subscribe = subscribe;
    this.wanted = new Map();
    this.order = [];
    this.number = new Map();
    this.values = new Float32Array();
  }

  /** Say what a part of the page wants; replaces what it wanted before. */
  want(who, paths) {
    this.wanted.set(who, paths.filter((path) => this.known.has(path)));
    const all = new Set([...this.wanted.values()].flat());
    // those that are there keep their places, so that a frame which is under way is still read rightly
    const fresh = [...all].filter((path) => !this.number.has(path));
    if (!fresh.length) return;
    const kept = fits([...this.order, ...fresh]) ? this.order : this.order.filter((path) => all.has(path));
    this.order = [...kept];
    for (const path of fresh) if (fits([...this.order, path])) this.order.push(path);
    this.number = new Map(this.order.map((path, i) => [path, i]));
    this.subscribe(this.order);
  }

  /** Ask again, after the link was lost. */
  renew() {
    this.values = new Float32Array();
    this.subscribe(this.order);
  }

  /** Take the values of a frame. */
  take(values) {
    this.values = values;
  }

  /** The newest value of a signal in SI, undefined while there is none. */
  value(path) {
    return this.values[this.number.get(path)];
  }
}
