// The interactive page of `hullbench atlas`: it computes everything from atlas.json, which the page contains.
const data = JSON.parse(document.getElementById("data").textContent);
const form = document.getElementById("choice");
let marked = null; // names of the solvers in colour; null: the best ones

const family = () => data.families[+form.family.value];
const chosen = key => form[key].value === "" ? null : +form[key].value;

function fillOfFamily(wanted) {
  const f = family();
  const sets = new Set(f.cells.map(cell => cell.dataset));
  fill(form.dataset, data.datasets.map(d => d.name), "all", wanted.dataset);
  [...form.dataset.options].forEach(o => { o.disabled = o.value !== "" && !sets.has(+o.value); });
  fill(form.c, f.C.map(C => +C.toPrecision(5)), "all", wanted.c);
  fill(form.factor, f.factors.map(x => x === 1 ? "tuned" : `tuned × ${x}`), "all", wanted.factor);
  fill(form.target, f.targets, "all", wanted.target);
}

const cellsOf = (dataset, c, factor) => family().cells.filter(cell => (dataset === null || cell.dataset === dataset) &&
  (c === null || cell.c === c) && (factor === null || cell.factor === factor));
const costKey = () => data.costs[+form.cost.value].key;

// Costs are divided by the size of the problem, as `budget` of each cost says.
function unit(dataset) {
  const n = data.datasets[dataset].train;
  return costKey() === "iterations" ? n : costKey() === "seconds" ? n * n * 1e-9 : n * n;
}

// The runs of each solver over the cells and the targets: [cost, weight reached, weight].
function runs(cells, targets) {
  const f = family(), nt = f.targets.length, key = costKey();
  return f.solvers.map((_, s) => cells.flatMap(cell => targets.map(t =>
    [cell.costs[key][s * nt + t] / unit(cell.dataset), cell.reached[s * nt + t] / cell.splits])));
}

function summary(of) {
  const reached = of.map(r => r.reduce((sum, x) => sum + x[1], 0) / Math.max(1, r.length));
  const mean = of.map(r => geometricMean(r.map(x => x[0])));
  const order = of.map((_, s) => s).sort((a, b) => mean[a] - mean[b]);
  return {reached, mean, order};
}

// ---- drawing ----

const colourOf = s => { const k = marked.indexOf(family().solvers[s]); return k < 0 ? "var(--grey)" : `var(--c${k})`; };
const isMarked = s => marked.includes(family().solvers[s]);
const greyFirst = order => [...order].sort((a, b) => isMarked(a) - isMarked(b));

function drawShares(of, order) {
  const sorted = of.map(r => r.filter(x => x[1] > 0).sort((a, b) => a[0] - b[0]));
  const bands = sharesOfAll();
  const costs = sorted.flat().map(x => x[0]).sort((a, b) => a - b); // without targets nearly reached at the start
  const [x0, x1] = range([costs[Math.floor(costs.length / 50)], costs[costs.length - 1]]);
  const x = logAxis(x0, x1), y = shareAxis;
  let out = frame(x, data.costs[+form.cost.value].budget, y, "share reached");
  for (const s of greyFirst(order)) {
    const colour = colourOf(s);
    if (bands && isMarked(s)) {
      const n = bands.budgets.length, at = (list, k) => `${x.at(bands.budgets[k]).toFixed(1)},${y.at(list[s * n + k]).toFixed(1)}`;
      const ks = bands.budgets.map((_, k) => k).filter(k => Math.log10(bands.budgets[k]) >= x0 && Math.log10(bands.budgets[k]) <= x1);
      if (ks.length)
        out += `<path style="fill:${colour};fill-opacity:.15;stroke:none" d="M${ks.map(k => at(bands.low, k)).join("L")}L${ks.reverse().map(k => at(bands.high, k)).join("L")}Z"/>`;
    }
    const steps = bands ? stepsOfAll(bands, s) : sorted[s].map(([cost, weight]) => [cost, weight / of[s].length]);
    out += line(colour, staircase(x, steps), family().solvers[s]);
  }
  el("bands").textContent = bands ? "Bands: 95 %, by resampling data sets." :
    "Of a part, the splits of a data set are one step, at their mean cost, which counts those that miss the target tenfold.";
  el("shares").innerHTML = svg("Share of targets reached within a budget", out);
}

// The steps of a solver's exact curve: [budget, increase of the share].
function stepsOfAll(bands, s) {
  const n = bands.budgets.length, shares = bands.share.slice(s * n, (s + 1) * n);
  return shares.map((share, k) => [bands.budgets[k], share - (k ? shares[k - 1] : 0)]).filter(step => step[1] !== 0);
}

// The curves with bands, if all cells are shown.
function sharesOfAll() {
  if (chosen("dataset") !== null || chosen("c") !== null || chosen("factor") !== null) return null;
  return family().shares.find(s => s.cost === costKey() && s.target === chosen("target")) || null;
}

function drawOrder(of, sum) {
  const f = family(), best = sum.mean[sum.order[0]];
  el("order").innerHTML = "<caption>Solvers in order</caption><thead><tr>" +
    ["solver", "reached", "mean cost", "× least"].map(name => `<th scope="col">${name}</th>`).join("") + "</tr></thead><tbody>" +
    sum.order.map(s => `<tr><th scope="row"><label><input type="checkbox" value="${text(f.solvers[s])}"${isMarked(s) ? " checked" : ""}>` +
      `<span class="key" style="background:${colourOf(s)}"></span>${text(f.solvers[s])}</label></th>` +
      `<td>${Math.round(1000 * sum.reached[s]) / 10} %</td><td>${number(sum.mean[s])}</td><td>${number(sum.mean[s] / best)}</td></tr>`).join("") + "</tbody>";
}

function mapTarget() {
  const f = family(), t = chosen("target");
  if (t !== null) return t;
  const usual = f.targets.findIndex(x => Math.abs(x - 1e-3) < 1e-12);
  return usual < 0 ? 0 : usual;
}

function drawMap() {
  const f = family(), t = mapTarget(), dataset = chosen("dataset"), nc = Math.max(1, f.C.length), nf = f.factors.length;
  const tested = f.maps.find(m => m.cost === costKey() && m.target === t && m.dataset === dataset);
  const cw = (W - left - right) / nc, ch = (H - bottom - top_) / nf, shown = new Set();
  let out = '<defs><pattern id="hatch" width="6" height="6" patternTransform="rotate(45)" patternUnits="userSpaceOnUse"><rect width="2.5" height="6" style="fill:var(--page)" opacity=".75"/></pattern></defs>';
  const names = [];
  for (let c = 0; c < nc; c++)
    for (let k = 0; k < nf; k++) {
      const sum = summary(runs(cellsOf(dataset, f.C.length ? c : null, k), [t])), s = tested?.best[c * nf + k] ?? sum.order[0];
      if (!isFinite(sum.mean[s]) || sum.reached[s] === 0) continue;
      shown.add(s);
      names.push([c, k, s, sum]);
    }
  const free = [...Array(colours).keys()].filter(k => !marked.some((name, at) => at === k && [...shown].some(s => f.solvers[s] === name)));
  const colourIn = new Map([...shown].map(s => [s, isMarked(s) ? colourOf(s) : `var(--c${free.length ? free.pop() : 7})`]));
  for (const [c, k, s, sum] of names) {
    const undecided = !tested || tested.candidates[c * nf + k] !== 1;
    const x = left + c * cw, y = H - bottom - (k + 1) * ch, colour = colourIn.get(s);
    const next = sum.order.find(other => other !== s);
    const title = `C = ${f.C[c]}, width × ${f.factors[k]}: ${f.solvers[s]}, ${number(sum.mean[s])}; next ${f.solvers[next] || "none"}, ${number(sum.mean[next] / sum.mean[s])} times` + (undecided ? "; not decided" : "");
    out += `<g role="button" tabindex="0" data-c="${c}" data-k="${k}" aria-label="${text(title)}"><title>${text(title)}</title>` +
      `<rect x="${x + 1}" y="${y + 1}" width="${cw - 2}" height="${ch - 2}" style="fill:${colour}"/>` +
      (undecided ? `<rect x="${x + 1}" y="${y + 1}" width="${cw - 2}" height="${ch - 2}" fill="url(#hatch)"/>` : "") + "</g>";
  }
  f.C.forEach((C, c) => { out += `<text x="${left + (c + .5) * cw}" y="${H - bottom + 18}" text-anchor="middle">${+C.toPrecision(5)}</text>`; });
  f.factors.forEach((x, k) => { out += `<text x="${left - 6}" y="${H - bottom - (k + .5) * ch + 4}" text-anchor="end">${number(x)}</text>`; });
  out += `<text class="soft" x="${(left + W - right) / 2}" y="${H - 8}" text-anchor="middle">C</text>` +
    `<text class="soft" transform="translate(14 ${(H - bottom) / 2}) rotate(-90)" text-anchor="middle">width over tuned width</text>`;
  el("map").innerHTML = svg("Best solver over C and kernel width", out, "group"); // an image would hide its buttons
  el("legend").innerHTML = [...colourIn].map(([s, colour]) => `<span><span class="key" style="background:${colour}"></span>${text(f.solvers[s])}</span>`).join("");
}

function drawTrace(cells) {
  const f = family(), nt = f.targets.length, key = costKey(), y0 = Math.log10(f.targets[0]), y1 = Math.log10(f.targets[nt - 1]);
  const lines = f.solvers.map((_, s) => f.targets.map((target, t) =>
    [geometricMean(cells.map(cell => cell.costs[key][s * nt + t] / unit(cell.dataset))), target,
      cells.every(cell => cell.reached[s * nt + t] === cell.splits), cells.some(cell => cell.reached[s * nt + t] > 0)]));
  const [x0, x1] = range(lines.flat().filter(p => p[3]).map(p => p[0]));
  const x = logAxis(x0, x1), y = {at: v => top_ + (y0 - Math.log10(v)) / Math.max(1e-9, y0 - y1) * (H - bottom - top_), ticks: f.targets.map(t => [t, t.toExponential(0)])};
  let out = frame(x, data.costs[+form.cost.value].budget, y, "relative duality gap");
  for (const s of greyFirst(f.solvers.map((_, k) => k)))
    out += trace(x, y, lines[s].filter(p => p[3] && p[0] > 0).map(p => ({x: p[0], y: p[1], whole: p[2]})), colourOf(s), f.solvers[s]);
  el("trace").innerHTML = svg("Cost at which each target is reached", out);
}

// The focused control, and the same control after redrawing the figures, so that keyboard focus is kept.
function inFocus() {
  const at = document.activeElement, cell = at && at.closest("[data-c]");
  if (cell) return `#map [data-c="${cell.dataset.c}"][data-k="${cell.dataset.k}"]`;
  return at && at.type === "checkbox" ? `#order input[value="${CSS.escape(at.value)}"]` : null;
}

function draw() {
  const focus = inFocus(), f = family(), cells = cellsOf(chosen("dataset"), chosen("c"), chosen("factor"));
  const targets = chosen("target") === null ? f.targets.map((_, t) => t) : [chosen("target")];
  const of = runs(cells, targets), sum = summary(of), own = marked;
  const problems = cells.reduce((n, cell) => n + cell.splits, 0);
  marked = (own || sum.order.slice(0, 6).map(s => f.solvers[s])).filter(name => f.solvers.includes(name)).slice(0, colours);
  el("part").textContent = cells.length ? `${problems} problem${problems === 1 ? "" : "s"}, ${f.solvers.length} solver${f.solvers.length === 1 ? "" : "s"}, rule ${data.rule}.` +
    (data.time_note ? ` Times are not compared: ${data.time_note}.` : "") : "There are no such problems.";
  drawShares(of, sum.order);
  drawOrder(of, sum);
  drawMap();
  drawTrace(cells);
  marked = own;
  hint();
  const again = focus && document.querySelector(focus);
  if (again) again.focus({preventScroll: true});
  const state = new URLSearchParams(new FormData(form));
  if (own) state.set("solvers", own.join(" "));
  history.replaceState(null, "", "#" + state);
}

form.addEventListener("change", event => {
  if (event.target.name === "family") { marked = null; fillOfFamily({}); }
  draw();
});
el("order").addEventListener("change", () => {
  marked = [...el("order").querySelectorAll("input:checked")].map(box => box.value);
  if (marked.length > colours) marked = marked.slice(0, colours);
  draw();
});
function chooseCell(event) {
  const cell = event.target.closest("[data-c]");
  if (!cell || (event.type === "keydown" && event.key !== "Enter" && event.key !== " ")) return;
  event.preventDefault();
  const same = form.c.value === cell.dataset.c && form.factor.value === cell.dataset.k;
  form.c.value = same || !family().C.length ? "" : cell.dataset.c;
  form.factor.value = same ? "" : cell.dataset.k;
  draw();
}
el("map").addEventListener("click", chooseCell);
el("map").addEventListener("keydown", chooseCell);

const start = Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
fill(form.family, data.families.map(f => f.title), null, start.family);
fill(form.cost, data.costs.map(c => c.title), null, start.cost || String(Math.max(0, data.costs.findIndex(c => c.key === "kernel-operations"))));
fillOfFamily(start);
if (start.solvers) marked = start.solvers.split(" ");
draw();
