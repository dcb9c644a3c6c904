#!/bin/sh
# A run opens the manifest, a file that holds many data sets, and a paper only once.
# shellcheck source=tests/tap.sh
. "$(dirname -- "$0")/../tap.sh"

cat >"$work/config.json" <<'EOF2'
{"name": "opens", "tables": ["lopez2011.table2", "lopez2011.table3"],
 "datasets": ["titanic", "banana", "heart", "thyroid"], "splits": "1", "standardise": "none",
 "kernel": {"type": "rbf", "width": 5}, "parameters": {"mu": 0.1}, "solvers": ["clip-mdm"],
 "stop": {"rule": "rch-gap", "tolerance": 1e-2}, "budget": {"iterations": 5}}
EOF2

# opened NAME: counts the openings of files with that name in the trace of the last command, without failed attempts.
opened() {
    grep -v ENOENT "$work/trace" | grep -c "$1\""
}

if ! strace -o "$work/trace" true 2>/dev/null; then
    skip "each file is opened once" "strace does not work here" strace
    finish
fi
HULLBENCH_DATA=$data strace -f -e trace=open,openat -o "$work/trace" "$hullbench" run "$work/config.json" --dry-run \
    >"$work/out" 2>"$work/err"
[ "$(opened manifest.json)" -eq 1 ]
check "a dry run opens the manifest once"
[ "$(opened lopez2011.json)" -eq 1 ]
check "a dry run opens a paper once, whose tables the configuration names"
if [ "$(opened '[.]mat')" -eq 0 ]; then
    skip "a dry run opens the file with the data sets once" "$no_data"
    skip "so does a run, which opens the manifest once" "$no_data"
    finish
fi
[ "$(opened '[.]mat')" -eq 1 ]
check "a dry run opens the file with the data sets once"
HULLBENCH_DATA=$data strace -f -e trace=open,openat -o "$work/trace" "$hullbench" run "$work/config.json" --out \
    "$work/run" --quiet 2>"$work/err"
[ "$(opened manifest.json)" -eq 1 ] && [ "$(opened '[.]mat')" -eq 1 ] && [ -s "$work/run/records.jsonl" ]
check "so does a run, which opens the manifest once"
finish
