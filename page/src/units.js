// SPDX-License-Identifier: BSD-3-Clause
// Units as people read them: signals come in SI, charts show bar, l/min, degrees. Gauges bring their own unit and factor.

const SHOWN = {
  Pa: ["bar", 1e-5],
  "m^3/s": ["l/min", 6e4],
  "m^3": ["l", 1e3],
  rad: ["°", 180 / Math.PI],
  "rad/s": ["°/s", 180 / Math.PI],
  "rad/s^2": ["°/s²", 180 / Math.PI],
  N: ["kN", 1e-3],
  "N*m": ["kN·m", 1e-3],
  W: ["kW", 1e-3],
  J: ["kJ", 1e-3],
  m: ["m", 1],
  "m/s": ["m/s", 1],
  "m/s^2": ["m/s²", 1],
  kg: ["kg", 1],
  s: ["s", 1],
  K: ["K", 1],
  1: ["", 1],
  "": ["", 1],
};

/** Return [label, factor from SI] for a unit of a signal. */
export const shown = (unit) => SHOWN[unit] ?? [pretty(unit), 1];

/** Write a unit as people do. */
export const pretty = (unit) => unit.replaceAll("*", "·").replace("^2", "²").replace("^3", "³").replace("deg", "°").replace("percent", "%");

/** Write a number with about three digits; what is too small for them is nothing. */
export function digits(value) {
  if (!Number.isFinite(value)) return "–";
  const size = Math.abs(value);
  if (size >= 1e6) return value.toExponential(1);
  if (size >= 100) return value.toFixed(0);
  if (size >= 10) return value.toFixed(1);
  if (size >= 0.005) return value.toFixed(2);
  return "0.00";
}

/** "boom_left.a" as words. */
export const words = (name) => name.replaceAll("_", " ").replace(/ (valve|input)$/, "");
