#!/usr/bin/env python3
"""Estimates how busy many threads would be, from the times of finished runs (docs/performance.md).

Usage: tests/bench/threads_model.py [--threads 2,16,64] FOLDER...

A folder is that of a finished run: run.json, records.jsonl, timings.jsonl. Units are divided and ordered as plan_chunks
(harness/run/plan.c) does for that number of threads, by the estimate that it uses, and taken by the first thread that
is free. A chunk takes the measured seconds of its jobs, and a share in proportion of what the run spent besides. Each
chunk computes its own kernel matrices. Of records that differ in the tolerance alone the longest time counts, since one
run mostly serves them all. Threads that help with long rows, the reading of data and the start of a run are left out.

"one by one": every run begins when the last one has ended. "overlapping": it begins when no chunk of the last one is
left and the one before that has ended, as in run_all.sh. busy: work / (threads x seconds), where the work includes the
additional kernel matrices. bound: the least that any division of the units takes one by one, since jobs are not
divided: the sum over the runs of the longest job or, if that is more, of the work without additional matrices divided
by the threads.
"""
import argparse
import heapq
import json
import math
import os
import sys

CHUNKS_PER_THREAD = 8  # harness/run/plan.h


def lines_of(path):
    with open(path, encoding="utf-8") as stream:
        for line in stream:
            yield json.loads(line)


class Unit:
    """The jobs of a data set and split, in the order of the plan: (seconds, kernel) each."""

    def __init__(self, n_train):
        self.n_train = n_train
        self.jobs = []
        self.matrix = 0.0  # seconds of one kernel matrix

    def cost(self):
        return self.n_train**2 * len(self.jobs)

    def seconds(self, first, end):
        part = self.jobs[first:end]
        return sum(s for s, _ in part) + self.matrix * len({kernel for _, kernel in part})


def read_run(folder):
    with open(os.path.join(folder, "run.json"), encoding="utf-8") as stream:
        info = json.load(stream)
    n_train = {data["dataset"]: data["train"] for data in info["data"]}
    units, longest = {}, {}
    rows = zip(lines_of(os.path.join(folder, "records.jsonl")), lines_of(os.path.join(folder, "timings.jsonl")))
    for record, timing in rows:
        key = record["dataset"], record["split"]
        unit = units.setdefault(key, Unit(n_train[record["dataset"]]))
        kernel = json.dumps(record["kernel"])
        run = key, kernel, record["solver"], json.dumps(record["params"]), record["stop"]["rule"]
        unit.jobs.append([0.0, kernel])
        if run not in longest or timing["seconds"] > longest[run][0]:
            longest[run] = timing["seconds"], unit.jobs[-1]
    for seconds, job in longest.values():
        job[0] = seconds
    units = list(units.values())
    time = info["time"]
    kernels = sum(unit.n_train**2 * len({kernel for _, kernel in unit.jobs}) for unit in units)
    for unit in units:
        unit.matrix = time["kernels"] * unit.n_train**2 / kernels
    solving = sum(seconds for unit in units for seconds, _ in unit.jobs)
    work = sum(time[stage] for stage in time if stage not in ("processor", "busy", "kernels"))
    for unit in units:
        for job in unit.jobs:
            job[0] *= work / solving if solving > 0 else 1
    return units


def chunks_of(units, threads):
    """Seconds of each chunk, in the order in which threads take them."""
    longest = sum(unit.cost() for unit in units) / (CHUNKS_PER_THREAD * threads)
    chunks = []
    for number, unit in enumerate(units):
        count = len(unit.jobs)
        parts = min(max(math.ceil(unit.cost() / longest), 1), count) if threads > 1 else 1
        for part in range(parts):
            first, end = count * part // parts, count * (part + 1) // parts
            chunks.append((-unit.cost() * (end - first) / count, number, first, unit.seconds(first, end)))
    return [chunk[3] for chunk in sorted(chunks)]


def take(free, chunks, earliest=0.0):
    """Gives each chunk to the thread that is free first; `free` is a heap of times. Returns the end of the last."""
    end = 0.0
    for seconds in chunks:
        chunk_end = max(free[0], earliest) + seconds
        heapq.heapreplace(free, chunk_end)
        end = max(end, chunk_end)
    return end


def table(folders, counts_of_threads):
    """The head and the rows of the table: texts."""
    runs, rows = [read_run(folder) for folder in folders], []
    for threads in counts_of_threads:
        overlapping, ends = [0.0] * threads, [0.0, 0.0]
        one_by_one, work, count, bound = 0.0, 0.0, 0, 0.0
        for units in runs:
            chunks = chunks_of(units, threads)
            one_by_one += take([0.0] * threads, chunks)
            ends.append(take(overlapping, chunks, ends[-2]))
            work += sum(chunks)
            count += len(chunks)
            longest = max(unit.seconds(j, j + 1) for unit in units for j in range(len(unit.jobs)))
            bound += max(longest, sum(chunks_of(units, 1)) / threads)
        end = max(ends)
        shares = [100 * work / (threads * seconds) for seconds in (one_by_one, end)]
        rows.append([str(threads), str(count), f"{work:.0f}", f"{one_by_one:.1f} s", f"{shares[0]:.0f} %",
                     f"{end:.1f} s", f"{shares[1]:.0f} %", f"{bound:.1f} s"])
    return ["threads", "chunks", "work, s", "one by one", "busy", "overlapping", "busy", "bound"], rows


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--threads", default="2,16,64")
    parser.add_argument("folders", nargs="+")
    arguments = parser.parse_args()
    head, rows = table(arguments.folders, [int(word) for word in arguments.threads.split(",")])
    for cells in [head, ["--:"] * len(head)] + rows:
        print("| " + " | ".join(cells) + " |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
