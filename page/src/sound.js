// SPDX-License-Identifier: BSD-3-Clause
// Sound of the engine and the oil, made of oscillators and noise. Silent until somebody touches the page, and when muted.

const IDLE = 27, LOADED = 9;  // Hz: firing frequency of the idling engine, and what load adds
const VOLUME = 0.22;

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
    const noise = context.createBuffer(1, 2 * context.sampleRate, context.sampleRate), samples = noise.getChannelData(0);
    for (let i = 0; i < samples.length; i++) samples[i] = 2 * Math.random() - 1;
    const rush = new AudioBufferSourceNode(context, { buffer: noise, loop: true });
    this.band = new BiquadFilterNode(context, { type: "bandpass", frequency: 900, Q: 0.7 });
    this.rushGain = gain(context, 0, this.master);
    rush.connect(this.band).connect(this.rushGain);
    rush.start();
    this.whine = new OscillatorNode(context, { type: "triangle", frequency: 250 });
    this.whineGain = gain(context, 0, this.master);
    this.whine.connect(this.whineGain);
    this.whine.start();
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
}

function gain(context, value, onto) {
  const node = new GainNode(context, { gain: value });
  node.connect(onto);
  return node;
}
