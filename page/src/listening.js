// SPDX-License-Identifier: BSD-3-Clause
// Listening: what the sound follows. That of the engine its load, that of oil flow and pressure of the pump, that of
// contact the heat of blows and of sliding: sums over time, so that a blow between two frames is heard, too.

const BLOWS = "dashboard.blows", SCRAPING = "dashboard.scraping";
const QUIET = { blow: 0, scraping: 0 };

/**
 * Return a function that gives load, flow and pressure, each 0 to 1, from the gauges; without such gauges the levers are heard.
 * @param {object[]} gauges of hello
 * @param {import("./signals.js").Signals} signals
 */
export function listener(gauges, signals) {
  const pumps = gauges.filter(({ group }) => group === "pumps");
  const share = (gauge) => {
    const value = gauge ? signals.value(gauge.path) : undefined;
    if (value === undefined || !Number.isFinite(value)) return null;
    return Math.min(Math.max((gauge.factor * value + gauge.offset - gauge.low) / (gauge.high - gauge.low || 1), 0), 1);
  };
  const find = (test) => pumps.find(test) ?? gauges.find(test);
  const load = find(({ title, unit }) => /engine|power/i.test(title) || unit === "kW");
  const flow = pumps.find(({ unit }) => unit === "l/min"), pressure = pumps.find(({ unit }) => unit.startsWith("bar"));
  return (axes) => {
    const pushed = Math.min(Math.max(0, ...[...axes.values()].map(Math.abs)), 1);
    const [rush, push] = [share(flow) ?? pushed, share(pressure) ?? 0.5 * pushed];
    return [share(load) ?? rush * push, rush, push];
  };
}

/**
 * Return a function that gives the energy of the blows since it was last called, J, and the power of sliding, W, at a time of the machine, s.
 * @param {import("./signals.js").Signals} signals
 */
export function touches(signals) {
  signals.want("touches", [BLOWS, SCRAPING]);
  let last = null;
  return (time) => {
    const [blows, scraping] = [BLOWS, SCRAPING].map((path) => signals.value(path));
    if (blows === undefined || scraping === undefined) return QUIET;
    const before = last, seconds = time - (before?.time ?? time);
    last = { time, blows, scraping };
    // after a reset, or a leap in a replay, nothing was heard
    if (!(seconds > 0 && seconds < 1)) return QUIET;
    return { blow: Math.max(blows - before.blows, 0), scraping: Math.max((scraping - before.scraping) / seconds, 0) };
  };
}
