// SPDX-License-Identifier: BSD-3-Clause
// Curve: what a hand does with a stick, as the lever that the machine sees. All numbers from -1 to 1.

/**
 * Shape the value of an axis.
 * @param {number} raw as the device says it
 * @param {{invert?: boolean, deadzone?: number, curve?: number}} how curve 1 is a straight line, 2 and 3 are gentler in the middle
 */
export function shape(raw, { invert = false, deadzone = 0, curve = 1 } = {}) {
  if (!Number.isFinite(raw)) return 0;
  const value = Math.min(Math.max(invert ? -raw : raw, -1), 1), size = Math.abs(value);
  if (size <= deadzone) return 0;
  return Math.sign(value) * ((size - deadzone) / (1 - deadzone)) ** curve;
}
