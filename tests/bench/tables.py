#!/usr/bin/env python3
"""Writes the tables of docs/performance.md from what was measured, so that no figure is typed by hand.

tables.py PAGE RESULTS [NAME...]: between `<!-- table NAME -->` and `<!-- end -->` in PAGE stands what table_NAME below
makes of RESULTS/bench.json, bench-large.json, bench-peers.json, bench-linear.json, bench-reading.json or the run
folders in RESULTS, and the commit that was measured. With names, only these tables are made.
A table whose report is not there stays as it is, and is named. The commit of run folders is $HULLBENCH_COMMIT, if
their program is the one that $HULLBENCH names.
"""
import hashlib
import json
import math
import os
import re
import sys

import threads_model

FORMS = ["LIBSVM", "LIBSVM, -O3 -march=native", "LIBSVM, vectorised rows"]
FIXED = "packed-smo"


class Missing(Exception):
    """What a table is made of is not there."""


commits = set()  # of the reports that the present table is made of


def section(results, report, key):
    try:
        with open(os.path.join(results, report + ".json"), encoding="utf-8") as stream:
            found = json.load(stream)
            commits.add(found["commit"])
            return found[key]
    except (OSError, KeyError) as error:
        raise Missing(f"{report}.json has no section {key}") from error


def markdown(head, rows, left=1):
    """A table; the first `left` columns to the left, the others to the right."""
    rule = ["---" if k < left else "--:" for k in range(len(head))]
    return "\n".join("| " + " | ".join(cells) + " |" for cells in [head, rule] + rows)


def digits(value, count=3):
    if value == 0 or not math.isfinite(value):
        return "0" if value == 0 else "–"
    places = max(0, count - 1 - math.floor(math.log10(abs(value))))
    return f"{value:.{places}f}"


def seconds(value):
    if value < 1e-3:
        return digits(value * 1e6) + " µs"
    return digits(value * 1e3) + " ms" if value < 1 else digits(value) + " s"


def spread(ratio):
    """The median; the extremes only if one of them is more than a tenth away from it."""
    median, least, most = (ratio[key] for key in ("median", "least", "most"))
    return f"{median:.2f}" + (f" ({least:.2f}–{most:.2f})" if least < 0.9 * median or most > 1.1 * median else "")


def runs_of(race):
    return {run["solver"]: run for run in race["runs"]}


def ratio_to(run, peer, runs):
    """The cell: how many times as fast `run` is as the peer; marked where one of the two missed the accuracy."""
    for entry in run.get("times_faster", []):
        if entry["against"] == peer:
            return spread(entry) + ("" if run["reached"] and runs[peer]["reached"] else " !")
    return "–"


def peer_names(races):
    names = []
    for race in races:
        names += [run["solver"] for run in race["runs"] if "times_faster" not in run and run["solver"] not in names]
    return names


def table_sets(results):
    races = section(results, "bench", "sets")
    peers = peer_names(races)
    rows = []
    for race in races:
        runs = runs_of(race)
        rows.append([race["problem"], str(race["n"]), f"{race['C']:g}", seconds(runs[FIXED]["seconds"])]
                    + [ratio_to(runs[FIXED], peer, runs) for peer in peers])
    fixed = {entry["against"]: entry for entry in section(results, "bench", "sets_fixed_solver")
             if entry["solver"] == FIXED}
    means = [fixed.get(peer, {}) for peer in peers]
    rows.append(["geometric mean", "", "", ""] + [digits(mean.get("geometric_mean", math.nan)) for mean in means])
    rows.append(["least", "", "", ""] + [f"{digits(mean['least'])}, {mean['least_on']}" if "least" in mean else "–"
                                         for mean in means])
    return markdown(["data set", "N", "C", FIXED] + peers, rows)


def table_solvers(results):
    fixed = section(results, "bench", "sets_fixed_solver")
    best = section(results, "bench", "sets_best_chosen_afterwards")
    peers = list(dict.fromkeys(entry["against"] for entry in fixed))
    rows = []
    for solver in dict.fromkeys(entry["solver"] for entry in fixed + best):
        cells = {entry["against"]: entry for entry in fixed + best if entry["solver"] == solver}
        rows.append(["best of these on each set, chosen afterwards" if solver == "best of each set" else solver]
                    + [f"{digits(cells[peer]['geometric_mean'])}, {digits(cells[peer]['least'])} on "
                       f"{cells[peer]['least_on']}" if "least" in cells.get(peer, {}) else "–" for peer in peers])
    return markdown(["the same solver on all sets"] + peers, rows)


def against_forms(races, costs):
    """One row for each solver of a race, the first of its runs if it has several caches."""
    peers = peer_names(races)
    head = ["problem", "C", "solver", "seconds"] + (["operations / (nSV N)"] if costs else []) + peers
    rows = []
    for race in races:
        runs = runs_of(race)
        seen = set()
        for name, run in runs.items():
            solver = name.split(",")[0]
            if ("times_faster" not in run and peers) or solver in seen:
                continue
            seen.add(solver)
            cells = [race["problem"], f"{race['C']:g}", name, seconds(run["seconds"])]
            cells += [digits(run["kernel_operations"] / run["support_vectors"] / race["n"])] if costs else []
            rows.append(cells + [ratio_to(run, peer, runs) for peer in peers])
    return markdown(head, rows)


def table_large(results):
    return against_forms(section(results, "bench", "large"), False)


def table_huge(results):
    return against_forms(section(results, "bench-large", "huge"), True)


def table_sparse(results):
    races = []
    for report, key in (("bench", "sparse"), ("bench-large", "sparse_large")):
        try:
            races += section(results, report, key)
        except Missing:
            pass
    if not races:
        raise Missing("bench.json and bench-large.json have no sparse section")
    peers = peer_names(races)
    rows = []
    for race in races:
        runs = runs_of(race)
        for name, run in runs.items():
            if "times_faster" in run:
                rows.append([race["problem"], race["kernel"], digits(race["nonzeros"] / race["n"]), name,
                             seconds(run["seconds"])]
                            + [seconds(runs[peer]["seconds"]) + ", " + ratio_to(run, peer, runs) if peer in runs
                               else "–" for peer in peers])
    return markdown(["patterns", "kernel", "non-zeros a row", "solver", "seconds"] + peers, rows, 2)


def table_sparse_processes(results):
    rows = []
    for report, key in (("bench", "sparse"), ("bench-large", "sparse_large")):
        try:
            races = section(results, report, key)
        except Missing:
            continue
        for race in races:
            ours, theirs = ({entry["program"]: entry for entry in race.get("processes", [])}.get(name)
                            for name in ("hullbench solve", "svm-train"))
            if not ours:
                continue
            allowed = 16 * race["nonzeros"] / 2**20 + race["megabytes"]
            rows.append([race["problem"], race["kernel"], seconds(ours["seconds"]),
                         seconds(theirs["seconds"]) if theirs else "–",
                         spread(race["process_times_faster"]) if theirs else "–",
                         f"{ours['peak_megabytes']:.0f}", f"{theirs['peak_megabytes']:.0f}" if theirs else "–",
                         f"{allowed:.0f}"])
    if not rows:
        raise Missing("bench.json and bench-large.json have no sparse section")
    return markdown(["patterns", "kernel", "hullbench solve", "svm-train", "times as fast", "hullbench solve, MiB",
                     "svm-train, MiB", "16 bytes a non-zero and the cache, MiB"], rows, 2)


def table_process(results):
    rows = []
    for item in section(results, "bench-large", "process"):
        training, process = item["training_seconds"], item["process_seconds"]
        rows.append([item["problem"], seconds(training[0]), seconds(training[1]),
                     spread(item["training_two_threads"]), "yes" if item["same_bytes"] else "NO",
                     seconds(process[0]), seconds(process[1]), spread(item["process_to_training_one_thread"]),
                     spread(item["process_to_training_two_threads"])])
    return markdown(["problem", "training, 1 thread", "2 threads", "times faster", "same bytes", "process, 1 thread",
                     "2 threads", "process by training, 1 thread", "2 threads"], rows)


def table_iteration(results):
    rows = []
    for item in section(results, "bench", "iteration"):
        rows.append([item["solver"], f"{item['problem']}, {item['n']}", seconds(item["seconds"])])
        if "ratio" in item:
            rows[-1] += [seconds(item["floor"]), digits(item["floor_bytes"] / item["floor"] * 1e-9) + " GB/s",
                         f"{item['ratio']:.2f} ({item['ratio_least']:.2f}–{item['ratio_most']:.2f})"]
        else:
            rows[-1] += ["–"] * 3
    return markdown(["solver", "problem, N", "one iteration", "floor", "at", "times the floor"], rows, 2)


def table_exact(results):
    """Where one of them misses the accuracy: each peer, and the worst of hullbench's solvers, which the head names."""
    races = section(results, "bench", "exact")
    solvers = [name for name in runs_of(races[0]) if not name.startswith("LIBSVM")]
    peers = [name for name in runs_of(races[0]) if name not in solvers]
    rows = []
    for race in races:
        runs = runs_of(race)
        worst = max((runs[name] for name in solvers), key=lambda run: run["kkt_violation"])
        rows.append([race["problem"]] + [f"{run['kkt_violation']:.1e}" + ("" if run["reached"] else " !")
                                         for run in [runs[name] for name in peers] + [worst]])
    rows = [row for row in rows if any("!" in cell for cell in row)] or rows
    return markdown(["data set"] + peers + ["largest of " + ", ".join(solvers)], rows)


def table_peers(results):
    races = section(results, "bench-peers", "peers")
    try:
        races = races + section(results, "bench-peers", "peers_huge")
    except Missing:
        pass
    problems = list(dict.fromkeys((race["problem"], race["n"]) for race in races))
    rows = []
    for solver in peer_names(races) + [FIXED]:
        cells = []
        for problem, _ in problems:
            found = [runs_of(race) for race in races
                     if race["problem"] == problem and solver in runs_of(race)]
            if not found:
                cells.append("–")
                continue
            run, entries = found[0][solver], found[0][FIXED].get("times_faster", [])
            ratio = "".join(f", {digits(entry['median'])}" for entry in entries if entry["against"] == solver)
            cells.append(seconds(run["seconds"]) + ratio + ("" if run["reached"] else " !"))
        rows.append([solver] + cells)
    return markdown(["solver"] + [problem if str(n) in problem else f"{problem} {n}" for problem, n in problems], rows)


def table_linear(results):
    rows = []
    for race in section(results, "bench-linear", "linear"):
        runs = runs_of(race)
        if "packed-smo" not in runs:
            raise Missing("bench-linear.json has no run of packed-smo")
        rows.append([race["problem"], f"{race['C']:g}"])
        for solver in ("hullbench solve", "packed-smo"):
            run = runs[solver]
            rows[-1] += [seconds(run["seconds"]), f"{run['gap']:.1e}"]
        rows[-1].insert(4, runs["hullbench solve"]["chosen"])
        rows[-1] += [seconds(runs["LIBLINEAR"]["seconds"]), f"{max(0, runs['LIBLINEAR']['excess']):.1e}"]
    head = ["rows x features", "C", "hullbench solve", "its relative gap", "its solver", "packed-smo",
            "its relative gap", "LIBLINEAR", "excess of its primal"]
    return markdown(head, rows) + load_of(results, "bench-linear")


def load_of(results, report):
    return f"\n\nThe load average at the start was {section(results, report, 'load'):.1f}."


def table_reading(results):
    rows = [[f"{item['megabytes']} MB, {item['file']}", digits(item["seconds"]),
             f"{item['megabytes'] / item['seconds']:.0f}"] for item in section(results, "bench-reading", "reading")]
    return markdown(["text", "seconds", "MB of text a second"], rows) + load_of(results, "bench-reading")


def table_conditions(results):
    rows = []
    for report in ("bench", "bench-large", "bench-peers"):
        try:
            with open(os.path.join(results, report + ".json"), encoding="utf-8") as stream:
                found = json.load(stream)
        except OSError:
            rows.append([report, "not measured", "", ""])
            continue
        commits.add(found["commit"])
        rows.append([report, found["build"], found["vector_width"], digits(found["load_average_at_start"], 2)])
    if all(row[1] == "not measured" for row in rows):
        raise Missing("no report")
    return markdown(["report", "build of hullbench", "vectors", "load average at the start"], rows, 3)


def table_versions(results):
    versions = section(results, "bench-peers", "peer_versions")
    missing = section(results, "bench-peers", "peers_not_installed")
    text = "Measured: " + ", ".join(f"{name} {version}".strip() for name, version in versions.items()) + "."
    if missing:
        text += " Not installed: " + ", ".join(f"{name} (needs {needs})" for name, needs in missing.items()) + "."
    return text


def run_folders(results, is_wanted):
    """{name: its run.json} of the folders that one program, the one that $HULLBENCH names, has written."""
    found = {}
    for folder in sorted(os.listdir(results) if os.path.isdir(results) else []):
        path = os.path.join(results, folder, "run.json")
        if is_wanted(folder) and os.path.exists(path):
            with open(path, encoding="utf-8") as stream:
                found[folder] = json.load(stream)
    if not found:
        raise Missing("no run folder")
    with open(os.environ.get("HULLBENCH", os.devnull), "rb") as program:
        measured = hashlib.sha256(program.read()).hexdigest()
    if any(run["program_sha256"] != measured for run in found.values()):
        raise Missing("$HULLBENCH is not the program of the run folders")
    commits.add(os.environ["HULLBENCH_COMMIT"])
    return found


def table_threads(results):
    found = run_folders(results, lambda name: os.path.exists(os.path.join(results, name, "timings.jsonl")))
    head, rows = threads_model.table([os.path.join(results, name) for name in found], [2, 16, 64])
    return markdown(head, rows, 0) + f"\n\nThe model of {len(found)} runs."


def table_papers(results):
    described = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "papers")
    papers = sorted(name[:-5] for name in os.listdir(described)
                    if name.endswith(".json") and not name.endswith(".deviations.json"))
    found = [(name.split("-")[0], run)
             for name, run in run_folders(results, lambda name: name.split("-")[0] in papers).items()]
    rows = []
    for paper in papers + ["all"]:
        runs = [run for name, run in found if paper in (name, "all")]
        if not runs:
            continue
        given = sum(run["seconds"] * run["machine"]["threads"] for run in runs)
        rows.append([paper, str(len(runs)), digits(sum(run["seconds"] for run in runs)),
                     f"{100 * sum(run['time']['processor'] for run in runs) / given:.0f}",
                     f"{max(run['machine']['peak_megabytes'] for run in runs):.0f}"])
    return markdown(["paper", "configurations", "seconds", "busy, %", "most memory, MiB"], rows)


def fill(page, results, tables, wanted):
    """The page with the wanted tables made anew, and what could not be made."""
    missing = []

    def replace(match):
        commits.clear()
        if match[2] in set(tables) - wanted:
            return match[0]
        try:
            text = tables[match[2]](results)
            return f"{match[1]}\n{text}\n\nMeasured on {', '.join(sorted(commits))}.\n{match[4]}"
        except KeyError as error:
            if match[2] in tables:
                raise
            raise SystemExit(f"tables.py: no table is called {match[2]}") from error
        except Missing as error:
            missing.append(f"{match[2]}: {error}")
            return match[0]

    filled = re.sub(r"(<!-- table (\w+) -->)\n(.*?)(<!-- end -->)", replace, page, flags=re.S)
    return filled, missing


def main():
    if len(sys.argv) < 3:
        raise SystemExit(__doc__)
    tables = {name[len("table_"):]: value for name, value in globals().items() if name.startswith("table_")}
    wanted = set(sys.argv[3:] or tables)
    if not wanted <= set(tables):
        raise SystemExit(f"tables.py: no table is called {', '.join(sorted(wanted - set(tables)))}")
    with open(sys.argv[1], encoding="utf-8") as stream:
        page = stream.read()
    filled, missing = fill(page, sys.argv[2], tables, wanted)
    with open(sys.argv[1], "w", encoding="utf-8") as stream:
        stream.write(filled)
    for line in missing:
        print(f"{sys.argv[1]}: left as it was, {line}", file=sys.stderr)


if __name__ == "__main__":
    main()
