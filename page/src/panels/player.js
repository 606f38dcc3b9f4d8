// SPDX-License-Identifier: BSD-3-Clause
// Player: the buttons that work the clock (pause, step, speed, reset, record), and the time slider of a replay.
import { by, setIcon } from "../dom.js";
import { banner, speedText } from "./status.js";

const SPEEDS = [0.05, 0.1, 0.2, 0.5, 1, 2, 4, 8];
const SEEK = 33;  // ms between two messages of the slider
const TOLD = 8000;  // ms that the file of a recording is told

export class Player {
  /** @param {import("../link.js").Link} link */
  constructor(link) {
    this.link = link;
    this.paused = false;
    this.recording = this.wasRecording = false;
    this.speed = 1;
    this.dragging = false;
    for (const [id, action] of Object.entries({ pause: "pause", step: "step", reset: "reset", record: "record" })) by(id).addEventListener("click", () => this.act(action));
    const choose = by("speed");
    choose.replaceChildren(...SPEEDS.map((speed) => new Option(speed === 1 ? "1× real time" : speedText(speed), speed)));
    choose.value = 1;
    choose.addEventListener("change", () => {
      link.send("speed", { value: Number(choose.value) });
      choose.blur();  // keys are levers again
    });
    const slider = by("time");
    slider.addEventListener("pointerdown", () => { this.dragging = true; });
    slider.addEventListener("pointerup", () => { this.dragging = false; });
    slider.addEventListener("input", () => this.#seek(Number(slider.value)));
  }

  /** Go to a time; while the slider is drawn, at most thirty times a second. */
  #seek(time) {
    clearTimeout(this.later);
    const wait = (this.sought ?? -Infinity) + SEEK - performance.now();
    if (wait > 0) {
      this.later = setTimeout(() => this.#seek(time), wait);
      return;
    }
    this.sought = performance.now();
    this.link.send("seek", { time });
  }

  /** Fit the buttons to a machine that runs, or to a recording. */
  setMode({ mode, duration }) {
    const replay = mode === "replay";
    document.body.dataset.mode = mode;
    by("record").hidden = replay;
    by("timeline").hidden = !replay;
    if (replay) by("time").max = duration;
    this.duration = duration;
  }

  /** Carry out an action of the clock; false when it is none. */
  act(action) {
    if (action === "pause") this.link.send(this.paused ? "resume" : "pause");
    else if (action === "step") {
      if (!this.paused) this.link.send("pause");
      this.link.send("step");
    } else if (action === "reset") this.link.send("reset");
    else if (action === "record") this.link.send("record", { on: !this.recording });
    else if (action === "slower" || action === "faster") this.#shift(action === "faster" ? 1 : -1);
    else return false;
    return true;
  }

  #shift(notches) {
    const nearest = SPEEDS.reduce((best, speed, i) => (Math.abs(speed - this.speed) < Math.abs(SPEEDS[best] - this.speed) ? i : best), 0);
    const value = SPEEDS[Math.min(Math.max(nearest + notches, 0), SPEEDS.length - 1)];
    this.speed = value;  // the next notch counts from here, also before the server has answered
    this.link.send("speed", { value });
  }

  #tellFile(file) {
    banner("recorded", `Recorded: ${file}\nknuckleboom drive ${file} plays it again.`);
    clearTimeout(this.told);
    this.told = setTimeout(() => banner("recorded", ""), TOLD);
  }

  /** Follow a frame. */
  take({ paused, recording, time }) {
    this.paused = paused;
    this.recording = recording;
    setIcon(by("pause"), paused ? "play" : "pause");
    by("pause").setAttribute("aria-label", paused ? "go on" : "pause");
    by("record").setAttribute("aria-pressed", String(recording));
    if (this.duration && !this.dragging) by("time").value = time;
  }

  /** Follow a status. */
  status({ speed, recording, record_file: file }) {
    if (this.wasRecording && !recording) this.#tellFile(file);
    this.wasRecording = recording;
    const choose = by("speed");
    if (speed === null || speed === Number(choose.value)) return;
    this.speed = speed;
    if (![...choose.options].some(({ value }) => Number(value) === speed)) choose.append(new Option(speedText(speed), speed));
    choose.value = speed;
  }
}
