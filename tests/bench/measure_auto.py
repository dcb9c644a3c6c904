"""
Which solver is fastest on a file, for the rule of harness/solve/choose_solver.c.

Each problem is drawn with a fixed seed and written in LIBSVM format. `hullbench solve --jobs 1` trains on it with
each candidate, and LIBSVM's svm-train where it is installed, in turn, round by round. Compared is processor time of the
whole process, which reads the file, trains, recomputes the gap and writes the model: what a user waits for. A solver
that took more than CUT times the best in the first round is not run again; one that takes longer than LIMIT seconds is
stopped. Appends one JSON object a problem to OUT.jsonl, with times and memory of each program.

    python3 tests/bench/measure_auto.py HULLBENCH OUT.jsonl --break-even [OPTION...]
    python3 tests/bench/measure_auto.py HULLBENCH OUT.jsonl --draw SEED,COUNT [OPTION...]
    python3 tests/bench/measure_auto.py HULLBENCH OUT.jsonl --low-rank SEED,COUNT [OPTION...]
    python3 tests/bench/measure_auto.py HULLBENCH OUT.jsonl [OPTION...]

--break-even measures near the limits of the rule: kernels of few and of many dimensions, with one label in ten wrong.
--draw draws COUNT problems: kernel, shape, rows, features, wrong labels, C (or nu, with --only nu-SVC) and the kernel's
parameters. --shapes, a list with commas, says of which shapes; a path there is a file in LIBSVM format. --low-rank
draws linear and polynomial kernels of few features, whose sizes differ by up to four orders of magnitude; --features
lists the numbers of features for linear kernels. Without any of them the problems are a grid over SHAPES, of which
--only, a part of KIND/SHAPE/KERNEL, and the lists --rows and --values (of C and nu) take some. --solvers takes some
solvers, --letters adds options of `solve`, such as "--stop kkt"; --rounds is 3. With --table nothing is run: OUT.jsonl
becomes a table in Markdown on standard output.
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

CUT, LIMIT = 2.5, 10.0
# If several have the same name except for an option, the option follows a blank.
C_SOLVERS = ["auto", "low-rank-interior-point", "packed-smo", "1-smo", "packed-second-order-smo",
             "second-order-smo", "planning-ahead-smo", "overshooting-smo", "maximum-gain-smo", "conjugate-smo",
             "conjugate-smo -h0", "svm-light"]
NU_SOLVERS = ["cycle-clip-mdm", "conjugate-clip-mdm", "minkowski-clip-mdm", "second-order-clip-mdm", "clip-mdm",
              "swap-fw", "pairwise-fw", "interior-point", "wolfe-mnp", "projected-gradient"]


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


def clouds(draw, features):
    """Two normal clouds of unequal spread along the axes, 1 to 4 apart."""
    spread = [draw.uniform(0.3, 1) for _ in range(features)]
    half = draw.uniform(0.5, 2) / features ** 0.5

    def draw_row():
        y = draw.choice((-1, 1))
        return y, {k: draw.gauss(y * half, spread[k - 1]) for k in range(1, features + 1)}

    return draw_row


def fields(draw, features):
    """A chessboard of the first two features; the others say nothing."""
    side = draw.randint(2, 6)

    def draw_row():
        row = {k: draw.uniform(-1, 1) for k in range(1, features + 1)}
        return 1 if sum(int(side * (row[k] + 1) / 2) for k in (1, 2)) % 2 else -1, row

    return draw_row


def quadric(draw, features):
    """The sign of a quadratic form of normal features, shifted so that some third of the rows is positive."""
    weights = [draw.gauss(0, 1) for _ in range(features)]
    shift = 0.4 * sum(w * w for w in weights) ** 0.5

    def draw_row():
        row = {k: draw.gauss(0, 1) for k in range(1, features + 1)}
        return 1 if sum(w * row[k + 1] ** 2 - w for k, w in enumerate(weights)) > shift else -1, row

    return draw_row


def rare(draw, features):
    """One positive row in ten, half of the features binary."""
    half = features // 2 + 1

    def draw_row():
        y = 1 if draw.random() < 0.1 else -1
        row = {k: 1.0 for k in range(1, half) if draw.random() < (0.3 if y > 0 and k % 3 == 0 else 0.15)}
        row.update({k: draw.gauss(0.6 if y > 0 and k % 3 else 0.0, 0.5) for k in range(half, features + 1)})
        return y, row

    return draw_row


def sparse(draw, features):
    """Rows of few words; in half of the sets divided by their length."""
    draw_row = words(20 * features, draw.randint(8, 60), draw.uniform(0.6, 1), draw.random() < 0.5)
    return lambda: draw_row(draw, None)


def rings(draw, features):
    """The class is the parity of the shell of the centre of a normal cloud that the row lies in."""
    width = draw.uniform(0.3, 0.8)

    def draw_row():
        row = {k: draw.gauss(0, 1) for k in range(1, features + 1)}
        return 1 if int(sum(v * v for v in row.values()) ** 0.5 / width) % 2 else -1, row

    return draw_row


def onehot(draw, features):
    """Groups of four features of which one is on; the sign of a sum over the groups, and over pairs of groups."""
    groups = max(features // 4, 1)
    weights = [[draw.gauss(0, 1) for _ in range(4)] for _ in range(groups)]

    def draw_row():
        on = [draw.randrange(4) for _ in range(groups)]
        score = sum(weights[g][on[g]] * (1 + (on[g - 1] == on[g])) for g in range(groups))
        return 1 if score > 0 else -1, {4 * g + on[g] + 1: 1.0 for g in range(groups)}

    return draw_row


def correlated(draw, features):
    """Neighbouring features are alike, as in series; the class is the sign of a smooth functional of them."""
    period, keep = draw.uniform(3, 12), draw.uniform(0.5, 0.95)

    def draw_row():
        row, value = {}, 0.0
        for k in range(1, features + 1):
            value = keep * value + draw.gauss(0, 1)
            row[k] = value
        return 1 if sum(v * math.sin(k / period) for k, v in row.items()) > 0 else -1, row

    return draw_row


DRAWN = {"clouds": clouds, "fields": fields, "quadric": quadric, "rare": rare, "sparse": sparse}
OTHERS = {"rings": rings, "onehot": onehot, "correlated": correlated}


def write_rows(path, rows):
    with open(path, "w", encoding="ascii") as out:
        for y, row in rows:
            out.write(f"{y:+d} " + " ".join(f"{k}:{row[k]:.6g}" for k in sorted(row) if row[k]) + "\n")


def read_rows(path):
    with open(path, encoding="ascii") as lines:
        for line in lines:
            y, *values = line.split()
            yield int(y), {int(k): float(v) for k, v in (value.split(":") for value in values)}


def of_grid(shape, rows):
    draw = random.Random(f"{shape} {rows}")
    return [SHAPES[shape][0](draw, i) for i in range(rows)]


def scales(draw, rows):
    """Mean squared length and mean squared distance of drawn pairs of rows."""
    pairs = [(draw.choice(rows)[1], draw.choice(rows)[1]) for _ in range(300)]
    distances = [sum((u.get(k, 0) - v.get(k, 0)) ** 2 for k in {*u, *v}) for u, v in pairs]
    return sum(v * v for u, _ in pairs for v in u.values()) / len(pairs), sum(distances) / len(pairs)


def drawn_kernel(draw, kernel, rows):
    """svm-train's letters. The width 1/gamma of rbf is a quarter to four times the mean squared distance."""
    length, distance = scales(draw, rows)
    if kernel == "rbf":
        return ["-t", "2", "-g", f"{1 / (distance * 4 ** draw.uniform(-1, 1)):.4g}"]
    degree, offset = draw.choice((2, 3)), draw.choice((0, 1))
    if kernel == "linear":
        return ["-t", "0"]
    return ["-t", "1", "-g", f"{1 / length:.4g}", "-d", str(degree), "-r", str(offset)]


def drawn_cases(seed, count, kind, shapes, folder):
    """Every kernel with every shape before any comes again."""
    for number in range(count):
        draw = random.Random(f"{seed} {number}")
        kernel, shape = ("rbf", "linear", "polynomial")[number % 3], shapes[number % len(shapes)]
        if os.path.exists(shape):
            data, rows = os.path.abspath(shape), list(read_rows(shape))
            wrong = 0
        else:
            size, features = draw.choice((500, 1000, 2000, 4000, 8000)), draw.choice((2, 5, 10, 20, 50, 100, 200, 500))
            features = features if size * features <= 400000 else 50
            wrong = draw.choice((0, 0.02, 0.1, 0.25))
            make = {**DRAWN, **OTHERS}[shape](draw, features)
            rows = [make() for _ in range(size)]
            rows = [(-y if draw.random() < wrong else y, row) for y, row in rows]
            data = os.path.join(folder, f"{shape}-{number}.txt")
            write_rows(data, rows)
        positives = sum(y > 0 for y, _ in rows)
        features = max(max(row, default=1) for _, row in rows)
        if kind == "C-SVC":
            value = draw.choice((0.1, 1, 10, 100, 1000))
        else:
            value = float(f"{draw.uniform(0.05, 0.9) * 2 * min(positives, len(rows) - positives) / len(rows):.2g}")
        yield {"kind": kind, "shape": os.path.basename(shape), "rows": len(rows), "kernel": kernel, "value": value,
               "features": features, "filled": sum(len(row) for _, row in rows) / len(rows) / features,
               "positives": positives / len(rows), "wrong": wrong, "number": number, "data": data,
               "letters": drawn_kernel(draw, kernel, rows)}


def rank_of(kernel, features, degree, offset):
    """The largest rank of a kernel matrix once one pattern has been subtracted."""
    if kernel == "linear":
        return features
    return math.comb(features + degree, degree) - 1 if offset else math.comb(features + degree - 1, degree)


def low_rank_cases(seed, count, shapes, allowed, folder):
    for number in range(count):
        draw = random.Random(f"low rank {seed} {number}")
        kernel, shape = ("linear", "polynomial", "linear")[number % 3], shapes[number // 3 % len(shapes)]
        size = draw.choice((250, 500, 1000, 2000, 4000))
        features = draw.choice((2, 5, 10, 20, 50, 100, 200) if kernel == "linear" else (2, 3, 5, 8, 12, 20))
        if allowed and kernel == "linear":
            features = int(draw.choice(allowed.split(",")))
        features = features if size * features <= 400000 else 50
        degree, offset = draw.choice((2, 3)), draw.choice((0, 1))
        wrong, spread = draw.choice((0, 0.02, 0.1, 0.25)), draw.choice((0, 0, 1, 2))
        make = {**DRAWN, **OTHERS}[shape](draw, features)
        rows = [make() for _ in range(size)]
        sizes = [10 ** draw.uniform(-spread, spread) for _ in range(21 * features + 8)]
        rows = [(-y if draw.random() < wrong else y, {k: v * sizes[k] for k, v in row.items()}) for y, row in rows]
        data = os.path.join(folder, f"{shape}-{number}.txt")
        write_rows(data, rows)
        features = max(max(row, default=1) for _, row in rows)
        letters = ["-t", "0"] if kernel == "linear" else [
            "-t", "1", "-g", f"{1 / scales(draw, rows)[0]:.4g}", "-d", str(degree), "-r", str(offset)]
        yield {"kind": "C-SVC", "shape": shape, "rows": size, "kernel": kernel, "features": features, "wrong": wrong,
               "value": draw.choice((0.01, 0.1, 1, 10, 100, 1000)), "spread": spread, "number": number, "data": data,
               "rank": rank_of(kernel, features, degree, offset), "letters": letters}


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
    """Each round begins with another program; before the first, one run brings the file into memory."""
    times = {name: [] for name in programs}
    names, said, best = list(programs), {}, LIMIT
    run(programs[names[0]], folder, LIMIT)
    for turn in range(rounds):
        for name in names[turn % len(names):] + names[:turn % len(names)]:
            if turn > 0 and (not times[name] or min(times[name]) > CUT * best + 0.02):
                continue
            if len(said) >= 2 and not any(times.values()):
                break
            seconds, text, megabytes = run(programs[name], folder, min(LIMIT, CUT * best + 1))
            if seconds is not None:
                times[name].append(seconds)
                said[name] = dict(numbers(text), megabytes=round(megabytes))
                best = min(best, seconds)
            elif turn == 0:
                said[name] = {"failed": text.strip().split("\n")[-1][:100]}
    return dict(case, programs={name: dict(said.get(name, {}), seconds=times[name]) for name in programs})


def grid_cases():
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


BREAK_EVEN = {  # features, rows, C, and the degree or the width in mean squared distances
    ("linear", "quadric", "clouds"): [
        (50, 1000, 10, 0), (30, 1000, 10, 0), (20, 1000, 10, 0), (50, 1000, 100, 0), (30, 2000, 1, 0),
        (100, 2000, 1, 0), (50, 2000, 1, 0), (30, 1000, 100, 0), (20, 2000, 10, 0), (70, 1000, 10, 0),
        (100, 1000, 10, 0), (200, 1000, 10, 0)],
    ("polynomial", "quadric", "fields"): [
        (10, 1000, 100, 2), (5, 1000, 100, 3), (10, 2000, 10, 3), (20, 2000, 10, 2), (5, 1000, 100, 2),
        (20, 2000, 100, 3), (2, 1000, 100, 3), (10, 2000, 10, 2), (10, 1000, 1000, 3), (50, 2000, 10, 2)],
    ("rbf", "clouds", "quadric"): [
        (50, 2000, 100, 1), (20, 2000, 100, 1), (20, 2000, 10, 1), (50, 2000, 10, 1), (5, 2000, 100, 1),
        (100, 2000, 10, 1), (50, 2000, 100, 4), (50, 2000, 10, 0.25), (20, 2000, 1000, 1), (100, 2000, 1, 4),
        (10, 2000, 100, 1), (10, 2000, 100, 4)],
}


def break_even_cases(folder):
    for (kernel, *shapes), problems in BREAK_EVEN.items():
        for features, size, c, parameter in problems:
            for shape in shapes:
                draw = random.Random(f"{kernel} {shape} {features} {size} {c} {parameter}")
                make = DRAWN[shape](draw, features)
                rows = [make() for _ in range(size)]
                rows = [(-y if draw.random() < 0.1 else y, row) for y, row in rows]
                data = os.path.join(folder, f"{kernel}-{shape}-{features}-{size}.txt")
                write_rows(data, rows)
                length, distance = scales(draw, rows)
                of_polynomial = ["-t", "1", "-g", f"{1 / length:.4g}", "-d", str(parameter), "-r", "1"]
                letters = (["-t", "0"] if kernel == "linear" else of_polynomial if kernel == "polynomial"
                           else ["-t", "2", "-g", f"{1 / (distance * parameter):.4g}"])
                yield {"kind": "C-SVC", "shape": shape, "rows": size, "kernel": kernel, "value": c,
                       "features": features, "data": data, "letters": letters}


def grid_given(given, folder):
    def is_in(value, wanted):
        return not wanted or str(value) in wanted.split(",")

    for case in grid_cases():
        if given.only not in f"{case['kind']}/{case['shape']}/{case['kernel']}":
            continue
        if not is_in(case["rows"], given.rows) or not is_in(case["value"], given.values):
            continue
        data = os.path.join(folder, f"{case['shape']}-{case['rows']}.txt")
        if not os.path.exists(data):
            write_rows(data, of_grid(case["shape"], case["rows"]))
        letters = ["-t", "2", "-g", repr(SHAPES[case["shape"]][1])] if case["kernel"] == "rbf" else ["-t", "0"]
        yield dict(case, data=data, letters=letters)


def programs_of(case, given):
    is_c = case["kind"] == "C-SVC"
    data = case["data"]
    letters = case["letters"] + ["-c" if is_c else "-n", repr(case["value"])]
    hullbench = os.path.abspath(given.hullbench)
    programs = {solver: [hullbench, "solve", "--solver", *solver.split(), "--data", data, "--jobs", "1", *letters,
                         *given.letters.split(), "model"]
                for solver in (C_SOLVERS if is_c else NU_SOLVERS)
                if not given.solvers or solver in given.solvers.split(",")}
    low_rank = programs.get("low-rank-interior-point")
    if low_rank and "rank" in case:
        low_rank[-1:-1] = ["--set", f"max_rank={min(case['rank'], 65536)}"]
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
    parser.add_argument("--break-even", action="store_true")
    parser.add_argument("--draw", default="")
    parser.add_argument("--low-rank", default="")
    parser.add_argument("--features", default="")
    parser.add_argument("--shapes", default=",".join(DRAWN))
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
        if given.break_even:
            cases = break_even_cases(folder)
        elif given.low_rank:
            seed, count = given.low_rank.split(",")
            cases = low_rank_cases(seed, int(count), given.shapes.split(","), given.features, folder)
        elif given.draw:
            seed, count = given.draw.split(",")
            kind = "nu-SVC" if given.only == "nu-SVC" else "C-SVC"
            cases = drawn_cases(seed, int(count), kind, given.shapes.split(","), folder)
        else:
            cases = grid_given(given, folder)
        for case in cases:
            result = measure(case, programs_of(case, given), folder, given.rounds)
            print(json.dumps(result), file=out, flush=True)


if __name__ == "__main__":
    sys.exit(main())
