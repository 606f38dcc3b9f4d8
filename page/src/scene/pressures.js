// SPDX-License-Identifier: BSD-3-Clause
// Pressures: the chambers of cylinders redden as their gauges rise, so that load is seen where it is.

/**
 * Return a function that shows the pressures of now on the machine.
 * @param {import("./machine.js").Machine} machine
 * @param {object[]} gauges of hello
 * @param {import("../signals.js").Signals} signals
 */
export function pressures(machine, gauges, signals) {
  const gaugeOf = new Map(gauges.map((gauge) => [gauge.path, gauge]));
  const chambers = machine.rams.map(({ name }) => ["a", "b"].map((port) => gaugeOf.get(`${name}.${port}.pressure`)));
  const share = (gauge) => {
    const value = gauge ? signals.value(gauge.path) : undefined;
    return value === undefined ? 0 : (gauge.factor * value + gauge.offset) / (gauge.red ? gauge.red[0] : gauge.high);
  };
  return () => chambers.forEach((two, number) => {
    if (two[0] || two[1]) machine.tint(number, two.map(share));
  });
}
