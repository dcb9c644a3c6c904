#!/usr/bin/env python3
"""Mutation testing: how many small faults in the sources of solvers/ and harness/ does `make test` notice?

A mutant is the project with one small fault (mutation_sites.py). A mutant is killed if a test that reaches the
changed line fails or takes too long. It survives if all of them and the module's own test pass. If no test is seen to
reach the line, the tests that reach another line of the source decide. A mutant that does not compile, or that has
the same object code as the original, is replaced by another.

    tests/mutation/mutate.py [--mutants 300] [--seed 1] [--jobs 2] [--least 95] [--only TEXT] [--all-tests]
                    [--first N] [--patience 3] [--longest SECONDS] [--list] [--root DIR]

Hashes of the seed and of the text of each line choose the mutants: each folder gives a share in proportion to its
lines, and at least three. A change elsewhere does not alter the choice. The order is random too, so the mutants judged
first are a fair sample of all.

The working tree stays as it is: mutants are built in private copies below build/mutate. The file
results/mutate/SEED/journal.jsonl gets a line for each verdict. The same command resumes an interrupted run; if tests
have changed, it runs those on the survivors. The table is results/mutate/SEED/table.md. The list
tests/mutation/mutants-equivalent.txt has mutants that change nothing, each with its reason; they are counted apart.

The tests are those of `make test`, except that the slow scripts that rebuild the project (REBUILDING) need --all-tests,
and that a test that fails or skips without any fault, as test_slurm.sh does without Slurm, is left out.

Exit status: 0 if at least LEAST per cent are killed, 1 if fewer, 2 bad use, 4 if nothing can be built, 130 interrupted.
"""
import argparse
import collections
import contextlib
import fnmatch
import glob
import hashlib
import json
import os
import queue
import re
import shlex
import shutil
import signal
import subprocess
import sys
import threading
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import mutation_sites  # noqa: E402

REBUILDING = ["test_adding_page.sh", "test_faults.sh", "test_install.sh", "test_mutate.sh", "test_same_bytes.sh",
              "test_slurm.sh"]
LEAST_PER_FOLDER = 3
KILLED = ("killed", "timeout")
# A test takes too long if one of its processes uses CPU_FACTOR times the test's normal processor time, or if it needs
# CLOCK_FACTOR times that in elapsed time, which leaves room for other work on the machine. --patience seconds are added
# to the former, thirty times as many to the latter.
CPU_FACTOR, CLOCK_FACTOR = 5, 15

Site = collections.namedtuple("Site", "file folder source mutation original changed rank")


class Fault(Exception):
    """No mutant can be built or judged; the text says why."""


def digest(*texts):
    return hashlib.sha256("\0".join(texts).encode()).hexdigest()


def read(path):
    with open(path, encoding="utf-8", errors="surrogateescape") as file:
        return file.read()


def write(path, text):
    with open(path, "w", encoding="utf-8", errors="surrogateescape") as file:
        file.write(text)


def bytes_of(path):
    with open(path, "rb") as file:
        return file.read()


# ---- selection of mutants ----

def sources(root):
    """The sources that are mutated: neither tests nor benches, nor the plugin that only wraps LIBSVM."""
    found = []
    for top in ("solvers", "harness"):
        for path in glob.glob(os.path.join(root, top, "**", "*.c"), recursive=True):
            name = os.path.relpath(path, root)
            if os.path.basename(name).startswith("test_") or name.startswith(("tests/bench/", "solvers/peer/")):
                continue
            found.append(name)
    return sorted(found)


def statement_text(source, mutation, changed):
    """The lines of the mutation as they are, or with it, on one line."""
    text = mutation_sites.mutated(source, mutation) if changed else source
    first = mutation.line
    last = first + mutation.before.count("\n")
    return " ".join(line.strip() for line in text.split("\n")[first - 1:last]).strip()


def sites(root, seed, only):
    """By folder, the candidates in the order in which they are taken: one mutation a line."""
    folders, lines = collections.defaultdict(list), collections.Counter()
    for name in sources(root):
        source = read(os.path.join(root, name))
        folder = os.path.dirname(name)
        lines[folder] += source.count("\n")
        by_line = collections.defaultdict(list)
        for mutation in mutation_sites.mutations(source):
            by_line[mutation.line].append(mutation)
        seen = collections.Counter()
        for line in sorted(by_line):
            text = statement_text(source, by_line[line][0], False)
            function = by_line[line][0].function
            seen[function, text] += 1
            place = "|".join([str(seed), name, function, text, str(seen[function, text])])
            # First choose the operator and then one of its changes, so that constants, which are many, do not dominate.
            operators = sorted({m.operator for m in by_line[line]}, key=lambda o: digest(place, o))
            of_one = [m for m in by_line[line] if m.operator == operators[0]]
            mutation = of_one[int(digest(place, "change"), 16) % len(of_one)]
            site = Site(name, folder, source, mutation, text, statement_text(source, mutation, True), digest(place))
            if only is None or only in "%s:%d" % (name, line):
                folders[folder].append(site)
    for folder in folders:
        folders[folder].sort(key=lambda site: site.rank)
    return folders, lines


def shares(folders, lines, wanted):
    """How many mutants each folder gives: in proportion to its lines, and at least LEAST_PER_FOLDER of what it has."""
    total = sum(lines[folder] for folder in folders)
    share = {f: min(len(folders[f]), max(LEAST_PER_FOLDER, round(wanted * lines[f] / total))) for f in folders}
    while sum(share.values()) > wanted and max(share.values()) > LEAST_PER_FOLDER:
        share[max(share, key=lambda f: (share[f], f))] -= 1
    while sum(share.values()) < wanted and any(share[f] < len(folders[f]) for f in folders):
        with_more = [f for f in folders if share[f] < len(folders[f])]
        share[max(with_more, key=lambda f: (lines[f] / (share[f] + 1), f))] += 1
    return share


def equivalents(path):
    """{(file, original line, mutated line): reason} from the lines FILE, `- original`, `+ mutated` and `= reason`."""
    reasons, name, minus, pairs = {}, None, None, []
    if not os.path.exists(path):
        return reasons
    for number, line in enumerate(read(path).split("\n"), 1):
        line = line.strip()
        if not line or line.startswith("#"):
            continue
        if line.startswith("- "):
            minus = line[2:].strip()
        elif line.startswith("+ ") and name and minus:
            pairs.append((name, minus, line[2:].strip()))
        elif line.startswith("= ") and pairs:
            reasons.update({pair: line[2:].strip() for pair in pairs})
            pairs = []
        elif line.endswith(".c") and not pairs:
            name, minus = line, None
        else:
            raise Fault("%s:%d: expected a file, `- original`, `+ mutated` or `= reason`, in this order: %s" %
                        (path, number, line))
    if pairs:
        raise Fault("%s: the last entry has no reason" % path)
    return reasons


# ---- private copies ----

def left_out(name):
    top = name.split("/")[0]
    return top in ("build", ".git", "hullbench", "results", "__pycache__") or fnmatch.fnmatch(name, "datasets/cache*")


def files_of(root):
    found = set()
    for folder, subfolders, names in os.walk(root):
        here = os.path.relpath(folder, root)
        here = "" if here == "." else here + "/"
        subfolders[:] = [s for s in subfolders if not left_out(here + s)]
        found.update(here + name for name in names if not left_out(here + name))
    return found


def copy_tree(root, tree):
    """Makes the copy equal to the working tree, but for what was built. A changed file gets a new time for make."""
    ours, theirs = files_of(root), files_of(tree) if os.path.isdir(tree) else set()
    for name in theirs - ours:
        os.remove(os.path.join(tree, name))
    for name in sorted(ours):
        source, target = os.path.join(root, name), os.path.join(tree, name)
        if name in theirs and not os.path.islink(source) and bytes_of(source) == bytes_of(target) and \
                os.stat(source).st_mode == os.stat(target).st_mode:
            continue
        os.makedirs(os.path.dirname(target), exist_ok=True)
        if os.path.islink(source):
            with contextlib.suppress(FileNotFoundError):
                os.remove(target)
            os.symlink(os.readlink(source), target)
        else:
            shutil.copy(source, target)
    cache = os.path.join(root, "datasets", "cache")
    if os.path.isdir(cache) and not os.path.exists(os.path.join(tree, "datasets", "cache")):
        os.symlink(cache, os.path.join(tree, "datasets", "cache"))


def environment(**more):
    kept = {k: v for k, v in os.environ.items() if k not in ("MAKEFLAGS", "MFLAGS", "MAKELEVEL", "BUILD")}
    kept.setdefault("CC", "gcc")
    kept.update(more)
    return kept


def make(tree, *words):
    with subprocess.Popen(["make", "-s", "-C", tree, *words], env=environment(), stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True) as process:
        try:
            output = process.communicate()[0]
        except KeyboardInterrupt:
            process.terminate()  # make removes unfinished files
            raise
    if process.returncode:
        raise Fault("make %s in %s failed:\n%s" % (" ".join(words), tree, output[-3000:]))
    return output


def tests_of(tree, every, flags=()):
    programs = make(tree, *flags, "print-TEST_PROGRAMS").split()
    scripts = [os.path.relpath(p, tree) for p in sorted(glob.glob(os.path.join(tree, "tests", "*", "test_*.sh")))]
    build = make(tree, *flags, "print-B").strip()
    tests = {os.path.relpath(p, build): p for p in programs}
    tests.update({s: s for s in scripts if every or os.path.basename(s) not in REBUILDING})
    return build, tests


class Running:
    """The processes of tests, to be ended together with this one."""

    def __init__(self):
        self.lock, self.groups, self.stopping = threading.Lock(), set(), False

    def run(self, tree, build, program, clock, cpu, **more):
        """Runs one test by tests/run.sh: (passed, processor seconds, "failed", "timeout", "skipped" or "", output)."""
        place = os.path.join(os.path.dirname(tree), "tmp-" + os.path.basename(tree), "%d" % threading.get_ident())
        shutil.rmtree(place, ignore_errors=True)
        os.makedirs(place)
        command = ["sh", "-c", 'ulimit -t "$0"; "$@"; status=$?; times; exit $status',
                   str(int(cpu)) if cpu else "unlimited", "sh", "tests/run.sh", program]
        with self.lock:
            if self.stopping:
                raise KeyboardInterrupt
            process = subprocess.Popen(command, cwd=tree, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                       stderr=subprocess.STDOUT, start_new_session=True,
                                       env=environment(BUILD=build, TMPDIR=place, **more))
            self.groups.add(process.pid)
        how, output = "", b""
        try:
            output = process.communicate(timeout=clock)[0]
        except subprocess.TimeoutExpired:
            how = "timeout"
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        with self.lock:
            self.groups.discard(process.pid)
            if self.stopping:
                raise KeyboardInterrupt
        subprocess.run(["chmod", "-R", "u+rwX", place], check=False, stderr=subprocess.DEVNULL)
        shutil.rmtree(place, ignore_errors=True)
        # The last line is the output of `times` for the children: 0m1.5s 0m0.25s.
        used = re.findall(rb"(\d+)m([\d.]+)s", output[output.rfind(b"\n", 0, -1) + 1:])
        seconds = sum(60 * int(minutes) + float(rest) for minutes, rest in used)
        if not how and process.returncode:
            # SIGXCPU is 24, or 152 from a shell; the hard limit kills.
            how = "timeout" if cpu and (b"status 152" in output or b"status 137" in output) else "failed"
        if not how and b"ok   " in output and b": 0 passed" in output:
            how = "skipped"
        return not how, seconds, how, output.decode(errors="replace")

    def stop(self):
        with self.lock:
            self.stopping = True
            for group in self.groups:
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(group, signal.SIGKILL)


def in_parallel(jobs, work, items):
    """work(worker, item) for each item by so many threads; the first failure is raised."""
    todo, failures = queue.Queue(), []
    for item in items:
        todo.put(item)

    def loop(worker):
        while not failures:
            try:
                item = todo.get_nowait()
            except queue.Empty:
                return
            try:
                work(worker, item)
            except BaseException as failure:  # pylint: disable=broad-except
                failures.append(failure)
    threads = [threading.Thread(target=loop, args=(w,), daemon=True) for w in range(jobs)]
    for thread in threads:
        thread.start()
    for thread in threads:
        while thread.is_alive():
            thread.join(0.5)
    if failures:
        raise failures[0]


# ---- which test reaches which line ----

def reached_lines(tree, build, counts):
    """{source: {line with code: whether it was reached}} from the .gcda files that one test left in a folder."""
    files = []
    for folder, _, names in os.walk(counts):
        for name in names:
            if name.endswith(".gcda"):
                note = os.path.join(tree, os.path.relpath(os.path.join(folder, name[:-5] + ".gcno"), counts))
                if os.path.exists(note) and "/test_" not in note:
                    shutil.copy(note, folder)
                    files.append(os.path.join(folder, name))
    lines = collections.defaultdict(dict)
    if files:
        done = subprocess.run([os.environ.get("GCOV", "gcov"), "-j", "-t", *files], cwd=tree, stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, text=True, check=False)
        for document in done.stdout.split("\n"):
            if document.startswith("{"):
                for file in json.loads(document)["files"]:
                    name = os.path.normpath(file["file"])
                    for line in file["lines"]:
                        number = line["line_number"]
                        lines[name][number] = int(line["count"] > 0) or lines[name].get(number, 0)
    return {name: found for name, found in lines.items()
            if name.startswith(("solvers/", "harness/")) and name.endswith(".c")}


class Map:
    """For each test the lines it reaches, kept in a file by the contents of the sources and of the test."""

    FLAGS = ("OPT=-O1", "SANITIZE=--coverage")

    def __init__(self, root, work, running, jobs, every):
        self.tree, self.folder = os.path.join(work, "coverage"), os.path.join(work, "map")
        self.reached, self.code = {}, collections.defaultdict(set)
        os.makedirs(self.folder, exist_ok=True)
        all_sources = digest(*[name + "\0" + read(os.path.join(root, name)) for name in sources(root)])
        copy_tree(root, self.tree)
        build, tests = tests_of(self.tree, every, self.FLAGS)
        self.tests = tests
        keys = {t: digest(all_sources, test_source(root, t)) for t in tests}
        missing = []
        for test in tests:
            path = os.path.join(self.folder, keys[test] + ".json")
            if os.path.exists(path):
                self.add(test, json.loads(read(path)))
            else:
                missing.append(test)
        if not missing:
            return
        say("which lines %d tests reach: building" % len(missing))
        make(self.tree, *self.FLAGS, "-j%d" % jobs, "tests-built")
        depth = len([p for p in self.tree.split("/") if p])
        count = [0]

        def measure(_, test):
            counts = os.path.join(work, "counts", keys[test])
            shutil.rmtree(counts, ignore_errors=True)
            running.run(self.tree, build, tests[test], 3600, None, GCOV_PREFIX=counts, GCOV_PREFIX_STRIP=str(depth),
                        GCOV_ERROR_FILE="/dev/null")
            lines = reached_lines(self.tree, build, counts)
            shutil.rmtree(counts, ignore_errors=True)
            path = os.path.join(self.folder, keys[test] + ".json")
            write(path + ".new", json.dumps(lines))
            os.rename(path + ".new", path)
            self.add(test, lines)
            count[0] += 1
            say("which lines the tests reach: %d of %d, %s" % (count[0], len(missing), test))

        in_parallel(jobs, measure, missing)
        shutil.rmtree(os.path.join(work, "counts"), ignore_errors=True)

    def add(self, test, lines):
        self.reached[test] = {name: {int(n) for n in found if found[n]} for name, found in lines.items()}
        for name, found in lines.items():
            self.code[name].update(map(int, found))

    def tests_that_reach(self, name, mutation):
        span = set(range(mutation.first_line, mutation.last_line + 1))
        if not span & self.code[name]:
            # The compiler has moved the statement's code: use any line of the function.
            span = set(range(mutation.function_begins, mutation.function_ends + 1))
        return [test for test, files in self.reached.items() if span & files.get(name, set())]

    def tests_of_file(self, name):
        return [test for test, files in self.reached.items() if files.get(name)]


def test_source(root, test):
    """The text of a test, with what it shares with others."""
    path = os.path.join(root, test if test.endswith(".sh") else test + ".c")
    return read(path) + (read(os.path.join(root, "tests/tap.sh")) if test.endswith(".sh") and
                         os.path.exists(os.path.join(root, "tests/tap.sh")) else "")


# ---- mutants ----

class Worker:
    """A private copy with a build, in which one mutant after another is judged."""

    def __init__(self, root, work, number, running, options):
        self.tree, self.running, self.patience = os.path.join(work, "tree-%d" % number), running, options.patience
        copy_tree(root, self.tree)
        self.build, self.tests = tests_of(self.tree, options.all_tests)
        here = os.path.join(self.tree, self.build)
        first = os.path.join(work, "tree-0")
        if number and not os.path.isdir(here):
            # The objects are those of the first copy, under the names that make gives them here.
            shutil.copytree(os.path.join(first, make(first, "print-B").strip()), here, copy_function=shutil.copy2)
            for name in files_of(first):
                shutil.copystat(os.path.join(first, name), os.path.join(self.tree, name), follow_symlinks=False)
            with contextlib.suppress(FileNotFoundError):
                os.remove(os.path.join(here, "hullbench"))
        make(self.tree, "-j%d" % options.jobs, "tests-built")
        self.commands()
        self.kept = os.path.join(work, "kept-%d" % number)
        shutil.rmtree(self.kept, ignore_errors=True)
        os.makedirs(self.kept)
        self.originals = {}

    def commands(self):
        """The commands of the Makefile: those that compile a source, that link a program, that make the archive."""
        self.compile, self.link, archives = collections.defaultdict(list), {}, []
        for line in make(self.tree, "-n", "-B", "V=1", "tests-built").replace("\\\n", " ").split("\n"):
            try:
                words = shlex.split(line)
            except ValueError:
                continue
            if "-c" in words and "-o" in words:
                self.compile[words[-1]].append((words[words.index("-o") + 1], words))
            elif words[:1] == ["ar"]:
                archives.append(words)
            elif "-o" in words and "-x" not in words:
                program = words[words.index("-o") + 1]
                # Linking dominates the time of a mutant: use the faster linker, if installed, and no debug information.
                fast = ["-fuse-ld=gold", "-Wl,-S"] if "/test_" in program and shutil.which("ld.gold") else []
                self.link[program] = words + fast
        # The sources that are mutated share one archive; the tests may have another.
        own = {target for name, made in self.compile.items() if not name.startswith("tests/") for target, _ in made}
        self.archive = next((words for words in archives if own.intersection(words)), None)
        if not self.archive or not self.link:
            raise Fault("make -n V=1 tests-built in %s shows no archive or no program" % self.tree)

    def command(self, words):
        return subprocess.run(words, cwd=self.tree, env=environment(), stdout=subprocess.DEVNULL,
                              stderr=subprocess.PIPE, text=True, check=False)

    def objects(self, name, folder):
        """The bytes of the objects of a source without debug information, or None where it does not compile."""
        made = []
        for number, (_, words) in enumerate(self.compile[name]):
            target = os.path.join(folder, "%d.o" % number)
            words = [w for w in words if w not in ("-MMD", "-MP")]
            words[words.index("-o") + 1] = target
            if self.command(words + ["-g0"]).returncode:
                return None
            made.append(bytes_of(target))
        if not made:
            raise Fault("%s: the Makefile does not compile it" % name)
        return made

    def judge(self, site, order, times):
        """(verdict, killer, tests passed). Verdicts: killed, timeout, survived, not compiled, same code."""
        path = os.path.join(self.tree, site.file)
        source = read(path)
        if site.file not in self.originals:
            self.originals[site.file] = self.objects(site.file, self.kept)
        status = os.stat(path)
        targets = [os.path.join(self.tree, target) for target, _ in self.compile[site.file]]
        archive = os.path.join(self.tree, self.archive[2])
        saved = [(p, os.path.join(self.kept, "saved-%d" % i)) for i, p in enumerate([archive] + targets)]
        try:
            write(path, mutation_sites.mutated(source, site.mutation))
            made = self.objects(site.file, self.kept)
            if made is None or made == self.originals[site.file]:
                return ("not compiled" if made is None else "same code"), None, []
            for original, copy in saved:
                shutil.copy2(original, copy)
            for target, content in zip(targets, made):
                with open(target, "wb") as file:
                    file.write(content)
            os.remove(archive)
            self.must(self.archive)
            linked, good = False, []
            for test in order:
                program = self.tests[test]
                if not (test.endswith(".sh") and linked):
                    self.link_test(test)
                linked = linked or test.endswith(".sh")
                clock, cpu = CLOCK_FACTOR * times[test] + 30 * self.patience, CPU_FACTOR * times[test] + self.patience
                passed, _, how, _ = self.running.run(self.tree, self.build, program, clock, cpu)
                if not passed:
                    return ("timeout" if how == "timeout" else "killed"), test, good
                good.append(test)
            return "survived", None, good
        finally:
            # The source last: while it differs from the working tree's, the next run recompiles it.
            for original, copy in saved:
                if os.path.exists(copy):
                    shutil.copy2(copy, original)
                    os.remove(copy)
            write(path, source)
            os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))

    def must(self, words):
        done = self.command(words)
        if done.returncode:
            raise Fault("%s\n%s" % (" ".join(words)[:300], done.stderr[-2000:]))

    def link_test(self, test):
        """Links what a test runs, from the objects that are there now."""
        program = os.path.join(self.build, "hullbench") if test.endswith(".sh") else self.tests[test]
        self.must(self.link[program])


def say(text):
    print("mutate: " + text, file=sys.stderr, flush=True)


class Campaign:
    def __init__(self, options):
        self.options, self.root = options, os.path.abspath(options.root)
        self.work = os.path.join(self.root, "build", "mutate")
        self.out = os.path.join(self.root, "results", "mutate", str(options.seed))
        os.makedirs(self.out, exist_ok=True)
        os.makedirs(self.work, exist_ok=True)
        self.journal = os.path.join(self.out, "journal.jsonl")
        self.lock, self.running = threading.Lock(), Running()
        self.reasons = equivalents(os.path.join(self.root, "tests/mutation/mutants-equivalent.txt"))
        self.entries = {}
        self.judged = []

    # ---- the journal ----

    def key(self, site):
        return digest(site.file, site.mutation.function, site.original, site.changed, site.rank)

    def load(self):
        if not os.path.exists(self.journal):
            return
        text = read(self.journal)
        whole = text[:text.rfind("\n") + 1]
        if whole != text:
            write(self.journal, whole)  # without the line that an interrupted run left incomplete
        for line in whole.splitlines():
            entry = json.loads(line)
            self.entries[entry["key"]] = entry

    def known(self, site):
        """The journal's entry if it still holds: the source is the same, and so are the tests that it rests on."""
        entry = self.entries.get(self.key(site))
        if not entry or entry["source"] != digest(site.source):
            return None
        if entry["verdict"] in ("killed", "timeout"):
            killer = entry["killer"]
            return entry if killer in self.digests and entry["killer_source"] == self.digests[killer] else None
        if entry["verdict"] in ("survived", "not reached"):
            return entry if not self.still_to_run(site) else None
        return entry

    def passed(self, site):
        """The tests that the journal has as passed by this mutant, and that are still the same."""
        entry = self.entries.get(self.key(site))
        if not entry or entry["source"] != digest(site.source):
            return {}
        return {t: d for t, d in entry["passed"].items() if self.digests.get(t) == d}

    def still_to_run(self, site):
        passed = self.passed(site)
        return [t for t in self.order(site) if t not in passed]

    def reaching(self, site):
        return [t for t in self.map.tests_that_reach(site.file, site.mutation) if t in self.times]

    def order(self, site):
        own = os.path.join(site.folder, "test_" + os.path.basename(site.file)[:-2])
        # gcov loses what a process does before _exit or a fatal signal. So the module's own test always runs, and if
        # no test is seen to reach the line, those that reach another line of the source run.
        tests = self.reaching(site) or [t for t in self.map.tests_of_file(site.file) if t in self.times]
        if own in self.times and own not in tests:
            tests.append(own)
        # First the module's own test, then those of its folder, then programs before scripts; the fastest first.
        return sorted(tests, key=lambda t: (t != own, os.path.dirname(t) != site.folder, t.endswith(".sh"),
                                            self.times[t]))

    def note(self, site, verdict, killer, good, seconds):
        passed = self.passed(site)
        passed.update({t: self.digests[t] for t in good})
        if verdict == "survived" and not self.reaching(site):
            verdict = "not reached"
        entry = {"key": self.key(site), "file": site.file, "line": site.mutation.line,
                 "function": site.mutation.function, "operator": site.mutation.operator, "original": site.original,
                 "changed": site.changed,
                 "verdict": verdict, "killer": killer, "passed": passed, "seconds": round(seconds, 1),
                 "source": digest(site.source), "killer_source": self.digests.get(killer)}
        with self.lock:
            self.entries[entry["key"]] = entry
            with open(self.journal, "a", encoding="utf-8") as file:
                file.write(json.dumps(entry) + "\n")
        return entry

    # ---- the run ----

    def prepare(self):
        options = self.options
        say("private copies and their builds in %s" % self.work)
        self.workers = [Worker(self.root, self.work, w, self.running, options) for w in range(options.jobs)]
        # The working tree may change during the run; the first private copy does not.
        self.frozen = self.workers[0].tree
        self.map = Map(self.frozen, self.work, self.running, options.jobs, options.all_tests)
        self.digests = {t: digest(test_source(self.frozen, t)) for t in self.map.tests}
        self.measure_times()

    def measure_times(self):
        """How long each test takes without a fault, kept by its text; those that fail or skip all are left out."""
        path = os.path.join(self.work, "times.json")
        known = json.loads(read(path)) if os.path.exists(path) else {}
        tests = [t for t in self.workers[0].tests if self.digests[t] not in known]
        count = [0]

        def measure(w, test):
            worker = self.workers[w]
            worker.link_test(test)  # the last mutant's test may still exist
            passed, seconds, how, output = self.running.run(worker.tree, worker.build, worker.tests[test], 3600, None)
            with self.lock:
                count[0] += 1
                if passed:
                    known[self.digests[test]] = round(seconds, 2)
                else:
                    write(os.path.join(self.work, "without-a-fault-%s.log" % test.replace("/", "-")), output)
                    say("%s %s without a fault: left out" % (test, "skips" if how == "skipped" else how))
                write(path, json.dumps(known))
                say("how long the tests take: %d of %d, %s, %.1f s" % (count[0], len(tests), test, seconds))

        in_parallel(self.options.jobs, measure, tests)
        self.times = {t: known[self.digests[t]] for t in self.workers[0].tests if self.digests[t] in known}
        long = [t for t in self.times if self.times[t] > self.options.longest]
        for test in long:
            say("%s takes %.0f s of processor time: left out" % (test, self.times.pop(test)))
        if not self.times:
            raise Fault("no test passes without a fault: see %s" % self.work)

    def go(self):
        options = self.options
        self.load()
        self.prepare()
        folders, lines = sites(self.frozen, options.seed, options.only)
        if not folders:
            raise Fault("no line to mutate%s" % (" matches " + options.only if options.only else ""))
        share = shares(folders, lines, options.mutants)
        slots = [(digest(str(options.seed), folder, str(k)), folder) for folder in share for k in range(share[folder])]
        slots = sorted(slots)[:options.first]
        self.total = len(slots)
        self.next = collections.Counter()
        self.started, self.fresh = time.monotonic(), 0
        in_parallel(options.jobs, lambda w, slot: self.fill(self.workers[w], folders[slot[1]], slot[1]), slots)

    def fill(self, worker, candidates, folder):
        """Judges the folder's next mutant that compiles to other code than the original's."""
        while True:
            with self.lock:
                k = self.next[folder]
                self.next[folder] += 1
            if k >= len(candidates):
                with self.lock:
                    self.total -= 1
                return
            site = candidates[k]
            entry = {"verdict": "listed", "seconds": 0, "killer": None} if self.reason(site) else self.known(site)
            if not entry:
                started = time.monotonic()
                verdict, killer, good = worker.judge(site, self.still_to_run(site), self.times)
                entry = self.note(site, verdict, killer, good, time.monotonic() - started)
                self.fresh += 1
            if entry["verdict"] in ("not compiled", "same code"):
                continue
            with self.lock:
                self.judged.append((site, entry))
                self.progress(site, entry)
            return

    def progress(self, site, entry):
        done = len(self.judged)
        rate = (time.monotonic() - self.started) / max(self.fresh, 1)
        by = " by " + entry["killer"] if entry["killer"] else ""
        say("[%3d/%d] %-11s %s:%d %s%s, %.0f s; %.0f %% killed, some %.0f min left" %
            (done, self.total, entry["verdict"], site.file, site.mutation.line, site.changed[:60], by, entry["seconds"],
             self.per_cent(), (self.total - done) * rate / 60))

    # ---- the table ----

    def reason(self, site):
        return self.reasons.get((site.file, site.original, site.changed))

    def per_cent(self):
        killed = sum(entry["verdict"] in KILLED for _, entry in self.judged)
        nothing = sum(entry["verdict"] == "listed" for _, entry in self.judged)
        return 100 * killed / max(len(self.judged) - nothing, 1)

    def table(self):
        killed = [x for x in self.judged if x[1]["verdict"] in KILLED]
        alive = [x for x in self.judged if x[1]["verdict"] not in KILLED]
        equivalent = [x for x in alive if x[1]["verdict"] == "listed"]
        survivors = [x for x in alive if x[1]["verdict"] != "listed"]
        late = sum(entry["verdict"] == "timeout" for _, entry in killed)
        replaced = [entry["verdict"] for entry in self.entries.values()]
        text = ["# Mutants of seed %d" % self.options.seed, "",
                "%d of %d mutants judged: %d killed (%d of them by taking too long), %d survive, %d change nothing by "
                "tests/mutation/mutants-equivalent.txt." %
                (len(self.judged), self.total, len(killed), late, len(survivors), len(equivalent)),
                "Killed: %.1f %% of the %d that change something." %
                (self.per_cent(), len(self.judged) - len(equivalent)),
                "%d more had the same object code as the original and %d did not compile; they were replaced." %
                (replaced.count("same code"), replaced.count("not compiled")), ""]
        for title, of in (("folder", lambda s: s.folder), ("operator", lambda s: s.mutation.operator)):
            text += ["| %s | mutants | killed | survive | change nothing |" % title, "| --- | --: | --: | --: | --: |"]
            for name in sorted({of(s) for s, _ in self.judged}):
                numbers = [sum(of(s) == name for s, _ in part) for part in (self.judged, killed, survivors, equivalent)]
                text.append("| %s | %s |" % (name, " | ".join(map(str, numbers))))
            text.append("")
        for title, part in (("Survivors", survivors), ("Mutants that change nothing", equivalent)):
            if part:
                text += ["## " + title, ""]
            for site, entry in sorted(part, key=lambda x: (x[0].file, x[0].mutation.line)):
                reaching = self.reaching(site)
                tests = [t for t in self.order(site) if t in reaching]
                reached = "%d tests reach it: %s" % (len(tests), ", ".join(tests[:6] + ["..."] * (len(tests) > 6)))
                text += ["%s:%d (%s, in %s); %s" % (site.file, site.mutation.line, site.mutation.operator,
                                                   site.mutation.function, reached if tests else "no test reaches it"),
                         "", "    - " + site.original, "    + " + site.changed]
                if self.reason(site):
                    text.append("    = " + self.reason(site))
                text.append("")
        return "\n".join(text)


def stale_reasons(root, reasons):
    """Entries of the list whose line is no longer in the source."""
    gone = []
    for name, original, _ in reasons:
        path = os.path.join(root, name)
        lines = " ".join(line.strip() for line in read(path).split("\n")) if os.path.exists(path) else ""
        if original not in lines:
            gone.append("%s: %s" % (name, original))
    return gone


def main():
    parser = argparse.ArgumentParser(description="Judge mutants of solvers/ and harness/ by the tests of make test.")
    parser.add_argument("--mutants", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--least", type=float, default=95, help="per cent to be killed, else status 1 (default: 95)")
    parser.add_argument("--patience", type=float, default=3,
                        help="seconds that a test may take beside five times its normal processor time (default: 3)")
    parser.add_argument("--longest", type=float, default=1e9,
                        help="leave out tests that take more processor time; a later run without this adds them")
    parser.add_argument("--first", type=int, help="judge only so many of the mutants, a fair sample of all")
    parser.add_argument("--only", help="only lines whose FILE:LINE contains this text")
    parser.add_argument("--all-tests", action="store_true", help="with the slow tests that build the project anew")
    parser.add_argument("--list", action="store_true", help="print the choice and judge nothing")
    parser.add_argument("--root", default=os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
    options = parser.parse_args()
    if options.mutants < 1 or options.jobs < 1:
        parser.error("--mutants and --jobs must be at least 1")
    if options.list:
        folders, lines = sites(os.path.abspath(options.root), options.seed, options.only)
        for folder, count in sorted(shares(folders, lines, options.mutants).items()):
            for site in folders[folder][:count]:
                print("%s:%d\n- %s\n+ %s" % (site.file, site.mutation.line, site.original, site.changed))
        return 0
    try:
        campaign = Campaign(options)
        for gone in stale_reasons(campaign.root, campaign.reasons):
            say("tests/mutation/mutants-equivalent.txt: no such line any more: " + gone)
        interrupted = False
        try:
            campaign.go()
        except KeyboardInterrupt:
            interrupted = True
            campaign.running.stop()
        if campaign.judged:
            text = campaign.table()
            write(os.path.join(campaign.out, "table.md"), text)
            print(text)
        if interrupted:
            say("interrupted; the same command resumes")
            return 130
        return 0 if campaign.per_cent() >= options.least else 1
    except Fault as fault:
        say(str(fault))
        return 4


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    sys.exit(main())
