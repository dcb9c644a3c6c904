#!/bin/sh
# Each verb opens each records.jsonl that it reads once; a run and a dry run open manifest.json and the .mat file once.
# shellcheck source=tests/tap.sh
. "$(dirname -- "$0")/../tap.sh"
if ! strace -o "$work/trace" true 2>"$work/err"; then
    skip "each file is opened once" "strace is not installed, or may not be used here" strace
    finish
fi
if sanitized; then
    skip "each file is opened once" "a build with sanitizers cannot be traced"
    finish
fi

# Stops the program at the traced calls alone, where strace has this option.
filter=--seccomp-bpf
strace -f $filter -e trace=open -o "$work/trace" true 2>/dev/null || filter=

# traced WORD...: the program under strace; $status, $work/out, $work/err, and $work/opened, with one path per line for
# each successful opening for reading.
traced() {
    # shellcheck disable=SC2086 # no word if there is no such option
    HULLBENCH_DATA=$folders strace -f -qq $filter -e trace=open,openat,openat2 -o "$work/trace" "$hullbench" "$@" \
        >"$work/out" 2>"$work/err"
    status=$?
    sed -n '/O_WRONLY\|O_RDWR\|= -1 /!s/^[^"]*"\([^"]*\)".*/\1/p' "$work/trace" >"$work/opened"
}

# opened NAME: the largest number of openings of one path with that file name, and the number of such paths.
opened() {
    grep "/$1\$" "$work/opened" | sort | uniq -c | awk '{ if ($1 > most) most = $1 } END { print most + 0, NR }'
}

# once SENTENCE FOLDERS: the verb ended with status 0 and opened this many records.jsonl, each once.
once() {
    ended 0 && [ "$(opened records.jsonl)" = "1 $2" ]
    check "$1"
    # shellcheck disable=SC2181 # of check, which returns 0
    echo "# openings of one records.jsonl, and files: $(opened records.jsonl)"
}

cat >"$work/config.json" <<'END'
{"name": "small", "datasets": ["titanic", "twonorm", "banana"], "splits": "1-2", "seed": 1, "standardise": "none",
 "kernel": {"type": "rbf", "width": 2}, "parameters": {"mu": [0.05, 0.1]}, "solvers": ["clip-mdm", "clip-gsk"],
 "stop": {"rule": "rch-gap", "tolerance": 0.1}}
END
folders=
traced run "$work/config.json" --dry-run
ended 0 && [ "$(opened manifest.json)" = "1 1" ]
check "a dry run opens manifest.json once"
traced run "$work/config.json" --out "$work/run" --quiet
ended 0 && [ "$(opened manifest.json)" = "1 1" ]
check "a run opens manifest.json once"
traced run "$work/config.json" --out "$work/run" --quiet --force
[ "$(opened records.jsonl)" = "0 0" ] && [ "$(opened timings.jsonl)" = "0 0" ]
check "a run does not read the records and times that it wrote"
for shard in 1 2; do
    program run "$work/config.json" --out "$work/shard$shard" --shard $shard/2 --quiet
done
mat=
for folder in $(echo "$data" | tr ':' ' '); do
    [ -z "$(ls "$folder"/benchmarks*.mat 2>/dev/null)" ] || mat=yes
done
if [ -n "$mat" ]; then
    folders=$data
    traced run "$work/config.json" --dry-run
    ended 0 && [ "$(opened manifest.json)" = "1 1" ] && [ "$(opened 'benchmarks[a-z_]*[.]mat')" = "1 1" ]
    check "with the .mat file, a dry run opens both once"
    traced run "$work/config.json" --out "$work/mat" --quiet
    ended 0 && [ "$(opened manifest.json)" = "1 1" ] && [ "$(opened 'benchmarks[a-z_]*[.]mat')" = "1 1" ]
    check "with the .mat file, a run opens both once"
    folders=
else
    skip "the .mat file is opened once" "$no_data"
fi

traced tables "$work/run"
once "tables" 1
traced tables "$work/run" "$work/shard1" "$work/shard2"
once "tables of three folders" 3
traced plot "$work/run" --no-render
once "plot" 1
traced compare "$work/run" --against clip-mdm --solver clip-gsk --out "$work/compared" --no-render
once "compare of one folder" 1
for solver in clip-mdm clip-gsk; do
    program run "$work/config.json" --out "$work/$solver" --solvers $solver --quiet
done
traced compare "$work/clip-mdm" "$work/clip-gsk" --out "$work/compared2" --no-render
once "compare of two folders" 2
traced report "$work/run" --out "$work/report.html"
once "report" 1
traced export "$work/run" "$work/shard1" --out "$work/records.csv" --traces "$work/traces.csv"
once "export of two folders" 2
traced merge "$work/shard1" "$work/shard2" --out "$work/merged"
once "merge, and not the records that it writes" 2
traced replay "$work/run"
once "replay, and the records that it makes, for the comparison" 2
program run "$work/config.json" --out "$work/found" --datasets titanic,twonorm --quiet # banana may not be here
traced check "$work/found" --baseline "$work/baseline.json" --update --by test --message "a test"
once "check --update" 1
traced check "$work/found" --baseline "$work/baseline.json" --all
once "check" 1
program run "$root/configs/lopez2008-1svm.json" --out "$work/paper" --datasets titanic --splits 1-2 --quiet
traced conform "$work/paper"
[ "$status" -le 1 ] && status=0
once "conform" 1
traced tables "$work/paper"
once "tables of a paper" 1
finish
