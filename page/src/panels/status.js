// SPDX-License-Identifier: BSD-3-Clause
// Status: the line at the foot of the page. What runs, how fast, what was missed and corrected; and the banner when the link is lost.
import { by } from "../dom.js";

const STATES = { starting: "Starting", running: "Running", paused: "Paused", failed: "Stopped", ended: "Ended" };
const micro = (value) => (value === null || value === undefined ? "–" : value < 1000 ? `${value.toFixed(0)} µs` : `${(value / 1000).toFixed(1)} ms`);
const put = (id, text) => {
  const element = by(id);
  if (element.textContent !== text) element.textContent = text;
};

/** Show a status message of the server. */
export function showStatus(status) {
  document.body.dataset.state = status.state;
  put("state", STATES[status.state] ?? status.state);
  const known = status.speed !== null && status.reached !== null, slow = known && status.state === "running" && status.reached < 0.97 * status.speed;
  put("reached", known ? `${status.reached.toFixed(2)}× of ${speedText(status.speed)}` : "–");
  by("reached").classList.toggle("alarm", slow);
  by("reached").title = slow ? "This computer is too slow for the asked speed: time runs slower." : "reached speed; 1 is real time";
  put("missed", String(status.missed));
  const oil = correctedText(status);
  put("corrected", oil.text);
  by("corrected").title = oil.hint;
  by("program").hidden = !status.held.length;
  put("held", status.held.join(", ").replaceAll("_", " "));
  put("steps", `${micro(status.step_mean_us)} / ${micro(status.step_worst_us)}`);
  put("lateness", micro(status.lateness_worst_us));
  put("priority", status.priority ? "real-time" : "normal");
  by("priority").title = status.priority_text ?? "";
  banner("message", status.message);
}

/** How many steps had their oil corrected, in percent, and a hint with the numbers. */
export function correctedText({ steps, corrected, halved, unresolved }) {
  if (corrected === null) return { text: "–", hint: "Steps whose oil was computed once more; only the real-time method does that." };
  const percent = steps ? +((100 * corrected) / steps).toPrecision(2) : 0;
  const hint = `Of ${steps} steps ${corrected} had their oil computed once more, ${halved} were made in parts, ${unresolved} were left though in doubt: many of these are a reason for a smaller step.`;
  return { text: `${percent} %`, hint };
}

/** Show the role of this page. */
export function showRole({ driver, driver_present: present, clients }, replay) {
  document.body.dataset.role = driver ? "driver" : "watcher";
  const doing = replay ? "Playing" : "Driving";
  put("role", driver ? doing : present ? "Watching" : "Levers are free");
  put("clients", String(clients));
  const take = by("take");
  take.hidden = driver;
  if (driver || !present) delete take.dataset.waiting;
  take.textContent = take.dataset.waiting ? "Waiting …" : "Take";
  take.title = take.dataset.waiting ? "You are next; press to wait no longer" : present ? "Take the levers when they are released" : "Take the levers";
  by("release").hidden = !driver || clients < 2;
}

/** Show a banner over the picture; an empty text takes it away. */
export function banner(kind, text) {
  const element = by(`banner-${kind}`);
  if (element.hidden === !text && element.textContent === (text ?? "")) return;
  element.hidden = !text;
  element.textContent = text ?? "";
}

/** Show the clock and the rate of pictures. */
export function showClock({ time, paused }, rate) {
  put("clock", `${time.toFixed(paused ? 3 : 2)} s`);
  put("rate", `${Math.round(rate)} fps`);
}

export const speedText = (speed) => (speed >= 1 ? `${+speed.toFixed(2)}×` : `1/${Math.round(1 / speed)}×`);
