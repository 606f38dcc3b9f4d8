// SPDX-License-Identifier: BSD-3-Clause
// The page of a report: player, plots with one time cursor, and the chooser. Needs viewer.js, drawing.js and plotly.
"use strict";

(() => {
  const byId = (id) => document.getElementById(id);
  const data = JSON.parse(byId("data").textContent);
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const style = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

  // --- player ---
  const state = { time: 0, start: 0, end: 0, playing: false, last: 0 };
  const figure = byId("viewer");
  let viewer = null;
  if (data.scene) {
    figure.hidden = false;
    viewer = makeViewer(byId("canvas"), byId("labels"), byId("grid-size"), data.scene);
    if (viewer) Object.assign(state, { start: viewer.start, end: viewer.end, time: viewer.start });
    else {
      figure.hidden = true;
      const note = document.createElement("p");
      note.className = "note";
      note.textContent = "This browser offers no WebGL 2, so the animation is not shown. Plots and tables are complete.";
      byId("animation").append(note);
    }
  }
  function setTime(time) {
    state.time = Math.min(Math.max(time, state.start), state.end);
    if (viewer) {
      viewer.show(state.time);
      viewer.draw();
      byId("scrub").value = state.time;
      byId("clock").textContent = `${state.time.toFixed(3)} / ${state.end.toFixed(3)} s`;
    }
    for (const panel of panels) placeCursor(panel);
  }
  function tick(stamp) {
    if (!state.playing) return;
    const passed = Math.min((stamp - state.last) / 1000, 0.1) * Number(byId("speed").value);
    state.last = stamp;
    let time = state.time + passed;
    if (time >= state.end) {
      time = byId("loop").checked ? state.start : state.end;
      if (time === state.end) play(false);
    }
    setTime(time);
    if (state.playing) requestAnimationFrame(tick);
  }
  function play(on) {
    if (on === state.playing) return;
    state.playing = on;
    byId("play").textContent = on ? "❚❚" : "▶";
    byId("play").setAttribute("aria-label", on ? "Pause" : "Play");
    if (!on) return;
    if (state.time >= state.end) state.time = state.start;
    state.last = performance.now();
    requestAnimationFrame(tick);
  }
  function step(frames) {
    // by recorded frames: the next or the one before
    const times = viewer.times, here = times.findIndex((time) => time >= state.time - 1e-9);
    play(false);
    setTime(times[Math.min(Math.max((here < 0 ? times.length - 1 : here) + frames, 0), times.length - 1)]);
  }
  function showNames() {
    const on = byId("names").getAttribute("aria-pressed") !== "true";
    byId("names").setAttribute("aria-pressed", String(on));
    viewer.names(on);
  }
  function startPlayer() {
    Object.assign(byId("scrub"), { min: state.start, max: state.end });
    byId("play").addEventListener("click", () => play(!state.playing));
    byId("scrub").addEventListener("input", (event) => { play(false); setTime(Number(event.target.value)); });
    byId("names").addEventListener("click", showNames);
    for (const button of document.querySelectorAll("[data-view]")) {
      button.addEventListener("click", () => viewer.view(button.dataset.view));
    }
    const keys = {
      " ": () => play(!state.playing), ",": () => step(-1), ".": () => step(1), l: showNames, L: showNames,
      Home: () => setTime(state.start), End: () => setTime(state.end),
    };
    figure.addEventListener("keydown", (event) => {
      const free = event.target === byId("canvas") || (event.key !== " " && event.target.tagName === "BUTTON");
      if (!free || !keys[event.key] || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      keys[event.key]();
    });
    // a run too short to be seen is shown slower: at least two seconds, if there is a speed for it
    const speeds = [...byId("speed").options].map((option) => Number(option.value));
    const slow = speeds.filter((speed) => speed <= 1 && speed <= (state.end - state.start) / 2);
    byId("speed").value = String(slow.length ? Math.max(...slow) : Math.min(...speeds));
    setTime(state.start);
    play(state.end > state.start && !matchMedia("(prefers-reduced-motion: reduce)").matches);
  }

  // --- plots ---
  const LIGHT = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#b58900", "#333333"];
  const DARK = ["#56b4e9", "#ff9a4d", "#3fd0a4", "#e69ac3", "#8fcff5", "#f0c94a", "#e8e8e8"];
  const DASHES = ["solid", "dash", "dot", "dashdot"];
  const allTimes = unpack(data.time);
  const curves = new Map(data.curves.map((curve) => [curve.name, curve]));
  const measured = new Map(data.measured.map((points) => [points.name, points]));
  const panels = [];
  let printing = false;
  // plotly reads a little HTML in its texts: names are shown as they are
  const plain = (text) => text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");

  function timesOf(curve, values) {
    if (curve.t) return unpack(curve.t);
    return values.length === allTimes.length ? allTimes : Float32Array.of(allTimes[0], allTimes[allTimes.length - 1]);
  }
  // curves that are the same are drawn once: [[name, and those like it], ...]
  function groups(names) {
    const found = new Map();
    for (const name of names) {
      const like = curves.get(name).alike || name;
      found.set(like, [...(found.get(like) || []), name]);
    }
    return [...found.values()];
  }
  function traces(names) {
    const colours = dark.matches && !printing ? DARK : LIGHT, out = [];
    groups(names).forEach((same, number) => {
      const [name] = same;
      const curve = curves.get(name), y = unpack(curve.y), colour = colours[number % colours.length];
      const dash = DASHES[Math.floor(number / colours.length) % DASHES.length];
      const title = same.length > 1 ? `${name} (${same.length}×)` : name;
      out.push({ x: timesOf(curve, y), y, name: plain(title), mode: "lines", line: { color: colour, width: 1.6, dash } });
      for (const one of same.filter((each) => measured.has(each))) {
        const points = measured.get(one), marker = { color: colour, size: 5, symbol: "circle-open" };
        out.push({ x: unpack(points.t), y: unpack(points.y), name: plain(`${one}, measured`), mode: "markers", marker });
      }
    });
    return out;
  }
  function layout(panel) {
    const text = style("--text"), line = style("--line");
    const kinds = new Set(panel.names.map((name) => name.replace(/\[\d+\]$|\.[wxyz]$/, "").split(".").pop().replace(/_/g, " ")));
    const kind = kinds.size === 1 ? [...kinds][0] : "";
    const axis = { gridcolor: line, zerolinecolor: line, linecolor: line, automargin: true, exponentformat: "power", tickfont: { size: 11 } };
    return {
      margin: { l: 58, r: 12, t: 6, b: 34 }, paper_bgcolor: "rgba(0,0,0,0)", plot_bgcolor: "rgba(0,0,0,0)",
      font: { color: text, size: 12, family: "system-ui, sans-serif" }, hovermode: "x unified", showlegend: true,
      hoverlabel: { bgcolor: style("--page"), bordercolor: line, font: { color: text, size: 11 } },
      legend: { orientation: "h", y: -0.24, x: 0, font: { size: 11 }, bgcolor: "rgba(0,0,0,0)", maxheight: 0.8 }, dragmode: "zoom",
      modebar: { bgcolor: "rgba(0,0,0,0)", color: style("--faint"), activecolor: style("--accent") },
      xaxis: { ...axis, title: { text: "time [s]", standoff: 4, font: { size: 12 } }, range: shared.range || fullRange(), hoverformat: ".4f" },
      yaxis: { ...axis, title: { text: plain(`${kind} [${panel.unit || "1"}]`.trim()), standoff: 6, font: { size: 12 } }, hoverformat: ".5~g" },
    };
  }
  const LONG = 26;
  const shared = { range: null, busy: false };
  const fullRange = () => [allTimes[0], allTimes[allTimes.length - 1]];
  const CONFIG = { responsive: true, displaylogo: false, modeBarButtonsToRemove: ["lasso2d", "select2d", "autoScale2d"] };

  function addPanel({ title, unit, curves: names, left_out: left }, first) {
    const known = names.filter((name) => curves.has(name));
    if (!known.length) return;
    const box = document.createElement("div"), heading = document.createElement("h3"), close = document.createElement("button");
    const chart = document.createElement("div"), now = document.createElement("div");
    box.className = "plot";
    heading.textContent = left > 0 ? `${title} (${known.length} shown, ${left} more to choose)` : title;
    Object.assign(close, { type: "button", className: "close", textContent: "×", title: "Remove this plot" });
    close.setAttribute("aria-label", `Remove the plot ${title}`);
    chart.className = "chart";
    now.className = "now";
    const merged = groups(known).filter((same) => same.length > 1), note = document.createElement("p");
    note.className = "hint same";
    note.textContent = merged.length ? `The same curve: ${merged.map((same) => same.join(" = ")).join("; ")}` : "";
    box.append(heading, close, ...(merged.length ? [note] : []), chart, now);
    // room for the rows of the legend: two names side by side, unless they are long
    const listed = groups(known).map(([name]) => name), long = listed.some((name) => name.length > LONG);
    chart.style.setProperty("--rows", Math.ceil(listed.length / (long ? 1 : 2)));
    const panel = { title, unit, names: known, box, chart, now, drawn: false };
    close.addEventListener("click", () => {
      panels.splice(panels.indexOf(panel), 1);
      if (panel.drawn) Plotly.purge(chart);
      box.remove();
    });
    byId("plots")[first ? "prepend" : "append"](box);
    panels.push(panel);
    if (first) drawPanel(panel); else watcher.observe(box);
  }
  function drawPanel(panel) {
    watcher.unobserve(panel.box);
    if (panel.drawn) return;
    panel.drawn = true;
    Plotly.newPlot(panel.chart, traces(panel.names), layout(panel), CONFIG);
    panel.chart.on("plotly_click", (event) => { play(false); setTime(event.points[0].x); });
    panel.chart.on("plotly_relayout", (change) => shareRange(panel, change));
    panel.chart.on("plotly_afterplot", () => placeCursor(panel));
    placeCursor(panel);
  }
  function shareRange(from, change) {
    const moved = "xaxis.range[0]" in change || "xaxis.range" in change || change["xaxis.autorange"];
    if (!moved || shared.busy) return;
    shared.busy = true;
    shared.range = change["xaxis.autorange"] ? fullRange() : [...from.chart.layout.xaxis.range];
    const others = panels.filter((panel) => panel.drawn && (panel !== from || change["xaxis.autorange"]));
    Promise.all(others.map((panel) => Plotly.relayout(panel.chart, { "xaxis.range": shared.range }))).finally(() => { shared.busy = false; });
  }
  function placeCursor(panel) {
    const full = panel.drawn && panel.chart._fullLayout;
    if (!full || !full.xaxis || !full.yaxis) return;
    const x = full.xaxis.l2p(state.time), inside = x >= 0 && x <= full.xaxis._length;
    Object.assign(panel.now.style, {
      display: inside && viewer ? "block" : "none", left: `${panel.chart.offsetLeft + full.xaxis._offset + x}px`,
      top: `${panel.chart.offsetTop + full.yaxis._offset}px`, height: `${full.yaxis._length}px`,
    });
  }
  function repaint() {
    for (const panel of panels) if (panel.drawn) Plotly.react(panel.chart, traces(panel.names), layout(panel), CONFIG);
    if (viewer) viewer.draw();
  }
  const watcher = new IntersectionObserver((entries) => {
    for (const entry of entries) {
      if (entry.isIntersecting) drawPanel(panels.find((panel) => panel.box === entry.target));
    }
  }, { rootMargin: "400px" });

  // --- chooser ---
  const MOST = 8;
  function likeness(a, b) {
    const pairs = (text) => new Set([...text.toLowerCase()].slice(1).map((letter, i) => text[i].toLowerCase() + letter));
    const [one, two] = [pairs(a), pairs(b)];
    return (2 * [...one].filter((pair) => two.has(pair)).length) / (one.size + two.size || 1);
  }
  function choose(text) {
    const names = [...curves.keys()], wanted = text.toLowerCase();
    if (curves.has(text)) return [text];
    const pattern = new RegExp(wanted.replace(/[.+^${}()|[\]\\]/g, "\\$&").replace(/\*/g, ".*").replace(/\?/g, "."));
    return names.filter((name) => pattern.test(name.toLowerCase()));
  }
  function startChooser() {
    for (const curve of data.curves) {
      const option = document.createElement("option");
      option.value = curve.name;
      option.label = `${curve.meaning} [${curve.unit || "1"}]`;
      byId("quantities").append(option);
    }
    byId("chooser").addEventListener("submit", (event) => {
      event.preventDefault();
      const text = byId("wanted").value.trim();
      if (!text) return;
      const found = choose(text), answer = byId("answer");
      if (!found.length) {
        const near = [...curves.keys()].sort((a, b) => likeness(text, b) - likeness(text, a)).slice(0, 3);
        answer.textContent = `There is no quantity '${text}'. Closest names: ${near.join(", ")}.`;
        return;
      }
      const units = new Map();
      for (const name of found.slice(0, MOST)) {
        const { unit } = curves.get(name);
        units.set(unit, [...(units.get(unit) || []), name]);
      }
      for (const [unit, names] of [...units].reverse()) {
        addPanel({ title: names.length === 1 ? curves.get(names[0]).meaning : text, unit, curves: names }, true);
      }
      answer.textContent = found.length > MOST ? `${found.length} quantities match; the first ${MOST} are plotted.` : "";
      byId("wanted").value = "";
    });
  }

  // --- start, theme and paper ---
  if (data.curves.length) {
    byId("curves").hidden = false;
    state.end = Math.max(state.end, allTimes[allTimes.length - 1]);
    if (!viewer) Object.assign(state, { start: allTimes[0], time: allTimes[0] });
    for (const panel of data.panels) addPanel(panel, false);
    startChooser();
  }
  if (viewer) startPlayer();
  const circuit = document.querySelector(".circuit svg");
  if (circuit) makeDrawing(circuit, document.querySelectorAll("[data-drawing]"));
  dark.addEventListener("change", repaint);
  // paper is white, whatever the screen is
  const setPaper = (on) => {
    printing = on;
    document.documentElement.classList.toggle("paper", on);
  };
  addEventListener("beforeprint", () => {
    setPaper(true);
    play(false);
    for (const panel of [...panels]) drawPanel(panel);
    repaint();
    for (const panel of panels) Plotly.relayout(panel.chart, { width: 680, height: 250 });
  });
  addEventListener("afterprint", () => {
    setPaper(false);
    for (const panel of panels) Plotly.relayout(panel.chart, { width: null, height: null, autosize: true });
    repaint();
  });
})();
