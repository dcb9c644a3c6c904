"""Run folders of hullbench as pandas data frames.

    import hullbench
    frame = hullbench.read("results/my-run")       # a row a record, the columns of `hullbench export`
    points = hullbench.traces("results/my-run")    # a row a point of a trace
    steps = hullbench.profile(frame)               # performance profile of kernel operations
    hullbench.draw_profile(steps)                  # needs matplotlib

The module reads the files of a run folder (docs/formats.md) or the CSV files that `hullbench export` wrote; it does not
run the program. It needs Python 3.9, numpy and pandas 1.5. docs/export.md describes the columns.
"""
from __future__ import annotations

import hashlib
import json
import os
import re
import warnings
from typing import Any, Dict, Iterator, List, Optional, Tuple

import numpy as np
import pandas as pd

__all__ = ["read", "traces", "ratios", "profile", "draw_profile"]

# ---- columns: the same rules as harness/folders/flat_columns.c ----

_PROBLEM, _PARAMS, _KERNEL, _STOP, _RESULT, _OTHER, _TIMES = range(7)
_GROUPS = {"params": _PARAMS, "kernel": _KERNEL, "stop": _STOP, "kernel_operations": _RESULT}

# A column's origin in the files: record or times, the object in the line ("": the line itself), the member.
_Path = Tuple[str, str, str]
_USUAL: List[_Path] = (
    [("record", "", key) for key in ("config", "dataset", "split", "split_source", "solver")]
    + [("record", "kernel", "type"), ("record", "stop", "rule"), ("record", "stop", "tolerance")]
    + [("record", "", key) for key in ("outcome", "reason", "iterations")]
    + [("record", "kernel_operations", key) for key in ("setup", "iterations", "predict")]
    + [("record", "", key) for key in ("kernel_evaluations", "support_vectors", "error_percent", "objective",
                                       "duality_gap", "kkt_violation", "bias", "feasibility", "mu_effective",
                                       "mu_floor", "rch_mu")]
    + [("times", "", "seconds")])
_SHORT_NAMES = {("kernel", "type"): "kernel", ("stop", "rule"): "stop", ("stop", "tolerance"): "tolerance"}

_TEXT_COLUMNS = {"folder", "config", "dataset", "split_source", "solver", "kernel", "stop", "outcome", "reason",
                 "trace"}
_WHOLE_COLUMNS = {"record", "split", "iterations", "kernel_operations", "kernel_operations_setup",
                  "kernel_operations_iterations", "kernel_operations_predict", "kernel_evaluations", "support_vectors",
                  "n_train", "n_test", "iteration"}
_REAL_COLUMNS = {"tolerance", "error_percent", "objective", "duality_gap", "kkt_violation", "bias", "feasibility",
                 "mu_effective", "mu_floor", "rch_mu", "seconds", "gap", "w1", "w2"}
_TRACE_COLUMNS = ["iteration", "kernel_operations", "objective", "gap", "w1", "w2"]


def _group(path: _Path) -> int:
    source, outer, key = path
    if source == "times":
        return _TIMES
    if path in _USUAL and not outer:
        return _PROBLEM if _USUAL.index(path) < 5 else _RESULT
    return _GROUPS.get(outer, _OTHER)


def _short_name(path: _Path) -> str:
    source, outer, key = path
    if not outer or (source == "record" and outer == "params"):
        return key
    return (_SHORT_NAMES if source == "record" else {}).get((outer, key), f"{outer}_{key}")


def _full_name(path: _Path) -> str:
    source, outer, key = path
    before = "timings." if source == "times" else "" if outer else "record."
    return before + (outer + "." if outer else "") + key


def _column_names(paths: List[_Path]) -> Dict[_Path, str]:
    """The name of each column, in the order of the columns. The usual ones choose first, times last."""
    ordered = sorted(paths, key=_group)
    results = [path for path in ordered if _group(path) not in (_PARAMS, _TIMES)]
    taken = {"folder", "record", "n_train", "n_test", "trace"}
    names: Dict[_Path, str] = {}
    for path in _USUAL + results + ordered:
        if path not in names:
            name = _short_name(path)
            names[path] = _full_name(path) if name in taken else name
            taken.add(names[path])
    return {path: names[path] for path in ordered}


def _text(value: Any) -> str:
    return "" if value is None else str(value).lower() if isinstance(value, bool) else value


def _members(source: str, line: Dict[str, Any]) -> Iterator[Tuple[_Path, str]]:
    """The values of a line as texts; lists and what lies deeper than one object are left out, as is why a record is
    failed, which is its reason."""
    left_out = ("schema",) if source == "record" else ("index", "failed")
    for key, value in line.items():
        if isinstance(value, dict):
            for inner, item in value.items():
                if not isinstance(item, (dict, list)):
                    yield (source, key, inner), _text(item)
        elif not isinstance(value, list) and key not in left_out:
            yield (source, "", key), _text(value)


# ---- files ----

def _read_json(path: str) -> Optional[Dict[str, Any]]:
    if not os.path.exists(path):
        return None
    with open(path, encoding="utf-8") as stream:
        return json.load(stream)


def _read_lines(path: str) -> List[str]:
    with open(path, encoding="utf-8", newline="\n") as stream:
        text = stream.read()
    if text and not text.endswith("\n"):
        raise ValueError(f"{path}: the last line is cut off (no newline)")
    return text.split("\n")[:-1]


def _is_number(text: str) -> bool:
    try:
        return float(text) is not None
    except ValueError:
        return False


def _as_written(path: str, number: int, line: str) -> Dict[str, Any]:
    """An object whose numbers are the texts that the file holds."""
    try:
        value = json.loads(line, parse_int=str, parse_float=str, parse_constant=str)
    except ValueError as error:
        raise ValueError(f"{path}:{number}: {error}") from None
    if not isinstance(value, dict):
        raise ValueError(f"{path}:{number}: not one JSON object")
    return value


class _Folder:
    """The files of a run folder. `records` and `times` are lists of lines, `places` those that repeat none before."""

    def __init__(self, path: str) -> None:
        self.path = path
        if not os.path.isdir(path):
            raise FileNotFoundError(f"{path}: no such folder")
        self.run = _read_json(os.path.join(path, "run.json")) or {}
        self._check()
        self._check_hashes()
        name = os.path.join(path, "records.jsonl")
        self.records = [_as_written(name, n, line) for n, line in enumerate(_read_lines(name), start=1)]
        for n, record in enumerate(self.records, start=1):
            for keys, kind in (("dataset split solver outcome", str), ("params kernel stop", dict)):
                for key in keys.split():
                    if not isinstance(record.get(key), kind):
                        raise ValueError(f"{name}:{n}: {key}: is missing or of another type")
        if self.run.get("records", len(self.records)) != len(self.records):
            raise ValueError(f"{name}: has {len(self.records)} lines, but run.json says {self.run['records']} records: "
                             "the folder is damaged")
        self._read_times()
        self._drop_repeats(name)

    def _check(self) -> None:
        if not self.run and os.path.exists(os.path.join(self.path, "journal.jsonl")):
            raise ValueError(f"{self.path}: is not finished; the command that began it resumes it")
        config = _read_json(os.path.join(self.path, "config.json"))
        if config is None:
            raise ValueError(f"{self.path}: not a run folder (no config.json)")
        if "tune" in config:
            raise ValueError(f"{self.path}: is a tune folder, which holds no records")
        for lacking in self.run.get("partial", []):
            warnings.warn(f"{self.path}: partial result: {lacking}")

    def _check_hashes(self) -> None:
        """Compares records, times and traces with the SHA-256 that run.json lists; folders before 1.0 have no list."""
        for name, listed in self.run.get("files", {}).items():
            if name not in ("records.jsonl", "timings.jsonl") and not name.startswith("traces/"):
                continue
            path = os.path.join(self.path, name)
            if not os.path.exists(path):
                raise ValueError(f"{path}: is missing, and run.json lists it; restore the file or repeat the run")
            if not os.path.isfile(path):
                raise ValueError(f"{path}: is not a regular file")
            with open(path, "rb") as stream:
                found = hashlib.sha256(stream.read()).hexdigest()
            if found != listed.get("sha256"):
                raise ValueError(f"{path}: was changed after it was written; restore the file or repeat the run")

    def _read_times(self) -> None:
        path = os.path.join(self.path, "timings.jsonl")
        self.times: List[Dict[str, Any]] = []
        if not os.path.exists(path):
            return
        self.times = [_as_written(path, n, line) for n, line in enumerate(_read_lines(path), start=1)]
        if len(self.times) != len(self.records):
            raise ValueError(f"{path}: {len(self.times)} times of {len(self.records)} records")
        for n, line in enumerate(self.times):
            if line.get("index") != str(n) or "seconds" not in line:
                raise ValueError(f"{path}:{n + 1}: not the time of record {n} of {len(self.records)}")

    def _drop_repeats(self, name: str) -> None:
        first: Dict[str, int] = {}
        self.places: List[int] = []
        for n, record in enumerate(self.records):
            key = json.dumps([record.get(k) for k in ("dataset", "split", "solver", "params", "kernel", "stop")])
            other = self.records[first.setdefault(key, n)]
            if first[key] == n:
                self.places.append(n)
            elif {**record, "config": ""} != {**other, "config": ""}:
                raise ValueError(f"{name}:{n + 1}: contradicts {name}:{first[key] + 1}")

    def sizes(self, dataset: str) -> Tuple[str, str]:
        """Samples to train and to test, "" where run.json does not say."""
        for entry in self.run.get("data", []):
            if entry.get("dataset") == dataset and entry.get("train"):
                return str(entry["train"]), str(entry.get("test", 0))
        return "", ""

    def traces(self) -> Dict[int, Tuple[str, List[List[str]]]]:
        """The trace of each record that has one: the file, and its rows, the first of which are the names."""
        found: Dict[int, Tuple[str, List[List[str]]]] = {}
        path = os.path.join(self.path, "traces")
        for name in sorted(os.listdir(path), key=os.fsencode) if os.path.isdir(path) else []:
            if not name.endswith(".tsv") or len(name) == 4:
                continue
            file = os.path.join(path, name)
            lines = _read_lines(file)
            record = self._record_of(file, lines)
            if record in found:
                raise ValueError(f"{file}: belongs to the same record as {found[record][0]}")
            rows = [line.split("\t") for line in lines if line and line[0] != "#"]
            if rows and rows[0] not in (_TRACE_COLUMNS[:4], _TRACE_COLUMNS):
                raise ValueError(f"{file}: the header must be {', '.join(_TRACE_COLUMNS[:4])}, perhaps w1, w2")
            for row in rows[1:]:
                if len(row) != len(rows[0]) or not all(map(_is_number, row)):
                    raise ValueError(f"{file}: \"{' '.join(row)}\" is not a row of {len(rows[0])} numbers")
            found[record] = ("traces/" + name, rows)
        return found

    def _record_of(self, name: str, lines: List[str]) -> int:
        said = dict(line[2:].split(" ", 1) for line in lines if line.startswith("# ") and " " in line[2:])
        matching = []
        for place in self.places:
            record = self.records[place]
            if all(said.get(key) == record[key] for key in ("dataset", "split", "solver")) and all(
                    key not in said or _plain(json.loads(said[key])) == _plain(record[key])
                    for key in ("params", "kernel", "stop")):
                matching.append(place)
        if len(matching) != 1:
            raise ValueError(f"{name}: is of {len(matching)} records of the folder, not of one")
        return matching[0]


def _plain(members: Dict[str, Any]) -> Dict[str, Any]:
    """An object with its numbers as float, also those that are texts."""
    def number(value: Any) -> Any:
        try:
            return float(value)
        except (TypeError, ValueError):
            return value
    return {key: number(value) for key, value in members.items()}


def _frame(columns: Dict[str, List[str]]) -> pd.DataFrame:
    """Texts as columns of standard types: text (object, missing: None), int64 or Int64, bool or boolean, float64."""
    return pd.DataFrame({name: _typed(name, texts) for name, texts in columns.items()}, columns=list(columns))


def _typed(name: str, texts: List[str]) -> pd.Series:
    given = [text for text in texts if text != ""]
    missing = len(given) < len(texts)
    if name not in _TEXT_COLUMNS | _REAL_COLUMNS:
        if name in _WHOLE_COLUMNS or (given and all(re.fullmatch(r"-?[0-9]{1,18}", text) for text in given)):
            return pd.Series([int(float(text)) if "e" in text else int(text) if text else pd.NA for text in texts],
                             dtype="Int64" if missing else "int64")
        if given and set(given) <= {"true", "false"}:
            return pd.Series([text == "true" if text else pd.NA for text in texts],
                             dtype="boolean" if missing else "bool")
    if name not in _TEXT_COLUMNS:
        try:
            return pd.Series([float(text) if text else np.nan for text in texts], dtype="float64")
        except ValueError:
            pass
    return pd.Series([text if text else None for text in texts], dtype="object")


def _unguarded(text: str) -> str:
    """The text without the apostrophe that keeps spreadsheets from computing it."""
    return text[1:] if re.match("'+[=+@-]", text) else text


def _from_csv(path: str) -> pd.DataFrame:
    texts = pd.read_csv(path, dtype=str, keep_default_na=False, encoding="utf-8")
    return _frame({_unguarded(name): [_unguarded(text) for text in texts[name]] for name in texts.columns})


def _folders(paths: Tuple[str, ...]) -> List[_Folder]:
    if not paths:
        raise TypeError("expected at least one run folder, or one CSV file")
    for n, path in enumerate(paths):
        if any(os.path.exists(path) and os.path.exists(other) and os.path.samefile(path, other) for other in paths[:n]):
            raise ValueError(f"{path}: occurs twice")
    return [_Folder(path) for path in paths]


def read(*paths: "str | os.PathLike[str]") -> pd.DataFrame:
    """The records of run folders, or of one CSV file of `hullbench export`, one row a record.

    Columns, order of rows and values are those of `hullbench export`; with several folders the first column is
    `folder`. Missing numbers are NaN or pandas.NA, missing texts None. Raises ValueError where a file is damaged, and
    FileNotFoundError where a folder is not there.
    """
    names = tuple(os.fspath(path) for path in paths)
    if len(names) == 1 and os.path.isfile(names[0]):
        return _from_csv(names[0])
    folders = _folders(names)
    found: Dict[_Path, None] = dict.fromkeys(_USUAL)
    for folder in folders:
        for place in folder.places:
            found.update((path, None) for path, _ in _members("record", folder.records[place]))
        for line in folder.times:
            found.update((path, None) for path, _ in _members("times", line))
    columns = _column_names(list(found))
    of_record = [name for path, name in columns.items() if path[0] == "record"]
    of_times = [name for path, name in columns.items() if path[0] == "times"]
    rows = []
    for folder in folders:
        traced = folder.traces()
        for place in folder.places:
            row = {columns[path]: text for path, text in _members("record", folder.records[place])}
            if folder.times:
                row.update((columns[path], text) for path, text in _members("times", folder.times[place]))
                row["reason"] = row.get("reason") or _text(folder.times[place].get("failed"))
            row["n_train"], row["n_test"] = folder.sizes(folder.records[place]["dataset"])
            rows.append({**row, "folder": folder.path, "record": str(place), "trace": traced.get(place, ("",))[0]})
    header = (["folder"] if len(folders) > 1 else []) + ["record", *of_record, "n_train", "n_test", *of_times, "trace"]
    return _frame({name: [row.get(name, "") for row in rows] for name in header})


def traces(*paths: "str | os.PathLike[str]") -> pd.DataFrame:
    """The traces of run folders, or of one CSV file of `hullbench export --traces`, one row a point.

    Columns: `record` (the number in the frame of `read`), `iteration`, `kernel_operations`, `objective`, `gap` and, if
    any trace is of a plane, `w1` and `w2`; with several folders `folder` comes first.
    """
    names = tuple(os.fspath(path) for path in paths)
    if len(names) == 1 and os.path.isfile(names[0]):
        return _from_csv(names[0])
    folders = _folders(names)
    columns: Dict[str, List[str]] = {name: [] for name in ["folder", "record", *_TRACE_COLUMNS]}
    for folder in folders:
        for place, (_, rows) in sorted(folder.traces().items()):
            for row in rows[1:]:
                point = {"folder": folder.path, "record": str(place), **dict(zip(rows[0], row))}
                for column, texts in columns.items():
                    texts.append(re.sub("^-?nan$", "", point.get(column, "")))
    if len(folders) < 2:
        del columns["folder"]
    if not any(columns["w1"]):
        del columns["w1"], columns["w2"]
    return _frame(columns)


# ---- performance profiles ----

def _settings(frame: pd.DataFrame) -> Tuple[List[str], List[str]]:
    """The columns of the solvers' parameters, which stand between `solver` and `kernel`, and those of kernel and
    stopping rule, which stand before `outcome`."""
    names = list(frame.columns)
    kernel = names.index("kernel")
    return names[names.index("solver") + 1:kernel], names[kernel:names.index("outcome")]


def _codes(frame: pd.DataFrame, columns: List[str]) -> np.ndarray:
    """A number for each different row of the columns, in the order in which they occur; missing equals missing."""
    rows = zip(*(["" if missing else str(value) for value, missing in zip(frame[name], frame[name].isna())]
                 for name in columns))
    numbers: Dict[Tuple[str, ...], int] = {}
    return np.array([numbers.setdefault(row, len(numbers)) for row in rows], dtype=int)


def _labels(frame: pd.DataFrame, series: np.ndarray, settings: List[str]) -> List[str]:
    """The solver, and those of its settings that take several values among its records."""
    labels = []
    for number in range(series.max(initial=-1) + 1):
        row = frame.iloc[int(np.argmax(series == number))]
        own = frame[frame["solver"] == row["solver"]]
        shown = [f"{name} = {row[name]}" for name in settings if not pd.isna(row[name]) and own[name].nunique() > 1]
        labels.append(", ".join([row["solver"], *shown]))
    return labels


def _costs(frame: pd.DataFrame, metric: str) -> np.ndarray:
    """The costs of the records; of "seconds" the median processor time of repeats, else the wall clock of the one run.

    Times are refused as in harness/records/conditions.c: a single shot below a millisecond says little, and a single
    shot is no match for a median.
    """
    column = "kernel_operations_iterations" if metric == "kernel_operations" else metric
    if column not in frame.columns:
        raise ValueError(f"metric: there is no column \"{column}\"")
    values = frame[column].astype("float64").to_numpy(na_value=np.nan)
    if metric == "seconds":
        medians = np.full(len(frame), np.nan)
        if "cpu_seconds_median" in frame.columns:
            medians = frame["cpu_seconds_median"].to_numpy()
        times, single = np.isfinite(values).sum(), np.isnan(medians) & np.isfinite(values)
        brief = (values[single] < 1e-3).sum()
        if brief:
            raise ValueError(f"{brief} of {times} times are single measurements below 1 ms; set \"repeats\"")
        if 0 < single.sum() < times:
            raise ValueError(f"{single.sum()} of {times} times are single measurements, the others are medians")
        values = np.where(np.isnan(medians), values, medians)
    if (values < 0).any():
        raise ValueError(f"metric: a value of \"{column}\" is negative, so it is no cost")
    return values


def ratios(frame: pd.DataFrame, metric: str = "kernel_operations") -> pd.DataFrame:
    """Costs as ratios to the best, a row for each problem and a column for each series.

    A problem is a data set and split with a kernel, a stopping rule, its tolerance, mu and C; a series is a solver with
    its other parameters. A ratio is the cost divided by the least cost of any series on the problem, so at least 1. It
    is infinite where the series failed or did not converge, and where the least cost is 0 and this one is not. Problems
    of which some series has no record are left out with a warning, as in the figure "profile" of hullbench
    (harness/compare/series_set.c). `metric` is a column of the frame; "kernel_operations" are those of the iterations,
    "seconds" the median processor time where runs were repeated, and refused where they are single shots below 1 ms.
    Choose rows before the call to compare some solvers only: the best is the best of those in the frame. Frames of
    several folders must be of the same data.
    """
    frame = frame.reset_index(drop=True)
    ran, value = (frame["outcome"] != "failed").to_numpy(), np.full(len(frame), np.inf)
    value[ran] = _costs(frame[ran], metric)
    parameters, others = _settings(frame)
    of_problem = ["dataset", "split", *(name for name in parameters if name in ("mu", "C")), *others]
    of_series = [name for name in parameters if name not in ("mu", "C")]
    problem, series = _codes(frame, of_problem), _codes(frame, ["solver", *of_series])
    cost = np.where((frame["outcome"] == "converged") & np.isfinite(value), value, np.inf)
    table = np.full((problem.max(initial=-1) + 1, series.max(initial=-1) + 1), np.inf)
    seen = np.zeros(table.shape, dtype=bool)
    for row, (p, s) in enumerate(zip(problem, series)):
        if seen[p, s] and table[p, s] != cost[row]:
            raise ValueError(f"two records of {frame['solver'][row]} on {frame['dataset'][row]}, split "
                             f"{frame['split'][row]}, with the same settings have different costs")
        table[p, s], seen[p, s] = cost[row], True
    common = seen.all(axis=1)
    if not common.all():
        warnings.warn(f"{(~common).sum()} of {len(common)} problems are left out: not all series have records of them")
    table = table[common]
    best = table.min(axis=1, keepdims=True, initial=np.inf)
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = np.where(np.isinf(table), np.inf, np.where(table == best, 1.0, table / best))
    index = frame.groupby(problem).first()[of_problem][common] if len(frame) else frame[of_problem]
    return pd.DataFrame(ratio, columns=_labels(frame, series, of_series),
                        index=pd.MultiIndex.from_frame(index, names=of_problem))


def profile(frame: pd.DataFrame, metric: str = "kernel_operations") -> pd.DataFrame:
    """The performance profile (Dolan and More, Mathematical Programming 91, 2002) of the records in `frame`.

    rho_s(tau) is the share of the problems that series s solves at a cost of at most tau times the best (see `ratios`),
    as in harness/stats/curves.c. The result has a row for each step: `series`, `ratio` and `share`; from that ratio to
    the next one the share is constant, and before the first it is 0. `series` is categorical, so one that solved
    nothing is among its categories though it has no row.
    """
    table = ratios(frame, metric)
    steps = []
    for name in table.columns:
        values, counts = np.unique(table[name].to_numpy(), return_counts=True)
        finite = np.isfinite(values)
        shares = np.cumsum(counts)[finite] / len(table)
        steps.append(pd.DataFrame({"series": name, "ratio": values[finite], "share": shares}))
    result = pd.concat(steps, ignore_index=True) if steps else pd.DataFrame(columns=["series", "ratio", "share"])
    result["series"] = pd.Categorical(result["series"], categories=list(table.columns))
    return result


def draw_profile(steps: pd.DataFrame, ax: Any = None) -> Any:
    """Draws the result of `profile` into matplotlib axes, new ones if none are given, and returns them."""
    import matplotlib.pyplot as plt
    from matplotlib.ticker import LogFormatter

    ax = plt.subplots()[1] if ax is None else ax
    end = max(steps["ratio"].max(), 1.0) if len(steps) else 1.0
    for name in steps["series"].cat.categories:
        own = steps[steps["series"] == name]
        reached = own["share"].iloc[-1] if len(own) else 0.0
        first = [] if len(own) and own["ratio"].iloc[0] == 1 else [(1.0, 0.0)]
        points = first + list(zip(own["ratio"], own["share"])) + [(end, reached)]
        ax.step(*zip(*points), where="post", label=name)
    ax.set_xscale("log")
    ax.xaxis.set_major_formatter(LogFormatter())
    ax.xaxis.set_minor_formatter(LogFormatter())
    ax.set_ylim(0, 1.02)
    ax.set_xlabel("cost, as a multiple of the best")
    ax.set_ylabel("share of the problems")
    ax.legend()
    return ax
