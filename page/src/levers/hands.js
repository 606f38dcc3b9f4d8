// SPDX-License-Identifier: BSD-3-Clause
// Hands: keys, screen and sticks together as the inputs of the machine. The strongest hand on an axis wins.

export class Hands {
  /**
   * @param {object} hello with inputs and controls
   * @param {() => object} mapping gives the mapping of now, whose pattern is used if the machine has it
   */
  constructor({ inputs, controls }, mapping) {
    this.inputs = inputs;
    this.controls = controls;
    this.mapping = mapping;
    this.number = new Map(inputs.map(({ name }, i) => [name, i]));
    this.held = inputs.map(({ rest }) => rest);
    this.values = new Float32Array(this.held);
    this.axes = new Map();
  }

  /** The patterns of this machine. */
  get patterns() {
    return Object.keys(this.controls);
  }

  /** The pattern that is used. */
  get pattern() {
    const { pattern } = this.mapping();
    return pattern in this.controls ? pattern : this.patterns[0];
  }

  /** What an axis does now: [input, sign, what, minus, plus], or undefined. */
  of(axis) {
    return this.controls[this.pattern]?.[axis];
  }

  /** What moves when an action ("right.y-", "button.0") is done, and which way: ["boom", "up"]; undefined where nothing does. */
  does(action) {
    const [, , what, minus, plus] = this.of(action.replace(/[+-]$/, "")) ?? [];
    return what === undefined ? undefined : [what, action.endsWith("-") ? minus : plus];
  }

  /** Where an axis stands (-1 to 1) when the machine has these inputs, whoever moves them. */
  stands(axis, inputs) {
    const [input, sign] = this.of(axis) ?? [], number = this.number.get(input);
    if (number === undefined || !inputs) return 0;
    const { low, high } = this.inputs[number], held = this.held[number], off = inputs[number] - held, range = off > 0 ? high - held : held - low;
    return range > 0 ? Math.min(Math.max((sign * off) / range, -1), 1) : 0;
  }

  /** Inputs that no axis moves: they stay where they are put. */
  get loose() {
    const moved = new Set(Object.values(this.controls[this.pattern] ?? {}).map(([input]) => input));
    return this.inputs.filter(({ name }) => !moved.has(name));
  }

  /** Put an input that no axis moves. */
  put(name, value) {
    this.held[this.number.get(name)] = value;
  }

  /** Return all inputs for what the sources say (each a Map from axis to value). */
  update(sources) {
    this.axes.clear();
    for (const source of sources) {
      for (const [axis, value] of source) if (Math.abs(value) > Math.abs(this.axes.get(axis) ?? 0)) this.axes.set(axis, value);
    }
    const pushed = new Float64Array(this.inputs.length);
    for (const [axis, value] of this.axes) {
      const [input, sign] = this.of(axis) ?? [];
      if (this.number.has(input)) pushed[this.number.get(input)] += sign * value;
    }
    this.inputs.forEach(({ low, high }, i) => {
      const push = Math.min(Math.max(pushed[i], -1), 1), held = this.held[i];
      this.values[i] = push >= 0 ? held + push * (high - held) : held + push * (held - low);
    });
    return this.values;
  }
}
