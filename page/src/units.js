// SPDX-License-Identifier: BSD-3-Clause
// Numbers and names as people read them. Units come from the server: signals, inputs and gauges bring name, factor from SI and offset.

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
