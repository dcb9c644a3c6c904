#!/usr/bin/env python3
"""What hullbench adds to the time of a solver that is a Python program: programs.py HULLBENCH

Prints the median and the largest of five measurements, in microseconds: of a kernel row of 1000 values as the client
receives it, whose values are in the kernel matrix already, and of an iteration in which the client computes nothing.
Needs numpy and an idle machine.
"""
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time

N, ROWS, STEPS, TIMES = 1000, 20000, 20000, 5
CLIENT = """
import os, sys, time
sys.path.append(os.path.join(os.environ["HULLBENCH_BINDINGS"], "python"))
from hullbench_solver import Solver, State, serve
import numpy as np

class Idle(Solver):
    def init(self, problem):
        self.problem = problem
        self.alpha = np.full(problem.n, 1 / problem.n)
        for i in range(problem.n):
            problem.row(i)
        began = time.perf_counter()
        for k in range(ROWS):
            problem.row(k % problem.n)
        with open("rows", "w") as out:
            out.write(str((time.perf_counter() - began) / ROWS))
        self.state = State(1.0, 2.0, 3.0)
        return self.state
    def step(self):
        return self.state
    def multipliers(self):
        return self.alpha

serve(Idle())
""".replace("ROWS", str(ROWS))


def measure(hullbench, folder):
    command = [hullbench, "run", "config.json", "--plugin", "./idle.json", "--out", "run", "--force", "--quiet",
               "--jobs", "1"]
    subprocess.run(command, cwd=folder, check=True)
    with open(os.path.join(folder, "rows")) as rows, open(os.path.join(folder, "run", "timings.jsonl")) as times:
        row = float(rows.read())
        seconds = json.loads(times.readline())["seconds"]
    return 1e6 * row, 1e6 * max(0.0, seconds - (ROWS + N) * row) / STEPS


def main(hullbench):
    with tempfile.TemporaryDirectory() as folder:
        def write(name, text):
            with open(os.path.join(folder, name), "w") as out:
                out.write(text)
        write("idle.py", CLIENT)
        write("idle.json", json.dumps({
            "name": "idle", "title": "asks for rows and makes empty steps", "reference": "none",
            "formulation": "minimum-norm", "stops": ["iterations"],
            "default_stop": {"rule": "iterations", "tolerance": 1},
            "properties": ["ignores_tolerance"], "command": [sys.executable, "idle.py"], "step_seconds": 600}))
        draw = random.Random(1)
        write("data.csv", "\n".join(",".join(f"{draw.gauss(0, 1):.6g}" for _ in range(5)) + f",{2 * (i % 2) - 1}"
                                    for i in range(N + 10)) + "\n")
        write("config.json", json.dumps({
            "name": "bench", "datasets": [{"name": "data", "file": "data.csv", "n_train": N, "n_test": 10}],
            "splits": [1], "standardise": "none", "kernel": {"type": "rbf", "width": 5}, "solvers": ["idle"],
            "stop": {"rule": "iterations"}, "budget": {"iterations": STEPS}}))
        began = time.time()
        found = [measure(hullbench, folder) for _ in range(TIMES)]
    for name, values in zip((f"row of {N} values", "iteration"), zip(*found)):
        print(f"{name}: median {statistics.median(values):.1f} us, largest {max(values):.1f} us")
    print(f"{time.time() - began:.0f} s, {os.cpu_count()} processors, load {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    main(os.path.abspath(sys.argv[1]))
