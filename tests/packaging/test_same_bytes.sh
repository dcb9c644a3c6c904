#!/bin/sh
# Records, traces and all files made from them are the same bytes for any number of threads, vector width, compiler and
# optimisation, and for a run done in parts. Every registered solver takes part. `make test-portability` tests more
# combinations.
# shellcheck source=tests/tap.sh
. "$(dirname -- "$0")/../tap.sh"
# shellcheck source=tests/packaging/same_bytes.sh
. "$(dirname -- "$0")/same_bytes.sh"

run_as first
[ "$status" -eq 0 ] && [ "$(wc -l <"$work/first/records.jsonl")" -ge 4 ]
check "a small run of every registered solver works"
missing=0
for name in $(solver_names); do
    grep -q "\"solver\":\"$name\"" "$work/first/records.jsonl" && [ -s "$work/first/traces/titanic-2-$name.tsv" ] ||
        missing=$((missing + 1))
done
[ "$missing" -eq 0 ]
check "every registered solver has records and a trace"

outputs outputs
check "tables, numbers of figures, verdicts, a comparison, a search and a model are made of small runs"

with_heart_wanted=$with_heart with_heart=
for part in 1 2 3; do
    program run "$work/config.json" --out "$work/part$part" --shard "$part/3" --quiet
    [ "$status" -eq 0 ] || break
done
cat "$work"/part?/records.jsonl | sort >"$work/parts"
sort "$work/first/records.jsonl" >"$work/whole"
[ "$status" -eq 0 ] && same_files "$work/whole" "$work/parts"
check "the records of shards 1/3 to 3/3 are together those of the whole"
mkdir "$work/together"
cp "$work"/part?/traces/* "$work/together/"
diff -r "$work/together" "$work/first/traces" >/dev/null
check "the traces of the shards are together those of the whole"
with_heart=$with_heart_wanted

# The first run took the widest vectors that the processor has, and two threads.
for other in generic,1 avx2,3; do
    lanes=${other%,*} jobs=${other#*,}
    sentence="records, traces and what is made of them are the same bytes with --jobs $jobs"
    if has "$lanes"; then
        HULLBENCH_LANES=$lanes
        export HULLBENCH_LANES
        sentence="$sentence and HULLBENCH_LANES=$lanes"
    fi
    run_as "jobs$jobs" --jobs "$jobs" && as_first "jobs$jobs" && outputs "outputs-jobs$jobs" "$jobs" &&
        same_outputs outputs "outputs-jobs$jobs"
    check "$sentence"
    unset HULLBENCH_LANES
done

# Another build: of all sources with HULLBENCH_TESTS=all; otherwise only of those that compute records by adding
# products, since each source takes a tenth of a second.
usual=$hullbench wanted=
for build in gcc,-O0 clang,-O0; do
    [ -n "$wanted" ] || ! command -v "${build%,*}" >/dev/null 2>&1 || wanted=$build
done
compiler=${wanted%,*} level=${wanted#*,}
if [ -z "$wanted" ]; then
    skip "they are the same bytes from another build" "neither clang nor gcc is installed" gcc
elif [ "${HULLBENCH_TESTS-}" = all ]; then
    build "$compiler" "$level" && run_as other && as_first other && outputs outputs-other &&
        same_outputs outputs outputs-other
    check "they are the same bytes from a build by $wanted"
else
    with_heart=
    # Half of the run, since this program is slow. The traces are all of split 2.
    grep '"split":2,' "$work/first/records.jsonl" >"$work/second"
    build_computing "$compiler" "$level" && run_as other --splits 2 &&
        same_files "$work/second" "$work/other/records.jsonl" &&
        diff -r "$work/first/traces" "$work/other/traces" >"$work/err"
    check "records and traces are the same bytes with the sums of solvers and judge compiled by $wanted"
    unset HULLBENCH_LANES
fi
hullbench=$usual with_heart=$with_heart_wanted
if [ -n "$with_heart" ]; then
    [ "$(wc -l <"$work/first.heart/records.jsonl")" -gt 0 ]
    check "the same holds for heart from the benchmark's file"
else
    skip "the same holds for heart from the benchmark's file" "$no_data"
fi
finish
