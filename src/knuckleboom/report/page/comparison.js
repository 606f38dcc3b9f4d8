// SPDX-License-Identifier: BSD-3-Clause
// The page of a comparison of methods: the plot of cost against error, and tables that can be sorted. Needs plotly.
"use strict";

(() => {
  const byId = (id) => document.getElementById(id);
  const data = JSON.parse(byId("data").textContent);
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const style = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const LIGHT = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#b58900", "#333333", "#8c564b", "#7f7f7f", "#6a7f00"];
  const DARK = ["#56b4e9", "#ff9a4d", "#3fd0a4", "#e69ac3", "#8fcff5", "#f0c94a", "#e8e8e8", "#c99a8d", "#a8a8a8", "#c4d600"];
  const DASHES = ["solid", "dash", "dot", "dashdot"], SYMBOLS = ["circle", "square", "diamond", "triangle-up"];
  const unique = (values) => [...new Set(values)];
  const rules = unique(data.methods.map((one) => one.rule)), sets = unique(data.methods.map((one) => one.coordinates));
  const enforcements = unique(data.methods.map((one) => one.enforcement)), couplings = unique(data.methods.map((one) => one.coupling));
  let printing = false;

  // --- what is chosen ---
  for (const [number, kind] of data.kinds.entries()) byId("kind").append(new Option(kind.title, String(number)));
  function boxes(place, values) {
    for (const value of values) {
      const label = document.createElement("label"), box = document.createElement("input");
      Object.assign(box, { type: "checkbox", checked: true, value });
      label.append(box, ` ${value}`);
      byId(place).append(label);
    }
  }
  boxes("sets", sets);
  boxes("couplings", couplings);
  const chosen = (place) => [...byId(place).querySelectorAll("input:checked")].map((box) => box.value);
  byId("choose").addEventListener("change", () => draw());
  byId("choose").addEventListener("submit", (event) => event.preventDefault());

  // --- the plot ---
  function traces(kind) {
    const colours = dark.matches && !printing ? DARK : LIGHT, wanted = [chosen("sets"), chosen("couplings")], named = new Set();
    const shown = data.methods.filter((one) => wanted[0].includes(one.coordinates) && wanted[1].includes(one.coupling));
    return shown.map((one) => {
      const rows = one.runs.filter((run) => run[kind.key] > 0), first = !named.has(one.rule) && rows.length > 0;
      if (first) named.add(one.rule);
      const color = colours[rules.indexOf(one.rule) % colours.length];
      return {
        x: rows.map((run) => run.cost), y: rows.map((run) => run[kind.key]), text: rows.map((run) => run.step), mode: "lines+markers",
        name: one.rule, legendgroup: one.rule, showlegend: first,
        line: { color, width: 1.3, dash: DASHES[enforcements.indexOf(one.enforcement) % DASHES.length] },
        marker: { color, size: 6, symbol: SYMBOLS[sets.indexOf(one.coordinates) % SYMBOLS.length] },
        hovertemplate: `<b>${one.rule}</b><br>${one.enforcement}, ${one.coordinates}<br>%{text}: %{x:.3~s} µs/s, %{y:.3~g} ${kind.unit}<extra></extra>`,
      };
    });
  }
  function range(traces, axis) {
    // of what is shown, with a little around it: shapes do not count
    const values = traces.flatMap((trace) => trace[axis]).map(Math.log10);
    if (!values.length) return [0, 1];
    const low = Math.min(...values), high = Math.max(...values), pad = 0.04 * (high - low) + 0.1;
    return [low - pad, high + pad];
  }
  function layout(kind, shown) {
    const text = style("--text"), line = style("--line"), faint = style("--faint");
    const axis = { type: "log", gridcolor: line, zerolinecolor: line, linecolor: line, automargin: true, exponentformat: "power", tickfont: { size: 11 }, dtick: 1 };
    const mark = { type: "line", line: { color: faint, width: 1, dash: "dot" } };
    const shapes = [{ ...mark, yref: "paper", x0: 1e6, x1: 1e6, y0: 0, y1: 1 }];
    const note = { showarrow: false, font: { size: 10, color: faint } };
    const annotations = [{ ...note, x: 6, y: 1, yref: "paper", xanchor: "left", yanchor: "top", text: "slower than the machine →" }];
    if (kind.good) {
      shapes.push({ ...mark, xref: "paper", y0: kind.good, y1: kind.good, x0: 0, x1: 1 });
      annotations.push({ ...note, y: Math.log10(kind.good), x: 0, xref: "paper", xanchor: "left", yanchor: "top", text: "good enough ↓" });
    }
    if (kind.floor) shapes.push({ type: "rect", xref: "paper", x0: 0, x1: 1, y0: kind.floor / 1e9, y1: kind.floor, fillcolor: faint, opacity: 0.12, line: { width: 0 } });
    return {
      margin: { l: 62, r: 12, t: 10, b: 44 }, paper_bgcolor: "rgba(0,0,0,0)", plot_bgcolor: "rgba(0,0,0,0)", shapes, annotations,
      font: { color: text, size: 12, family: "system-ui, sans-serif" }, hovermode: "closest",
      hoverlabel: { bgcolor: style("--page"), bordercolor: line, font: { color: text, size: 11 } },
      legend: { font: { size: 11 }, bgcolor: "rgba(0,0,0,0)" },
      xaxis: { ...axis, title: { text: "processor time [µs] for a simulated second", font: { size: 12 } }, range: range(shown, "x") },
      yaxis: { ...axis, title: { text: `${kind.title} [${kind.unit}]`, font: { size: 12 } }, range: range(shown, "y") },
    };
  }
  const CONFIG = { responsive: true, displaylogo: false, modeBarButtonsToRemove: ["lasso2d", "select2d", "autoScale2d"] };
  function draw() {
    const kind = data.kinds[Number(byId("kind").value)];
    const shown = traces(kind);
    Plotly.react(byId("chart"), shown, layout(kind, shown), CONFIG);
  }

  // --- tables that can be sorted ---
  const numeric = (cell) => {
    const text = cell.textContent.replace(/[≥<,\s]|ms/g, "").replace(/−/g, "-");
    return text === "" || Number.isNaN(Number(text)) ? null : Number(text);
  };
  function sort(table, column, button) {
    const down = button.getAttribute("aria-sort") === "ascending", body = table.tBodies[0];
    for (const other of table.querySelectorAll("thead th")) other.removeAttribute("aria-sort");
    button.setAttribute("aria-sort", down ? "descending" : "ascending");
    const rows = [...body.rows].map((row) => ({ row, cell: row.cells[column] }));
    rows.sort((a, b) => {
      if (!a.cell || !b.cell) return (a.cell ? 0 : 1) - (b.cell ? 0 : 1);
      const [x, y] = [numeric(a.cell), numeric(b.cell)];
      if (x === null || y === null) {
        if (x !== y) return x === null ? 1 : -1; // what has no number stands last, either way
        return (down ? -1 : 1) * a.cell.textContent.localeCompare(b.cell.textContent);
      }
      return (down ? -1 : 1) * (x - y);
    });
    body.append(...rows.map(({ row }) => row));
  }
  for (const table of document.querySelectorAll("table.sortable")) {
    table.querySelectorAll("thead th").forEach((heading, column) => {
      Object.assign(heading, { tabIndex: 0, title: "Sort by this" });
      heading.addEventListener("click", () => sort(table, column, heading));
      heading.addEventListener("keydown", (event) => {
        if (event.key !== "Enter" && event.key !== " ") return;
        event.preventDefault();
        sort(table, column, heading);
      });
    });
  }

  // --- start, theme and paper ---
  draw();
  dark.addEventListener("change", draw);
  const setPaper = (on) => {
    printing = on;
    document.documentElement.classList.toggle("paper", on);
    draw();
  };
  addEventListener("beforeprint", () => setPaper(true));
  addEventListener("afterprint", () => setPaper(false));
})();
