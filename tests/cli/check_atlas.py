#!/usr/bin/env python3
"""Recomputes what atlas.json and the tables next to it say of a run folder from its records, all but the intervals:
reached targets, geometric means, shares within budgets, the best solver of each cell, stability of ranks, agreement of
costs, kernel values beyond the solution, ratios of variants, rates and exponents. Compares pages and figures next to
atlas.json with them. Usage: check_atlas.py FOLDER ATLAS.JSON. Prints what differs."""
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


def t_tail(t, df):
    """P(T >= t), t > 0, of Student's distribution: half the integral of x^(df/2 - 1) (1 - x)^(-1/2) from 0 to
    df / (df + t^2) over the whole one, by the series of its power of 1 - x."""
    x, term, total, k = df / (df + t * t), 1.0, 0.0, 0
    while term > 1e-17 * total or k == 0:
        total += term / (df / 2 + k)
        k += 1
        term *= x * (k - 0.5) / k
    whole = math.gamma(df / 2) * math.sqrt(math.pi) / math.gamma((df + 1) / 2)
    return x ** (df / 2) * total / whole / 2


def t_interval(of_sets, level):
    """The ends of the interval for the mean of all values, whose unit are the sets: lists of values."""
    n, total, count = len(of_sets), sum(map(sum, of_sets)), sum(map(len, of_sets))
    if n < 2:
        return None, None
    mean = total / count
    error = math.sqrt(n / (n - 1) * sum((sum(x) - mean * len(x)) ** 2 for x in of_sets)) / count
    low, high = 1e-3, 1e12
    while high / low > 1 + 1e-9:
        middle = math.sqrt(low * high)
        low, high = (middle, high) if t_tail(middle, n - 1) > (1 - level) / 2 else (low, middle)
    return mean - low * error, mean + low * error


def finite(x):
    """Infinite numbers are empty cells."""
    return x if x is None or math.isfinite(x) else None


def exp_within(x):
    """exp of a logarithm that may be too large for a number."""
    return None if x is None else math.exp(x) if x < 700 else math.inf


def ceil_quartile(values, q):
    return sorted(values)[-(-q * len(values) // 4) - 1]


def read_rows(folder, name, **where):
    """The rows of a CSV table with these cells; numbers are numbers, empty cells None."""
    def value(cell):
        try:
            return float(cell) if cell else None
        except ValueError:
            return cell
    if not os.path.exists(os.path.join(folder, name)):
        return []  # a table without rows
    with open(os.path.join(folder, name), encoding="utf-8", newline="") as file:
        rows = [{key: value(cell) for key, cell in row.items()} for row in csv.DictReader(file)]
    return [row for row in rows if all(row[key] == cell for key, cell in where.items())]


class Findings:
    """The tables that compare solvers, targets and costs of one family. Each has the rows that it must have."""

    def __init__(self, folder, atlas, family, runs, problems, penalised, sizes):
        self.folder, self.atlas, self.family, self.runs, self.problems = folder, atlas, family, runs, problems
        self.penalised, self.sizes = penalised, sizes
        self.solvers, self.targets = family["solvers"], family["targets"]
        self.sets = [d["name"] for d in atlas["datasets"] if any(p[0] == d["name"] for p in problems)]
        self.costs = [item["key"] for item in atlas["costs"] if item["key"] in COSTS]

    def rows(self, name, **where):
        return read_rows(self.folder, name, family=self.family["key"], **where)

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
        self.check_variance()
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
        for cost in self.costs:
            rows = self.rows("atlas-stability.csv", cost=cost)
            if [row["target"] for row in rows] != self.targets:
                differ(f"atlas-stability.csv: targets of {cost}")
            for row in rows:
                reference, target = row["reference"], row["target"]
                tau = tau_b(self.ranking(cost, reference), self.ranking(cost, target))[0]
                self.expect(f"tau {cost} {target}", tau, row["tau"])
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
                self.expect(f"same winner {cost} {target}", average(same), row["same_winner"])
                self.expect(f"loss {cost} {target}", geometric(loss), row["loss"])
                self.expect(f"problems {cost} {target}", len(same), row["problems"])

    def check_near_best(self):
        for cost in self.costs:
            rows = {(row["solver"], row["target"]): row for row in self.rows("atlas-near-best.csv", cost=cost)}
            if set(rows) != {(s, t) for s in self.solvers for t in self.targets + ["all"]}:
                differ(f"atlas-near-best.csv: the rows of {cost} are {sorted(map(str, rows))}")
                return
            first_without = defaultdict(int)
            means = {}
            for (solver, of), row in rows.items():
                logs, near, best, missed, sums = [], [], [], [], defaultdict(list)
                for target in self.targets if of == "all" else [of]:
                    for p in self.problems:
                        least = min(self.cost(cost, s, p, target) for s in self.solvers)
                        if math.isinf(least):
                            continue
                        mine = self.cost(cost, solver, p, target)
                        logs.append(math.log(self.penalised(cost, solver, p, target) / max(least, 0.5)))
                        sums[p[0]].append(logs[-1])
                        missed.append(math.isinf(mine))
                        near.append(mine <= 1.3 * least)
                        best.append(mine == least)
                self.expect(f"near best: problems {cost} {of}", len(logs), row["problems"])
                self.expect(f"near best: ratio {cost} {of} {solver}", geometric(logs), row["ratio"])
                self.expect(f"near best: near {cost} {of} {solver}", average(near), row["near"])
                self.expect(f"near best: best {cost} {of} {solver}", average(best), row["best"])
                ends = (t_interval(list(sums.values()), 0.95) +
                        t_interval(list(sums.values()), 1 - 0.05 / len(self.solvers)))
                for key, end in zip(("ratio_low", "ratio_high", "together_low", "together_high"), ends):
                    self.expect(f"near best: {key} {cost} {of} {solver}", finite(exp_within(end)), row[key])
                for factor in (1, 2):
                    less = math.log(10 / factor) * (average(missed) or 0)
                    self.expect(f"near best: PAR-{factor} {cost} {of} {solver}",
                                math.exp(average(logs) - less) if logs else None, row[f"par_{factor}"])
                for out in sums:
                    rest = [x for d in sums for x in sums[d] if d != out]
                    if rest:
                        means.setdefault((of, out), []).append((float(f"{average(rest):.12g}"), solver))
            for (of, out), found in means.items():
                leaders = [s for mean, s in found if mean == min(found)[0]]
                first_without[(leaders[0], of)] += len(leaders) == 1
                if len(leaders) > 1:  # rounding decides which of them it is
                    first_without = None
                    break
            for key, row in rows.items() if first_without is not None else []:
                self.expect(f"near best: first without {cost} {key}", first_without[key], row["first_without"])

    def check_agreement(self):
        rows = [row for row in self.rows("atlas-agreement.csv") if row["cost"] in COSTS and row["other"] in COSTS]
        if len(rows) != len(self.costs) * (len(self.costs) - 1) / 2:
            differ(f"atlas-agreement.csv: {len(rows)} rows")
        for row in rows:
            alike = against = n_pairs = equal = 0
            taus, spreads = [], []
            for p in self.problems:
                for t in self.targets:
                    both = [(self.cost(row["cost"], s, p, t), self.cost(row["other"], s, p, t)) for s in self.solvers]
                    both = [pair for pair in both if math.isfinite(pair[0])]
                    if len(both) < 2:
                        continue
                    tau, one, other = tau_b(*zip(*both))
                    alike, against = alike + one, against + other
                    of_problem = len(both) * (len(both) - 1) // 2
                    n_pairs, equal = n_pairs + of_problem, equal + of_problem - one - other
                    taus += [tau] if tau is not None else []
                    if min(min(pair) for pair in both) > 0:
                        ratios = [math.log(y / x) for x, y in both]
                        spreads.append(max(ratios) - min(ratios))
            name = f"{row['cost']} and {row['other']}"
            self.expect(f"concordance of {name}", alike / (alike + against), row["concordant"])
            self.expect(f"tau of {name}", average(taus), row["tau"])
            self.expect(f"spread of {name}", geometric(spreads), row["spread"])
            if (row["pairs"], row["equal"]) != (n_pairs, equal):
                differ(f"pairs of {name}: {row['pairs']} with {row['equal']} equal, not {n_pairs} with {equal}")

    def check_waste(self):
        """Has no rows without runs that reach the target."""
        rows = {(row["solver"], row["target"]): row for row in self.rows("atlas-waste.csv")}
        if bool(rows) != all(self.sizes.values()):
            differ("the share beyond the solution needs the sizes, and only these")
        if not rows:
            return
        for key in ((s, t) for s in self.solvers for t in self.targets):
            shares, others, reuse = [], [], []
            for p in self.problems:
                record = self.run(key[0], p, key[1])
                evaluations, operations = (spent(record, c) for c in ("kernel-evaluations", "all-operations"))
                if record["outcome"] != "converged" or not evaluations:
                    continue
                needed = record["support_vectors"] * self.sizes[p[0]]
                shares.append(max(0, 1 - needed / evaluations))
                others.append(max(0, 1 - needed / operations))
                reuse.append(math.log(operations / evaluations))
            row = rows.get(key, {"runs": 0})
            self.expect(f"waste runs {key}", len(shares), row["runs"])
            if shares:
                self.expect(f"waste of evaluations {key}", average(shares), row["evaluations"])
                self.expect(f"waste of operations {key}", average(others), row["operations"])
                self.expect(f"reuse {key}", geometric(reuse), row["reuse"])

    def check_ratios(self):
        for row in self.rows("atlas-ratios.csv"):
            cost, second, first, target = row["cost"], row["solver"], row["against"], row["target"]
            if cost not in COSTS:
                continue
            both = [p for p in self.problems if math.isfinite(self.cost(cost, first, p, target)) and
                    math.isfinite(self.cost(cost, second, p, target))]
            logs = [average([math.log(self.penalised(cost, second, p, target) / self.penalised(cost, first, p, target))
                             for p in both if p[0] == d]) for d in self.sets if any(p[0] == d for p in both)]
            self.expect(f"both {first} {second} {target}", len(both), row["both"])
            if both:
                self.expect(f"ratio {cost} {first} {second} {target}", geometric(logs), row["ratio"])

    def check_variance(self):
        """The mean squares of data sets and splits, from the means of the logarithms of ratios."""
        for row in self.rows("atlas-variance.csv"):
            if row["cost"] not in COSTS or row["component"] not in ("data set", "split"):
                continue
            of = defaultdict(lambda: defaultdict(list))
            for p in self.problems:
                ratio = (self.penalised(row["cost"], row["solver"], p, row["target"]) /
                         self.penalised(row["cost"], row["against"], p, row["target"]))
                of[p[0]][p[3]].append(math.log(ratio))
            splits = {d: [average(of[d][s]) for s in of[d]] for d in of}
            sets = [average(splits[d]) for d in of]
            per_split, per_set = len(self.problems) / sum(map(len, splits.values())), len(self.problems) / len(sets)
            found = (per_set * sum((x - average(sets)) ** 2 for x in sets) / (len(sets) - 1)
                     if row["component"] == "data set" else
                     per_split * sum((x - average(splits[d])) ** 2 for d in splits for x in splits[d]) /
                     sum(len(splits[d]) - 1 for d in splits))
            self.expect(f"mean square of {row['component']} of {row['solver']} {row['target']}", found,
                        row["mean_square"])

    def check_rates(self):
        """Has no rows without runs that reach the first target."""
        rows = {(row["dataset"], row["solver"], row["from"]): row for row in self.rows("atlas-rates.csv")}
        expected = 0
        for dataset in ["all"] + self.sets if all(self.sizes.values()) else []:
            of = [p for p in self.problems if dataset in ("all", p[0])]
            for solver in self.solvers:
                for loose, tight in zip(self.targets, self.targets[1:]):
                    values = []
                    for p in of:
                        before, after = (self.cost("iterations", solver, p, t) for t in (loose, tight))
                        if math.isfinite(before):
                            values.append((after - before) / math.log10(loose / tight) / self.sizes[p[0]])
                    if not values:
                        continue
                    row = rows.get((dataset, solver, loose), defaultdict(float))
                    expected += 1
                    self.expect(f"rates of {solver} {loose}", len(values), row["runs"])
                    for q, key in enumerate(("quartile_1", "median", "quartile_3"), 1):
                        number = ceil_quartile(values, q)
                        self.expect(f"rate of {solver} {loose}", number if math.isfinite(number) else None, row[key])
        if expected != len(rows):
            differ(f"atlas-rates.csv: {len(rows)} rows, not {expected}")

    def check_growth(self):
        if not os.path.exists(os.path.join(self.folder, "atlas-growth.csv")):
            return
        fits = self.rows("atlas-growth.csv")
        place = ("cost", "target", "member", "first_dataset", "C", "width_factor", "solver")
        curves = defaultdict(list)
        for row in self.rows("atlas-growth-points.csv"):
            if row["cost"] in COSTS:
                curves[tuple(row[key] for key in place)].append(row)
        if not curves:
            differ("atlas-growth-points.csv: no rows")
        for key, points in curves.items():
            cost, target, member, _, c, factor, solver = key
            x, y = [], []
            for row in points:
                before = len(y)
                for p in self.problems:
                    if p[1:3] == (c, factor) and self.is_of_sweep(p[0], member, row["value"]):
                        record = self.run(solver, p, target)
                        x.append(math.log(row["value"]) if row["value"] > 0 else 0)
                        y.append(math.log(max(spent(record, cost), 0.5)))
                self.check_growth_point(f"growth at {row['value']}", y[before:], row)
            u, v = average(x), average(y)
            square = sum((a - u) ** 2 for a in x)
            for fit in fits:
                if tuple(fit[name] for name in place) != key:
                    continue
                exponent = sum((a - u) * (b - v) for a, b in zip(x, y)) / square
                if abs(exponent - fit["exponent"]) > 1e-3 + 1e-3 * abs(exponent):
                    differ(f"exponent of {fit}: {exponent}")

    def is_of_sweep(self, dataset, member, value):
        """Whether the generated data set has this value, and the first one's values of all other numbers."""
        with open(os.path.join(self.atlas["run"], "config.json"), encoding="utf-8") as file:
            datasets = json.load(file)["datasets"]
        sets = {item["name"]: dict(item["generate"], n_train=item["n_train"]) for item in datasets}
        base, mine = next(iter(sets.values())), sets[dataset]
        return all(mine.get(key, 0) == (value if key == member else base.get(key, 0))
                   for key in set(base) | set(mine) | {member})

    def check_growth_point(self, what, logs, point):
        """The runs, and the geometric mean with its t interval."""
        n = len(logs)
        self.expect(what + ": runs", n, point["runs"])
        self.expect(what + ": mean", geometric(logs), point["mean"])
        if n == 3:
            t = 0.95 / math.sqrt(2 * 0.975 * 0.025)  # the quantile of 0.975 with two degrees of freedom
            reach = t * math.sqrt(sum((x - average(logs)) ** 2 for x in logs) / (n - 1) / n)
            self.expect(what + ": low", math.exp(average(logs) - reach), point["low"])
            self.expect(what + ": high", math.exp(average(logs) + reach), point["high"])


class Drawn:
    """Pages and figures of one family against its tables and its part of atlas.json."""

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
        self.check_near_page()
        for cost in {chart["cost"] for chart in self.family["maps"]}:
            self.check_map(cost)

    def check_near_page(self):
        """Shows all solvers at some of the targets."""
        name, solvers = "atlas-near-best.md", set()
        for line in self.read(name).splitlines():
            cells = [re.sub(r"\\(.)", r"\1", cell.strip()) for cell in line.strip("|\n ").split("|")]
            if not line.startswith("|") or cells[0] != self.family["key"]:
                continue
            solvers.add(cells[3])
            found = read_rows(self.folder, "atlas-near-best.csv", family=cells[0], cost=cells[1],
                              target=float(cells[2]), solver=cells[3])[0]
            for cell, (key, scale, digits) in zip(cells[4:], (("ratio", 1, 3), ("par_1", 1, 3), ("par_2", 1, 3),
                                                              ("near", 100, 2), ("best", 100, 2))):
                number, shown = found[key], cell.split()[0]
                if number is None or shown == "–":
                    if number is not None or shown != "–":
                        differ(f"{name}: {line}: {shown}, not {number}")
                elif abs(float(shown) - scale * number) > 0.51 * 10 ** (1 - digits) * max(1, scale * number):
                    differ(f"{name}: {line}: {shown}, not {number}")
        if solvers != set(self.family["solvers"]):
            differ(f"{name}: the solvers are {solvers}")

    def check_map(self, cost):
        """The number of the best solver in a cell is that of its name in the legend, 0 if none reaches the target."""
        name = f"plots/atlas-map-{self.family['key']}-{cost}"
        names = re.search(r"^array series\[\d+\] = \[(.*)\]$", self.read(name + ".gp"), re.M)
        names = re.findall(r'"([^"]*)"', names.group(1)) if names else []
        shown = set()
        for block in filter(None, self.read(name + ".dat").split("\n\n\n")):
            lines = block.strip().splitlines()
            rows = read_rows(self.folder, "atlas-maps.csv", family=self.family["key"], cost=cost, dataset="all",
                             target=float(lines[0].split()[-1]))
            best = {(self.family["factors"].index(row["width_factor"]) + 1, self.family["C"].index(row["C"]) + 1):
                    row["best"] for row in rows}
            drawn = {}
            for x, y, winner in (map(int, line.split()[:3]) for line in lines[2:]):
                drawn[x, y] = names[winner - 1] if 0 < winner <= len(names) else winner or None
            if drawn != best:
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

        means, logs = {}, {}
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
                        of_splits = [penalised(cost, solver, p, target) for p in of_cell]
                        logs[cost, solver, target, where] = average([math.log(x) for x in of_splits])
                        mean = math.log(average(of_splits))
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
        maps = {(chart["cost"], chart["target"], chart["dataset"]): (chart["candidates"], chart["best"])
                for chart in family["maps"]}
        for row in read_rows(os.path.dirname(path), "atlas-maps.csv", family=family["key"]):
            if row["cost"] not in COSTS:
                continue
            cell, best, may_be_best = (row["C"], row["width_factor"]), row["best"], row["may_be_best"]
            sets = [d for d in names if row["dataset"] in ("all", d) and
                    (row["cost"], solvers[0], row["target"], (d,) + cell) in means]
            chart, chosen = maps[row["cost"], targets.index(row["target"]),
                                 None if row["dataset"] == "all" else names.index(row["dataset"])]
            at = family["C"].index(cell[0]) * len(family["factors"]) + family["factors"].index(cell[1])
            if chart[at] != row["candidates"] or len((may_be_best or "").split("; ")) != max(1, row["candidates"]):
                differ(f"candidates of {row}")
            if best is None:
                continue
            of_set = means if row["dataset"] == "all" else logs
            costs = {s: [of_set[row["cost"], s, row["target"], (d,) + cell] for d in sets] for s in solvers}
            score = {s: average(costs[s]) for s in solvers}
            if row["dataset"] == "all":  # sets won less sets lost, against the rival where that is least
                record = {s: min([sum(sign(y - x) if abs(x - y) > 1e-12 * max(abs(x), abs(y)) else 0
                                      for x, y in zip(costs[s], costs[r])) for r in solvers if costs[r] != costs[s]]
                                 or [len(sets)]) for s in solvers}
                if record[best] < max(record.values()):
                    differ(f"best of {row}: {best}")
            elif score[best] > min(score.values()) + 1e-9:
                differ(f"best of {row}: {best}")
            if solvers.index(best) != chosen[at]:
                differ(f"best of {row} in atlas.json: {chosen[at]}")
            if best not in may_be_best.split("; "):
                differ("the best is no candidate")
            if row["dataset"] == "all":
                second = row["second"]
                logs_of = [[x - y] for x, y in zip(costs[second], costs[best])]
                reached = sum(r["candidates"] > 0 for r in read_rows(os.path.dirname(path), "atlas-maps.csv",
                              family=family["key"], cost=row["cost"], target=row["target"], dataset="all"))
                n_pairs = len(solvers) * (len(solvers) - 1) / 2
                ends = t_interval(logs_of, 0.95) + t_interval(logs_of, 1 - 0.05 / (n_pairs * reached))
                for key, end in zip(("low", "high", "map_low", "map_high"), ends):
                    if not close(finite(exp_within(end)), row[key]):
                        differ(f"{key} of {row}: {exp_within(end)}")
            if not close(math.exp(score[best]), row["cost_of_best"]):
                differ(f"cost of the best: {math.exp(score[best])}, not {row['cost_of_best']}")
        Findings(os.path.dirname(path), dict(atlas, run=folder), family, runs, problems, penalised, sizes).check()
        Drawn(os.path.dirname(path), family).check()
    if cells == 0:
        differ("no cells")
    print("\n".join(differences[:20]))
    sys.exit(bool(differences))


main()
