"""Compares readings of 2-SMO's stopping rule with Tables 5.2.1 and 5.2.2 of Lopez (2008) (docs/deviations.md).

Usage: python3 scripts/dual_change.py FILE, what build/dual-change has printed

For each reading it prints chi^2 at both tolerances, the sum over ten data sets of (ours - printed)^2 / (s_o^2/n_o +
s_p^2/n_p), which is 10 on average for the right reading; the number of the 20 cells that a normal test at 99 % rejects;
and ours / printed for each set. Then it chooses the reading with the least chi^2 on five of the sets and prints chi^2
on the other five, for all 252 ways to choose five: among all readings, and among the shares of the missing ridge.
"""
import csv
import itertools
import json
import os
import statistics
import sys

TABLES = {0.001: "lopez2008.table5.2.1", 1e-5: "lopez2008.table5.2.2"}


def read_printed():
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "papers", "lopez2008.json")
    with open(path, encoding="utf-8") as file:
        paper = json.load(file)
    return {table["name"]: {name: row["2-smo.iterations"] for name, row in table["rows"].items()}
            for table in paper["tables"] if table["name"] in TABLES.values()}


def read_iterations(path):
    """{reading: {tolerance: {data set: iterations of the splits}}}"""
    found = {}
    with open(path, encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            for tolerance, text in zip(TABLES, ("1e-3", "1e-5")):
                found.setdefault(row["reading"], {}).setdefault(tolerance, {}).setdefault(row["dataset"], []).append(
                    int(row[text]))
    return found


def terms(iterations, cells):
    """The ratio and the term of chi^2 of each data set."""
    result = {}
    for name, values in iterations.items():
        mean, variance = statistics.fmean(values), statistics.variance(values)
        printed = cells[name]["sd"] ** 2 / (20 if name in ("image", "splice") else 100)
        square = (mean - cells[name]["mean"]) ** 2 / (variance / len(values) + printed)
        result[name] = (mean / cells[name]["mean"], square)
    return result


def judge_halves(title, readings, sets):
    outside, chosen = {name: [] for name in readings}, {}
    for half in itertools.combinations(sets, 5):
        total = {name: [sum(of[t][s][1] for t in TABLES for s in sets if (s in half) == inside)
                        for inside in (True, False)] for name, of in readings.items()}
        best = min(total, key=lambda name, sums=total: sums[name][0])
        chosen[best] = chosen.get(best, 0) + 1
        outside[best].append(total[best][1])
    every = sorted(value for values in outside.values() for value in values)
    print("\n%s, chosen on five sets: chi^2 of the ten cells of the other five, 10 expected: median %.1f, least %.1f"
          % (title, statistics.median(every), every[0]))
    for name in sorted(chosen, key=chosen.get, reverse=True):
        print("%-46s chosen %3d times, median %.1f" % (name, chosen[name], statistics.median(outside[name])))


def main():
    if len(sys.argv) != 2:
        sys.exit("Usage: python3 scripts/dual_change.py FILE")
    printed = read_printed()
    readings = {name: {t: terms(of[t], printed[TABLES[t]]) for t in TABLES}
                for name, of in read_iterations(sys.argv[1]).items()}
    for name, of in readings.items():
        sums = [sum(square for _, square in of[t].values()) for t in TABLES]
        off = sum(square > 2.576 ** 2 for t in TABLES for _, square in of[t].values())
        ratios = ["; ".join("%s %.3f" % (s, of[t][s][0]) for s in of[t]) for t in TABLES]
        print("%-46s chi2 %7.1f %7.1f, %2d cells off\n    %s\n    %s" % (name, *sums, off, *ratios))
    sets = sorted(next(iter(readings.values()))[0.001])
    judge_halves("all readings", readings, sets)
    judge_halves("shares of the missing ridge", {name: of for name, of in readings.items()
                                                 if name == "as implemented" or name.startswith("squares")}, sets)


main()
