# shellcheck shell=sh
# shellcheck disable=SC2154 # root and work are tap.sh's
# Sourced after tap.sh by the tests of identical bytes: the configurations, the commands and the comparisons.

# Two classes in 20 dimensions. The generated sets have 7000 test patterns, which would take most of the time.
awk 'BEGIN { srand(4); for (i = 0; i < 1200; i++) { for (k = 0; k < 20; k++) printf "%.5f,", rand() + i % 2 * 0.15
    print i % 2 } }' >"$work/own.csv"
# Every registered solver: some with parameters and stopping rules that others lack, all others by "*".
cat >"$work/config.json" <<END
{
  "name": "same-bytes",
  "datasets": [{"name": "own", "file": "$work/own.csv", "n_train": 200, "n_test": 1000}, "titanic"],
  "splits": "1-2",
  "standardise": "full-set",
  "seed": 3,
  "kernel": {"type": "rbf", "width": {"per_dataset": {"own": 40, "titanic": 2}}},
  "parameters": {"mu": [0.05, 0.3], "nu": [0.05, 0.4], "C": 2},
  "solvers": [
    {"name": "mu-mdm", "parameters": {"selection": ["extreme", "free"]}},
    {"name": "clip-mdm", "parameters": {"mu": {"of_C": [0.5, 20]}}, "stop": {"rule": "gap-sum-w2", "tolerance": 1e-3}},
    {"name": "1-smo", "stop": {"rule": "kkt", "tolerance": 1e-3}},
    {"name": "2-smo", "parameters": {"start": ["zero", "first-pair"]}, "stop": {"rule": "kkt", "tolerance": 1e-3}},
    {"name": "ch-mdm", "parameters": {"class": ["largest-delta", "low", "high"]},
     "stop": {"rule": "gap-sum-w2", "tolerance": 1e-3}},
    {"name": "unary-mdm", "stop": {"rule": "delta-w2", "tolerance": 1e-3}},
    {"name": "accelerated-mdm", "stop": {"rule": "delta-w2", "tolerance": 1e-3}},
    {"name": "soft-max-minover", "parameters": {"forgetting": ["no", "paper", "equivalent"], "added": [0, 3]},
     "stop": {"rule": "delta-w2", "tolerance": 1e-2}},
    {"name": "gilbert", "stop": {"rule": "gap-max-w2", "tolerance": 1e-2}},
    "*"
  ],
  "stop": {"rule": "rch-gap-both", "tolerance": 1e-3},
  "budget": {"iterations": 100},
  "trace": {"datasets": ["titanic", "own"], "splits": "2"}
}
END
sed 's/{"name": "own",.*}, "titanic"/"heart"/; s/"titanic", "own"/"heart"/; s/{"per_dataset".*},$/120},/;
    s/"splits": "2"/"splits": "1"/' \
    "$work/config.json" >"$work/heart.json"
with_heart=
program_with_data run "$work/heart.json" --dry-run
grep -q '^heart .*missing' "$work/out" || with_heart=yes
# The generated sets, with little work on them.
cat >"$work/made.json" <<'END'
{"name": "made", "datasets": ["titanic", "twonorm", "ringnorm", "waveform"], "splits": "1-2", "standardise": "full-set",
 "seed": 4,
 "kernel": {"type": "linear"}, "solvers": ["gsk"], "stop": {"rule": "iterations"}, "budget": {"iterations": 1}}
END
cat >"$work/search.json" <<'END'
{
  "name": "search",
  "datasets": ["titanic", "twonorm"],
  "standardise": "full-set",
  "seed": 5,
  "kernel": {"type": "rbf"},
  "solvers": ["1-smo"],
  "stop": {"rule": "delta", "tolerance": 1e-2},
  "budget": {"iterations": 300},
  "tune": {
    "splits": 1, "folds": 2, "C": {"from": 0.1, "to": 100}, "width": {"from": 0.5, "to": 1024},
    "grid": {"C": 2, "width": 3}, "cma-es": {"generations": 4},
    "printed": {"table": "lopez2008.table5.3.1", "C": "C_2svm", "width": "sigma_2svm"}
  }
}
END

# outputs FOLDER [JOBS]: the files that each verb of the current $hullbench makes from small runs, in $work/FOLDER.
outputs() {
    mkdir "$work/$1" && (
        cd "$work/$1" || exit
        set -- "${2:-2}"
        printed=$root/configs/lopez2011-tables-2-3.json ranks=$root/configs/variants-hull.json
        solve=second-order-smo rows=$root/datasets/wedge.csv
        "$hullbench" run "$work/made.json" --out made --jobs "$1" --quiet &&
            sed -n '/"files":.*{/q; /"dataset"/p; /"sha256"/p' made/run.json >sets &&
            "$hullbench" run "$printed" --out printed --datasets titanic,twonorm --splits 1-3 --jobs "$1" --quiet &&
            "$hullbench" tables printed && "$hullbench" plot printed --no-render &&
            "$hullbench" conform --json conform.json printed &&
            "$hullbench" run "$ranks" --out ranks --datasets titanic,twonorm,ringnorm --splits 1-2 --jobs "$1" --quiet \
                --solvers clip-mdm,cycle-clip-mdm,second-order-clip-mdm &&
            "$hullbench" tables ranks && "$hullbench" plot ranks --no-render &&
            "$hullbench" compare "$printed" --baseline clip-mdm --solver mu-gsk --out compare --datasets \
            titanic,twonorm \
                --splits 1-6 --jobs "$1" --no-render --quiet &&
            "$hullbench" tune "$work/search.json" --out tune --jobs "$1" --no-render --quiet &&
            "$hullbench" solve --data "$rows" --solver "$solve" model &&
            "$hullbench" predict --decision-values "$rows" model values
    ) >"$work/$1.said" 2>"$work/err"
    status=$?
    [ "$status" -eq 0 ]
}

# same_outputs FOLDER FOLDER: they are identical except for times and machine.
same_outputs() {
    for name in sets conform.json ranks/tables/friedman-ranks-clip-mdm.json ranks/plots/ranks-clip-mdm.dat \
        compare/compare.json \
        compare/plots/compare.gp tune/evaluations.jsonl values; do
        [ -s "$work/$1/$name" ] || return 1
    done
    diff -r -x run.json -x timings.jsonl -x 'compare-time.*' "$work/$1" "$work/$2" >"$work/err"
}

# run_as FOLDER [OPTION...]: the current $hullbench's records and traces of the configuration, and of heart if
# with_heart says so.
run_as() {
    folder=$1
    shift
    program run "$work/config.json" --out "$work/$folder" --jobs 2 --quiet "$@"
    [ "$status" -eq 0 ] || return 1
    [ -z "$with_heart" ] || program_with_data run "$work/heart.json" --out "$work/$folder.heart" --jobs 2 --quiet "$@"
    [ "$status" -eq 0 ]
}

# as_first FOLDER: its records and traces equal those of the first run.
as_first() {
    same_files "$work/first/records.jsonl" "$work/$1/records.jsonl" &&
        diff -r "$work/first/traces" "$work/$1/traces" >"$work/err" &&
        { [ -z "$with_heart" ] || { same_files "$work/first.heart/records.jsonl" "$work/$1.heart/records.jsonl" &&
            diff -r "$work/first.heart/traces" "$work/$1.heart/traces" >"$work/err"; }; }
}

# has LANES: the current $hullbench runs at that width on this machine.
has() {
    HULLBENCH_LANES=$1 "$hullbench" run "$work/config.json" --dry-run >/dev/null 2>&1
}

# build COMPILER OPT [SANITIZE]: sets $hullbench to such a build, in a separate folder, so that the build under test
# stays untouched.
build() {
    set -- "CC=$1" "OPT=$2" "SANITIZE=${3-}" EXTRA=-g0
    folder=$(make -s -C "$root" print-B "$@")
    status=0
    make_root -j2 "$@" "$folder/hullbench" >"$work/err" 2>&1 || status=$?
    hullbench=$root/$folder/hullbench
    [ "$status" -eq 0 ]
}

# build_computing COMPILER OPT: sets $hullbench to the program with the sources of solvers/ and harness/evaluate that
# add products compiled like this, of vector widths only the generic, and $HULLBENCH_LANES to that width. Its other
# objects are those of the build under test.
build_computing() {
    folder=$work/computing
    mkdir "$folder" && (cd "$root" && find solvers harness/evaluate -name '*.c' ! -name 'test_*' \
        ! -path 'solvers/peer/*' ! -name simd.c ! -name simd_search.c \
        -exec grep -lE '[+-]= .*\*|\* .* [+-] .*\*' {} +) | sed "s|^|$root/|" >"$folder/sources" || return
    # The build's flags, without the compiler and what chooses optimisation, warnings and debug information.
    flags="$1 $(sed -n 1p "$BUILD/flags" | tr ' ' '\n' | sed '1d; /^-O/d; /^-g$/d; /^-W/d; s|^-I[.]$||' |
        tr '\n' ' ') -I$root $2 -w"
    # The build's compiler links, because its OpenMP library serves the other objects, too.
    link="$(sed -n '1s/ .*//p' "$BUILD/flags") ${flags#* }"
    # shellcheck disable=SC2046,SC2086 # lists of flags
    (cd "$folder" && xargs -n 32 -P 2 $flags -c <sources &&
        $flags -DLANES_NAME=generic -c "$root/solvers/kernel/simd.c" "$root/solvers/kernel/simd_search.c" &&
        $link -Wl,--dynamic-list="$root/solvers/plugin.symbols" -o hullbench "$BUILD/harness/cli/main.o" ./*.o \
            "$BUILD/libhullbench.a" $(sed -n 2p "$BUILD/flags")) >"$work/err" 2>&1
    status=$?
    hullbench=$folder/hullbench HULLBENCH_LANES=generic
    export HULLBENCH_LANES
    [ "$status" -eq 0 ]
}
