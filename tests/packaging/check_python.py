"""Tests of bindings/python/hullbench.py; needs pandas.

Usage: check_python.py MODULE_FOLDER WORK HULLBENCH

WORK holds run folders `first`, with traces and a figure "profile" drawn without pictures, and `second`. Numbers are
compared without a tolerance: what is compared are the same texts, read twice, or the same divisions of whole numbers.
"""
import csv
import importlib.util
import json
import math
import os
import shutil
import subprocess
import sys
import unittest
import warnings

import numpy as np
import pandas as pd

sys.dont_write_bytecode = True
sys.path.insert(0, sys.argv[1])
import hullbench  # noqa: E402

WORK, PROGRAM = sys.argv[2:4]
os.environ["HULLBENCH"] = PROGRAM


def export(*folders):
    """What the program exports: paths of the records and of the traces."""
    paths = [os.path.join(WORK, name) for name in ("records.csv", "traces.csv")]
    subprocess.run([PROGRAM, "export", *folders, "--out", paths[0], "--traces", paths[1]], check=True)
    return paths


def copy(name="copy", of="first", with_hashes=False):
    """A copy of a run folder, without the checksums in run.json unless asked, so that its files may be edited."""
    path = os.path.join(WORK, name)
    shutil.rmtree(path, ignore_errors=True)
    shutil.copytree(os.path.join(WORK, of), path)
    if not with_hashes:
        with open(os.path.join(path, "run.json"), encoding="utf-8") as stream:
            run = json.load(stream)
        del run["files"]
        with open(os.path.join(path, "run.json"), "w", encoding="utf-8") as stream:
            json.dump(run, stream)
    return path


def change(folder, name, old, new, count=-1):
    path = os.path.join(folder, name)
    with open(path, encoding="utf-8") as stream:
        text = stream.read()
    assert old in text, (path, old)
    with open(path, "w", encoding="utf-8") as stream:
        stream.write(text.replace(old, new, count))


def round_to_12_digits(number):
    return float(f"{number:.12g}")


def read_dat(path):
    """The blocks of a figure's numbers: title and rows."""
    with open(path, encoding="utf-8") as stream:
        blocks = [block.splitlines() for block in stream.read().split("\n\n\n")]
    return [(lines[0][2:], [[float(word) for word in line.split()] for line in lines[1:]]) for lines in blocks]


def drawn_steps(steps, low, high):
    """The steps as harness/figure/profile_steps.c puts them between the ends of an axis: of those that are too near to
    each other, the last."""
    share = max([share for ratio, share in steps if ratio <= low], default=0.0)
    rest = [step for step in steps if step[0] > low]
    apart = round_to_12_digits((high / low) ** (1 / 200))
    points, following = [[low, share]], low * apart
    for k, (ratio, share) in enumerate(rest):
        if k + 1 == len(rest) or rest[k + 1][0] >= following:
            points.append([ratio, share])
            following = ratio * apart
    return points + [[high, share]]


class Reading(unittest.TestCase):
    def check_same(self, *folders):
        paths = [os.path.join(WORK, folder) for folder in folders]
        records, traces = export(*paths)
        for path, read, of in ((records, hullbench.read, "records"), (traces, hullbench.traces, "traces")):
            frame = read(*paths)
            pd.testing.assert_frame_equal(frame, read(path), check_exact=True, obj=of)
            with open(path, encoding="utf-8", newline="") as stream:
                header, *rows = list(csv.reader(stream))
            self.assertEqual(list(frame.columns), header)
            self.assertEqual(len(frame), len(rows))
            for name, texts in zip(header, zip(*rows)):
                for value, text in zip(frame[name], texts):
                    if text == "":
                        self.assertTrue(pd.isna(value), (name, value))
                    elif isinstance(value, str):
                        self.assertIn(text, (value, "'" + value if value[0] in "=+-@" else None))
                    elif isinstance(value, (bool, np.bool_)):
                        self.assertEqual(value, text == "true")
                    else:
                        self.assertEqual(float(value), float(text), name)
        return frame

    def test_a_folder_and_its_export_give_the_same_frame(self):
        self.check_same("first")
        self.check_same("second")

    def test_so_do_several_folders(self):
        self.check_same("first", "second")

    def test_unknown_settings_results_and_times_are_columns(self):
        folder = copy()
        shutil.rmtree(os.path.join(folder, "traces"))
        change(folder, "records.jsonl", '"mu":', '"kernel_width":3,"split":7,"count":2,"mu":')
        change(folder, "records.jsonl", '"selection":', '"lazy":true,"selection":')
        change(folder, "records.jsonl", '"iterations":',
               '"reason":"a, \\"b\\"\\n\\u00e9","extra":{"x":1.50},"iterations":', 1)
        change(folder, "timings.jsonl", '"seconds":', '"mu":0.10,"stages":{"update":0.2},"list":[1],"seconds":', 3)
        self.check_same("copy")
        frame = hullbench.read(folder)
        self.assertEqual(frame["params.split"].dropna().unique().tolist(), [7])
        self.assertEqual(frame["params.kernel_width"].dropna().unique().tolist(), [3])
        self.assertEqual(frame["reason"][0], 'a, "b"\né')
        self.assertEqual(frame["timings.mu"].notna().sum(), 3)
        self.assertEqual(str(frame["lazy"].dtype), "boolean")
        self.assertNotIn("list", frame)

    def test_why_a_record_is_failed_is_its_reason(self):
        folder = copy()
        change(folder, "timings.jsonl", '"seconds":', '"failed":"a reason, \\"so\\"","seconds":', 2)
        change(folder, "records.jsonl", '"iterations":', '"reason":"another","iterations":', 1)
        self.check_same("copy")
        self.assertEqual(hullbench.read(folder)["reason"][:3].tolist(), ["another", 'a reason, "so"', None])

    def test_missing_sizes_times_and_traces_are_missing_values(self):
        folder = copy()
        for name in ("run.json", "timings.jsonl"):
            os.remove(os.path.join(folder, name))
        shutil.rmtree(os.path.join(folder, "traces"))
        self.check_same("copy")
        frame = hullbench.read(folder)
        self.assertTrue(frame[["n_train", "n_test", "seconds", "trace"]].isna().all(axis=None))

    def test_a_repeated_record_counts_once(self):
        folder = copy(of="second")
        os.remove(os.path.join(folder, "run.json"))
        os.remove(os.path.join(folder, "timings.jsonl"))
        with open(os.path.join(folder, "records.jsonl"), encoding="utf-8") as stream:
            lines = stream.readlines()
        with open(os.path.join(folder, "records.jsonl"), "w", encoding="utf-8") as stream:
            stream.writelines([lines[0], *lines])
        self.check_same("copy")
        self.assertEqual(len(hullbench.read(folder)), len(lines))
        with open(os.path.join(folder, "records.jsonl"), "a", encoding="utf-8") as stream:
            stream.write(lines[0].replace('"iterations":', '"iterations":1', 1))
        with self.assertRaisesRegex(ValueError, "contradicts"):
            hullbench.read(folder)

    def test_a_file_that_was_changed_or_lost_is_refused_by_name(self):
        trace = os.path.join("traces", "twonorm-1-clip-mdm.tsv")
        for name in ("records.jsonl", "timings.jsonl", trace):
            with self.subTest(name):
                folder = copy(with_hashes=True)
                hullbench.read(folder)
                change(folder, name, "0", "1", 1)
                with self.assertRaisesRegex(ValueError, f"{name}: was changed"):
                    hullbench.read(folder)
                os.remove(os.path.join(folder, name))
                with self.assertRaisesRegex(ValueError, f"{name}: (is missing|cannot be read)"):
                    hullbench.read(folder)
                os.mkfifo(os.path.join(folder, name))
                with self.assertRaisesRegex(ValueError, f"{name}: is not a regular file"):
                    hullbench.read(folder)

    def test_damaged_folders_are_refused_as_by_the_program(self):
        trace = os.path.join("traces", "twonorm-1-clip-mdm.tsv")
        damages = [
            ("records.jsonl", lambda text: text[:-20], "cut off"),
            ("records.jsonl", lambda text: text[text.index("\n") + 1:], "damaged"),
            ("records.jsonl", lambda text: text.replace("{", "[", 1), "records.jsonl:1"),
            ("timings.jsonl", lambda text: text.replace('"index":2', '"index":9'), "timings.jsonl:3"),
            ("timings.jsonl", lambda text: text.replace('"seconds"', '"second"'), "timings.jsonl:1"),
            ("timings.jsonl", lambda text: text[text.index("\n") + 1:], "119 times"),
            ("config.json", lambda text: '{"tune": {}}', "tune"),
            ("records.jsonl", lambda text: text.replace('"stop":', '"halt":', 1), "jsonl:1: key .stop. is missing"),
            (trace, lambda text: text.replace("\n0\t", "\nx\t"), "row of four numbers"),
            (trace, lambda text: text[:-1] + "x\n", "row of four numbers"),
            (trace, lambda text: text.replace("\tgap", "\tslack"), "header"),
            (trace, lambda text: text.replace("# split 1", "# split 9"), "twonorm-1-clip-mdm.tsv"),
            ("journal.jsonl", None, "not finished"),
        ]
        for name, damage, message in damages:
            with self.subTest(name, message=message):
                folder = copy()
                path = os.path.join(folder, name)
                if damage:
                    with open(path, encoding="utf-8") as stream:
                        text = stream.read()
                    self.assertNotEqual(damage(text), text)
                else:
                    os.remove(os.path.join(folder, "run.json"))
                with open(path, "w", encoding="utf-8") as stream:
                    stream.write(damage(text) if damage else "{}\n")
                with self.assertRaisesRegex(ValueError, message):
                    hullbench.read(folder)
                code = subprocess.run([PROGRAM, "export", folder], capture_output=True, check=False).returncode
                self.assertEqual(code, 2)
        with self.assertRaisesRegex(ValueError, "no such folder"):
            hullbench.read(os.path.join(WORK, "nowhere"))
        with self.assertRaisesRegex(ValueError, "twice"):
            hullbench.read(os.path.join(WORK, "first"), os.path.join(WORK, "second", "..", "first"))

    def test_a_partial_result_is_told_of(self):
        folder = copy()
        path = os.path.join(folder, "run.json")
        with open(path, encoding="utf-8") as stream:
            run = json.load(stream)
        with open(path, "w", encoding="utf-8") as stream:
            json.dump({**run, "partial": ["half of it"]}, stream)
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            hullbench.read(folder)
        self.assertIn("half of it", str(told[0].message))


def made(costs, outcomes=None):
    """A frame of one solver a row and one problem a column."""
    rows = [{"dataset": "d", "split": p, "solver": f"s{s}", "kernel": "linear", "stop": "kkt", "tolerance": 1e-3,
             "problem": p, "series": f"s{s}",
             "outcome": outcomes[s][p] if outcomes else "converged", "iterations": cost}
            for s, line in enumerate(costs) for p, cost in enumerate(line)]
    return pd.DataFrame(rows)


class Profiles(unittest.TestCase):
    def test_ratios_by_hand(self):
        frame = made([[2, 6, 0, 5, 7], [4, 3, 0, 0, 7]], [["converged"] * 4 + ["iteration-limit"]] * 2)
        np.testing.assert_array_equal(hullbench.ratios(frame, "iterations").to_numpy(),
                                      [[1, 2], [2, 1], [1, 1], [math.inf, 1], [math.inf, math.inf]])
        steps = hullbench.profile(frame, "iterations")
        own = steps[steps["series"] == "s0"]
        self.assertEqual(own["ratio"].tolist(), [1, 2])
        self.assertEqual(own["share"].tolist(), [2 / 5, 3 / 5])

    def test_a_failed_record_and_one_without_value_are_not_solved(self):
        frame = made([[1, 1, math.nan], [1, 1, 1]],
                     [["converged", "failed", "converged"], ["converged", "failed", "stalled"]])
        np.testing.assert_array_equal(hullbench.ratios(frame, "iterations").to_numpy(),
                                      [[1, 1], [math.inf, math.inf], [math.inf, math.inf]])

    def test_a_problem_that_a_series_lacks_is_left_out_for_all(self):
        frame = made([[1, 5, 3], [2, 4, 9]]).drop(index=1)
        with self.assertWarnsRegex(UserWarning, "1 of 3 problems"):
            ratios = hullbench.ratios(frame, "iterations")
        np.testing.assert_array_equal(ratios.to_numpy(), [[1, 2], [1, 3]])
        self.assertEqual(ratios.index.get_level_values("split").tolist(), [0, 2])

    def test_problems_differ_by_kernel_and_by_the_last_digit_of_a_tolerance(self):
        folder = copy()
        shutil.rmtree(os.path.join(folder, "traces"))
        frame = hullbench.read(folder)
        change(folder, "records.jsonl", '"tolerance":0.01', '"tolerance":0.01000000000001', 1)
        changed = hullbench.read(folder)
        self.assertEqual(changed["problem"].nunique(), frame["problem"].nunique() + 1)
        self.assertEqual(frame.groupby("problem")["kernel_width"].nunique().max(), 1)
        self.assertEqual(frame["kernel_width"].nunique(), 2)

    def test_a_series_that_solves_nothing_is_still_named(self):
        steps = hullbench.profile(made([[1, 2], [3, 4]], [["converged"] * 2, ["stalled"] * 2]), "iterations")
        self.assertEqual(list(steps["series"].cat.categories), ["s0", "s1"])
        self.assertEqual(set(steps["series"]), {"s0"})

    def test_what_is_no_cost_is_refused(self):
        with self.assertRaisesRegex(ValueError, "negative"):
            hullbench.ratios(made([[-1], [2]]), "iterations")
        with self.assertRaisesRegex(ValueError, "nowhere"):
            hullbench.ratios(made([[1], [2]]), "nowhere")
        twice = pd.concat([made([[1]]), made([[2]])])
        with self.assertRaisesRegex(ValueError, "two records of s0"):
            hullbench.ratios(twice, "iterations")

    def test_short_single_shots_and_mixed_times_are_refused(self):
        frame = made([[5, 6], [7, 8]])
        frame["seconds"] = [0.5, 0.4, 0.3, 0.1]
        np.testing.assert_array_equal(hullbench.ratios(frame, "seconds").to_numpy(), [[0.5 / 0.3, 1], [0.4 / 0.1, 1]])
        frame["cpu_seconds_median"] = [0.2, math.nan, 0.2, 0.2]
        with self.assertRaisesRegex(ValueError, "1 of 4 times are single measurements,"):
            hullbench.ratios(frame, "seconds")
        frame.loc[1, "outcome"] = "failed"
        np.testing.assert_array_equal(hullbench.ratios(frame, "seconds").to_numpy(), [[1, 1], [math.inf, 1]])
        frame["seconds"], frame["cpu_seconds_median"] = [0.5, 0.4, 0.0009, 0.1], math.nan
        with self.assertRaisesRegex(ValueError, "1 of 3 times are single measurements below"):
            hullbench.ratios(frame, "seconds")

    def check_figure(self, name, choose, metrics=("iterations", "kernel_operations")):
        """Against the numbers that the program draws."""
        frame = hullbench.read(os.path.join(WORK, "first"))
        blocks = [(title, rows) for title, rows in read_dat(os.path.join(WORK, "first", "plots", name + ".dat"))
                  if not title.startswith(("band of", "data profile"))]
        for metric in metrics:
            steps = hullbench.profile(choose(frame), metric)
            own = [rows for title, rows in blocks if title.startswith(metric.replace("_", " ") + ": ")]
            high = max(steps["ratio"].max(), 1)
            names = list(steps["series"].cat.categories)
            self.assertEqual(len(own), len(names))
            self.assertTrue(any(len(rows) > 3 for rows in own))
            for series, rows in zip(names, own):
                mine = steps.loc[steps["series"] == series, ["ratio", "share"]].to_numpy().tolist()
                self.assertEqual(drawn_steps(mine, 1, high), rows, (series, metric))

    def test_the_profile_is_that_of_the_figure(self):
        self.check_figure("all", lambda frame: frame)

    def test_so_is_that_of_times(self):
        self.check_figure("times", lambda frame: frame, ["seconds"])

    def test_so_is_that_of_chosen_solvers(self):
        self.check_figure("two", lambda frame: frame[frame["solver"].isin(["clip-mdm", "mu-mdm"])])

    @unittest.skipUnless(importlib.util.find_spec("matplotlib"), "matplotlib is not here")
    def test_the_drawing_has_the_steps(self):
        import matplotlib
        matplotlib.use("Agg")
        frame = made([[2, 6, 1], [4, 3, 1]], [["converged"] * 3, ["converged", "converged", "stalled"]])
        steps = hullbench.profile(frame, "iterations")
        ax = hullbench.draw_profile(steps)
        lines = {line.get_label(): line.get_xydata().tolist() for line in ax.get_lines()}
        self.assertEqual(lines, {"s0": [[1, 2 / 3], [2, 1], [2, 1]], "s1": [[1, 1 / 3], [2, 2 / 3], [2, 2 / 3]]})
        empty = hullbench.draw_profile(hullbench.profile(made([[1]], [["stalled"]]), "iterations"))
        self.assertEqual(empty.get_lines()[0].get_xydata().tolist(), [[1, 0], [1, 0]])
        ax.figure.savefig(os.path.join(WORK, "profile.png"))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
