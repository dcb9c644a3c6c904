#!/usr/bin/env python3
"""Linear kernels of few features: hullbench solve against LIBLINEAR, whole processes with one thread.

Each problem is drawn with a fixed seed and written in LIBSVM format. `hullbench solve --jobs 1 -t 0` stops at a
relative duality gap of 1e-3 with the solver that it chooses, and with packed-smo, whose pairs may take the limit of
10 million iterations. `liblinear-train -s 3 -B 1` solves another problem, which penalises the bias too, by a
rule of its own. All are judged by the primal objective of the C-SVM, P(w, b) = |w|^2/2 + C sum_i max(0, 1 - y_i (w
x_i + b)), at their w and the b that minimises it (a sum of hinges in b is least at one of its kinks y_i - w x_i). The
excess is P / P* - 1, where P* is the objective of hullbench at a relative gap of 1e-9. Times are medians of five
rounds, that of packed-smo is of one run.

    linear.py HULLBENCH OUT.json        with the commit in $HULLBENCH_COMMIT
"""
import json
import os
import random
import re
import resource
import shutil
import subprocess
import sys
import tempfile

ROUNDS = 5
PROBLEMS = [("2000 x 50, badly scaled", 2000, 50, True, 1), ("2000 x 200", 2000, 200, False, 100),
            ("5000 x 50", 5000, 50, False, 1)]


def draw(rows, features, is_scaled, seed):
    """Normal features; the classes differ along a random direction, and one label in ten is wrong."""
    source = random.Random(seed)
    scale = [10 ** source.uniform(-2, 2) if is_scaled else 1.0 for _ in range(features)]
    direction = [source.gauss(0, 1) for _ in range(features)]
    x, y = [], []
    for _ in range(rows):
        row = [source.gauss(0, 1) for _ in range(features)]
        label = 1 if sum(a * b for a, b in zip(row, direction)) > 0 else -1
        y.append(-label if source.random() < 0.1 else label)
        x.append([a * s for a, s in zip(row, scale)])
    return x, y


def run(command):
    """Processor seconds and output. Status 1 of hullbench means that the run did not converge."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    environment = dict(os.environ, OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1")
    ended = subprocess.run(command, check=False, stdout=subprocess.PIPE, env=environment, encoding="utf-8")
    if ended.returncode not in (0, 1):
        raise SystemExit(f"linear: {command[0]} ended with status {ended.returncode}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, ended.stdout


def described(output):
    """What hullbench prints of its run; of the solver only if it chose it."""
    chosen = re.search(r"^solver ([\w-]+):", output, flags=re.M)
    return {"chosen": chosen[1] if chosen else None,
            "iterations": int(re.search(r"#iter = (\d+)", output)[1]),
            "gap": float(re.search(r"\(relative: ([\d.e-]+)\)", output)[1])}


def weights_of_hullbench(path, features):
    """sum_k alpha_k y_k x_k over the support vectors of a model file of LIBSVM."""
    w, is_inside = [0.0] * features, False
    with open(path, encoding="utf-8") as stream:
        for line in stream:
            words = line.split()
            if is_inside:
                for index, value in (word.split(":") for word in words[1:]):
                    w[int(index) - 1] += float(words[0]) * float(value)
            is_inside = is_inside or words == ["SV"]
    return w


def weights_of_liblinear(path, features):
    """The features' weights; negative for a model whose first label is -1."""
    with open(path, encoding="utf-8") as stream:
        lines = stream.read().split("\n")
    sign = 1 if "label 1 -1" in lines else -1
    return [sign * float(value) for value in lines[lines.index("w") + 1:][:features]]


def primal(w, x, y, c):
    """P(w, b) at the best b. In b the slope begins at -C times the positive labels and rises by C at each kink."""
    values = [sum(a * b for a, b in zip(row, w)) for row in x]
    bias = sorted(label - value for label, value in zip(y, values))[y.count(1) - 1]
    loss = sum(max(0.0, 1 - label * (value + bias)) for label, value in zip(y, values))
    return 0.5 * sum(a * a for a in w) + c * loss


def measure(hullbench, folder, problem, seed):
    name, rows, features, is_scaled, c = problem
    x, y = draw(rows, features, is_scaled, seed)
    data = os.path.join(folder, "data")
    models = [os.path.join(folder, solver) for solver in ("h", "l", "pairs", "best")]
    with open(data, "w", encoding="utf-8") as stream:
        for row, label in zip(x, y):
            stream.write(f"{label} " + " ".join(f"{k + 1}:{value:.17g}" for k, value in enumerate(row)) + "\n")
    solve = [hullbench, "solve", "--jobs", "1", "-t", "0", "-c", str(c)]
    commands = [solve + [data, models[0]],
                ["liblinear-train", "-q", "-s", "3", "-B", "1", "-c", str(c), data, models[1]]]
    rounds = [[run(command) for command in commands] for _ in range(ROUNDS)]
    pairs = run(solve + ["-s", "packed-smo", data, models[2]])
    run(solve + ["-e", "1e-9", data, models[3]])
    *objectives, best = [primal(read(path, features), x, y, c) for read, path in
                         zip((weights_of_hullbench, weights_of_liblinear) + 2 * (weights_of_hullbench,), models)]
    excess = [objective / best - 1 for objective in objectives]
    median = [sorted(round_[k][0] for round_ in rounds)[ROUNDS // 2] for k in (0, 1)]
    return {"problem": name, "C": c,
            "runs": [{"solver": "hullbench solve", "seconds": median[0], "excess": excess[0],
                      **described(rounds[0][0][1])},
                     {"solver": "packed-smo", "seconds": pairs[0], "excess": excess[2], **described(pairs[1])},
                     {"solver": "LIBLINEAR", "seconds": median[1], "excess": excess[1]}]}


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    if not shutil.which("liblinear-train"):
        print("linear: LIBLINEAR is left out; it needs liblinear-tools", file=sys.stderr)
        return
    load = os.getloadavg()[0]
    with tempfile.TemporaryDirectory() as folder:
        races = [measure(sys.argv[1], folder, problem, seed) for seed, problem in enumerate(PROBLEMS)]
    with open(sys.argv[2], "w", encoding="utf-8") as stream:
        json.dump({"commit": os.environ.get("HULLBENCH_COMMIT", ""), "load": load, "linear": races},
                  stream, indent=1)


main()
