"""Solvers of hullbench in Python.

    from hullbench_solver import Problem, Solver, State, serve

    class Mine(Solver):
        def init(self, problem: Problem) -> State: ...
        def step(self) -> State: ...
        def multipliers(self) -> "numpy.ndarray": ...

    serve(Mine())

A declaration (docs/programs.md) names the program, and `hullbench ... --plugin mine.json` starts it. hullbench owns the
loop: it calls `init` once a problem, then `step` until its stopping rule is met or a budget is spent, and
`multipliers` when it wants the result. The solver sees labels and asks the problem for kernel values, which are
counted. What it prints goes to standard error; an exception fails the job with its place and text.

`Hull` has the arithmetic that solvers for nearest points share. The module needs Python 3.9 and numpy.
"""
from __future__ import annotations

import os
import struct
import sys
import traceback
from dataclasses import dataclass
from types import TracebackType
from typing import Dict, NoReturn, Optional, Sequence, Tuple

import numpy as np

__all__ = ["Hull", "Problem", "Solver", "State", "serve"]

PROTOCOL = 1
_HEAD = struct.Struct("=c3xI")
_BEGIN = struct.Struct("=IIdII")
_STATE = struct.Struct("=7diI")
_PAIR = struct.Struct("=II")


@dataclass
class State:
    """The state of a solver: after the last step, and with the update that the next step would make.

    Values that the solver does not know are NaN; objective, norm2 and delta must be numbers.
    """

    objective: float  #: the function that is minimised
    norm2: float  #: |W|^2
    delta: float  #: the violation of the pair that the next step updates
    gap: float = np.nan  #: the gap of the whole problem
    class_gap: Tuple[float, float] = (np.nan, np.nan)  #: the gaps of the classes +1 and -1
    violation: float = np.nan  #: the largest violation of a pattern's KKT condition
    updated_class: int = 0  #: +1 or -1: the class that the next step updates; 0: both
    no_choice: bool = False  #: no update is admissible
    no_step: bool = False  #: the last step was zero and has changed nothing
    class_stuck: bool = False  #: the class that is not updated has no admissible choice

    def _frame(self) -> bytes:
        flags = self.no_choice | self.no_step << 1 | self.class_stuck << 2
        return _STATE.pack(self.objective, self.norm2, self.delta, self.violation, self.gap, *self.class_gap,
                           self.updated_class, flags)


class _Pipe:
    """Frames over two descriptors."""

    def __init__(self, source: int, sink: int) -> None:
        self.source, self.sink = source, sink
        self._head = bytearray(_HEAD.size)

    def _fill(self, buffers: Sequence[memoryview]) -> bool:
        buffers = [b for b in buffers if len(b)]
        while buffers:
            got = os.readv(self.source, buffers)
            if got == 0:
                return False
            while buffers and got >= len(buffers[0]):
                got -= len(buffers.pop(0))
            if got:
                buffers[0] = buffers[0][got:]
        return True

    def next(self) -> Tuple[bytes, bytes]:
        """The kind and content of the next frame; the program ends where hullbench has closed the pipe."""
        if not self._fill([memoryview(self._head)]):
            sys.exit(0)
        kind, size = _HEAD.unpack(self._head)
        content = bytearray(size)
        if not self._fill([memoryview(content)]):
            sys.exit(0)
        return kind, bytes(content)

    def reals(self, n: int) -> np.ndarray:
        """The content of an answer with n reals."""
        values = np.empty(n)
        buffers = [self._head, memoryview(values).cast("B")]
        got = os.readv(self.source, buffers)
        if got < _HEAD.size + 8 * n:
            rest = [memoryview(self._head)[got:], buffers[1][max(0, got - _HEAD.size):]]
            if got == 0 or not self._fill(rest):
                sys.exit(0)
        return values

    def send(self, kind: bytes, content: bytes = b"") -> None:
        data = _HEAD.pack(kind, len(content)) + content
        sent = os.write(self.sink, data)
        while sent < len(data):
            sent += os.write(self.sink, data[sent:])


class Problem:
    """A training problem: n patterns, of which the solver sees the labels, and kernel values on request.

    Kernel values are those of K + I/C under a square penalty. Each request is counted in kernel operations, as said
    with each method.
    """

    def __init__(self, pipe: _Pipe, content: bytes) -> None:
        version, n, tolerance, count, name_bytes = _BEGIN.unpack_from(content)
        if version != PROTOCOL:
            raise RuntimeError(f"hullbench speaks version {version} of the protocol; this module has {PROTOCOL}")
        values = np.frombuffer(content, np.float64, count, _BEGIN.size)
        at = _BEGIN.size + 8 * count
        names = content[at:at + name_bytes].decode().split("\0")
        self._pipe = pipe
        self.n: int = n  #: the number of patterns
        self.tolerance: float = tolerance  #: of the stopping rule; NaN if the solver ignores it
        self.parameters: Dict[str, float] = dict(zip(names, values.tolist()))  #: by name
        self.y: np.ndarray = np.frombuffer(content, np.int8, n, at + name_bytes).astype(float)  #: labels, 1 or -1

    def row(self, i: int) -> np.ndarray:
        """k(x_i, x_j) for all j: n kernel operations."""
        self._pipe.send(b"R", int(i).to_bytes(4, sys.byteorder))
        return self._pipe.reals(self.n)

    def weighted_sum(self, patterns: np.ndarray, weights: np.ndarray) -> np.ndarray:
        """sum over k of weights[k] k(x_patterns[k], x_j) for all j: n kernel operations for each pattern."""
        patterns = np.ascontiguousarray(patterns, np.uint32)
        weights = np.ascontiguousarray(weights, np.float64)
        if len(patterns) != len(weights) or len(patterns) == 0:
            raise ValueError("as many weights as patterns, and at least one, are needed")
        self._pipe.send(b"W", _PAIR.pack(len(patterns), 0) + weights.tobytes() + patterns.tobytes())
        return self._pipe.reals(self.n)

    def diagonal(self) -> np.ndarray:
        """k(x_j, x_j) for all j: n kernel operations."""
        self._pipe.send(b"D")
        return self._pipe.reals(self.n)

    def values(self, i: np.ndarray, j: np.ndarray) -> np.ndarray:
        """k(x_i[k], x_j[k]) for all k: one kernel operation each."""
        i, j = np.ascontiguousarray(i, np.uint32), np.ascontiguousarray(j, np.uint32)
        if len(i) != len(j) or len(i) == 0:
            raise ValueError("as many second as first patterns, and at least one, are needed")
        self._pipe.send(b"V", _PAIR.pack(len(i), 0) + i.tobytes() + j.tobytes())
        return self._pipe.reals(len(i))


class Solver:
    """A solver: override the three methods."""

    def init(self, problem: Problem) -> State:
        """Starts on a problem; the problem is valid until the next init."""
        raise NotImplementedError

    def step(self) -> State:
        """Makes the chosen update and chooses the next one."""
        raise NotImplementedError

    def multipliers(self) -> np.ndarray:
        """The n multipliers of the current state."""
        raise NotImplementedError


def _place(trace: Optional[TracebackType]) -> str:
    """FILE:LINE of the innermost call in the folder of the program, and ": "; "" if there is none."""
    folder = os.path.dirname(os.path.abspath(sys.argv[0]))
    for frame in reversed(traceback.extract_tb(trace)):
        if os.path.dirname(os.path.abspath(frame.filename)) == folder:
            return f"{os.path.basename(frame.filename)}:{frame.lineno}: "
    return ""


def _fail(pipe: _Pipe) -> NoReturn:
    traceback.print_exc()
    kind, error, trace = sys.exc_info()
    pipe.send(b"F", f"{_place(trace)}{kind.__name__ if kind else 'error'}: {error}".encode()[:150])
    sys.exit(1)


def serve(solver: Solver) -> None:
    """Answers hullbench over standard input and output until hullbench ends the program."""
    pipe = _Pipe(os.dup(0), os.dup(1))
    os.dup2(2, 1)  # what the solver prints must not mix with frames
    while True:
        kind, content = pipe.next()
        try:
            if kind == b"B":
                pipe.send(b"P", solver.init(Problem(pipe, content))._frame())
            elif kind == b"S":
                pipe.send(b"P", solver.step()._frame())
            elif kind == b"M":
                pipe.send(b"M", np.ascontiguousarray(solver.multipliers(), np.float64).tobytes())
        except Exception:
            _fail(pipe)


class Hull:
    """W = W+ - W-, points of the mu-reduced convex hulls of both classes: 0 <= alpha <= mu, each class sums to 1.

    It keeps the multipliers and the products of W+ and W- with all patterns. With v_j = s W . x_j, s the label, an
    update prefers small v where it adds weight (Lopez, Barbero and Dorronsoro 2011, Section 2.1).
    """

    def __init__(self, problem: Problem, mu: float) -> None:
        """Starts at the barycentres of the classes: n^2 kernel operations."""
        self.problem, self.mu = problem, mu
        self.members = {s: np.flatnonzero(problem.y == s) for s in (1, -1)}
        self.alpha = np.zeros(problem.n)
        self.products = {}
        for s, members in self.members.items():
            if mu * len(members) < 1:
                raise ValueError(f"mu = {mu:g} leaves the reduced hull of {len(members)} patterns empty")
            self.alpha[members] = 1 / len(members)
            self.products[s] = problem.weighted_sum(members, self.alpha[members])

    def pair(self, s: int) -> Tuple[int, int, float]:
        """L = argmin v over alpha < mu, U = argmax v over alpha > 0, and Delta = v_U - v_L, of class s (eqs. 7, 13)."""
        members = self.members[s]
        v, alpha = s * self._projection(members), self.alpha[members]
        low = int(np.argmin(np.where(alpha < self.mu, v, np.inf)))
        high = int(np.argmax(np.where(alpha > 0, v, -np.inf)))
        if not (alpha[low] < self.mu and alpha[high] > 0):
            return int(members[0]), int(members[0]), 0.0
        return int(members[low]), int(members[high]), float(v[high] - v[low])

    def choose(self) -> Tuple[int, int, int, float]:
        """The class with the larger Delta, and its pair."""
        positive, negative = self.pair(1), self.pair(-1)
        return (1, *positive) if positive[2] > negative[2] else (-1, *negative)

    def line_search(self, low: int, high: int, delta: float, rows: Tuple[np.ndarray, np.ndarray]) -> float:
        """The weight that minimises |W| on the way from U to L within the bounds (eq. 14), given their rows."""
        length2 = (rows[0][low] - rows[0][high]) + (rows[1][high] - rows[1][low])  # |X_L - X_U|^2
        room = min(self.mu - self.alpha[low], self.alpha[high])
        return min(delta / length2, room) if length2 > 0 else room

    def add(self, s: int, low: int, high: int, weight: float, rows: Tuple[np.ndarray, np.ndarray]) -> None:
        """Moves exactly this weight, given the rows of L and U. A weight that reaches a bound is set to it."""
        is_full, is_empty = weight == self.mu - self.alpha[low], weight == self.alpha[high]
        self.alpha[low] = self.mu if is_full else self.alpha[low] + weight
        self.alpha[high] = 0.0 if is_empty else self.alpha[high] - weight
        self.products[s] += weight * (rows[0] - rows[1])

    def state(self, s: int, delta: float) -> State:
        """The state, with the class and Delta of the next update."""
        y, alpha = self.problem.y, self.alpha
        norm2 = float(np.sum(y * alpha * self._projection(slice(None))))
        gaps = self.gap(1), self.gap(-1)
        return State(objective=norm2 / 2, norm2=norm2, delta=delta, gap=gaps[0] + gaps[1], class_gap=gaps,
                     updated_class=s)

    def gap(self, s: int) -> float:
        """How far an extreme point of class s lies below W in the direction of -s W (Section 4.1)."""
        members = self.members[s]
        v = s * self._projection(members)
        full = int(np.floor(1 / self.mu * (1 + 1e-12)))
        rest = max(0.0, 1 - full * self.mu)
        least = np.sort(np.partition(v, min(full, len(v) - 1))[:full + 1])
        extreme = self.mu * np.sum(least[:full]) + (rest * least[full] if len(least) > full else 0.0)
        return float(np.sum(self.alpha[members] * v) - extreme)

    def _projection(self, index) -> np.ndarray:
        return self.products[1][index] - self.products[-1][index]
