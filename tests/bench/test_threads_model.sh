#!/bin/sh
# tests/bench/threads_model.py on a run whose times can be added up by hand.
# shellcheck source=tests/tap.sh
. "$(dirname -- "$0")/../tap.sh"

if ! command -v python3 >/dev/null 2>&1; then
    skip "the model of many threads" "python3 is missing" python3
    finish
fi

# Two splits with two jobs each, of 1 s besides a matrix of 0.2 s. The third job of a split differs from the second in
# the tolerance alone, so it takes no time of its own.
mkdir "$work/run"
cat >"$work/run/run.json" <<'END'
{"data": [{"dataset": "set", "train": 10}],
 "time": {"kernels": 0.4, "selection": 3, "update": 1, "processor": 5, "busy": 0.9}}
END
for split in 1 2; do
    for job in "a 1e-3" "b 1e-3" "b 1e-4"; do
        echo "{\"dataset\":\"set\",\"split\":$split,\"solver\":\"${job% *}\",\"params\":{}," \
            "\"kernel\":{\"type\":\"rbf\"}," \
            "\"stop\":{\"rule\":\"kkt\",\"tolerance\":${job#* }}}" >>"$work/run/records.jsonl"
    done
    printf '{"seconds":%s}\n' 0.5 0.1 0.5 >>"$work/run/timings.jsonl"
done
# row THREADS: a row of the table for that number of threads.
row() {
    grep "^| $1 |" "$work/out"
}
python3 "$root/tests/bench/threads_model.py" --threads 1,2,3 "$work/run" "$work/run" >"$work/out" 2>"$work/err"
status=$?
# One thread takes whole units: 2 runs x 2 units of 1 + 1 + 0.2.
ended 0 && [ "$(row 1)" = '| 1 | 4 | 9 | 8.8 s | 100 % | 8.8 s | 100 % | 8.8 s |' ]
check "one thread takes the sum of all jobs and of one matrix for each unit"
# Each job is a chunk with its own matrix: 1.2, 0.2 and 1.2 s, twice in each run. Of two threads one takes 1.2 + 1.2,
# the other 0.2 + 1.2 + 0.2 + 1.2.
[ "$(row 2)" = '| 2 | 12 | 10 | 5.6 s | 93 % | 5.6 s | 93 % | 4.4 s |' ]
check "two threads divide units into jobs, each with its matrix"
# Of three, they are free at 1.4, 1.4 and 2.4 s, and then the other run begins.
[ "$(row 3)" = '| 3 | 12 | 10 | 4.8 s | 72 % | 4.0 s | 87 % | 2.9 s |' ]
check "a run begins on the threads that the last one has left"
finish
