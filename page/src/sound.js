// SPDX-License-Identifier: BSD-3-Clause
// Sound of the engine, the oil and what touches, made of oscillators and noise. Silent until somebody touches the page, and when muted.

const IDLE = 27, LOADED = 9;  // Hz: firing frequency of the idling engine, and what load adds
const VOLUME = 0.22;
const THUD = 50, LOUDEST = 50e3;  // J: the weakest blow that is heard, and that of full loudness
const SCRAPE = 100, HARSH = 20e3;  // W: likewise of sliding
const NEXT = 0.06;  // s from one thud to the next, at least

export class Sound {
  constructor() {
    this.context = null;
    this.muted = false;
  }

  /** Begin; browsers allow it only in answer to a gesture. */
  wake() {
    if (this.context) return void this.context.resume();
    const context = new AudioContext();
    this.context = context;
    this.master = gain(context, this.muted ? 0 : VOLUME, context.destination);
    this.#engine(context);
    this.#oil(context);
    this.#ground(context);
  }

  #engine(context) {
    // a saw with the first harmonics of a diesel, shaken a little, through a muffler
    this.muffler = new BiquadFilterNode(context, { type: "lowpass", frequency: 170, Q: 0.8 });
    this.engineGain = gain(context, 0.5, this.master);
    this.muffler.connect(this.engineGain);
    this.strokes = [[1, "sawtooth", 0.5], [2, "triangle", 0.28], [0.5, "sine", 0.5], [3.02, "square", 0.05]].map(([harmonic, type, level]) => {
      const stroke = new OscillatorNode(context, { type, frequency: IDLE * harmonic });
      stroke.connect(gain(context, level, this.muffler));
      stroke.start();
      return { stroke, harmonic };
    });
    const shake = new OscillatorNode(context, { frequency: 5.3 });
    shake.connect(gain(context, 4, this.muffler.frequency));
    shake.start();
  }

  #oil(context) {
    // oil rushes through valves as noise; the pump whines with its pistons
    this.noise = context.createBuffer(1, 2 * context.sampleRate, context.sampleRate);
    const samples = this.noise.getChannelData(0);
    for (let i = 0; i < samples.length; i++) samples[i] = 2 * Math.random() - 1;
    const rush = new AudioBufferSourceNode(context, { buffer: this.noise, loop: true });
    this.band = new BiquadFilterNode(context, { type: "bandpass", frequency: 900, Q: 0.7 });
    this.rushGain = gain(context, 0, this.master);
    rush.connect(this.band).connect(this.rushGain);
    rush.start();
    this.whine = new OscillatorNode(context, { type: "triangle", frequency: 250 });
    this.whineGain = gain(context, 0, this.master);
    this.whine.connect(this.whineGain);
    this.whine.start();
  }

  #ground(context) {
    // what slides grates: noise about one pitch
    const grate = new AudioBufferSourceNode(context, { buffer: this.noise, loop: true, playbackRate: 0.6 });
    this.grating = gain(context, 0, this.master);
    grate.connect(new BiquadFilterNode(context, { type: "bandpass", frequency: 420, Q: 1.6 })).connect(this.grating);
    grate.start();
    this.struck = -Infinity;
  }

  mute(on) {
    this.muted = on;
    if (this.context) this.master.gain.setTargetAtTime(on ? 0 : VOLUME, this.context.currentTime, 0.05);
  }

  /** Follow the machine: load of the engine, flow and pressure of the pump, each 0 to 1; all null: the engine is off. */
  follow(load, flow, pressure, running) {
    if (!this.context || this.context.state !== "running") return;
    const now = this.context.currentTime, to = (parameter, value, lag) => parameter.setTargetAtTime(value, now, lag);
    const pitch = IDLE + LOADED * load;
    for (const { stroke, harmonic } of this.strokes) to(stroke.frequency, pitch * harmonic, 0.15);
    to(this.engineGain.gain, running ? 0.4 + 0.4 * load : 0, 0.12);
    to(this.muffler.frequency, 150 + 260 * load, 0.15);
    to(this.rushGain.gain, running ? 0.14 * flow : 0, 0.06);
    to(this.band.frequency, 500 + 1500 * Math.sqrt(flow), 0.08);
    to(this.whineGain.gain, running ? 0.03 * (0.15 + pressure) * (0.3 + flow) : 0, 0.08);
    to(this.whine.frequency, 9 * pitch + 60 * pressure, 0.1);
  }

  /** What touches: the energy of a blow, J, and the power of sliding, W. */
  touch({ blow, scraping }) {
    if (!this.context || this.context.state !== "running") return;
    const now = this.context.currentTime, hard = blow > 0 ? loudness(blow, THUD, LOUDEST) : 0;
    this.grating.gain.setTargetAtTime(scraping > 0 ? 0.35 * loudness(scraping, SCRAPE, HARSH) : 0, now, 0.05);
    if (hard === 0 || now - this.struck < NEXT) return;
    this.struck = now;
    this.#thud(now, hard);
  }

  #thud(now, hard) {
    // a low note that falls, and a short rustle over it
    const body = new OscillatorNode(this.context, { type: "sine", frequency: 95 - 35 * hard }), rustle = new AudioBufferSourceNode(this.context, { buffer: this.noise });
    const level = gain(this.context, 0, this.master), last = now + 0.16 + 0.3 * hard;
    level.gain.setValueAtTime(0.25 + 1.6 * hard, now);
    level.gain.exponentialRampToValueAtTime(1e-3, last);
    body.frequency.exponentialRampToValueAtTime(34, last);
    body.connect(level);
    rustle.connect(new BiquadFilterNode(this.context, { type: "lowpass", frequency: 260 + 500 * hard })).connect(level);
    for (const source of [body, rustle]) {
      source.start(now);
      source.stop(last);
    }
  }
}

/** How loud something is, 0 to 1, between the weakest that is heard and the loudest; ears hear ratios. */
export const loudness = (size, least, most) => Math.min(Math.max(Math.log(size / least) / Math.log(most / least), 0), 1);

function gain(context, value, onto) {
  const node = new GainNode(context, { gain: value });
  node.connect(onto);
  return node;
}
