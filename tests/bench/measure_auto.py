"""
Which solver is fastest on a file, for the rule of harness/evaluate/choose_solver.c.

Each shape below is drawn with a fixed seed and written in LIBSVM format. `hullbench solve --jobs 1` trains on it with
each candidate, and LIBSVM's svm-train where it is installed, in turn, round by round. Compared is processor time of the
whole process, which reads the file, trains, recomputes the gap and writes the model: what a user waits for. A solver
that took more than CUT times the best in the first round is not run again; one that takes longer than LIMIT seconds is
stopped. Appends one JSON object a case to OUT.jsonl, with times and memory of each program.

    python3 tests/bench/measure_auto.py HULLBENCH OUT.jsonl [OPTION...]

--only, a part of KIND/SHAPE/KERNEL, and --rows, --values (of C and nu) and --solvers, lists with commas, take some;
--letters adds options of `solve`, such as "--stop kkt"; --rounds is 3. With --table nothing is run: OUT.jsonl becomes
a table in Markdown on standard output.
"""
import argparse
import json
import math
import os
import random
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile

CUT, LIMIT = 4.0, 30.0
C_SOLVERS = ["packed-second-order-smo", "packed-smo", "second-order-smo", "1-smo", "conjugate-smo", "svm-light"]
NU_SOLVERS = ["minkowski-clip-mdm", "cycle-clip-mdm", "second-order-clip-mdm", "clip-mdm", "mu-gsk", "minkowski-mu-gsk"]


def twonorm(draw, _):
    """Two normal clouds of 20 features whose centres are 4 apart: 2.3 % of the labels are lost."""
    y = draw.choice((-1, 1))
    return y, {k: draw.gauss(y * 2 / 20 ** 0.5, 1) for k in range(1, 21)}


def noisy(draw, _):
    """As twonorm, 10 features, centres 1.5 apart: 23 % are lost, so nearly half of the rows are support vectors."""
    y = draw.choice((-1, 1))
    return y, {k: draw.gauss(y * 0.75 / 10 ** 0.5, 1) for k in range(1, 11)}


def wide(draw, _):
    """As noisy, with 200 features."""
    y = draw.choice((-1, 1))
    return y, {k: draw.gauss(y * 0.75 / 200 ** 0.5, 1) for k in range(1, 201)}


def chessboard(draw, _):
    """4 x 4 fields on the plane, scaled so that gamma = 1/2 is a quarter of a field's inverse square."""
    u, v = draw.random(), draw.random()
    return (1 if (int(4 * u) + int(4 * v)) % 2 else -1), {1: 12 * u, 2: 12 * v}


def imbalanced(draw, _):
    """One positive row in ten, ten features of which one is on and twelve continuous ones, as ijcnn1."""
    y = 1 if draw.random() < 0.1 else -1
    row = {draw.randrange(1, 11): 1.0}
    row.update({k: draw.gauss(0.6 if y > 0 and k % 3 else 0.0, 0.5) for k in range(11, 23)})
    return y, row


def words(features, per_row, exponent, length):
    """Rows of words whose frequencies fall as rank ** -exponent; each class prefers every other word. `length`: rows
    are divided by their length, as of texts; else every value is 1, as in w8a."""
    ranks = range(1, features + 1)
    weights = [rank ** -exponent for rank in ranks]
    total, cumulative = 0.0, []
    for weight in weights:
        total += weight
        cumulative.append(total)

    def draw_row(draw, _):
        y = draw.choice((-1, 1))
        wanted = max(1, round(draw.gauss(per_row, per_row / 4)))
        row = {}
        for index in draw.choices(ranks, cum_weights=cumulative, k=2 * wanted):
            if len(row) < wanted and (index % 2 == (y > 0) or draw.random() < 0.7):
                row[index] = row.get(index, 0.0) + 1.0
        size = sum(value * value for value in row.values()) ** 0.5
        return y, ({k: v / size for k, v in row.items()} if length else dict.fromkeys(row, 1.0))

    return draw_row


SHAPES = {
    "twonorm": (twonorm, 1 / 20),
    "noisy": (noisy, 1 / 10),
    "wide": (wide, 1 / 200),
    "chessboard": (chessboard, 1 / 2),
    "imbalanced": (imbalanced, 1 / 22),
    "w8a-like": (words(300, 12, 0.6, False), 0.05),
    "text": (words(50000, 75, 1.0, True), 1.0),
}


def write_file(path, shape, rows):
    draw = random.Random(f"{shape} {rows}")
    with open(path, "w", encoding="ascii") as out:
        for i in range(rows):
            y, row = SHAPES[shape][0](draw, i)
            out.write(f"{y:+d} " + " ".join(f"{k}:{row[k]:.6g}" for k in sorted(row) if row[k]) + "\n")


def run(command, folder, limit):
    """Processor seconds, None where it was stopped or failed; what was printed; megabytes at the most."""
    def allow():
        resource.setrlimit(resource.RLIMIT_CPU, (math.ceil(limit), math.ceil(limit) + 1))

    with open(os.path.join(folder, "out"), "w+", encoding="utf-8") as out:
        child = subprocess.Popen(command, stdout=out, stderr=subprocess.STDOUT, cwd=folder, preexec_fn=allow)
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = status
        out.seek(0)
        text = out.read()
    return usage.ru_utime + usage.ru_stime if status == 0 else None, text, usage.ru_maxrss / 1024


def numbers(text):
    """What a run says of its answer."""
    found = {}
    for key, begin in (("gap", "duality gap = "), ("kkt", "KKT violation = "), ("obj", "obj = "), ("sv", "nSV = "),
                       ("steps", "#iter = ")):
        if begin in text:
            found[key] = float(text.split(begin, 1)[1].split()[0].strip(",;)"))
    found["finished"] = "optimization finished" in text and "not converged" not in text and "WARNING: reach" not in text
    return found


def measure(case, programs, folder, rounds):
    times = {name: [] for name in programs}
    said, best = {}, LIMIT
    for turn in range(rounds):
        for name, command in programs.items():
            if turn > 0 and (not times[name] or times[name][0] > CUT * best + 0.02):
                continue
            seconds, text, megabytes = run(command, folder, min(LIMIT, CUT * best + 2))
            if seconds is not None:
                times[name].append(seconds)
                said[name] = dict(numbers(text), megabytes=round(megabytes))
                best = min(best, seconds)
            elif turn == 0:
                said[name] = {"failed": text.strip().split("\n")[-1][:100]}
    return dict(case, programs={name: dict(said.get(name, {}), seconds=times[name]) for name in programs})


def cases():
    for rows in (50, 200, 1000, 2000, 5000, 20000, 50000):
        for shape in SHAPES:
            if shape == "text" and rows not in (200, 2000, 20000):
                continue
            for kernel in ("rbf", "linear"):
                if shape == "chessboard" and kernel == "linear":
                    continue
                for c in (0.01, 1, 100, 0.1, 10, 1000):
                    yield {"kind": "C-SVC", "shape": shape, "rows": rows, "kernel": kernel, "value": c}
                if rows <= 20000:
                    for nu in (0.1, 0.3, 0.6) if shape != "imbalanced" else (0.05, 0.15):
                        yield {"kind": "nu-SVC", "shape": shape, "rows": rows, "kernel": kernel, "value": nu}


def programs_of(case, given, data):
    letters = ["-t", "2", "-g", repr(SHAPES[case["shape"]][1])] if case["kernel"] == "rbf" else ["-t", "0"]
    is_c = case["kind"] == "C-SVC"
    letters += ["-c" if is_c else "-n", repr(case["value"])]
    hullbench = os.path.abspath(given.hullbench)
    programs = {solver: [hullbench, "solve", "--solver", solver, "--data", data, "--jobs", "1", *letters,
                         *given.letters.split(), "model"]
                for solver in (C_SOLVERS if is_c else NU_SOLVERS)
                if not given.solvers or solver in given.solvers.split(",")}
    if shutil.which("svm-train") and (not given.solvers or "LIBSVM" in given.solvers.split(",")):
        programs["LIBSVM"] = ["svm-train", "-s", "0" if is_c else "1", "-m", "512", *letters, data, "model"]
    return programs


def table(path):
    with open(path, encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    for kind, solvers in (("C-SVC", C_SOLVERS), ("nu-SVC", NU_SOLVERS)):
        names = solvers + ["LIBSVM"]
        print(f"| {kind}: shape | rows | kernel | {'C' if kind == 'C-SVC' else 'nu'} | fastest, s | "
              + " | ".join(names) + " |\n| --- | --: | --- | --: | --: |" + " --: |" * len(names))
        for row in rows:
            if row["kind"] != kind:
                continue
            medians = {name: statistics.median(told["seconds"]) for name, told in row["programs"].items()
                       if told["seconds"] and (told.get("finished") or name == "LIBSVM")}
            best = min((v for k, v in medians.items() if k != "LIBSVM"), default=float("nan"))
            cells = [f"{medians[name] / best:.2f}" if name in medians and best > 0 else "-" for name in names]
            print(f"| {row['shape']} | {row['rows']} | {row['kernel']} | {row['value']:g} | {best:.3f} | "
                  + " | ".join(cells) + " |")
        print()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("hullbench")
    parser.add_argument("out")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", default="")
    parser.add_argument("--rows", default="")
    parser.add_argument("--values", default="")
    parser.add_argument("--solvers", default="")
    parser.add_argument("--letters", default="")
    parser.add_argument("--table", action="store_true")
    given = parser.parse_args()
    if given.table:
        table(given.out)
        return
    with tempfile.TemporaryDirectory() as folder, open(given.out, "a", encoding="utf-8") as out:
        for case in cases():
            if given.only not in f"{case['kind']}/{case['shape']}/{case['kernel']}":
                continue
            if given.rows and str(case["rows"]) not in given.rows.split(","):
                continue
            if given.values and str(case["value"]) not in given.values.split(","):
                continue
            data = os.path.join(folder, f"{case['shape']}-{case['rows']}.txt")
            if not os.path.exists(data):
                write_file(data, case["shape"], case["rows"])
            result = measure(case, programs_of(case, given, data), folder, given.rounds)
            print(json.dumps(result), file=out, flush=True)


if __name__ == "__main__":
    sys.exit(main())
