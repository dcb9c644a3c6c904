#!/bin/sh
# Records and traces are the same bytes for any number of threads, any vector width, any compiler and optimisation, and
# for a run done in parts. Every registered solver takes part.
# shellcheck source=tests/tap.sh
. "$(dirname -- "$0")/tap.sh"

# All of the registry, those that are not about hulls without a stopping rule; parameters and rules of their own are written out.
solvers=$("$hullbench" list solvers | awk '$1 != "solver" && /^[a-z0-9]/ {
    printf "{\"name\": \"%s\"%s}, ", $1, /nearest points/ ? "" : ", \"stop\": {\"rule\": \"iterations\"}" }')
cat >"$work/config.json" <<EOF
{
  "name": "same-bytes",
  "datasets": ["twonorm", "titanic"],
  "splits": "1-2",
  "standardise": "full-set",
  "seed": 3,
  "kernel": {"type": "rbf", "width": {"per_dataset": {"twonorm": 40, "titanic": 2}}},
  "parameters": {"mu": [0.05, 0.3], "nu": [0.05, 0.4], "C": 2},
  "solvers": [
    $solvers
    {"name": "mu-mdm", "parameters": {"selection": "free"}},
    {"name": "1-smo", "stop": {"rule": "kkt", "tolerance": 1e-3}},
    {"name": "2-smo", "parameters": {"start": "first-pair"}, "stop": {"rule": "kkt", "tolerance": 1e-3}},
    {"name": "ch-mdm", "parameters": {"class": ["low", "high"]}, "stop": {"rule": "gap-sum-w2", "tolerance": 1e-3}},
    {"name": "unary-mdm", "stop": {"rule": "delta-w2", "tolerance": 1e-3}},
    {"name": "accelerated-mdm", "stop": {"rule": "delta-w2", "tolerance": 1e-3}},
    {"name": "soft-max-minover", "parameters": {"forgetting": ["no", "equivalent"], "added": [0, 3]}, "stop": {"rule": "delta-w2", "tolerance": 1e-2}},
    {"name": "gilbert", "stop": {"rule": "gap-max-w2", "tolerance": 1e-2}}
  ],
  "stop": {"rule": "rch-gap-both", "tolerance": 1e-3},
  "budget": {"iterations": 100},
  "trace": {"datasets": ["titanic", "twonorm"], "splits": "2"}
}
EOF
sed 's/"twonorm", "titanic"/"heart"/g; s/"titanic", "twonorm"/"heart"/; s/{"per_dataset".*},$/120},/; s/"splits": "2"/"splits": "1"/' \
    "$work/config.json" >"$work/heart.json"

# run_as FOLDER: the present $hullbench's records of both configurations.
run_as() {
    program run "$work/config.json" --out "$work/$1" --jobs 2 --quiet
    [ "$status" -eq 0 ] || return 1
    [ -z "$with_heart" ] || program_with_data run "$work/heart.json" --out "$work/$1.heart" --jobs 2 --quiet
    [ "$status" -eq 0 ]
}

# as_first FOLDER: its records and traces are those of the first run.
as_first() {
    same_files "$work/first/records.jsonl" "$work/$1/records.jsonl" && diff -r "$work/first/traces" "$work/$1/traces" &&
        { [ -z "$with_heart" ] || { same_files "$work/first.heart/records.jsonl" "$work/$1.heart/records.jsonl" &&
            diff -r "$work/first.heart/traces" "$work/$1.heart/traces"; }; }
}

with_heart=
program_with_data run "$work/heart.json" --dry-run
grep -q '^heart .*missing' "$work/out" || with_heart=yes

run_as first
[ "$status" -eq 0 ] && [ "$(wc -l <"$work/first/records.jsonl")" -ge 4 ]
check "a small run of every registered solver works"
missing=0
for name in $("$hullbench" list solvers | awk '$1 != "solver" && /^[a-z0-9]/ { print $1 }'); do
    grep -q "\"solver\":\"$name\"" "$work/first/records.jsonl" && [ -s "$work/first/traces/titanic-2-$name.tsv" ] ||
        missing=$((missing + 1))
done
[ "$missing" -eq 0 ]
check "every registered solver has records and a trace"

with_heart_wanted=$with_heart with_heart=
for jobs in 1 3; do
    program run "$work/config.json" --out "$work/jobs$jobs" --jobs "$jobs" --quiet
    [ "$status" -eq 0 ] && as_first "jobs$jobs"
    check "records and traces are the same bytes with --jobs $jobs"
done

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

for lanes in generic avx2 avx512; do
    sentence="records and traces are the same bytes with HULLBENCH_LANES=$lanes"
    if HULLBENCH_LANES=$lanes "$hullbench" run "$work/config.json" --dry-run >/dev/null 2>&1; then
        HULLBENCH_LANES=$lanes
        export HULLBENCH_LANES
        run_as "$lanes" && as_first "$lanes"
        check "$sentence"
        unset HULLBENCH_LANES
    else
        skip "$sentence" "this processor or build lacks it"
    fi
done

# Folders of their own key, so nothing of the build under test is touched.
usual=$hullbench
for build in gcc,-O0 gcc,-O3 clang,-O2; do
    compiler=${build%,*} level=${build#*,}
    sentence="records and traces are the same bytes from a build by $compiler $level"
    if ! command -v "$compiler" >/dev/null 2>&1; then
        skip "$sentence" "$compiler is not installed"
        continue
    fi
    folder=$(make -s -C "$root" print-B CC="$compiler" OPT="$level" SANITIZE= EXTRA=)
    status=0
    make -s -j2 -C "$root" CC="$compiler" OPT="$level" SANITIZE= EXTRA= "$folder/hullbench" >"$work/err" 2>&1 || status=$?
    hullbench=$root/$folder/hullbench
    [ "$status" -eq 0 ] && run_as "$compiler$level" && as_first "$compiler$level"
    check "$sentence"
    hullbench=$usual
done
if [ -n "$with_heart" ]; then
    [ "$(wc -l <"$work/first.heart/records.jsonl")" -gt 0 ]
    check "the same holds for heart from the benchmark's file"
else
    skip "the same holds for heart from the benchmark's file" "the data are not here"
fi
finish
