"""Numbers of docs/deviations.md that neither conform nor tables prints.

Usage: python3 scripts/deviations.py RESULTS, the folder that ./run_all.sh wrote

1. Official splits are as random as drawn ones: the numbers of training patterns of the rarer class (1 / mu_floor) vary
   over the official splits of a data set as over the drawn ones. chi^2 = sum (c - mean c)^2 / variance over drawn
   splits, with the mean over the official ones.
2. Rank-sum tests (normal approximation with ties) of errors, iterations and support vectors of each solver and setting,
   official against drawn splits, where five official splits or more are known.
3. Printed deviations of each data set: how many of ours are larger, and the geometric mean of ours / printed.
4. Kernel operations that accelerated MDM saves, by length of the history, Table 2 of Barbero et al. (2008):
   with ten times ten folds from RESULTS/sensitivity (make sensitivity); german and banana on ten folds.
5. twonorm: splits whose mu is below the printed minimum of Table 1 of Lopez, Barbero and Dorronsoro (2011).
6. Repetitions of cross-validation, Table 2 of Barbero et al. (2008): the deviation of the ten means, times the root of
   ten, over that of all folds, which is 1 if folds are independent; and the largest difference of the mean errors.
7. Each cell and claim that papers/*.deviations.json lists, and each claim about a ratio, from RESULTS/conform.json:
   mean, deviation and number of splits printed, ours and of one draw; the difference of the means in standard errors
   and in per cent; and what each data set says on the claim.
"""
import glob
import json
import math
import os
import re
import statistics
import sys

LEAST_OFFICIAL = 5
FIELDS = ("error_percent", "iterations", "support_vectors")
PREFIXES = ("lopez2011-", "lopez2008-")


def read_records(results):
    """{(data set, solver, parameters, kernel, stop): {(split, source): record}} of the runs for Lopez' papers"""
    found = {}
    for path in sorted(glob.glob(os.path.join(results, "*", "records.jsonl"))):
        name = os.path.basename(os.path.dirname(path))
        if not name.startswith(PREFIXES) or "minkowski" in name or "section5" in name and "section52" not in name:
            continue
        with open(path, encoding="utf-8") as file:
            for line in file:
                record = json.loads(line)
                settings = [json.dumps(record[m]) for m in ("params", "kernel", "stop")]
                key = [record["dataset"], record["solver"]] + settings
                found.setdefault(tuple(key), {})[record["split"], record["split_source"]] = record
    return found


def read_costs(folder):
    """{(data set, history or None): {split: kernel operations}} at tolerance 0.001"""
    costs = {}
    path = os.path.join(folder, "records.jsonl")
    for line in open(path, encoding="utf-8") if os.path.exists(path) else []:
        record = json.loads(line)
        if record["stop"]["tolerance"] == 0.001 and record["solver"] in ("unary-mdm", "accelerated-mdm"):
            key = record["dataset"], record["params"].get("history")
            costs.setdefault(key, {})[record["split"]] = record["kernel_operations"]["iterations"]
    return costs


def print_savings(results):
    costs = read_costs(os.path.join(results, "barbero2008-history"))
    costs.update(read_costs(os.path.join(results, "barbero2008-table2-folds")))
    for folder in glob.glob(os.path.join(results, "sensitivity", "barbero2008-table2*")):
        if "features" not in folder:
            costs.update(read_costs(folder))
    printed = {"breast-cancer": 36.27, "heart": 65.94, "german": 88.82, "diabetis": 26.51, "thyroid": 47.64,
               "banana": 2.05}
    for history in (10, 25, 35, 40, 45, 50, 60, 100):
        savings = {}
        for dataset in printed:
            with_history, without = costs.get((dataset, history), {}), costs.get((dataset, None), {})
            shared = set(with_history) & set(without)
            if shared:
                savings[dataset] = 100 * (1 - sum(with_history[k] for k in shared) / sum(without[k] for k in shared))
        if len(savings) == len(printed):
            rms = math.sqrt(statistics.fmean((savings[d] - printed[d]) ** 2 for d in printed))
            print("history %d saves %s; rms difference %.1f" % (
                history, ", ".join("%s %.1f" % item for item in savings.items()), rms))


def print_repetitions(results):
    """Kernel operations and errors at tolerance 0.001; ten folds make a repetition."""
    values = {}
    for name in ("barbero2008-table2", "barbero2008-table2-folds"):
        path = os.path.join(results, name, "records.jsonl")
        for line in open(path, encoding="utf-8") if os.path.exists(path) else []:
            record = json.loads(line)
            if record["stop"]["tolerance"] == 0.001:
                found = values.setdefault((record["dataset"], record["solver"]), {})
                found[record["split"]] = record["kernel_operations"]["iterations"], record["error_percent"]
    errors = {}
    for (dataset, solver), of_splits in sorted(values.items()):
        costs = [of_splits[split][0] for split in sorted(of_splits)]
        means = [statistics.fmean(costs[k:k + 10]) for k in range(0, len(costs), 10)]
        errors.setdefault(dataset, []).append(statistics.fmean(error for _, error in of_splits.values()))
        if len(means) > 1 and statistics.stdev(costs) > 0:
            print("folds of %s, %s: the means of %d repetitions vary %.1f times as much as of independent folds" % (
                dataset, solver, len(means), statistics.stdev(means) * math.sqrt(10) / statistics.stdev(costs)))
    if errors:
        print("folds: mean errors of the two solvers at most %.3f apart" % max(
            max(of) - min(of) for of in errors.values()))


def two_sides(of_splits, value):
    official = [value(r) for (_, source), r in of_splits.items() if source == "official"]
    drawn = [value(r) for (_, source), r in of_splits.items() if source == "resampled"]
    return official, drawn


def rank_sum(first, second):
    values, n, m = sorted(first + second), len(first), len(second)
    rank, ties, i = {}, 0, 0
    while i < len(values):
        j = i
        while j < len(values) and values[j] == values[i]:
            j += 1
        rank[values[i]] = (i + 1 + j) / 2
        ties += (j - i) ** 3 - (j - i)
        i = j
    variance = n * m / 12 * (n + m + 1 - ties / ((n + m) * (n + m - 1)))
    if variance <= 0:
        return 1
    z = (abs(sum(rank[v] for v in first) - n * (n + m + 1) / 2) - 0.5) / math.sqrt(variance)
    return min(1, 2 * (1 - statistics.NormalDist().cdf(z)))


def described(value):
    deviation = " ± %.6g" % value["sd"] if value.get("sd") is not None else ""
    return "%.10g%s (n %d)" % (value["mean"], deviation, value["n"])


def standard_errors(ours, paper):
    """The difference of the means, if both have a deviation."""
    if not paper.get("sd") or not ours.get("sd"):
        return ""
    return "; %.1f standard errors" % (
        (ours["mean"] - paper["mean"]) / math.sqrt(ours["sd"] ** 2 / ours["n"] + paper["sd"] ** 2 / paper["n"]))


def print_cell(row):
    ours, paper = row["ours"], row["paper"]
    line = "%s: printed %s, ours %s" % (row["id"], described(paper), described(ours))
    line += standard_errors(ours, paper)
    if ours.get("one_draw"):
        line += "; one draw %s%s" % (described(ours["one_draw"]), standard_errors(ours["one_draw"], paper))
    if paper["mean"] and row["ours"]["mean"]:
        line += "; ours %+.1f %%" % (100 * ours["mean"] / paper["mean"] - 100)
    if row["sd_ratio"]:
        line += "; printed / our deviation %.2f" % (1 / row["sd_ratio"])
    print(line)


def print_listed(conform):
    listed = set()
    papers = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "papers")
    for path in glob.glob(os.path.join(papers, "*.deviations.json")):
        with open(path, encoding="utf-8") as file:
            for entry in json.load(file)["deviations"]:
                listed.update(name[:-3] if name.endswith("/sd") else name for name in entry["explains"])
    for row in conform["rows"]:
        if row["id"] in listed and row["ours"]["n"]:
            print_cell(row)
    listed.update(claim["id"] for claim in conform["claims"] if claim["kind"] == "ratio_between")
    for entry in conform["explanations"]:
        if entry["detail"]:
            print("%s: %s, %s" % (entry["id"], entry["state"], entry["detail"]))
    for case in conform["cases"]:
        if case["claim"] in listed or "minkowski" in case["claim"]:
            two = re.match(r"([\d.e+-]+) (?:against|/) ([\d.e+-]+)", case["detail"])
            ratio = "; left / right %.3f, right / left %.3f" % (
                float(two[1]) / float(two[2]), float(two[2]) / float(two[1])) if two else ""
            print("%s, %s, by %s: %s, %s%s" % (case["claim"], case["dataset"],
                                               "us" if case["by"] == "ours" else "the paper", case["answer"],
                                               case["detail"], ratio))


def main():
    if len(sys.argv) != 2:
        sys.exit("Usage: python3 scripts/deviations.py RESULTS")
    records = read_records(sys.argv[1])
    largest = {}
    for key, of_splits in records.items():
        if len(of_splits) > len(largest.get(key[0], {})):
            largest[key[0]] = of_splits
    square = degrees = 0
    for dataset, of_splits in sorted(largest.items()):
        official, drawn = two_sides(of_splits, lambda r: round(1 / r["mu_floor"]))
        if len(official) < LEAST_OFFICIAL or len(drawn) < 2:
            continue
        mean = statistics.fmean(official)
        square += sum((c - mean) ** 2 for c in official) / statistics.variance(drawn)
        degrees += len(official) - 1
        print("%s: %d official, %d drawn splits" % (dataset, len(official), len(drawn)))
    print("rarer class: chi^2 = %.1f on %d degrees of freedom" % (square, degrees))
    tests = []
    for key, of_splits in records.items():
        for field in FIELDS:
            official, drawn = two_sides(of_splits, lambda r, f=field: r[f])
            if len(official) >= LEAST_OFFICIAL and len(drawn) > len(official):
                tests.append((rank_sum(official, drawn), key, field))
    tests.sort(key=lambda test: test[0])
    print("rank-sum tests: %d of %d have p < 0.05, %d have p < 0.01" % (
        sum(p < 0.05 for p, _, _ in tests), len(tests), sum(p < 0.01 for p, _, _ in tests)))
    for p, key, field in tests[:3]:
        print("    p = %.4f: %s of %s on %s, %s" % (p, field, key[1], key[0], key[4]))
    with open(os.path.join(sys.argv[1], "conform.json"), encoding="utf-8") as file:
        conform = json.load(file)
    ratios = {}
    for row in conform["rows"]:
        if row["sd_ratio"] and not row["same_as"]:
            ratios.setdefault(row["dataset"], []).append(row["sd_ratio"])
    for dataset, values in sorted(ratios.items()):
        print("%s: %d of %d deviations are larger than printed, %.3f times as large on average" % (
            dataset, sum(v > 1 for v in values), len(values), math.exp(statistics.fmean(map(math.log, values)))))
    print_savings(sys.argv[1])
    mus = {at: record["rch_mu"] for key, of_splits in records.items() if key[0] == "twonorm" and key[1] == "1-smo"
           for at, record in of_splits.items()}
    below = sum(mu < 0.04155 for mu in mus.values())
    if mus:
        print("twonorm: %d of %d splits have a mu below 0.04155; none of 100 has one with probability %.4f" % (
            below, len(mus), math.comb(len(mus) - below, 100) / math.comb(len(mus), 100)))
        print("twonorm: the least mu of the first 100 splits is %.4f" % min(
            mu for (split, _), mu in mus.items() if split <= 100))
    for (split, source), mu in sorted(mus.items()):
        if source == "official":
            print("twonorm: mu of the official split %d is %.4f" % (split, mu))
    print_repetitions(sys.argv[1])
    print_listed(conform)


main()
