// SPDX-License-Identifier: BSD-3-Clause
// Binary messages of the cabin's protocol, version 1, little endian. The table is in docs/cabin_protocol.md; the server's
// side is src/knuckleboom/cabin/frame.py; tests/cabin/page compares both through node.
const FRAME = 1, LEVERS = 2, VERSION = 1;
const HEAD = 36;  // bytes before the warning words

/**
 * Read a frame.
 * @param {ArrayBuffer} buffer as it came
 * @returns {{paused: boolean, recording: boolean, failed: boolean, sequence: number, time: number, applied: number,
 *   missed: number, reached: number, warnings: Uint32Array, poses: Float32Array, signals: Float32Array,
 *   levers: Float32Array} | null} null when it is not a frame of this version
 */
export function readFrame(buffer) {
  if (buffer.byteLength < HEAD) return null;
  const view = new DataView(buffer);
  if (view.getUint8(0) !== FRAME || view.getUint8(1) !== VERSION) return null;
  const flags = view.getUint16(2, true);
  const bodies = view.getUint16(28, true), signals = view.getUint16(30, true);
  const words = view.getUint16(32, true), levers = view.getUint16(34, true);
  const posesAt = HEAD + 4 * words, signalsAt = posesAt + 28 * bodies, leversAt = signalsAt + 4 * signals;
  if (buffer.byteLength !== leversAt + 4 * levers) return null;
  return {
    paused: (flags & 1) !== 0,
    recording: (flags & 2) !== 0,
    failed: (flags & 4) !== 0,
    sequence: view.getUint32(4, true),
    time: view.getFloat64(8, true),
    applied: view.getUint32(16, true),
    missed: view.getUint32(20, true),
    reached: view.getFloat32(24, true),
    warnings: new Uint32Array(buffer, HEAD, words),
    poses: new Float32Array(buffer, posesAt, 7 * bodies),
    signals: new Float32Array(buffer, signalsAt, signals),
    levers: new Float32Array(buffer, leversAt, levers),
  };
}

/**
 * Write all levers as one message.
 * @param {number} sequence grows with every message
 * @param {ArrayLike<number>} values in the order of hello's inputs
 * @returns {ArrayBuffer}
 */
export function packLevers(sequence, values) {
  const buffer = new ArrayBuffer(8 + 4 * values.length), view = new DataView(buffer);
  view.setUint8(0, LEVERS);
  view.setUint8(1, VERSION);
  view.setUint16(2, values.length, true);
  view.setUint32(4, sequence, true);
  for (let i = 0; i < values.length; i++) view.setFloat32(8 + 4 * i, values[i], true);
  return buffer;
}
