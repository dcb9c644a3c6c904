"""A solver that misbehaves: its parameter `mode` says how. Mode 0 is sound: minimum norm by Gilbert's steps. It uses
the protocol of docs/programs.md without any module of hullbench."""
import os
import signal
import struct
import sys
import time

ends = os.dup(0), os.dup(1)


def read(size):
    parts = b""
    while len(parts) < size:
        part = os.read(ends[0], size - len(parts))
        if not part:
            sys.exit(0)
        parts += part
    return parts


def frame():
    kind, size = struct.unpack("=c3xI", read(8))
    return kind, read(size)


def send(kind, content=b""):
    data = struct.pack("=c3xI", kind, len(content)) + content
    while data:
        data = data[os.write(ends[1], data):]


def row(i):
    send(b"R", struct.pack("=I", i))
    return struct.unpack(f"={n}d", frame()[1])


def state(objective=None):
    """W = sum_i alpha_i y_i (x_i, 1), v_i = y_i W . (x_i, 1)."""
    norm2 = sum(a * v for a, v in zip(alpha, values))
    least = min(range(n), key=values.__getitem__)
    delta = norm2 - values[least]
    numbers = norm2 / 2 if objective is None else objective, norm2, delta, float("nan"), delta, delta, delta
    send(b"P", struct.pack("=7diI", *numbers, 0, 0))
    return least, delta


def augmented(i):
    return [y[i] * y[j] * (k + 1) for j, k in enumerate(row(i))]


def misbehave(place):
    """Places: 1 the start, 2 the fifth step, 3 the multipliers. Modes are place + 10 times the kind."""
    if mode % 10 != place:
        return
    kind = mode // 10
    if kind == 0:
        sys.exit(3)
    elif kind == 1:
        print("out of ideas", file=sys.stderr)
        os.abort()
    elif kind == 2:
        os.kill(os.getpid(), signal.SIGSEGV)
    elif kind == 3:
        time.sleep(1000)
    elif kind == 4:
        os.write(ends[1], b"iteration 5: all is well\n")
    elif kind == 5:
        send(b"P", b"short")
    elif kind == 6:
        send(b"P", struct.pack("=7diI", *7 * [float("nan")], 0, 0))
    elif kind == 7:
        send(b"F", b"the step is singular")
    elif kind == 8:
        os.close(ends[1])
        os.close(1)
        time.sleep(1000)
    elif kind == 9:
        for signal_number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            signal.signal(signal_number, signal.SIG_IGN)
        while True:
            pass
    elif kind == 10:
        if os.fork() == 0:
            os.setsid()
            if os.fork() == 0:
                time.sleep(1000)
            os._exit(0)
        sys.exit(4)
    elif kind == 11:
        os.write(2, 10 * 1024 * (1023 * b"x" + b"\n"))
        os.write(2, b"that was long\n")
        sys.exit(5)
    elif kind == 12:
        send(b"R", struct.pack("=I", n))
    elif kind == 13:
        send(b"W", struct.pack("=II", n + 1, 0))
    elif kind == 14:
        os.write(ends[1], struct.pack("=c3xI", b"W", 0xffffffff) + 100000 * b"\0")
    elif kind == 15:
        os.close(ends[0])
        os.close(0)
        time.sleep(1000)
    elif kind == 16:
        while True:
            send(b"D")
    elif kind == 17:
        os.kill(os.getpid(), signal.SIGSTOP)
    elif kind == 18:
        send(b"Z")
    elif kind == 19:
        raise RuntimeError("a bug")


while True:
    what, content = frame()
    if what == b"B":
        version, n, tolerance, count, name_bytes = struct.unpack_from("=IIdII", content)
        mode = int(struct.unpack_from("=d", content, 24)[0])
        y = struct.unpack_from(f"={n}b", content, 24 + 8 * count + name_bytes)
        alpha, steps = [1.0] + (n - 1) * [0.0], 0
        misbehave(1)
        values = augmented(0)
        best, progress = state()
    elif what == b"S":
        steps += 1
        if steps == 5:
            misbehave(2)
        there = augmented(best)
        square = sum(a * v for a, v in zip(alpha, values))
        length = square - 2 * values[best] + there[best]
        step = min(1.0, progress / length) if length > 0 else 1.0
        alpha = [(1 - step) * a for a in alpha]
        alpha[best] += step
        values = [(1 - step) * v + step * t for v, t in zip(values, there)]
        best, progress = state()
    elif what == b"M":
        misbehave(3)
        send(b"M", struct.pack(f"={n}d", *alpha))
