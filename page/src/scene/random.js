// SPDX-License-Identifier: BSD-3-Clause
// Numbers between 0 and 1 that are the same every time, so that the same trees stand where they stood.

export function generator(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}
