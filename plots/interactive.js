// The interactive page of `hullbench report`: it computes everything from the costs of the runs, which the page contains.
const data = JSON.parse(el("data").textContent);
const form = el("choice");
const costTexts = {"iterations": ["iterations", "iterations"], "kernel-operations": ["kernel operations", "kernel operations / training patterns"],
  "seconds": ["seconds", "seconds"]};
const dashes = ["", "9 4", "3 3", "9 3 3 3", "", "9 4", "3 3", "9 3 3 3"];
let chosen = null; // names of the selected solvers; null: the most that ran one problem

const run = () => data.runs[+form.run.value];
const isRule = () => form.target.value === "rule";
const costs = () => Object.keys(run().costs || run().reached);
const costKey = () => costs()[+form.cost.value];

// The costs at the target: tasks of a data set, with each solver's cost; null: not finished, undefined: not run. A cost of 0 counts as one half.
function tasks(target = form.target.value) {
  const r = run(), wanted = form.dataset.value, key = costKey();
  const cost = x => x === null ? null : key === "seconds" ? x : Math.max(x, 0.5);
  const of = (dataset, costs) => ({dataset, unit: key === "kernel-operations" && r.datasets[dataset].train || 1, costs});
  const all = target === "rule"
    ? r.problems.map((d, p) => of(d, r.solvers.map((_, s) => {
      const at = s * r.problems.length + p;
      return r.converged[at] === null ? undefined : r.converged[at] ? cost(r.costs[key][at]) : null;
    })))
    : r.task_datasets.map((d, t) => ({target: r.task_targets[t], ...of(d, r.solvers.map((_, s) => cost(r.reached[key][s * r.task_datasets.length + t])))}));
  return all.filter(task => (wanted === "" || task.dataset === +wanted) && (!/\d/.test(target) || task.target === +target));
}
const ran = (list, solvers) => list.filter(task => solvers.every(s => task.costs[s] !== undefined));

// Solvers without this cost, since they do not count it.
function uncounted() {
  const r = run(), n = r.problems.length, key = costKey();
  return isRule() ? r.solvers.map((_, s) => s).filter(s => r.problems.some((_, p) => r.converged[s * n + p] && r.costs[key][s * n + p] === null)) : [];
}

// ---- what the page shows of the tasks ----

const penalised = (task, s) => task.costs[s] ?? 10 * Math.max(...task.costs.filter(x => x != null));

// The geometric mean over data sets of the geometric means over their tasks; tasks that no solver finishes are left out.
function means(list, value) {
  const sets = new Map();
  for (const task of list.filter(task => task.costs.some(x => x != null))) sets.set(task.dataset, [...sets.get(task.dataset) || [], value(task)]);
  return [...sets.values()].map(geometricMean);
}
const meanCost = (list, s) => geometricMean(means(list, task => penalised(task, s) / task.unit));
function pair(list, a, b) {
  const ratios = means(list, task => penalised(task, a) / penalised(task, b));
  return {ratio: geometricMean(ratios), fewer: ratios.filter(x => x < 1 - 1e-12).length, n: ratios.length};
}
const best = (task, solvers) => Math.min(...solvers.map(s => task.costs[s] ?? Infinity));
const steps = (values, n) => values.filter(isFinite).sort((a, b) => a - b).map(x => [x, 1 / n]);
const profileOf = (list, s, solvers) => steps(list.map(task => task.costs[s] === null ? Infinity : task.costs[s] / best(task, solvers)), list.length);
const sharesOf = (list, s) => steps(list.map(task => task.costs[s] === null ? Infinity : task.costs[s] / task.unit), list.length);

// ---- drawing ----

const colourOf = (s, solvers) => { const k = solvers.indexOf(s); return k < 0 || k >= colours ? "var(--grey)" : `var(--c${k})`; };
const dashOf = (s, solvers) => dashes[solvers.indexOf(s)] || "";
const keyOf = (s, solvers) => `<svg class="key" viewBox="0 0 20 10" aria-hidden="true"><line x1="0" x2="20" y1="5" y2="5" style="stroke:${colourOf(s, solvers)};stroke-dasharray:${dashOf(s, solvers) || "none"}"/></svg>`;
const xTitle = () => run().datasets.every(d => d.train) ? costTexts[costKey()][1] : costTexts[costKey()][0];

function drawSteps(id, label, title, from, of, solvers) {
  const lines = solvers.map(s => [s, of(s)]), ends = lines.flatMap(([, steps]) => steps.map(step => step[0]));
  if (!ends.length) { el(id).innerHTML = "<p>Nothing reaches the target.</p>"; return; }
  const x = form.scale.value === "linear" ? linearAxis(from, Math.max(...ends, from + 1e-9)) : logAxis(from ? 0 : range(ends)[0], Math.max(range(ends)[1], from ? 0.3 : -Infinity));
  el(id).innerHTML = svg(label, frame(x, title, shareAxis, "share of problems") +
    [...lines].reverse().map(([s, steps]) => line(colourOf(s, solvers), staircase(x, steps), run().solvers[s], `;stroke-dasharray:${dashOf(s, solvers) || "none"}`)).join(""));
}

function drawTrace(solvers) {
  const r = run(), has = !!r.targets && costKey() !== "seconds";
  el("progress").hidden = !has;
  if (!has) return;
  const list = tasks("all");
  const lines = solvers.map(s => r.targets.map((target, t) => {
    const of = list.filter(task => task.target === t), n = of.filter(task => task.costs[s] !== null).length;
    return {x: meanCost(of, s), y: target, whole: n === of.length, any: n > 0};
  }).filter(p => p.any && p.x > 0));
  const values = lines.flat().map(p => p.x), targets = r.targets.filter((_, t) => list.some(task => task.target === t));
  if (!values.length) { el("trace").innerHTML = "<p>No run reaches a target.</p>"; return; }
  const y0 = Math.log10(targets[0]), y1 = Math.log10(targets[targets.length - 1]);
  const x = form.scale.value === "linear" ? linearAxis(0, Math.max(...values)) : logAxis(...range(values));
  const y = {at: v => top_ + (y0 - Math.log10(v)) / Math.max(1e-9, y0 - y1) * (H - bottom - top_), ticks: targets.map(t => [t, t.toExponential(0)])};
  el("trace").innerHTML = svg("Mean cost at which each target is reached", frame(x, xTitle(), y, "relative duality gap") +
    lines.map((points, k) => trace(x, y, points, colourOf(solvers[k], solvers), r.solvers[solvers[k]])).join(""));
}

const cell = (value, title) => `<td${title ? ` title="${text(title)}"` : ""}>${value}</td>`;
const head = names => `<thead><tr>${names.map(name => `<th scope="col">${text(name)}</th>`).join("")}</tr></thead>`;

function drawSolvers(list, solvers, without) {
  const r = run(), mean = new Map(solvers.map(s => [s, meanCost(list, s)])), least = Math.min(...mean.values());
  const order = r.solvers.map((_, s) => s).sort((a, b) => (mean.get(a) ?? Infinity) - (mean.get(b) ?? Infinity) || a - b);
  el("solvers").innerHTML = "<caption>Solvers</caption>" + head(["solver", "finished", "best on", "mean cost", "× least"]) + "<tbody>" + order.map(s => {
    const is = solvers.includes(s), done = list.filter(task => task.costs[s] !== null);
    return `<tr><th scope="row"><label><input type="checkbox" value="${text(r.solvers[s])}"${is ? " checked" : ""}${without.includes(s) ? " disabled" : ""}>${is ? keyOf(s, solvers) : ""}${text(r.solvers[s])}</label></th>` +
      (is ? cell(`${Math.round(1000 * done.length / list.length) / 10} %`) + cell(done.filter(task => task.costs[s] <= best(task, solvers)).length) +
        cell(number(mean.get(s))) + cell(number(mean.get(s) / least)) : "<td>–</td>".repeat(4)) + "</tr>";
  }).join("") + "</tbody>";
}

function drawPairs(list, solvers) {
  const names = run().solvers;
  el("pairs").innerHTML = "<caption>Pairs</caption>" + head(["cost of the row / column", ...solvers.map(s => names[s])]) + "<tbody>" + solvers.map(a =>
    `<tr><th scope="row">${text(names[a])}</th>` + solvers.map(b => {
      if (a === b) return "<td>–</td>";
      const p = pair(list, a, b);
      return cell(`${number(p.ratio)} (${p.fewer} of ${p.n})`, `${names[a]} costs ${number(p.ratio)} times as much as ${names[b]}; it is cheaper on ${p.fewer} of ${p.n} data sets`);
    }).join("") + "</tr>").join("") + "</tbody>";
}

// The solvers that ran the problem with the most solvers.
function together(all) {
  const sets = all.map(task => run().solvers.map((_, s) => s).filter(s => task.costs[s] !== undefined));
  return sets.reduce((most, set) => set.length > most.length ? set : most, []);
}

// Options that the run has. `wanted` are the values to select.
function fillRun(wanted) {
  const r = run(), targets = (r.targets || []).map((target, t) => [t, target]).filter(([t]) => r.task_targets.includes(t));
  fill(form.dataset, r.datasets.map(d => d.name), "all", wanted.dataset);
  fill(form.cost, costs().map(key => costTexts[key][0]), null, wanted.cost ?? String(Math.max(0, costs().indexOf("kernel-operations"))));
  form.target.innerHTML = (r.costs ? '<option value="rule">stopping rule</option>' : "") + (targets.length ? '<option value="all">all gaps</option>' : "") +
    targets.map(([t, target]) => `<option value="${t}">gap ${target.toExponential(0)}</option>`).join("");
  if (wanted.target !== undefined) form.target.value = wanted.target;
  if (!form.target.value) form.target.selectedIndex = 0;
}

function draw() {
  const r = run(), at = document.activeElement, focus = at && at.type === "checkbox" ? `#solvers input[value="${CSS.escape(at.value)}"]` : null;
  for (const option of form.target.options) option.disabled = option.value !== "rule" && costKey() === "seconds";
  if (!isRule() && costKey() === "seconds") form.target.value = "rule";
  const without = uncounted(), all = tasks(), names = chosen || together(all).map(s => r.solvers[s]);
  const solvers = r.solvers.map((_, s) => s).filter(s => names.includes(r.solvers[s]) && !without.includes(s)), list = ran(all, solvers);
  el("part").textContent = `${list.length} ${isRule() ? "problem" : "pairs of problem and target"}${isRule() && list.length !== 1 ? "s" : ""}, ${solvers.length} of ${r.solvers.length} solvers.` +
    (without.length ? ` Not counted by ${without.map(s => r.solvers[s]).join(", ")}.` : "") +
    (list.length < all.length ? ` ${all.length - list.length} others lack a run of a selected solver.` : "") + (r.budgets ? ` Only fixed gaps are compared: ${r.budgets}.` : "") +
    (r.without_times ? ` Times are not compared: ${r.without_times}.` : "");
  drawSolvers(list, solvers, without);
  drawPairs(list, solvers);
  drawSteps("profile", "Performance profile", "cost / cost of the best", 1, s => profileOf(list, s, solvers), solvers);
  drawSteps("shares", "Share of problems finished within a cost", xTitle(), 0, s => sharesOf(list, s), solvers);
  drawTrace(solvers);
  hint();
  const again = focus && document.querySelector(focus);
  if (again) again.focus({preventScroll: true});
  const state = new URLSearchParams(new FormData(form));
  if (chosen) state.set("solvers", JSON.stringify(chosen));
  history.replaceState(null, "", "#" + state);
}

form.addEventListener("change", event => {
  if (event.target.name === "run") { chosen = null; fillRun({}); }
  draw();
});
form.addEventListener("submit", event => event.preventDefault());
el("solvers").addEventListener("change", () => {
  chosen = [...el("solvers").querySelectorAll("input:checked")].map(box => box.value);
  draw();
});

// The solvers that a link names, without those that the run lacks; null: the link names none.
function solversOf(link) {
  try {
    const names = JSON.parse(link).filter(name => run().solvers.includes(name));
    return names.length || link === "[]" ? names : null;
  } catch { return null; }
}

const start = Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
fill(form.run, data.runs.map(r => r.label), null, start.run);
form.run.parentElement.hidden = data.runs.length === 1;
if (start.scale) form.scale.value = start.scale;
fillRun(start);
chosen = solversOf(start.solvers);
el("omitted").textContent = data.omitted.length ? `Not on this page: ${data.omitted.join("; ")}.` : "";
draw();
