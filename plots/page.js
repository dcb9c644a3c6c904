// What the scripts of the pages share: texts, means, tables and charts. Each page's own script follows it.
"use strict";
const el = id => document.getElementById(id);
const escapes = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;"};
const text = s => String(s).replace(/[&<>"]/g, c => escapes[c]);
const number = x => x === null || !isFinite(x) ? "–" : x === 0 || (x >= 0.01 && x < 1e5) ? String(+x.toPrecision(3)) : (+x.toPrecision(2)).toExponential().replace("e+", "e");
const geometricMean = values => values.length ? Math.exp(values.reduce((sum, x) => sum + Math.log(Math.max(x, 1e-12)), 0) / values.length) : NaN;

// Options for the items; with `all`, that text is the first, without a value. `wanted` is the value to select.
function fill(select, items, all, wanted) {
  select.innerHTML = (all ? `<option value="">${all}</option>` : "") +
    items.map((item, i) => `<option value="${i}">${text(item)}</option>`).join("");
  select.value = wanted !== undefined && (wanted === "" ? all : +wanted < items.length) ? wanted : all ? "" : "0";
}

// A hint above each table that is wider than its box.
function hint() {
  for (const box of document.querySelectorAll(".scroll"))
    box.classList.toggle("wide", !!box.querySelector("table") && box.scrollWidth > box.clientWidth);
}
addEventListener("resize", hint);
document.addEventListener("toggle", hint, true);

// ---- charts ----

const colours = 8; // --c0 to --c7
const W = innerWidth < 600 ? 400 : 560, H = 380, left = 62, right = 12, top_ = 12, bottom = 48;
const svg = (label, body, role = "img") => `<svg viewBox="0 0 ${W} ${H}" role="${role}" aria-label="${text(label)}">${body}</svg>`;

// An axis of logarithms from 10^x0 to 10^x1, and one of numbers from x0 to x1.
function logAxis(x0, x1) {
  const ticks = [], step = x1 - x0 > 7 ? 2 : 1;
  for (let e = Math.ceil(x0); e <= x1; e++) ticks.push([10 ** e, e % step ? "" : e >= 0 && e <= 4 ? String(10 ** e) : `1e${e}`]);
  if (ticks.length < 3)
    for (let e = Math.floor(x0); e <= x1; e++)
      for (const m of [2, 3, 5]) if (Math.log10(m) + e >= x0 && Math.log10(m) + e <= x1) ticks.push([m * 10 ** e, number(m * 10 ** e)]);
  return {at: v => left + (Math.log10(v) - x0) / (x1 - x0) * (W - left - right), ticks};
}
function linearAxis(x0, x1) {
  const unit = 10 ** Math.floor(Math.log10((x1 - x0) / 2)), step = [1, 2, 5, 10].map(m => m * unit).find(s => (x1 - x0) / s <= 6), ticks = [];
  for (let k = Math.ceil(x0 / step - 1e-9); k * step <= x1; k++) ticks.push([k * step, number(k * step)]);
  return {at: v => left + (v - x0) / (x1 - x0) * (W - left - right), ticks};
}
const shareAxis = {at: v => H - bottom - v * (H - bottom - top_), ticks: [[0, "0"], [.25, "25 %"], [.5, "50 %"], [.75, "75 %"], [1, "100 %"]]};

// Grid, numbers and titles of both axes.
function frame(x, xTitle, y, yTitle) {
  let out = "";
  for (const [value, label] of x.ticks)
    out += `<line class="axis" x1="${x.at(value)}" x2="${x.at(value)}" y1="${top_}" y2="${H - bottom}"/>` +
      `<text x="${x.at(value)}" y="${H - bottom + 18}" text-anchor="middle">${label}</text>`;
  for (const [value, label] of y.ticks)
    out += `<line class="axis" x1="${left}" x2="${W - right}" y1="${y.at(value)}" y2="${y.at(value)}"/>` +
      `<text x="${left - 6}" y="${y.at(value) + 4}" text-anchor="end">${label}</text>`;
  return out + `<text class="soft" x="${(left + W - right) / 2}" y="${H - 8}" text-anchor="middle">${text(xTitle)}</text>` +
    `<text class="soft" transform="translate(14 ${(H - bottom) / 2}) rotate(-90)" text-anchor="middle">${text(yTitle)}</text>`;
}

// The half decades around the values, as exponents.
function range(values) {
  const ok = values.filter(v => v > 0 && isFinite(v)).map(Math.log10);
  if (!ok.length) return [0, 1];
  return [Math.floor(Math.min(...ok) * 2) / 2, Math.ceil(Math.max(...ok) * 2) / 2 + 1e-9];
}

// The path of a share that grows by steps [x, increase], in order of x, from the left edge to the right one.
function staircase(x, steps) {
  let share = 0, d = `M${left} ${shareAxis.at(0)}`;
  for (const [value, more] of steps) {
    share += more;
    d += `H${Math.max(left, x.at(value)).toFixed(1)}V${shareAxis.at(share).toFixed(1)}`;
  }
  return `${d}H${W - right}`;
}
const line = (colour, d, title, style = "") => `<path style="stroke:${colour}${style}" d="${d}"><title>${text(title)}</title></path>`;

// The lines of a solver through points {x, y, whole}: dashed from the last whole point on.
function trace(x, y, points, colour, title) {
  const at = p => `${x.at(p.x).toFixed(1)},${y.at(p.y).toFixed(1)}`, whole = points.filter(p => p.whole), rest = points.slice(Math.max(0, whole.length - 1));
  return (whole.length ? line(colour, `M${whole.map(at).join("L")}`, title) : "") +
    (rest.length > 1 ? line(colour, `M${rest.map(at).join("L")}`, title, ";stroke-dasharray:4 4") : "");
}
