// SPDX-License-Identifier: BSD-3-Clause
// Link: the WebSocket to the server. It comes back by itself after a reload of either side and says plainly when it is gone.
//
// Events: "hello", "role", "status", "refused" (detail: the message), "frame" (detail: see frame.js), "lost" (detail: reason), "open".
import { packLevers, readFrame } from "./frame.js";

const FIRST_WAIT = 250, LONGEST_WAIT = 2000;  // ms between attempts
const LOOK = 1000, SILENCE = 5;  // ms between looks; so many in a row without a word (the status comes four times a second) mean "gone"

export class Link extends EventTarget {
  /** @param {Location} place where the page came from; a token in its address is handed on */
  constructor(place) {
    super();
    const scheme = place.protocol === "https:" ? "wss:" : "ws:";
    const token = new URLSearchParams(place.search).get("token");
    this.address = `${scheme}//${place.host}/live${token ? `?token=${encodeURIComponent(token)}` : ""}`;
    this.socket = null;
    this.wait = FIRST_WAIT;
    this.sequence = 0;
    this.silent = 0;
    this.open = false;
    setInterval(() => this.#listen(), LOOK);
    this.connect();
  }

  connect() {
    const socket = new WebSocket(this.address, "knuckleboom.1");
    socket.binaryType = "arraybuffer";
    this.socket = socket;
    this.silent = 0;
    this.sequence = 0;
    socket.onopen = () => this.#tell("open");
    socket.onmessage = ({ data }) => {
      if (socket === this.socket) this.#hear(data);
    };
    socket.onclose = (event) => {
      if (socket !== this.socket) return;
      this.open = false;
      this.socket = null;
      this.#tell("lost", event.reason);
      setTimeout(() => this.connect(), this.wait);
      this.wait = Math.min(1.5 * this.wait, LONGEST_WAIT);
    };
  }

  #hear(data) {
    this.silent = 0;
    if (typeof data !== "string") {
      const frame = readFrame(data);
      if (frame && this.open) this.#tell("frame", frame);
      return;
    }
    const message = JSON.parse(data);
    if (message.type === "hello") {
      this.open = true;
      this.wait = FIRST_WAIT;
    }
    this.#tell(message.type, message);
  }

  #listen() {
    // looks are counted, not time: a page that was stopped for a while has not heard what waits for it
    this.silent += 1;
    if (this.socket && this.silent > SILENCE) {
      const deaf = this.socket;
      deaf.close();
      deaf.onclose({ reason: "the server has gone silent" });
    }
  }

  #tell(type, detail) {
    this.dispatchEvent(new CustomEvent(type, { detail }));
  }

  /** Send a command: send("pause"), send("speed", { value: 0.1 }). */
  send(type, more = {}) {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify({ type, ...more }));
  }

  /** Send all levers; returns the sequence number by which a frame will say that they were applied. */
  sendLevers(values) {
    if (!this.open) return this.sequence;
    this.sequence += 1;
    this.socket.send(packLevers(this.sequence, values));
    return this.sequence;
  }
}
