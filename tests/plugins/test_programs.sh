#!/bin/sh
# Solvers that are programs: what new-solver writes works in each language that is installed; counts are those of the
# same solver in C; sixty ways to misbehave cost one job each; declarations that are refused; nothing outlives a run.
# shellcheck source=tests/tap.sh
. "$(dirname -- "$0")/../tap.sh"

PATH=$(dirname "$hullbench"):$PATH
find_numpy
cd "$work" || exit 4

# ---- every language ----

# record SOLVER [WORDS]: the record without the solver's name and the last digits of sums
record() {
    name=$1
    shift
    "$hullbench" solve "$@" --solver "$name" --dataset twonorm --set mu=0.05 --kernel rbf,width=40 2>>err |
        sed 's/.*"outcome"/"outcome"/; s/"error_percent".*//'
}
# language LANGUAGE COMMAND PACKAGE...: what new-solver writes for it
language() {
    language=$1 run=$2
    shift 2
    program new-solver "my-$language" --language "$language"
    ended 0 && [ "$(wc -l <out)" -eq 5 ] && [ -s "my_$language.json" ]
    check "new-solver writes declaration, source, configuration and test in $language"
    if ! sh -c "$run" >/dev/null 2>&1; then
        skip "what new-solver writes in $language passes its test" "$language is not installed" "$@"
        skip "its counts in $language are those of clip-mdm" "$language is not installed" "$@"
        skip "its configuration in $language is a plan with a budget" "$language is not installed" "$@"
        skip "the comparison of its runs ends in a claim" "$language is not installed" "$@"
        return
    fi
    sh "test_my_$language.sh" >out 2>err && tail -n 1 out | grep -q ': fine$'
    check "what new-solver writes in $language passes its test"
    [ "$(record "my-$language" --plugin "./my_$language.json")" = "$(record clip-mdm)" ] &&
        [ -n "$(record clip-mdm)" ]
    check "its counts in $language are those of clip-mdm"
    program run "my_${language}_run.json" --plugin "./my_$language.json" --dry-run
    ended 0 0 && grep -q ': 60 jobs on 30 splits; ' out
    check "its configuration in $language is a plan with a budget"
    program run "my_${language}_run.json" --plugin "./my_$language.json" --out "run_$language" --splits 1-2 --quiet &&
        ended 0 0 && program compare "run_$language" --plugin "./my_$language.json" --against clip-mdm \
        --solver "my-$language" && ended 0 0 && grep -q '^Cost: .* are practically equal in kernel operations' out
    check "the comparison of its runs ends in a claim"
}
language python 'python3 -c "import numpy"' python3-numpy
if [ -s test_my_python.sh ] && python3 -c 'import numpy' 2>/dev/null; then
    sed 's/"name": "my-python"/"name": "broken"/; s/my_python/broken/' my_python.json >broken.json
    sed 's/^    def step.*/&\n        self.hull.alpha[[9999]]/' my_python.py >broken.py
    line=$(grep -n 'alpha\[\[9999' broken.py | cut -d : -f 1)
    program solve --plugin ./broken.json --solver broken --dataset twonorm --set mu=0.05 --kernel rbf,width=40
    ended 3 1 && says "broken failed: broken.py:$line: IndexError: index 9999 is out of bounds"
    check "an exception in Python is named with the line of the program"
else
    skip "an exception in Python is named with the line of the program" "python3 has no numpy" python3-numpy
fi
language r 'Rscript --version' r-base-core
language octave 'octave-cli --version' octave
program new-solver my-julia --language julia
ended 0 && [ -s my_julia.jl ]
check "new-solver writes Julia, which is not run"
program new-solver my-python --language python
ended 2 1 && says "my_python.json: already exists"
check "nothing is overwritten"
program new-solver other --language python --kernel
ended 2 1 && says "for C"
check "kernels are written in C only"

# ---- failures ----

if ! command -v python3 >/dev/null; then
    skip "a hostile program costs its job alone" "python3 is not installed" python3
    finish
fi
cp "$root/tests/plugins/hostile.py" .
cat >hostile.json <<'E2'
{"name": "hostile", "title": "misbehaves as its parameter says", "reference": "none", "formulation": "minimum-norm",
 "parameters": [{"name": "mode", "meaning": "how", "type": "integer", "min": 0, "max": 1000, "default": 0}],
 "stops": ["delta-w2", "iterations"], "default_stop": {"rule": "delta-w2", "tolerance": 0.5},
 "properties": ["ignores_tolerance", "converges_slowly"], "command": ["python3", "hostile.py"], "step_seconds": 1,
 "job_seconds": 60}
E2
modes=0
kind=0
while [ $kind -lt 20 ]; do
    modes="$modes, $((10 * kind + 1)), $((10 * kind + 2)), $((10 * kind + 3))"
    kind=$((kind + 1))
done
# config SOLVERS: a configuration of one split with these solvers
config() {
    printf '{"name": "c", "datasets": ["twonorm"], "splits": [1], "standardise": "full-set", "kernel": {"type": "rbf",
        "width": 40}, "stop": {"rule": "delta-w2", "tolerance": 0.5}, "solvers": [%s]}' "$1"
}
config '"max-minover"' >alone.json
config "{\"name\": \"hostile\", \"parameters\": {\"mode\": [$modes]}}, \"max-minover\"" >all.json
program run alone.json --out alone --quiet
program run all.json --plugin ./hostile.json --out all --quiet --jobs 2
ended 0 1 && [ "$(grep -c '"outcome":"failed","reason":"' all/records.jsonl)" -eq 60 ] &&
    says '60 of 62 records failed, of solver hostile'
check "sixty hostile children fail sixty jobs"
grep '"max-minover"' all/records.jsonl | same_files alone/records.jsonl /dev/stdin &&
    grep '"mode":0}' all/records.jsonl | grep -q '"outcome":"converged"'
check "the records of the other jobs are as without them"
# reason MODE TEXT: the reason of that job contains the text
reason() {
    grep "\"mode\":$1}" all/records.jsonl | grep -q "\"reason\":\"[^\"]*$2"
}
reason 1 'ended with status 3' && reason 12 'was killed by SIGABRT; it said: out of ideas' &&
    reason 21 'was killed by SIGSEGV' && reason 32 'exceeded the limit of 1 s of a step' &&
    reason 42 'no frame (69 74 65 72)' && reason 51 'frame P of 5 bytes' && reason 62 'sent NaN as objective' &&
    reason 73 'the step is singular' && reason 83 'closed its standard output' &&
    reason 112 'ended with status 5; it said: that was long' && reason 121 'asked for pattern 400; there are 400' &&
    reason 132 'asked for 401 patterns at once; allowed: 1 to 400' && reason 182 'sent a frame Z' &&
    reason 192 'it said: RuntimeError: a bug'
check "each reason says what the program did, with the last line that it wrote to standard error"
grep '"mode":22}' all/records.jsonl | grep -q '"iterations":4,'
check "and after how many iterations"
program verify hostile --plugin ./hostile.json --set mode=12 --problem 20
ended 1 && [ "$(grep -c 'DOES NOT HOLD' out)" -eq 1 ] &&
    grep -A 2 '^every call returns' out | grep -q 'was killed by SIGABRT; it said: out of ideas'
check "verify names a program that ends, and blames neither its memory nor its open files"
[ "$(grep -c 'not applicable  a program is a process of its own' out)" -eq 4 ]
check "and holds nothing for true that it has not measured"
program verify hostile --plugin ./hostile.json --set mode=12 --problem 1-40
ended 1 && grep -q '^every call returns.*DOES NOT HOLD   1*[0-9] of ' out
check "nor does it repeat a failure on every problem"

# left: whether a process of the test is left after a second
left() {
    tries=0
    while pgrep -f "$work/[h]ostile.py|hostile[.]py" >pids 2>/dev/null && [ $tries -lt 20 ]; do
        sleep 0.1
        tries=$((tries + 1))
    done
    [ -s pids ]
}
sed 's|"hostile.py"|"'"$work"'/hostile.py"|; s/"step_seconds": 1/"step_seconds": 100/' hostile.json >slow.json
if command -v pgrep >/dev/null; then
    # mode 102: a child that has left the group of its parent; mode 92: one that ignores signals
    for signal in INT KILL; do
        config '{"name": "hostile", "parameters": {"mode": [0, 92]}}' >slow_run.json
        rm -rf slow
        "$hullbench" run slow_run.json --plugin ./slow.json --out slow --quiet --jobs 1 >out 2>err &
        run=$!
        until [ -s slow/journal.jsonl ] || ! kill -0 $run 2>/dev/null; do sleep 0.1; done
        sleep 1
        kill -$signal $run
        wait $run 2>/dev/null
        ! left
        check "no program outlives a run that ends by SIG$signal"
    done
fi

# ---- declarations ----

# refused SED WORDS SENTENCE: the changed declaration is refused with these words
refused() {
    sed "$1" hostile.json >bad.json
    program list solvers --plugin ./bad.json
    ended 2 1 && says "$2"
    check "a declaration $3 is refused"
}
refused 's/"title"/"titel"/' 'bad.json:1:21: unknown key "titel"' "with a misspelt key"
refused 's/"stops": \[[^]]*\]/"stops": ["delta-w3"]/' 'stops[0]: unknown stopping rule "delta-w3"' \
    "with an unknown rule"
refused 's/"command": \[[^]]*\]/"command": []/' 'bad.json:4:59: command: ' "without a command"
refused 's/minimum-norm/c-svm/' 'needs the parameter C' "of a C-SVM without C"
refused 's/"name": "hostile"/"name": "clip-mdm"/' 'solver "clip-mdm" already exists, built in' \
    "with a name that is taken"
refused 's/"name": "mode"/"name": "mu"/' 'bad.json:2:17: parameters[0]: "mu" is shared' \
    "that redefines a shared parameter"
refused 's/"name": "mode", .*}\]/"name": "nu", "default": 0.5}]/' 'bad.json:2:17: parameters[0]: "nu" is shared' \
    "that changes the default of a shared parameter"
refused 's/"max": 1000, "default": 0/"max": 1000, "default": -1/' 'default (fallback) is not an allowed value' \
    "whose default is out of range"
sed 's/"python3", "hostile.py"/".\/no-such-program"/' hostile.json >absent.json
program solve --plugin ./absent.json --solver hostile --dataset twonorm --kernel rbf,width=40
ended 3 1 && says 'no-such-program: cannot be executed: no such file'
check "a program that cannot be executed fails the job and says why"
config '"hostile"' >few.json
good=0
for most in 8 9 10 11 12 13 14 15 16 17 18 19 20 24 64; do
    prlimit --nofile=$most "$hullbench" run few.json --plugin ./hostile.json --out few$most --jobs 1 --quiet >out 2>err
    status=$?
    echo $status >>few.statuses
    [ $status -eq 0 ] || { ended 4 1 && says 'Too many open files' && [ ! -s few$most/records.jsonl ]; } || good=1
done
[ $good -eq 0 ] && [ "$(sort -u few.statuses | tr '\n' ' ')" = "0 4 " ]
check "without descriptors for it the run ends, and no job has failed"

# ---- failures between two updates ----

# The rule svm-gap asks for the multipliers while the loop runs.
cat >late.py <<'E2'
"""Sends the same state after each step, and dies when it is asked for the multipliers."""
import os
import struct
import sys

while True:
    head = os.read(0, 8)
    if len(head) < 8 or head[:1] == b"M":
        print("no multipliers", file=sys.stderr)
        sys.exit(9)
    size = struct.unpack("=c3xI", head)[1]
    while size:
        size -= len(os.read(0, size))
    if head[:1] in b"BS":
        os.write(1, struct.pack("=c3xI7diI", b"P", 64, *7 * [1.0], 0, 0))
E2
sed 's/"hostile"/"late"/; s/hostile.py/late.py/; s/minimum-norm/no-bias/; s/"parameters": \[/&{"name": "C"}, /
    s/"stops".*/"stops": ["svm-gap", "kkt"],/' hostile.json >late.json
program solve --plugin ./late.json --solver late --set C=1 --stop svm-gap --tolerance 0.1 --dataset twonorm \
    --kernel rbf,width=40
ended 3 1 && says 'late failed: the program ended with status 9; it said: no multipliers' &&
    grep -q '"iterations":0,' out
check "nothing is asked of a program that has failed to give multipliers for a rule"

# A stopping rule of a plugin runs in a process of its own, beside a program of the thread that serves other rules.
install_headers
cat >rule.c <<'E2'
#include <hullbench/solver.h>
static int met(const struct stopping_look *look, void *memory)
{
    (void)memory;
    return look->progress->delta <= look->tolerance * look->progress->norm2;
}
static const struct stopping_rule rule = {.name = "own", .text = "Delta <= eps |W|^2", .is_relative = 1, .met = met,
    .formulations = STOPPING_ALL_FORMULATIONS};
HULLBENCH_PLUGIN_OF(.stopping_rules = HULLBENCH_STOPPING_RULES(&rule));
E2
compile rule && config '{"name": "hostile", "parameters": {"mode": 0}}, {"name": "hostile",
    "stop": {"rule": "own", "tolerance": 0.5}, "parameters": {"mode": [4, 32, 5, 42, 6, 102, 7]}},
    {"name": "hostile", "parameters": {"mode": 8}}' >own.json
program run own.json --plugin ./rule.so --plugin ./hostile.json --out own --quiet --jobs 1
ended 0 1 && [ "$(grep -c '"outcome":"converged"' own/records.jsonl)" -eq 6 ] &&
    [ "$(grep -c '"mode":\(32\|42\|102\)}.*"outcome":"failed"' own/records.jsonl)" -eq 3 ]
check "a program that fails under a plugin's rule costs this job alone"

# ---- the other verbs ----
config '"hostile", "max-minover"' >both.json
program run both.json --plugin ./hostile.json --out both --quiet && ended 0 0
program compare both --plugin ./hostile.json --baseline max-minover --solver hostile --metric seconds --out times
ended 2 1 && says 'Times are not compared: hostile is a program, max-minover is not'
check "times of a program are not compared with those of a solver in C"
# search MODE: a search of the kernel width
search() {
    printf '{"name": "s", "datasets": ["twonorm"], "standardise": "full-set", "kernel": {"type": "rbf"}, "solvers":
        ["hostile"], "parameters": {"mode": %s}, "stop": {"rule": "delta-w2", "tolerance": 0.5}, "tune": {"splits": 1,
        "folds": 2, "width": {"from": 10, "to": 160}, "grid": {"width": 3}}}' "$1"
}
search 0 >search.json
program tune search.json --plugin ./hostile.json --out search --no-render --quiet && ended 0 0 &&
    [ "$(grep -c '"outcomes":{"converged":2}' search/evaluations.jsonl)" -eq 3 ] &&
    program tune search.json --plugin ./hostile.json --out again --no-render --quiet --jobs 1 &&
    same_files search/evaluations.jsonl again/evaluations.jsonl && grep -q 'hostile.json"' search/run.json
check "tune searches with a program, with the same bytes on one thread"
search 12 >search.json
program tune search.json --plugin ./hostile.json --out fails --no-render --quiet
ended 1 1 && says 'no point was chosen' && says 'problems: 6 failed'
check "and chooses no point if the program fails"
program bundle both --plugin-source hostile.py --plugin-source hostile.json --out both.tar && ended 0 &&
    program replay both.tar --plugin ./hostile.json && ended 0 && grep -q ' 0 different' out
check "a run is bundled with the sources, and repeated"
program replay both.tar
ended 2 1 && says 'unknown solver "hostile"; is it in a plugin? give --plugin FILE'
check "but an archive does not start a program"
program check both --plugin ./hostile.json --baseline counts.json --update -m first && ended 0 &&
    program check both.json --plugin ./hostile.json --baseline counts.json && ended 0
check "the gate holds its counts"

program run all.json --out no_plugin
ended 2 1 && says 'hostile'
check "a configuration does not start a program"
sed 's/"name": "c"/"plugins": [".\/hostile.json", "b.so"], "name": "c"/' all.json >needs.json
program run needs.json --out no_plugin
ended 2 1 && says 'unknown solver "hostile"; give --plugin ./hostile.json --plugin b.so'
check "but may name the files that it needs"
mkdir links && ln -s ../hostile.json links/linked.json &&
    program run both.json --plugin links/linked.json --out linked --quiet
ended 0 0 && cmp -s both/records.jsonl linked/records.jsonl
check "a program runs beside its declaration, not beside a link to it"
program run alone.json --plugin ./hostile.json --out hash --quiet && ended 0 0
config '"hostile"' >one.json
program run one.json --plugin ./hostile.json --out one --quiet &&
    echo '# changed' >>hostile.py && program run one.json --plugin ./hostile.json --out one --quiet
ended 2 1 && says 'one'
check "a run does not resume with a changed program"
finish
