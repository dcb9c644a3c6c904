#!/usr/bin/env python3
"""Usage: records.py HULLBENCH [RECORDS]

Prints the processor time, gnuplot's included, that verbs take for a run of RECORDS records (default: 100000) and for a
quarter of it, and the ratio: 4 if the time grows with the number of records. The runs have many splits, many values of
a parameter, many data sets, many solvers or many traces. tests/cli/test_growth.sh counts work instead of seconds."""
import json
import os
import subprocess
import sys
import tempfile

VERBS = (["export"], ["tables"], ["plot", "--no-render"], ["plot"], ["report"])


def config(shape, records):
    count = records // {"sets": 20, "splits": 4, "parameters": 10, "solvers": 106, "traces": 4}[shape]
    names = [f"g{i}" for i in range(count if shape == "sets" else 1)]
    splits = {"sets": 5, "parameters": 5, "solvers": 2 * count}.get(shape, count)
    traced = {"trace": {"datasets": names, "splits": f"1-{splits}"}} if shape == "traces" else {}
    return {**traced, "name": shape, "standardise": "none", "kernel": {"type": "rbf", "width": 2},
            "datasets": [{"name": name, "n_train": 40, "n_test": 2, "generate": {"shape": "gaussians"}}
                         for name in names],
            "splits": f"1-{splits}",
            "parameters": {"mu": {"log": {"from": 0.26, "to": 1, "count": count if shape == "parameters" else 2}}},
            "solvers": ["mu-gsk", "clip-mdm", *(["*"] if shape == "solvers" else [])],
            "stop": {"rule": "rch-gap", "tolerance": 0.3}, "budget": {"iterations": 60}}


def seconds(command):
    before = os.times()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    after = os.times()
    return after.children_user + after.children_system - before.children_user - before.children_system


def main():
    program, records = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 100000
    for shape in ("splits", "parameters", "sets", "solvers", "traces"):
        for verb in VERBS:
            times = []
            for n in (records // 4, records):
                with tempfile.TemporaryDirectory() as folder:
                    path = os.path.join(folder, "config.json")
                    with open(path, "w", encoding="utf-8") as file:
                        json.dump(config(shape, n), file)
                    run = os.path.join(folder, "run")
                    subprocess.run([program, "run", path, "--out", run, "--quiet"], check=True)
                    times.append(seconds([program, *verb, run]))
            print(f"{shape:<10} {' '.join(verb):<16} {times[0]:6.2f} s {times[1]:6.2f} s, "
                  f"ratio {times[1] / times[0]:.1f}")


if __name__ == "__main__":
    main()
