#!/bin/sh
# After any failure the program ends with status 2 or 4 and a message, or its output is complete and correct; killed at
# any point, it resumes to the same bytes. HULLBENCH_FAULTS=all tests the allocations of all places, every tenth of the
# others and every call (make test-faults), otherwise a seeded selection.
# shellcheck source=tests/tap.sh
. "$(dirname -- "$0")/../tap.sh"

all=$([ "${HULLBENCH_FAULTS:-some}" = all ] && echo yes || echo no)
# On a file system in memory, syncing costs nothing.
if [ -d /dev/shm ] && [ -w /dev/shm ]; then
    place=$(mktemp -d /dev/shm/hullbench.XXXXXX) || exit 4
    cleaning="rm -rf $place"
else
    place=$work
fi
[ -f "$root/tests/faults/inject.c" ] && [ -f "$root/tests/faults/fail_allocation.c" ]
check "what makes calls and allocations fail is there"
inject=$work/inject memory=$work/memory.so
${CC:-gcc} -O1 -o "$inject" "$root/tests/faults/inject.c" 2>"$work/err" || inject=
${CC:-gcc} -O1 -shared -fPIC -pthread -o "$memory" "$root/tests/faults/fail_allocation.c" 2>"$work/err" || memory=
if [ -n "$inject" ]; then
    "$inject" 0 true
    [ $? -ne 77 ] || inject=
fi
# A sanitizer has its own allocator, and maps memory in ways that the injector does not expect.
! sanitized || memory='' inject=''

mkdir "$place/base"
cd "$place" || exit 4
awk 'BEGIN { srand(3); for (i = 0; i < 60; i++) printf "%.4f,%.4f,%d\n", rand() + i % 2 * 0.7, rand() - i % 2 * 0.4, '\
'i % 2 }' >base/x.csv
cat >base/c.json <<'END'
{"name": "small", "datasets": [{"name": "heart", "file": "x.csv", "n_train": 40, "n_test": 20},
                               {"name": "titanic", "file": "x.csv", "n_train": 30, "n_test": 30}],
 "splits": "1-3", "standardise": "full-set", "tables": ["lopez2011.table2", "lopez2011.claims"],
 "kernel": {"type": "rbf", "width": 20}, "parameters": {"mu": 0.2}, "solvers": ["clip-mdm", "mu-gsk", "mu-mdm"],
 "stop": {"rule": "rch-gap-both", "tolerance": 0.1}, "trace": {"datasets": ["heart"], "splits": "1"}}
END
cat >base/tune.json <<'END'
{"name": "search", "datasets": [{"name": "titanic", "file": "x.csv", "n_train": 30, "n_test": 30}],
 "standardise": "full-set", "seed": 1, "kernel": {"type": "rbf"}, "solvers": ["2-smo"],
 "stop": {"rule": "delta", "tolerance": 1e-2}, "budget": {"iterations": 500},
 "tune": {"splits": 1, "folds": 2, "C": {"from": 0.5, "to": 8}, "width": {"from": 1, "to": 4},
  "grid": {"C": 2, "width": 2}, "cma-es": {"generations": 2, "population": 3, "start": [1, 2]}}}
END
cat >base/grid.json <<'END'
{"name": "grid", "datasets": [{"name": "titanic", "file": "x.csv", "n_train": 30, "n_test": 30}], "splits": "1-2",
 "standardise": "full-set", "kernel": {"type": "rbf", "width": 20}, "parameters": {"C": [1, 4]},
 "solvers": ["1-smo", "second-order-smo"], "stop": {"rule": "duality-gap", "tolerance": [0.1, 0.01]}}
END
awk 'BEGIN { for (i = 0; i < 60; i++) print 0.5 }' >base/alpha.txt
# A solver that is a program.
find_numpy
cat >base/p.json <<'END'
{"name": "program", "datasets": [{"name": "titanic", "file": "x.csv", "n_train": 30, "n_test": 30}], "splits": "1",
 "standardise": "full-set", "kernel": {"type": "rbf", "width": 20}, "parameters": {"mu": 0.2},
 "solvers": ["my-python"], "stop": {"rule": "rch-gap", "tolerance": 0.1}}
END
(cd base && "$hullbench" new-solver my-python --language python) >out 2>err
cp -r base made
(cd made && for part in 1 2; do "$hullbench" run c.json --out s$part --shard $part/2 --quiet; done &&
    "$hullbench" run c.json --out o --quiet && "$hullbench" run grid.json --out g --quiet &&
    "$hullbench" check o --baseline b.json --update --message fine --by me && "$hullbench" bundle o --out a.tar &&
    "$hullbench" check o --baseline b.json --history h.jsonl --commit one --quiet &&
    "$hullbench" solve --data x.csv --solver clip-mdm --set mu=0.2 m.model) >out 2>err
[ -s made/o/run.json ] && [ -s made/b.json ] && [ -s made/a.tar ] && [ -s made/m.model ]
check "the folders to begin with are made"
cp -r made drawn
mkdir bin
cat >bin/gnuplot <<'END'
#!/bin/sh
for program; do :; done
echo '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"></svg>' >"$(basename "$program" .gp).svg"
END
chmod +x bin/gnuplot
(cd drawn && "$hullbench" tables o && PATH=$OLDPWD/bin:$PATH "$hullbench" plot o) >out 2>err
[ -s drawn/o/plots/iterations.svg ]
check "the figures to begin with are made"

# some COUNT < NUMBERS: this many of the lines, selected with a seed, or all.
some() {
    if [ "$all" = yes ]; then cat; else awk -v n="$1" 'BEGIN { srand(11) } { line[NR] = $0 }
        END { for (i = 1; i <= NR; i++) if (rand() * (NR - i + 1) < n) { print line[i]; n-- } }'; fi
}

# sums FOLDER: of what a command writes; the date of a line of a history differs each time.
sums() {
    contents "$1" ! -name h.jsonl
    [ ! -e "$1/h.jsonl" ] || sed 's/"date":"[^"]*"//' "$1/h.jsonl"
}

# whole BASE WORDS...: the run without a fault; sets $right.
whole() {
    base=$1
    shift
    rm -rf right now && cp -r "$base" right
    (cd right && "$hullbench" "$@") >right.out 2>err
    right=$?
    sums right >right.sums
}

# judge NAME: the outcome of the program with a fault: $status.
judge() {
    if [ "$status" -eq 2 ] || [ "$status" -eq 4 ]; then
        [ -s err ] || echo "$1: status $status without a message"
    elif [ "$status" -eq "$right" ]; then
        sums now >now.sums
        cmp -s now.sums right.sums || echo "$1: status $status with other files"
        cmp -s out right.out || echo "$1: status $status with another output"
    else
        echo "$1: status $status: $(head -c 200 err)"
    fi
}

# told SENTENCE: passes if nothing went wrong, with a command that has results without a fault.
told() {
    cp bad "$work/err"
    [ ! -s bad ] && [ "$tried" -gt 0 ] && [ "$right" -lt 2 ]
    check "$1 ($tried)"
}

# without_memory COUNT BASE WORDS...: an allocation fails: some of the places in the program (stacks of calls), or all
# places and every tenth allocation.
without_memory() {
    wanted=$1
    shift
    whole "$@"
    base=$1
    shift
    rm -rf now count && cp -r "$base" now
    (cd now && env FAULT_COUNT=../count FAULT_SITES=../sites LD_PRELOAD="$memory" "$hullbench" "$@") >out 2>err
    if [ "$all" = yes ]; then { cat sites && seq 1 10 "$(cat count)"; } | sort -nu >chosen && mv chosen sites; fi
    tried=0
    : >bad
    for at in $(some "$wanted" <sites); do
        rm -rf now && cp -r "$base" now
        (cd now && exec timeout 60 env FAULT_AT="$at" LD_PRELOAD="$memory" "$hullbench" "$@") >out 2>err
        status=$?
        tried=$((tried + 1))
        # glibc's loader ends the program while it loads libarchive (docs/guarantees.md, "Not covered").
        case $1:$status:$(head -n 1 err) in "bundle:127:out of memory" | "replay:127:out of memory") continue ;; esac
        # So does LLVM's OpenMP library when it cannot start a thread.
        case $status:$(head -n 1 err) in 134:"OMP: Error #"*) continue ;; esac
        judge "allocation $at" >>bad
    done
    told "$1: where an allocation fails it ends with a message, or right"
}

# with_errors COUNT BASE WORDS...: a call that changes files fails with ENOSPC or EIO.
with_errors() {
    wanted=$1
    shift
    whole "$@"
    base=$1
    shift
    rm -rf now && cp -r "$base" now
    (cd now && "$inject" -c ../count 0 "$hullbench" "$@") >out 2>err
    tried=0
    : >bad
    for at in $(seq "$(cat count)" | some "$wanted"); do
        for error in 5 28; do
            rm -rf now && cp -r "$base" now
            (cd now && timeout 60 "$inject" -e $error "$at" "$hullbench" "$@") >out 2>err
            status=$?
            judge "call $at, error $error" >>bad
            tried=$((tried + 1))
        done
    done
    told "$1: where a call that changes files fails it ends with a message, or right"
}

# killed COUNT HOW: the run is killed at a call that changes files, and the same command resumes it. HOW: -n for file
# systems without nameless files.
killed() {
    whole base run c.json --out o --jobs 2 --quiet
    rm -rf now && cp -r base now
    (cd now && "$inject" ${2:+"$2"} -c ../count 0 "$hullbench" run c.json --out o --jobs 2 --quiet) >out 2>err
    tried=0 left=0
    : >bad
    for at in $(seq "$(cat count)" | some "$1"); do
        rm -rf now && cp -r base now
        (cd now && timeout 60 "$inject" ${2:+"$2"} -k "$at" "$hullbench" run c.json --out o --jobs 2 --quiet) >out 2>err
        status=$?
        [ "$status" -eq 137 ] || [ "$status" -eq 0 ] || echo "call $at: killed, but status $status" >>bad
        left=$((left + $(find now -name '*.tmp' | wc -l)))
        (cd now && "$hullbench" run c.json --out o --jobs 2 --quiet) >out 2>err || echo "call $at: $(cat err)" >>bad
        sums now >now.sums
        cmp -s now.sums right.sums || echo "call $at: gone on with to other files" >>bad
        [ -z "$(find now -name '*.tmp')" ] || echo "call $at: $(find now -name '*.tmp') is left" >>bad
        tried=$((tried + 1))
    done
    [ "$2" != -n ] || [ "$left" -gt 0 ] || echo "no kill left a temporary file" >>bad
    told "run: killed at any call that changes files${2:+, with temporary files that have names}, it goes on to the \
same bytes and leaves none"
}

# moments COUNT: the same at random moments from a seed.
moments() {
    sed 's/"splits": "1-3"/"splits": "1-40"/' base/c.json >c.json && rm -rf many && mkdir many && cp base/x.csv many &&
        mv c.json many/c.json
    whole many run c.json --out o --jobs 2 --quiet
    rm -rf now && cp -r many now
    began=$(date +%s%N)
    (cd now && "$hullbench" run c.json --out o --jobs 2 --quiet) >out 2>err
    took=$(($(date +%s%N) - began))
    tried=0 struck=0
    : >bad
    # shellcheck disable=SC2013 # words
    for wait in $(awk -v n="$1" -v took="$took" 'BEGIN {
        srand(7)
        for (i = 0; i < n; i++)
            printf "%.4f ", took / 1e9 * (0.1 + 0.8 * rand())
    }'); do
        rm -rf now && cp -r many now
        (cd now && exec timeout -s KILL "$wait" "$hullbench" run c.json --out o --jobs 2 --quiet) >out 2>err ||
            struck=$((struck + 1))
        (cd now && "$hullbench" run c.json --out o --jobs 2 --quiet) >out 2>err ||
            echo "after $wait s: $(cat err)" >>bad
        sums now >now.sums
        cmp -s now.sums right.sums || echo "after $wait s: gone on with to other files" >>bad
        tried=$((tried + 1))
    done 2>/dev/null
    [ "$struck" -gt 0 ] || echo "no run was killed" >>bad
    told "run: killed at a moment drawn by a seed, it goes on to the same bytes"
}

if [ "$all" = yes ]; then moments 200; else moments 5; fi

if [ -z "$memory" ]; then
    skip "allocations that fail" "needs a compiler, glibc and a build without sanitizers"
else
    without_memory 8 base run c.json --out o --jobs 1 --quiet
    without_memory 3 made tables o
    without_memory 3 made plot --no-render o
    without_memory 3 made conform o
    without_memory 3 drawn report o
    without_memory 3 made compare o --baseline mu-gsk --solver clip-mdm --out p --no-render
    without_memory 3 made check o --baseline b.json --junit j.xml
    without_memory 3 made merge --out m s1 s2
    without_memory 3 made replay o --jobs 1
    without_memory 3 made export o s1 --traces t.csv
    without_memory 3 base solve --jobs 1 --data x.csv --solver clip-mdm --set mu=0.2 m.model
    without_memory 3 made predict x.csv m.model labels
    without_memory 3 base tune tune.json --out t --jobs 1 --no-render --quiet
    without_memory 3 made replay --verify o
    without_memory 3 made bundle o --out o.tar
    without_memory 3 made replay a.tar --jobs 1
    without_memory 3 made check o --baseline b.json --history h.jsonl --commit two
    without_memory 3 made trend h.jsonl --no-render
    without_memory 3 made atlas g --out at --no-render --resamples 20
    without_memory 3 base judge --formulation c-svm --set C=1 --alpha alpha.txt --data x.csv
    if python3 -c 'import numpy' 2>>err; then
        without_memory 6 base run p.json --plugin ./my_python.json --out o --jobs 1 --quiet
    else
        skip "run with a program where an allocation fails" "needs numpy" python3-numpy
    fi
fi

if [ -z "$inject" ]; then
    skip "calls of the system that fail" "needs seccomp user notification and a build without sanitizers"
else
    killed 3 ''
    killed 14 -n
    with_errors 2 base run c.json --out o --jobs 1 --quiet
    with_errors 1 made tables o
    with_errors 1 made plot --no-render o
    with_errors 1 drawn report o
    with_errors 1 made compare o --baseline mu-gsk --solver clip-mdm --out p --no-render
    with_errors 1 made check o --baseline b.json --junit j.xml
    with_errors 1 made merge --out m s1 s2
    with_errors 1 made export o s1 --out e.csv --traces t.csv
    with_errors 1 made predict x.csv m.model labels
    with_errors 1 base tune tune.json --out t --jobs 1 --no-render --quiet
    with_errors 1 made bundle o --out o.tar
    with_errors 1 made replay a.tar --jobs 1
    with_errors 1 made check o --baseline b.json --history h.jsonl --commit two
    with_errors 1 made trend h.jsonl --no-render
    with_errors 1 made atlas g --out at --no-render --resamples 20
fi

# A disk that is really full.
if [ "$(id -u)" -eq 0 ] && mkdir full && mount -t tmpfs -o size=16k tmpfs full 2>/dev/null; then
    cleaning="umount $place/full; $cleaning"
    cp base/x.csv base/c.json full/
    (cd full && "$hullbench" run c.json --out o --jobs 1 --quiet) >out 2>err
    status=$?
    cp err "$work/err"
    [ "$status" -eq 4 ] && grep -q 'No space left on device' err && ! grep -q '\.tmp' err && [ ! -e full/o/run.json ] &&
        mount -o remount,size=4m full && (cd full && "$hullbench" run c.json --out o --jobs 1 --quiet) 2>err &&
        cmp -s made/o/records.jsonl full/o/records.jsonl
    check "on a full disk it names the file, and with room again goes on to the same bytes"
else
    skip "a full disk" "needs root and a tmpfs"
fi

cd / || exit 4
finish
