#!/usr/bin/env python3
"""How fast hullbench reads files: user seconds of `hullbench predict --jobs 1` with a model of one support vector.

The files hold 20 MB of text (10 MB where they are compressed): a block of a few MB drawn with a fixed seed, repeated;
it is longer than the window of gzip and the dictionary of xz at level 0. Times are the shortest of twelve rounds over
files in the page cache, since other programs can only lengthen them; 1 MB is 10^6 bytes.

    reading.py HULLBENCH OUT.json [MEGABYTES]        with the commit in $HULLBENCH_COMMIT
"""
import bz2
import gzip
import json
import lzma
import os
import random
import resource
import subprocess
import sys
import tempfile

ROUNDS = 12
BLOCK = 2**22
MODEL = """svm_type c_svc
kernel_type linear
nr_class 2
total_sv 2
rho 0
label 1 -1
nr_sv 1 1
SV
1 1:1
-1 1:-1
"""


def libsvm_row(source, features, values):
    chosen = range(1, features + 1) if values == features else sorted(source.sample(range(1, features + 1), values))
    return source.choice(("1", "-1")) + "".join(f" {k}:{source.random():.6f}" for k in chosen) + "\n"


def csv_row(source, columns):
    return ",".join([f"{source.random():.6f}" for _ in range(columns)] + [source.choice(("1", "-1"))]) + "\n"


def text_of(make_row, size):
    source, rows, length = random.Random(1), [], 0
    while length < min(BLOCK, size):
        rows.append(make_row(source))
        length += len(rows[-1])
    block = "".join(rows).encode()
    return block * max(1, round(size / len(block)))


def user_seconds(command):
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=dict(os.environ, OMP_NUM_THREADS="1"))
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before


def main():
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    size = int(1e6 * float(sys.argv[3] if len(sys.argv) > 3 else 20))
    dense, sparse = lambda source: libsvm_row(source, 100, 100), lambda source: libsvm_row(source, 50000, 75)
    files = [("LIBSVM format, 100 features of 6 digits", "data", dense, size, open),
             ("LIBSVM format, 50 000 features, 75 values a row", "data", sparse, size, open),
             ("CSV, 100 columns of 6 digits", "data.csv", lambda source: csv_row(source, 100), size, open),
             ("as the first, .gz", "data.gz", dense, size // 2, gzip.open),
             ("as the first, .xz, level 0", "data.xz", dense, size // 2,
              lambda path, mode: lzma.open(path, mode, preset=0)),
             ("as the first, .bz2", "data.bz2", dense, size // 2, bz2.open)]
    load, found = os.getloadavg()[0], []
    with tempfile.TemporaryDirectory() as folder:
        model, out = os.path.join(folder, "model"), os.path.join(folder, "out")
        with open(model, "w", encoding="utf-8") as stream:
            stream.write(MODEL)
        for title, name, make_row, bytes_wanted, opened in files:
            path, text = os.path.join(folder, name), text_of(make_row, bytes_wanted)
            with opened(path, "wb") as stream:
                stream.write(text)
            command = [sys.argv[1], "predict", "--jobs", "1", "-q", path, model, out]
            seconds = min(user_seconds(command) for _ in range(ROUNDS))
            found.append({"file": title, "megabytes": round(len(text) / 1e6), "seconds": seconds})
            os.remove(path)
    with open(sys.argv[2], "w", encoding="utf-8") as stream:
        json.dump({"commit": os.environ.get("HULLBENCH_COMMIT", ""), "load": load, "reading": found}, stream, indent=1)


main()
