#!/bin/sh
# Fuzzes readers one after the other. Usage: tests/fuzz/fuzz_readers.sh PROGRAM SECONDS TARGET...
# The corpus is kept in build/fuzz/TARGET, failing cases in build/fuzz/TARGET-crash-... (or -leak-, -timeout-, -oom-).
set -u
cd "$(dirname "$0")/../.." || exit 4
program=$1 seconds=$2
shift 2
status=0
for target in "$@"; do
    mkdir -p "build/fuzz/$target" || exit 4
    ln -sf "$(realpath "$program")" "build/fuzz/fuzz-$target" || exit 4
    "build/fuzz/fuzz-$target" -max_total_time="$seconds" -max_len=8192 -timeout=20 -rss_limit_mb=2500 -close_fd_mask=1 \
        -print_final_stats=1 -artifact_prefix="build/fuzz/$target-" "build/fuzz/$target" "tests/fuzz/corpus/$target" \
        2>"build/fuzz/$target.log"
    ended=$?
    echo "$target: $(sed -n 's/^stat::number_of_executed_units: *//p' "build/fuzz/$target.log" | tail -1) cases," \
        "ended with status $ended"
    if [ "$ended" -ne 0 ]; then
        status=1
        tail -40 "build/fuzz/$target.log"
    fi
done
exit $status
