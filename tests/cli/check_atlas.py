#!/usr/bin/env python3
"""Recomputes what atlas.json says of a run folder from its records, all but the intervals: reached targets, geometric
means, shares within budgets, the best solver of each cell, stability of ranks, agreement of costs, kernel values beyond
the solution, ratios of variants, rates and exponents. Compares pages and figures next to atlas.json with it. Usage:
check_atlas.py FOLDER ATLAS.JSON. Prints what differs."""
import csv
import json
import math
import os
import re
import sys
from collections import defaultdict

SQUARE = {"2-smo", "second-order-2-smo", "cycle-2-smo", "conjugate-2-smo", "ch-mdm", "second-order-ch-mdm"}
COSTS = ("iterations", "kernel-operations", "all-operations", "kernel-evaluations")
differences = []


def differ(text):
    differences.append(text)


def spent(record, cost):
    operations = record["kernel_operations"]
    return {"iterations": record["iterations"],
            "kernel-operations": operations["iterations"],
            "all-operations": operations["iterations"] + operations["setup"],
            "kernel-evaluations": record["kernel_evaluations"] - operations["predict"]}[cost]


def close(a, b):
    """Numbers have four digits in the file."""
    if a is None or b is None:
        return a is b
    return abs(a - b) <= 6e-4 * max(abs(a), abs(b), 1e-12)


def label(record, varied):
    names = [f"{key}={str(record['params'][key])}" for key in record["params"] if key in varied[record["solver"]]]
    return record["solver"] + ("[" + ",".join(names) + "]" if names else "")


def sign(x):
    return (x > 0) - (x < 0)


def tau_b(x, y):
    """Kendall's tau-b as the correlation of signs, and the pairs that both order: alike, against."""
    pairs = [(i, j) for i in range(len(x)) for j in range(i)]
    a = [sign(x[i] - x[j]) for i, j in pairs]
    b = [sign(y[i] - y[j]) for i, j in pairs]
    norm = math.sqrt(sum(v * v for v in a) * sum(v * v for v in b))
    ordered = [u * v for u, v in zip(a, b) if u and v]
    return sum(ordered) / norm if norm else None, ordered.count(1), ordered.count(-1)


def average(values):
    return sum(values) / len(values) if values else None


def geometric(logs):
    return math.exp(average(logs)) if logs else None


def ceil_quartile(values, q):
    return sorted(values)[-(-q * len(values) // 4) - 1]


class Findings:
    """What compares solvers, targets and costs of one family."""

    def __init__(self, atlas, family, runs, problems, penalised, sizes, means):
        self.atlas, self.family, self.runs, self.problems = atlas, family, runs, problems
        self.penalised, self.sizes, self.means = penalised, sizes, means
        self.solvers, self.targets = family["solvers"], family["targets"]
        self.sets = [d["name"] for d in atlas["datasets"] if any(p[0] == d["name"] for p in problems)]

    def run(self, solver, problem, target):
        return self.runs[(solver,) + problem + (target,)]

    def cost(self, cost, solver, problem, target):
        record = self.run(solver, problem, target)
        return spent(record, cost) if record["outcome"] == "converged" else math.inf

    def expect(self, what, number, found):
        if not close(number, found):
            differ(f"{self.family['key']}: {what}: {number}, not {found}")

    def check(self):
        self.check_stability()
        self.check_near_best()
        self.check_agreement()
        self.check_waste()
        self.check_ratios()
        self.check_rates()
        self.check_growth()

    def ranking(self, cost, target):
        """Geometric means over data sets, to twelve digits so that equal ones tie."""
        of = {}
        for solver in self.solvers:
            logs = [average([math.log(self.penalised(cost, solver, p, target)) for p in self.problems if p[0] == d])
                    for d in self.sets]
            of[solver] = float(f"{average(logs):.12g}")
        return [of[solver] for solver in self.solvers]

    def check_stability(self):
        for item in self.family["stability"]:
            cost = item["cost"]
            if cost not in COSTS:
                continue
            reference = self.targets[item["reference"]]
            for k, target in enumerate(self.targets):
                row = item["rows"][10 * k:10 * k + 10]
                tau = tau_b(self.ranking(cost, reference), self.ranking(cost, target))[0]
                self.expect(f"tau {cost} {target}", tau, row[0])
                same, loss = [], []
                for p in self.problems:
                    before = [self.cost(cost, s, p, reference) for s in self.solvers]
                    now = [self.cost(cost, s, p, target) for s in self.solvers]
                    if math.isinf(min(before)) or math.isinf(min(now)):
                        continue
                    logs = [math.log(self.penalised(cost, s, p, target)) for s in self.solvers]
                    winners = [i for i, c in enumerate(before) if c == min(before)]
                    same.append(average([now[i] == min(now) for i in winners]))
                    loss.append(average([logs[i] - min(logs) for i in winners]))
                self.expect(f"same winner {cost} {target}", average(same), row[3])
                self.expect(f"loss {cost} {target}", geometric(loss), row[6])
                self.expect(f"problems {cost} {target}", len(same), row[9])

    def check_near_best(self):
        n = len(self.targets) + 1
        for item in self.family["near_best"]:
            cost = item["cost"]
            if cost not in COSTS:
                continue
            for k, solver in enumerate(self.solvers):
                logs, near, best = ([[] for _ in range(n)] for _ in range(3))
                for t, target in enumerate(self.targets):
                    for p in self.problems:
                        least = min(self.cost(cost, s, p, target) for s in self.solvers)
                        if math.isinf(least):
                            continue
                        mine = self.cost(cost, solver, p, target)
                        for at in (t, n - 1):
                            logs[at].append(math.log(self.penalised(cost, solver, p, target) / max(least, 0.5)))
                            near[at].append(mine <= 1.3 * least)
                            best[at].append(mine == least)
                for t in range(n):
                    row = item["rows"][9 * (k * n + t):9 * (k * n + t) + 9]
                    self.expect(f"near best: problems {cost} {t}", len(logs[t]), item["problems"][t])
                    self.expect(f"near best: ratio {cost} {t} {solver}", geometric(logs[t]), row[0])
                    self.expect(f"near best: near {cost} {t} {solver}", average(near[t]), row[3])
                    self.expect(f"near best: best {cost} {t} {solver}", average(best[t]), row[6])

    def check_agreement(self):
        for item in self.family["agreement"]:
            if item["cost"] not in COSTS or item["other"] not in COSTS:
                continue
            alike = against = 0
            taus, spreads = [], []
            for p in self.problems:
                for t in self.targets:
                    both = [(self.cost(item["cost"], s, p, t), self.cost(item["other"], s, p, t)) for s in self.solvers]
                    both = [pair for pair in both if math.isfinite(pair[0])]
                    if len(both) < 2:
                        continue
                    tau, one, other = tau_b(*zip(*both))
                    alike, against = alike + one, against + other
                    taus += [tau] if tau is not None else []
                    if min(min(pair) for pair in both) > 0:
                        ratios = [math.log(y / x) for x, y in both]
                        spreads.append(max(ratios) - min(ratios))
            name = f"{item['cost']} and {item['other']}"
            self.expect(f"concordance of {name}", alike / (alike + against), item["row"][0])
            self.expect(f"tau of {name}", average(taus), item["row"][3])
            self.expect(f"spread of {name}", geometric(spreads), item["row"][6])

    def check_waste(self):
        if ("waste" in self.family) != all(self.sizes.values()):
            differ("the share beyond the solution needs the sizes, and only these")
        if "waste" not in self.family:
            return
        for k, (solver, target) in enumerate((s, t) for s in self.solvers for t in self.targets):
            row = self.family["waste"][10 * k:10 * k + 10]
            shares, others, reuse = [], [], []
            for p in self.problems:
                record = self.run(solver, p, target)
                evaluations, operations = (spent(record, c) for c in ("kernel-evaluations", "all-operations"))
                if record["outcome"] != "converged" or not evaluations:
                    continue
                needed = record["support_vectors"] * self.sizes[p[0]]
                shares.append(max(0, 1 - needed / evaluations))
                others.append(max(0, 1 - needed / operations))
                reuse.append(math.log(operations / evaluations))
            self.expect(f"waste runs {solver} {target}", len(shares), row[0])
            if shares:
                self.expect(f"waste of evaluations {solver} {target}", average(shares), row[1])
                self.expect(f"waste of operations {solver} {target}", average(others), row[4])
                self.expect(f"reuse {solver} {target}", geometric(reuse), row[7])

    def check_ratios(self):
        for item in self.family["ratios"]:
            second, first = self.solvers[item["solver"]], self.solvers[item["against"]]
            for cost in COSTS:
                for k, target in enumerate(self.targets):
                    row = item[cost][9 * k:9 * k + 9]
                    both = [p for p in self.problems if math.isfinite(self.cost(cost, first, p, target)) and
                            math.isfinite(self.cost(cost, second, p, target))]
                    logs = [average([math.log(self.penalised(cost, second, p, target) /
                                              self.penalised(cost, first, p, target)) for p in both if p[0] == d])
                            for d in self.sets if any(p[0] == d for p in both)]
                    self.expect(f"both {first} {second} {target}", len(both), row[3])
                    if both:
                        self.expect(f"ratio {cost} {first} {second} {target}", geometric(logs), row[0])

    def check_rates(self):
        steps = len(self.targets) - 1
        names = [d["name"] for d in self.atlas["datasets"]]
        for item in self.family["rates"]:
            of = [p for p in self.problems if item["dataset"] is None or p[0] == names[item["dataset"]]]
            for k, (solver, step) in enumerate((s, t) for s in self.solvers for t in range(steps)):
                row = item["rows"][5 * k:5 * k + 5]
                values = []
                for p in of:
                    before, after = (self.cost("iterations", solver, p, self.targets[step + i]) for i in (0, 1))
                    if math.isfinite(before):
                        decades = math.log10(self.targets[step] / self.targets[step + 1])
                        values.append((after - before) / decades / self.sizes[p[0]])
                self.expect(f"rates of {solver} {step}", len(values), row[0])
                for q in (1, 2, 3):
                    number = ceil_quartile(values, q) if values else math.inf
                    self.expect(f"rate of {solver} {step}", number if math.isfinite(number) else None, row[1 + q])

    def check_growth(self):
        names = [d["name"] for d in self.atlas["datasets"]]
        for item in self.family["growth"]:
            if item["cost"] not in COSTS:
                continue
            sweep, x, y = self.atlas["sweeps"][item["sweep"]], [], []
            for k, (value, dataset) in enumerate(zip(sweep["values"], sweep["datasets"])):
                before = len(y)
                for p in self.problems:
                    if p[:3] == (names[dataset], self.family["C"][item["c"]], self.family["factors"][item["factor"]]):
                        record = self.run(self.solvers[item["solver"]], p, self.targets[item["target"]])
                        x.append(math.log(value) if value > 0 else 0)
                        y.append(math.log(max(spent(record, item["cost"]), 0.5)))
                self.check_growth_point(f"growth at {value}", y[before:], item["points"][5 * k:5 * k + 5])
            u, v = average(x), average(y)
            square = sum((a - u) ** 2 for a in x)
            if "exponent" in item:
                exponent = sum((a - u) * (b - v) for a, b in zip(x, y)) / square
                if abs(exponent - item["exponent"][0]) > 1e-3 + 1e-3 * abs(exponent):
                    differ(f"exponent of {item}: {exponent}")

    def check_growth_point(self, what, logs, point):
        """The runs, and the geometric mean with its t interval."""
        n = len(logs)
        self.expect(what + ": runs", n, point[0])
        self.expect(what + ": mean", geometric(logs), point[2])
        if n == 3:
            t = 0.95 / math.sqrt(2 * 0.975 * 0.025)  # the quantile of 0.975 with two degrees of freedom
            reach = t * math.sqrt(sum((x - average(logs)) ** 2 for x in logs) / (n - 1) / n)
            self.expect(what + ": low", math.exp(average(logs) - reach), point[3])
            self.expect(what + ": high", math.exp(average(logs) + reach), point[4])


class Drawn:
    """Pages and figures of one family against its part of atlas.json."""

    def __init__(self, folder, family):
        self.folder, self.family = folder, family

    def read(self, name):
        path = os.path.join(self.folder, name)
        if not os.path.exists(path):
            differ(f"{name} is missing")
            return ""
        with open(path, encoding="utf-8") as file:
            return file.read()

    def check(self):
        self.check_near_csv()
        self.check_waste_csv()
        for item in self.family["near_best"]:
            self.check_near_page(item)
        for cost in {chart["cost"] for chart in self.family["maps"]}:
            self.check_map(cost)

    def check_csv(self, name, expected):
        """The table's rows of the family are `expected`: their first words, then numbers."""
        rows = [row[1:] for row in csv.reader(self.read(name).splitlines()) if row[0] == self.family["key"]]
        words = len(next(iter(expected)))
        found = {tuple(row[:words]): [float(cell) if cell else None for cell in row[words:]] for row in rows}
        if len(found) != len(rows) or set(found) != set(expected):
            differ(f"{name}: the rows are {sorted(found)}, not {sorted(expected)}")
            return
        for key, numbers in expected.items():
            if len(numbers) != len(found[key]) or not all(map(close, numbers, found[key])):
                differ(f"{name}, {key}: {found[key]}, not {numbers}")

    def check_near_csv(self):
        targets = [f"{target:g}" for target in self.family["targets"]] + ["all"]
        self.check_csv("atlas-near-best.csv", {
            (item["cost"], target, solver): item["rows"][9 * (k * len(targets) + t):][:9] + [item["problems"][t]]
            for item in self.family["near_best"] for k, solver in enumerate(self.family["solvers"])
            for t, target in enumerate(targets)})

    def check_waste_csv(self):
        """Has no rows without runs that reach the target."""
        if "waste" in self.family:
            keys = [(solver, f"{target:g}") for solver in self.family["solvers"] for target in self.family["targets"]]
            rows = {key: self.family["waste"][10 * k:10 * k + 10] for k, key in enumerate(keys)}
            self.check_csv("atlas-waste.csv", {key: row for key, row in rows.items() if row[0]})

    def check_near_page(self, item):
        """Shows all solvers at some of the targets."""
        name = f"atlas-near-best-{self.family['key']}-{item['cost']}.md"
        rows = [[re.sub(r"\\(.)", r"\1", cell.strip()) for cell in line.strip("|\n ").split("|")]
                for line in self.read(name).splitlines() if line.startswith("|")]
        if [row[0] for row in rows[2:]] != self.family["solvers"]:
            differ(f"{name}: the rows are {[row[0] for row in rows[2:]]}")
            return
        n = len(self.family["targets"]) + 1
        for j in range(1, len(rows[0]), 3):
            t = [f"{target:g}" for target in self.family["targets"]].index(rows[0][j].split(":")[0])
            for k, row in enumerate(rows[2:]):
                found = item["rows"][9 * (k * n + t):9 * (k * n + t) + 9]
                shares = ((found[0], 1, 2), (found[3], 100, 0), (found[6], 100, 0))
                for at, (number, scale, digits) in enumerate(shares):
                    shown = row[j + at].split()[0]
                    # the number has four digits in the file
                    low, high = (round(scale * (number or 0) * factor, digits) for factor in (1 - 6e-4, 1 + 6e-4))
                    if shown != "-" if number is None else shown == "-" or not low <= float(shown) <= high:
                        differ(f"{name}: {row[0]}, {rows[0][j + at]}: {shown}, not {number}")

    def check_map(self, cost):
        """The number of the best solver in a cell is that of its name in the legend, 0 if none reaches the target."""
        name = f"plots/atlas-map-{self.family['key']}-{cost}"
        names = re.search(r"^array series\[\d+\] = \[(.*)\]$", self.read(name + ".gp"), re.M)
        names = re.findall(r'"([^"]*)"', names.group(1)) if names else []
        shown = set()
        for block in filter(None, self.read(name + ".dat").split("\n\n\n")):
            lines = block.strip().splitlines()
            charts = [c for c in self.family["maps"] if c["cost"] == cost and c["dataset"] is None and
                      lines[0] == f"# target {self.family['targets'][c['target']]:g}"]
            best = {(c[1] + 1, c[0] + 1): c[3] for c in (item["cell"] for item in charts[0]["cells"])}
            drawn = {}
            for x, y, winner in (map(int, line.split()[:3]) for line in lines[2:]):
                drawn[x, y] = names[winner - 1] if 0 < winner <= len(names) else winner or None
            if drawn != {at: None if s is None else self.family["solvers"][s] for at, s in best.items()}:
                differ(f"{name}, {lines[0]}: {drawn}")
            shown |= set(drawn.values())
        if shown - {None} != set(names):
            differ(f"{name}: the legend has {names}")


def main():
    folder, path = sys.argv[1:]
    with open(path, encoding="utf-8") as file:
        atlas = json.load(file)
    with open(folder + "/records.jsonl", encoding="utf-8") as file:
        records = [json.loads(line) for line in file]
    records = [record for record in records if record["stop"]["rule"] == atlas["rule"]]
    values = defaultdict(lambda: defaultdict(set))
    for record in records:
        for key, value in record["params"].items():
            if key not in ("C", "mu"):
                values[record["solver"]][key].add(str(value))
    varied = {solver: {key for key in keys if len(keys[key]) > 1} for solver, keys in values.items()}
    for record in records:
        varied.setdefault(record["solver"], set())
    sizes = {item["name"]: item["train"] for item in atlas["datasets"]}
    names = [item["name"] for item in atlas["datasets"]]
    tuned = {item["name"]: item["tuned_width"] for item in atlas["datasets"]}
    cells = 0
    for family in atlas["families"]:
        mine = [r for r in records if (r["solver"] in SQUARE) == (family["key"] == "square")]
        runs = {}
        for r in mine:
            runs[label(r, varied), r["dataset"], r["params"]["C"], round(r["kernel"]["width"] / tuned[r["dataset"]], 9),
                 r["split"], r["stop"]["tolerance"]] = r
        solvers, targets = family["solvers"], family["targets"]
        if sorted({key[0] for key in runs}) != sorted(solvers):
            differ(f"solvers {solvers}")
        problems = sorted({key[1:5] for key in runs})
        if len(problems) != family["problems"]:
            differ(f"{len(problems)} problems, not {family['problems']}")

        def penalised(cost, solver, problem, target):
            record = runs[(solver,) + problem + (target,)]
            if record["outcome"] == "converged":
                return max(spent(record, cost), 0.5)
            return atlas["penalty"] * max(spent(runs[(s,) + problem + (target,)], cost) for s in solvers)

        means = {}
        for cell in family["cells"]:
            cells += 1
            where = (names[cell["dataset"]], family["C"][cell["c"]], family["factors"][cell["factor"]])
            of_cell = [problem for problem in problems if problem[:3] == where]
            if len(of_cell) != cell["splits"]:
                differ(f"{where}: {len(of_cell)} splits")
            for i, solver in enumerate(solvers):
                for j, target in enumerate(targets):
                    at = i * len(targets) + j
                    n = sum(runs[(solver,) + p + (target,)]["outcome"] == "converged" for p in of_cell)
                    if n != cell["reached"][at]:
                        differ(f"{where} {solver} {target}: {n} reached, not {cell['reached'][at]}")
                    for cost in COSTS:
                        mean = sum(math.log(penalised(cost, solver, p, target)) for p in of_cell) / len(of_cell)
                        means[cost, solver, target, where] = mean
                        if not close(math.exp(mean), cell["costs"][cost][at]):
                            differ(f"{where} {solver} {target} {cost}: {math.exp(mean)}, not {cell['costs'][cost][at]}")
        for shares in family["shares"]:
            if shares["cost"] not in COSTS:
                continue
            chosen = targets if shares["target"] is None else [targets[shares["target"]]]
            if shares["pairs"] != len(problems) * len(chosen):
                differ(f"pairs {shares['pairs']}")
            for i, solver in enumerate(solvers):
                budgets = []
                for p in problems:
                    unit = (sizes[p[0]] if all(sizes.values()) else 1) ** (1 if shares["cost"] == "iterations" else 2)
                    for target in chosen:
                        r = runs[(solver,) + p + (target,)]
                        budgets.append(spent(r, shares["cost"]) / unit if r["outcome"] == "converged" else math.inf)
                n = len(shares["budgets"])
                for k, budget in enumerate(shares["budgets"]):
                    share, low, high = (shares[key][i * n + k] for key in ("share", "low", "high"))
                    # the budget has four digits: the share lies between those of its neighbours
                    least = sum(b <= budget * (1 - 6e-4) for b in budgets) / len(budgets)
                    most = sum(b <= budget * (1 + 6e-4) for b in budgets) / len(budgets)
                    if not least - 1e-4 <= share <= most + 1e-4:
                        differ(f"share of {solver} {shares['cost']} at {budget}: {share} is not in [{least}, {most}]")
                    if low is not None and not low <= share + 1e-4 <= high + 2e-4:
                        differ(f"share of {solver} {shares['cost']} at {budget}: {share}, band [{low}, {high}]")
        for chart in family["maps"]:
            if chart["cost"] not in COSTS:
                continue
            target = targets[chart["target"]]
            for item in chart["cells"]:
                c, factor, _, best = item["cell"][:4]
                sets = [d for d in names if (chart["cost"], solvers[0], target, (d, family["C"][c],
                                                                              family["factors"][factor])) in means]
                if chart["dataset"] is not None:
                    sets = [names[chart["dataset"]]]
                if best is None:
                    continue
                score = [sum(means[chart["cost"], s, target, (d, family["C"][c], family["factors"][factor])]
                             for d in sets) / len(sets) for s in solvers]
                if score[best] > min(score) + 1e-9:
                    differ(f"best of {chart['cost']} {target} {sets} {c} {factor}: {solvers[best]}")
                if best not in item["candidates"]:
                    differ("the best is no candidate")
                if not close(math.exp(score[best]), item["cell"][5]):
                    differ(f"cost of the best: {math.exp(score[best])}, not {item['cell'][5]}")
        Findings(atlas, family, runs, problems, penalised, sizes, means).check()
        Drawn(os.path.dirname(path), family).check()
    if cells == 0:
        differ("no cells")
    print("\n".join(differences[:20]))
    sys.exit(bool(differences))


main()
