// SPDX-License-Identifier: BSD-3-Clause
// The operator's cabin: puts the parts of the page together and runs its clock. Hands are read and sent as they move, a frame is drawn when it comes, at most
// once for each picture that the browser takes. Gauges and charts are slower: eyes are.
import "uplot/dist/uPlot.min.css";
import "./style/base.css";
import "./style/panels.css";
import "./style/levers.css";
import "./style/dialogs.css";
import { by, icon, setIcon } from "./dom.js";
import { Gamepads } from "./levers/gamepads.js";
import { Hands } from "./levers/hands.js";
import { Keyboard } from "./levers/keyboard.js";
import { load } from "./levers/mapping.js";
import { Onscreen } from "./levers/onscreen.js";
import { Link } from "./link.js";
import { Charts } from "./panels/charts.js";
import { chooser } from "./panels/chooser.js";
import { Gauges } from "./panels/gauges.js";
import { help, hint } from "./panels/help.js";
import { MappingPage } from "./panels/mapping_page.js";
import { Player } from "./panels/player.js";
import { banner, showClock, showRole, showStatus } from "./panels/status.js";
import { viewbars } from "./panels/viewbars.js";
import { Warnings } from "./panels/warnings.js";
import { handle } from "./scene/handling.js";
import { pressures } from "./scene/pressures.js";
import { LAYOUTS, Stage } from "./scene/stage.js";
import { Signals } from "./signals.js";
import { listener, touches } from "./listening.js";
import { Sound } from "./sound.js";
import { onTone, switchTone } from "./tone.js";

const KEEP_ALIVE = 50, SOONEST = 7, PANELS = 100;  // ms: levers are sent at least and at most so often; gauges are drawn so often, charts half as often
const NOTHING = [];

const cabin = { hello: null, frame: null, role: null, mapping: load(), hands: null, sent: [], rate: 0, stage: null };
/** For tests, benches and the curious: what the page knows now. */
window.cabin = cabin;

for (const element of document.querySelectorAll("[data-icon]")) element.prepend(icon(element.dataset.icon));

const link = new Link(window.location), player = new Player(link), sound = new Sound();
cabin.sound = sound;
cabin.send = (type, more) => link.send(type, more);
const keyboard = new Keyboard(() => cabin.mapping, act), gamepads = new Gamepads(() => cabin.mapping);
let stage = null, gauges = null, charts = null, warnings = null, signals = null, onscreen = null, listen = null, touched = null, openChooser = () => {}, redden = () => {};
const showHelp = help(by("help-dialog"), () => cabin);
const mappingPage = new MappingPage(by("mapping-dialog"), gamepads, {
  get: () => cabin.mapping,
  hands: () => cabin.hands,
  set: (mapping) => {
    cabin.mapping = mapping;
    refreshLevers();
  },
});

try {
  stage = new Stage(by("canvas"));
  cabin.stage = stage;
  handle(stage);
} catch (error) {
  banner("message", `The machine cannot be drawn here. ${error.message} Levers and gauges work.`);
}

// --- what the server says ---

link.addEventListener("hello", ({ detail: hello }) => {
  const again = cabin.hello?.machine === hello.machine && cabin.hello?.mode === hello.mode;
  cabin.hello = hello;
  banner("lost", "");
  document.body.dataset.link = "open";
  if (again) {
    signals.renew();
    return;
  }
  document.title = `${hello.machine} · Knuckleboom`;
  by("machine").textContent = hello.machine.replaceAll("-", " ");
  by("machine").title = hello.title;
  player.setMode(hello);
  if (cabin.role) showRole(cabin.role, hello.mode === "replay");
  signals = new Signals(hello.signals, (paths) => link.send("subscribe", { signals: paths }));
  cabin.signals = signals;
  gauges = new Gauges(by("gauges"), by("more-gauges"), hello.gauges, signals);
  by("charts").replaceChildren();
  charts = new Charts(by("charts"), signals);
  cabin.charts = charts;
  openChooser = chooser(by("chooser-dialog"), signals, charts);
  for (const { path } of hello.gauges.filter(({ group, unit }) => group === "pumps" && unit.startsWith("bar"))) charts.add(path);
  warnings = new Warnings(by("warnings"), hello.warnings);
  listen = listener(hello.gauges, signals);
  touched = touches(signals);
  cabin.hands = new Hands(hello, () => cabin.mapping);
  onscreen = new Onscreen(by("levers"), by("inputs"), cabin.hands, () => cabin.mapping);
  refreshLevers();
  cabin.frame = null;
});
link.addEventListener("role", ({ detail: role }) => {
  if (role.driver) sessionStorage.setItem("knuckleboom.drove", "yes");
  else if (!role.driver_present && sessionStorage.getItem("knuckleboom.drove")) link.send("take");  // it was ours before the link was lost
  cabin.role = role;
  showRole(role, cabin.hello?.mode === "replay");
});
link.addEventListener("status", ({ detail: status }) => {
  cabin.status = status;
  showStatus(status);
  player.status(status);
});
link.addEventListener("refused", ({ detail: { reason } }) => {
  banner("refused", reason);
  clearTimeout(cabin.refusal);
  cabin.refusal = setTimeout(() => banner("refused", ""), 4000);
});
link.addEventListener("lost", ({ detail: reason }) => {
  document.body.dataset.link = "lost";
  cabin.role = null;
  by("role").textContent = "Not connected";
  banner("lost", `Connection lost${reason ? ` (${reason})` : ""}. The levers are centred; trying again …`);
});
link.addEventListener("frame", ({ detail: frame }) => {
  const first = cabin.frame === null, moved = frame.levers.some((lever, i) => lever !== cabin.frame?.levers[i]);
  cabin.frame = frame;
  cabin.fresh = true;
  signals?.take(frame.signals);
  charts?.note(frame.time);
  if (touched) sound.touch(touched(frame.time));
  if (first && stage) {
    stage.load(cabin.hello.scene, frame.poses);
    viewbars(by("viewbars"), stage);
    redden = pressures(stage.machine, cabin.hello.gauges, signals);
  }
  draw(moved);
});

// --- the clock of the page ---

let last = performance.now(), lastSent = 0, lastPanels = 0, panels = 0;
let drawn = 0;  // pictures since the browser last took one
function tick(now) {
  requestAnimationFrame(tick);
  const seconds = (now - last) / 1000;
  last = now;
  if (seconds > 0 && seconds < 0.5) cabin.rate += 0.05 * (1 / seconds - cabin.rate);
  steer(performance.now());
  stage?.note(seconds);
  // not in here: first the browser takes the last picture, which may be long in coming, then frames are read that have waited for that
  drawn = 0;
  setTimeout(draw, 0, false);
  if (now - lastPanels < PANELS || !cabin.frame) return;
  lastPanels = now;
  gauges.show();
  redden();
  if ((panels += 1) % 2) charts.show();
  warnings.take(cabin.frame.warnings);
  showClock(cabin.frame, cabin.rate);
  sound.follow(...listen(cabin.hands.axes), cabin.status?.state === "running" && link.open);
}
requestAnimationFrame(tick);

/** Make a picture, if there is anything new and the last one was taken; one more that shows a moved lever need not wait for that. */
function draw(moved) {
  if (drawn > (moved ? 1 : 0)) return;
  if (cabin.fresh) {
    stage?.pose(cabin.frame.poses);
    player.take(cabin.frame);
  }
  cabin.fresh = false;
  if (stage?.draw(performance.now())) drawn += 1;
}

// hands are read as they move, and also where pictures take long
for (const kind of ["keydown", "keyup", "pointerdown", "pointermove", "pointerup"]) window.addEventListener(kind, () => steer(performance.now()));
setInterval(() => steer(performance.now()), KEEP_ALIVE);

let lastSteered = performance.now();
function steer(now) {
  const seconds = Math.max(now - lastSteered, 0) / 1000;
  lastSteered = now;
  if (!cabin.hands) return;
  const away = !link.open || !cabin.role?.driver || cabin.hello.mode !== "live" || document.querySelector("dialog[open]") || !document.hasFocus();
  const keys = keyboard.axes(seconds), sticks = gamepads.axes();
  const values = cabin.hands.update(away ? NOTHING : [keys, sticks, onscreen.axes()]);
  onscreen.show(cabin.frame?.levers, cabin.status?.held ?? NOTHING);
  if (!link.open || !cabin.role?.driver || cabin.hello.mode !== "live") return;
  const moved = values.some((value, i) => value !== cabin.sent[i]);
  if (now - lastSent < (moved ? SOONEST : KEEP_ALIVE)) return;
  if (moved && cabin.hands.axes.size) document.body.dataset.drove = "yes";
  lastSent = now;
  cabin.sent = [...values];
  link.sendLevers(values);
}

// --- what the person does ---

function refreshLevers() {
  if (!cabin.hands) return;
  onscreen.build();
  const patterns = by("pattern");
  patterns.hidden = cabin.hands.patterns.length < 2;
  patterns.replaceChildren(...cabin.hands.patterns.map((name) => new Option(name.toUpperCase(), name)));
  patterns.value = cabin.hands.pattern;
  by("hint").replaceChildren(...hint(cabin.mapping, cabin.hands));
}

function act(action) {
  if (player.act(action)) return;
  if (action.startsWith("camera.") && stage?.views[0]) {
    stage.views[0].rig.set(action.slice(7));
    viewbars(by("viewbars"), stage);
    stage.dirty = true;
  } else if (action === "views") {
    const names = Object.keys(LAYOUTS);
    setLayout(names[(names.indexOf(stage.shown) + 1) % names.length]);
  } else if (action === "sound") by("sound").click();
  else if (action === "help") showHelp();
}

function setLayout(name) {
  if (!stage?.world) return;
  stage.layout(name);
  viewbars(by("viewbars"), stage);
  for (const button of document.querySelectorAll("[data-layout]")) button.setAttribute("aria-pressed", String(button.dataset.layout === name));
}

for (const button of document.querySelectorAll("[data-layout]")) button.addEventListener("click", () => setLayout(button.dataset.layout));
by("take").addEventListener("click", () => {
  const { dataset } = by("take"), waits = Boolean(dataset.waiting);
  if (waits) delete dataset.waiting;
  else if (cabin.role?.driver_present) dataset.waiting = "yes";
  link.send(waits ? "release" : "take");
  showRole(cabin.role, cabin.hello?.mode === "replay");
});
by("release").addEventListener("click", () => {
  sessionStorage.removeItem("knuckleboom.drove");
  link.send("release");
});
by("add-chart").addEventListener("click", () => openChooser());
by("help").addEventListener("click", showHelp);
by("mapping").addEventListener("click", () => mappingPage.show());
by("window").addEventListener("click", () => window.open(window.location.href, "_blank", "popup,width=900,height=620,noopener"));
by("tone").addEventListener("click", switchTone);
by("pattern").addEventListener("change", () => {
  cabin.mapping.pattern = by("pattern").value;
  mappingPage.keep();
  by("pattern").blur();
});
for (const id of ["panel", "show-levers"]) by(id).addEventListener("click", () => {
  const off = document.body.classList.toggle(`without-${id}`);
  by(id).setAttribute("aria-pressed", String(!off));
});
by("sound").addEventListener("click", () => {
  sound.mute(!sound.muted);
  setIcon(by("sound"), sound.muted ? "mute" : "sound");
  by("sound").setAttribute("aria-pressed", String(!sound.muted));
});
// what was clicked gives the focus back, so that Space and the arrows are those of the machine; who uses Tab keeps it
document.addEventListener("click", ({ detail, target }) => {
  if (detail > 0 && !target.closest("dialog")) target.closest("button, summary")?.blur();
});
for (const kind of ["pointerdown", "keydown"]) window.addEventListener(kind, () => sound.wake(), { once: true });
onTone((name) => {
  stage?.setTone(name);
  charts?.repaint();
});
