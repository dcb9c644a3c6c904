#!/usr/bin/env python3
"""Compares what hullbench export wrote with the files of the folders, text by text.

Usage: check_export.py RECORDS.csv TRACES.csv|- FOLDER...

Every value of every record, time and trace must stand in its column with the digits of the file, every other field must
be empty, and rows must stand in the order of the files. Prints what differs; status 1 if anything does.
"""
import csv
import json
import os
import re
import sys

NAMES = {("kernel", "type"): "kernel", ("stop", "rule"): "stop", ("stop", "tolerance"): "tolerance"}
found = []


def read_csv(path):
    with open(path, encoding="utf-8", newline="") as stream:
        text = stream.read()
    if not text.endswith("\r\n") or text.replace("\r\n", "").count("\r"):
        found.append(f"{path}: lines do not end with CR LF")
    rows = [[re.sub("^'('*[=+@-])", r"\1", field) for field in row]
            for row in csv.reader(text.splitlines(keepends=True), strict=True)]
    for row in rows:
        if len(row) != len(rows[0]):
            found.append(f"{path}: a row of {len(row)} fields under {len(rows[0])} names")
    if len(set(rows[0])) != len(rows[0]):
        found.append(f"{path}: a name stands twice in the header")
    return [dict(zip(rows[0], row)) for row in rows[1:]]


def read_lines(path):
    if not os.path.exists(path):
        return []
    with open(path, encoding="utf-8") as stream:
        return [json.loads(line, parse_int=str, parse_float=str) for line in stream]


def text(value):
    return {True: "true", False: "false", None: ""}[value] if value is None or isinstance(value, bool) else value


def flatten(line, left_out):
    cells = {}
    for key, value in line.items():
        if isinstance(value, dict):
            for inner, item in value.items():
                name = inner if key == "params" else NAMES.get((key, inner), f"{key}_{inner}")
                cells[name] = text(item)
        elif not isinstance(value, list) and key != left_out:
            cells[key] = text(value)
    return cells


def read_traces(folder, records):
    """The trace file of each record, and the rows of each."""
    traces = {}
    path = os.path.join(folder, "traces")
    for name in sorted(os.listdir(path)) if os.path.isdir(path) else []:
        with open(os.path.join(path, name), encoding="utf-8") as stream:
            lines = stream.read().splitlines()
        comments = dict(line[2:].split(" ", 1) for line in lines if line.startswith("#"))
        rows = [line.split("\t") for line in lines if not line.startswith("#")]
        for index, record in enumerate(records):
            if (record["dataset"], record["split"], record["solver"]) == (
                    comments["dataset"], comments["split"], comments["solver"]) and all(
                    json.loads(comments[key], parse_int=str, parse_float=str) == record[key]
                    for key in ("params", "kernel", "stop")):
                traces[index] = ("traces/" + name, [dict(zip(rows[0], row)) for row in rows[1:]])
    return traces


def put_problems(rows, lines):
    """The number of each problem, in the order in which they occur, and the name of the series: the solver with its
    other parameters that take several values."""
    def settings(line):
        return {name: line["params"][name] for name in line["params"] if name not in ("mu", "C")}

    numbers = {}
    for row, line in zip(rows, lines):
        key = json.dumps([line[name] for name in ("dataset", "split", "kernel", "stop")] +
                         [line["params"].get(name) for name in ("mu", "C")], sort_keys=True)
        row["problem"] = str(numbers.setdefault(key, len(numbers)))
        own = [settings(other) for other in lines if other["solver"] == line["solver"]]
        shown = [f"{name} = {text(value)}" for name, value in settings(line).items()
                 if len({other[name] for other in own if name in other}) > 1]
        row["series"] = ", ".join([line["solver"], *shown])


def expected(folders):
    rows, points, lines = [], [], []
    for folder in folders:
        records = read_lines(os.path.join(folder, "records.jsonl"))
        times = read_lines(os.path.join(folder, "timings.jsonl"))
        run = os.path.join(folder, "run.json")
        sizes = {}
        if os.path.exists(run):
            with open(run, encoding="utf-8") as stream:
                sizes = {entry["dataset"]: entry for entry in json.load(stream)["data"]}
        lines += records
        traces = read_traces(folder, records)
        for index, record in enumerate(records):
            place = {"folder": folder, "record": str(index)} if len(folders) > 1 else {"record": str(index)}
            size = sizes.get(record["dataset"], {})
            name, trace = traces.get(index, ("", []))
            time = flatten(times[index], "index") if times else {}
            failed = time.pop("failed", "")
            reason = record.get("reason") or failed
            row = {**place, **flatten(record, "schema"), **time, "reason": reason,
                   "n_train": str(size.get("train", "")), "n_test": str(size.get("test", "")), "trace": name}
            rows.append(row)
            points += [{**place, **{key: "" if value == "nan" else value for key, value in point.items()}}
                       for point in trace]
    put_problems(rows, lines)
    return rows, points


def compare(path, rows, wanted):
    if len(rows) != len(wanted):
        found.append(f"{path}: {len(rows)} rows, not {len(wanted)}")
    for number, (row, want) in enumerate(zip(rows, wanted), start=2):
        for name in sorted(set(row) | set(want)):
            if row.get(name, "") != want.get(name, "") or (name not in row and name in want):
                found.append(f"{path}: row {number}, {name}: \"{row.get(name)}\", not \"{want.get(name)}\"")


def main():
    records, traces, *folders = sys.argv[1:]
    rows, points = expected(folders)
    compare(records, read_csv(records), rows)
    if traces != "-":
        compare(traces, read_csv(traces), points)
    for line in found[:20]:
        print(line)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
