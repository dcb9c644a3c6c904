#!/usr/bin/env python3
"""SVC of scikit-learn, or of ThunderSVM, which has the same interface.

scikit.py MODULE --version: prints the version; status 1 where the module is not installed
scikit.py MODULE DATA.csv GAMMA C TOLERANCE MEGABYTES OUT: trains on rows of label and features; OUT gets the seconds
that fit took and a multiplier for each row
"""
import importlib
import sys
import time

import numpy

name = sys.argv[1]
try:
    module = importlib.import_module(name)
except (ImportError, OSError):
    sys.exit(1)
if sys.argv[2] == "--version":
    package = importlib.import_module(name.split(".")[0])
    print(getattr(package, "__version__", ""))
    sys.exit(0)
data, gamma, c, tolerance, megabytes, out = sys.argv[2:]
table = numpy.loadtxt(data, delimiter=",", ndmin=2)
y, x = table[:, 0], numpy.ascontiguousarray(table[:, 1:])
c = float(c)
if name == "thundersvm":
    memory = {"max_mem_size": int(megabytes), "n_jobs": 1}
else:
    memory = {"cache_size": float(megabytes)}
svc = module.SVC(kernel="rbf", gamma=float(gamma), C=c, tol=float(tolerance), **memory)
start = time.process_time()
svc.fit(x, y)
seconds = time.process_time() - start
alpha = numpy.zeros(len(y))
alpha[svc.support_] = numpy.abs(numpy.asarray(svc.dual_coef_, dtype=float).ravel())
if name == "thundersvm":  # coefficients in single precision: those at C are at C
    alpha[alpha >= c * (1 - 1e-6)] = c
with open(out, "w") as stream:
    stream.write("%.17g\n" % seconds)
    stream.writelines("%.17g\n" % a for a in alpha)
