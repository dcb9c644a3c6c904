"""Run folders of hullbench as pandas data frames.

    import hullbench
    frame = hullbench.read("results/my-run")       # a row a record, the columns of `hullbench export`
    points = hullbench.traces("results/my-run")    # a row a point of a trace
    steps = hullbench.profile(frame)               # performance profile of kernel operations
    hullbench.draw_profile(steps)                  # needs matplotlib

CSV files of `hullbench export` need no program. Run folders are read by `hullbench export`, so the program must be on
PATH, or the environment variable HULLBENCH must name it. The module needs Python 3.9, numpy and pandas 1.5.
docs/export.md describes the columns.
"""
from __future__ import annotations

import os
import re
import subprocess
import tempfile
import warnings
from typing import Any, Dict, List

import numpy as np
import pandas as pd

__all__ = ["read", "traces", "ratios", "profile", "draw_profile"]

# The columns of a record and their types; `make schemas` writes them.
# <!-- list of record members -->
_RECORD = [
    ("config", "text"), ("dataset", "text"), ("split", "whole"), ("split_source", "text"), ("solver", "text"),
    ("kernel", "text"), ("stop", "text"), ("tolerance", "real"), ("outcome", "text"), ("reason", "text"),
    ("iterations", "whole"), ("kernel_operations_setup", "whole"), ("kernel_operations_iterations", "whole"),
    ("kernel_operations_predict", "whole"), ("kernel_evaluations", "whole"), ("support_vectors", "whole"),
    ("error_percent", "real"), ("objective", "real"), ("duality_gap", "real"), ("kkt_violation", "real"),
    ("bias", "real"), ("feasibility", "real"), ("mu_effective", "real"), ("mu_floor", "real"), ("rch_mu", "real")]
# <!-- end -->
_TEXT_COLUMNS = {name for name, kind in _RECORD if kind == "text"} | {"folder", "series", "trace"}
_WHOLE_COLUMNS = {name for name, kind in _RECORD if kind == "whole"} | {
    "record", "kernel_operations", "n_train", "n_test", "problem", "iteration"}
_REAL_COLUMNS = {name for name, kind in _RECORD if kind == "real"} | {"seconds", "gap", "w1", "w2"}


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


def _read(paths: "tuple[str | os.PathLike[str], ...]", *options: str) -> pd.DataFrame:
    """One CSV file, or what the program exports of run folders to the last of the options."""
    names = [os.fspath(path) for path in paths]
    if not names:
        raise TypeError("expected at least one run folder, or one CSV file")
    if len(names) == 1 and os.path.isfile(names[0]):
        return _from_csv(names[0])
    with tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, "export.csv")
        done = subprocess.run([os.environ.get("HULLBENCH", "hullbench"), "export", *options, file, "--", *names],
                              stderr=subprocess.PIPE, encoding="utf-8", errors="replace", check=False)
        if done.returncode != 0:
            raise ValueError(done.stderr.strip())
        for line in done.stderr.splitlines():
            warnings.warn(line)
        return _from_csv(file)


def read(*paths: "str | os.PathLike[str]") -> pd.DataFrame:
    """The records of run folders, or of one CSV file of `hullbench export`, one row a record.

    Columns, order of rows and values are those of `hullbench export`; with several folders the first column is
    `folder`. Missing numbers are NaN or pandas.NA, missing texts None. Raises ValueError with the program's message
    where a folder is not there or a file is damaged.
    """
    return _read(paths, "--out")


def traces(*paths: "str | os.PathLike[str]") -> pd.DataFrame:
    """The traces of run folders, or of one CSV file of `hullbench export --traces`, one row a point.

    Columns: `record` (the number in the frame of `read`), `iteration`, `kernel_operations`, `objective`, `gap` and, if
    any trace is of a plane, `w1` and `w2`; with several folders `folder` comes first.
    """
    return _read(paths, "--out", os.devnull, "--traces")


# ---- performance profiles ----

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

    The columns `problem` and `series` of the frame say which records belong together: a problem is a data set and split
    with a kernel, a stopping rule, its tolerance, mu and C; a series is a solver with its other parameters. A ratio is
    the cost divided by the least cost of any series on the problem, so at least 1. It is infinite where the series
    failed or did not converge, and where the least cost is 0 and this one is not. Problems of which some series has no
    record are left out with a warning, as in the figure "profile" of hullbench (harness/compare/series_set.c). `metric`
    is a column of the frame; "kernel_operations" are those of the iterations, "seconds" the median processor time where
    runs were repeated, and refused where they are single shots below 1 ms. Choose rows before the call to compare some
    solvers only: the best is the best of those in the frame. Several folders must be read together, and be of the same
    data.
    """
    frame = frame.reset_index(drop=True)
    ran, value = (frame["outcome"] != "failed").to_numpy(), np.full(len(frame), np.inf)
    value[ran] = _costs(frame[ran], metric)
    problem, _ = pd.factorize(frame["problem"])
    series, names = pd.factorize(frame["series"])
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
    of_problem = ["dataset", "split", "problem"]
    index = frame.groupby(problem).first()[of_problem][common] if len(frame) else frame[of_problem]
    return pd.DataFrame(ratio, columns=names, index=pd.MultiIndex.from_frame(index, names=of_problem))


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
