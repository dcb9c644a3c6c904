#!/usr/bin/env python3
"""Whether hullbench has become slower: check.py BENCH STORED.json REPORT.json [--update]

Runs the section `check` of the bench and compares how many times faster than LIBSVM the solvers are with the stored
ratios of the same vector width. A ratio that is more than 20 % lower in two runs is a loss: status 1. The peers are
LIBSVM with vectorised rows and LIBSVM of the system. --update stores the ratios of this run instead.
"""
import json
import subprocess
import sys

LOSS = 0.8
PEERS = ("LIBSVM, vectorised rows", "LIBSVM")


def ratios(report):
    """{"problem, solver, peer": median} of a report."""
    return {f'{problem["problem"]}, {run["solver"]}, {ratio["against"]}': ratio["median"]
            for problem in report["check"] for run in problem["runs"] for ratio in run.get("times_faster", [])
            if ratio["against"] in PEERS}


def losses(stored, now):
    return {name for name, ratio in now.items() if name in stored and ratio < LOSS * stored[name]}


def measure(bench, path):
    subprocess.run([bench, path, "check"], check=True)
    with open(path) as file:
        report = json.load(file)
    return report["vector_width"], ratios(report)


def main(bench, stored_path, report_path, *options):
    width, now = measure(bench, report_path)
    with open(stored_path) as file:
        all_stored = json.load(file)
    if options == ("--update",):
        all_stored[width] = {name: round(ratio, 3) for name, ratio in now.items()}
        with open(stored_path, "w") as file:
            file.write(json.dumps(all_stored, indent=1, sort_keys=True) + "\n")
        print(f"{stored_path}: {len(now)} ratios of {width} stored")
        return 0
    stored = all_stored.get(width, {})
    shared = [name for name in now if name in stored]
    if not shared:
        print(f"{stored_path} has no ratios of {width} against these peers; --update stores those of this run")
        return 2
    lost = losses(stored, now)
    if lost:
        print("\nagain, since", "; ".join(sorted(lost)), "fell")
        lost &= losses(stored, measure(bench, report_path)[1])
    print(f"\n{'times faster':58} {'stored':>7} {'now':>7}")
    for name in shared:
        print(f"{name:58} {stored[name]:7.2f} {now[name]:7.2f}{'  a loss of more than 20 %' if name in lost else ''}")
    return 1 if lost else 0


if __name__ == "__main__":
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
