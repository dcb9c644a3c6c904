#!/usr/bin/env python3
"""Recomputes what atlas.json says of a run folder from its records: reached targets, geometric means, shares within
budgets and the best solver of each cell. Usage: check_atlas.py FOLDER ATLAS.JSON. Prints what differs."""
import json
import math
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
                    unit = sizes[p[0]] ** (1 if shares["cost"] == "iterations" else 2)
                    for target in chosen:
                        r = runs[(solver,) + p + (target,)]
                        budgets.append(spent(r, shares["cost"]) / unit if r["outcome"] == "converged" else math.inf)
                n = len(shares["budgets"])
                for k, budget in enumerate(shares["budgets"]):
                    share, low, high = (shares[key][i * n + k] for key in ("share", "low", "high"))
                    # the budget has four digits: the share is between those of its neighbours
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
    if cells == 0:
        differ("no cells")
    print("\n".join(differences[:20]))
    sys.exit(bool(differences))


main()
