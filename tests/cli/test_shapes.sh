#!/bin/sh
# A small configuration of each shape in docs/configuration.md, docs/tuning.md and docs/comparing.md passes through
# every verb that reads run folders: exit statuses and required files.
# shellcheck source=tests/tap.sh
. "$(dirname -- "$0")/../tap.sh"
cd "$work" || exit 4

# ---- user data: CSV with a header, LIBSVM, a split file, a kernel matrix ----
awk 'BEGIN {
    print "x,y,class"
    for (i = 1; i <= 60; i++) printf "%g,%g,%s\n", i * 7 % 19 + (i % 2) * 6, i * 5 % 17, i % 2 ? "b" : "a" }' >own.csv
awk -F , 'NR > 1 { printf "%s 1:%s 2:%s\n", $3 == "b" ? "+1" : "-1", $1, $2 }' own.csv >own.libsvm
tail -n 20 own.libsvm >own-test.libsvm
printf '# two splits\ntrain 1-40\ntest 41-60\ntrain 21 22 25-60\n' >own.splits
awk -F , 'NR > 1 { x[NR - 1] = $1; y[NR - 1] = $2; class[NR - 1] = $3; n = NR - 1 }
    END {
        for (i = 1; i <= n; i++) {
            for (j = 1; j <= n; j++) printf "%.17g,", 1 + x[i] * x[j] + y[i] * y[j]
            print class[i]
        }
    }' own.csv >kernel.csv

# ran SENTENCE STATUS [FILE...]: the last program had this exit status and left these nonempty files.
ran() {
    sentence=$1 wanted=$2
    shift 2
    absent=
    for file in "$@"; do [ -s "$file" ] || absent="$absent $file"; done
    [ "$status" -eq "$wanted" ] && [ -z "$absent" ]
    check "$sentence"
    [ -z "$absent" ] || echo "# missing or empty:$absent"
}

# shape NAME BASELINE SOLVER [FILE...]: passes the configuration on standard input, from after "name", through every
# verb, and compares the two solvers; at the end the run folder has the files. $plots, $conforms and $compares are the
# exit statuses of these verbs (0, 3 and 0 if not set).
shape() {
    name=$1 out=$1 baseline=$2 solver=$3
    shift 3
    files=$*
    { echo "{\"name\": \"$name\","; cat; echo '}'; } >"$name.json"
    program run "$name.json" --out "$out" --dry-run
    ended 0 && [ ! -e "$out" ]
    check "$name: run --dry-run"
    program run "$name.json" --out "$out" --quiet
    ran "$name: run" 0 "$out/records.jsonl" "$out/run.json" "$out/config.json" "$out/timings.jsonl"
    for shard in 1 2; do
        program run "$name.json" --out "$out-$shard" --shard $shard/2 --quiet
        [ "$status" -eq 0 ] || break
    done
    [ "$status" -ne 0 ] || program merge "$out-1" "$out-2" --out "$out-merged"
    ended 0 && same_files "$out/records.jsonl" "$out-merged/records.jsonl"
    check "$name: merge of two shards"
    program replay "$out"
    ran "$name: replay" 0
    program tables "$out"
    ran "$name: tables" 0
    program tables "$out-merged"
    ended 0 && diff -r "$out/tables" "$out-merged/tables" >"$work/err"
    check "$name: tables of what was merged are the same"
    program plot "$out" --no-render
    ran "$name: plot" "${plots-0}"
    program compare "$out" --against "$baseline" --solver "$solver" --out "$out-compared" --no-render
    compared="$out-compared/compare.json $out-compared/compare.md $out-compared/plots/compare.gp"
    # shellcheck disable=SC2086 # a list of files
    if [ "${compares-0}" = 0 ]; then ran "$name: compare" 0 $compared; else ran "$name: compare" "$compares"; fi
    program check "$out" --baseline "$name-counts.json" --update --by test --message "$name"
    ran "$name: check --update" 0 "$name-counts.json"
    program check "$out-merged" --baseline "$name-counts.json"
    ran "$name: check" 0
    program conform "$out"
    ran "$name: conform" "${conforms-3}"
    # gnuplot draws the figures of each kind once, unless HULLBENCH_TESTS=all.
    for kind in error iterations kernel-operations; do
        plot=$out/plots/$kind
        if [ "${HULLBENCH_TESTS-}" != all ] && [ -e "$plot.gp" ] && [ -e "drawn-$kind" ]; then
            echo '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"></svg>' >"$plot.svg"
        elif [ -e "$plot.gp" ]; then
            : >"drawn-$kind"
        fi
    done
    program report "$out" --out "$name.html"
    ran "$name: report" 0 "$name.html"
    for file in $files; do [ -s "$out/$file" ] || echo "# $file"; done | { ! grep .; }
    check "$name: its own files"
}

plots=3
shape lists unary-mdm gilbert tables/summary.json <<'END'
 "title": "lists, ranges, values for each data set, words", "datasets": ["titanic", "twonorm"], "splits": [1, 3],
 "standardise": "full-set-sample", "seed": 3, "generate_missing": true, "support_vector_threshold": 0,
 "kernel": {"type": "rbf", "width": {"per_dataset": {"twonorm": {"log": {"from": 1, "to": 100, "count": 2}},
                                                     "default": [2, 8]}}},
 "parameters": {"C": {"linear": {"from": 1, "to": 2, "count": 2}}, "class": ["low", "high"], "mu": 0.1,
                "selection": ["free", "extreme"]},
 "solvers": ["ch-mdm", "mu-mdm",
             {"name": "2-smo",
              "parameters": {"start": {"per_dataset": {"titanic": "zero", "default": ["zero", "first-pair"]}}}},
             {"name": "mdm", "stop": {"rule": "gap-sum-w2", "tolerance": [0.1, 0.01]}}, "gilbert", "unary-mdm"],
 "stop": {"rule": "delta", "tolerance": 0.1}, "budget": {"iterations": 200, "kernel_operations": 1e7, "seconds": 1000}
END

unset plots
shape sweep mu-gsk clip-mdm tables/summary.json plots/error.gp plots/lines-error-titanic.gp <<'END'
 "datasets": ["titanic"], "splits": "1-2", "standardise": "full-set", "kernel": {"type": "rbf", "width": 2},
 "parameters": {"mu": {"log": {"from": 0.02, "to": 0.2, "count": 3}}}, "solvers": ["mu-gsk", "clip-mdm"],
 "stop": {"rule": "rch-gap", "tolerance": 0.1}, "budget": {"iterations": 10000}
END

shape traced clip-gsk clip-mdm traces/titanic-1-clip-mdm.tsv plots/convergence-titanic-1.gp <<'END'
 "datasets": [{"name": "titanic", "synthetic": true}, {"name": "twonorm", "made": true}], "splits": "1,2",
 "standardise": "none", "training_order": "reversed", "swap_labels": true, "gram_megabytes": 0.01,
 "kernel": {"type": "polynomial", "degree": 2, "scale": 0.5, "offset": 1}, "parameters": {"mu": 0.1},
 "solvers": ["clip-gsk", "clip-mdm"], "stop": {"rule": "rch-gap-both", "tolerance": 0.1},
 "budget": {"iterations": 10000},
 "trace": {"datasets": ["titanic"], "splits": 1}
END

shape own 1-smo second-order-smo <<'END'
 "datasets": [{"name": "comma", "file": "own.csv", "label_column": "class", "n_train": 30, "n_test": 20},
              {"name": "lines", "file": "own.libsvm", "format": "libsvm"},
              {"name": "tested", "file": "own.libsvm", "test_file": "own-test.libsvm"},
              {"name": "listed", "file": "own.libsvm", "split_file": "own.splits"}],
 "splits": "1-2", "standardise": "none", "kernel": {"type": "linear"}, "parameters": {"C": 1},
 "solvers": ["1-smo", "second-order-smo"], "stop": {"rule": "kkt", "tolerance": 1e-3}
END

shape matrix 1-smo second-order-smo <<'END'
 "datasets": [{"name": "matrix", "file": "kernel.csv"}], "splits": [1, 2], "standardise": "none",
 "kernel": {"type": "precomputed"}, "parameters": {"C": 1},
 "solvers": ["1-smo", "second-order-smo"], "stop": {"rule": "kkt", "tolerance": 1e-3}
END

shape folds mdm gilbert <<'END'
 "datasets": [{"name": "lines", "file": "own.libsvm"}, {"name": "comma", "file": "own.csv"}],
 "splits": {"folds": 3, "repeats": 2, "stratified": true}, "standardise": "full-set",
 "kernel": {"type": "rbf", "width": 3}, "parameters": {"C": 1, "q": [4, 10], "history": 0},
 "solvers": ["2-smo", {"name": "svm-light", "stop": {"rule": "kkt", "tolerance": 0.01}}, "cycle-2-smo",
             {"name": "mdm", "stop": {"rule": "gap-sum-w2", "tolerance": 0.1}},
             {"name": "gilbert", "stop": {"rule": "gap-max-w2", "tolerance": 0.5}}],
 "stop": {"rule": "dual-change", "tolerance": 1e-3}, "budget": {"iterations": 20000}
END

# Published tables, series against each other, named figures, and the figures of margins and objectives.
conforms=1
shape paper clip-mdm mu-gsk tables/lopez2011.table2.json tables/lopez2011.claims.json tables/rivals-profile.json \
    plots/profile.gp plots/critical.gp plots/paper-ratio-lopez2011.table2.gp <<'END'
 "datasets": ["titanic", "twonorm", "ringnorm"], "splits": "1-3", "standardise": "full-set",
 "kernel": {"type": "rbf", "width": {"per_dataset": {"titanic": 2, "twonorm": 40, "ringnorm": 10}}},
 "parameters": {"mu": {"per_dataset": {"titanic": 0.0222, "twonorm": 0.0416, "ringnorm": 1}}},
 "solvers": ["mu-gsk", "clip-mdm", "clip-gsk"],
 "stop": {"rule": "rch-gap", "tolerance": 0.1}, "budget": {"iterations": 100000},
 "tables": ["lopez2011.table2", "lopez2011.claims"],
 "plots": [{"kind": "profile"}, {"kind": "critical-difference", "name": "critical"}, {"kind": "paper-ratio"}]
END

program report paper lists --markdown pages
ran "report --markdown of two" 0 pages/README.md

conforms=3 compares=3
shape norm max-minover gilbert plots/path-comma.gp plots/objective-comma.gp <<'END'
 "datasets": [{"name": "comma", "file": "own.csv"}], "splits": "1-2", "standardise": "none",
 "kernel": {"type": "linear"}, "parameters": {"C": 1e100}, "solvers": ["minover", "max-minover", "gilbert"],
 "stop": {"rule": "delta-w2", "tolerance": 0.5}, "budget": {"iterations": 200},
 "trace": {"datasets": ["comma"], "splits": "1"},
 "plots": [{"kind": "path"}, {"kind": "objective"}]
END

# Nothing converges, so there is nothing to compare.
shape limited clip-mdm mu-gsk <<'END'
 "datasets": ["titanic"], "splits": "1-3", "standardise": "full-set", "kernel": {"type": "rbf", "width": 2},
 "parameters": {"mu": 0.1},
 "solvers": ["clip-mdm", "mu-gsk"],
 "stop": {"rule": "iterations"}, "budget": {"iterations": 20, "kernel_operations": 3000}
END


# ---- compare that runs, a search, and verbs that take several folders ----
program compare paper.json --against clip-mdm --solver cycle-clip-mdm --datasets titanic --splits 1-2 --out both \
    --no-render
ran "compare of a configuration, with a solver that it lacks" 0 both/records.jsonl both/compare.json both/config.json
program tables both
ran "tables of what compare ran" 0 both/tables/summary.json
program compare sweep-1 sweep-merged --against clip-mdm --solver clip-mdm --out two --no-render
ran "compare of two folders" 0 two/compare.json
program tables paper sweep limited
ran "tables of several folders" 0
program conform paper limited
ran "conform of several folders" 1
program report paper sweep traced -o several.html
ran "report of several folders" 0 several.html

cat >tune.json <<'END'
{"name": "tune", "datasets": ["titanic"], "standardise": "full-set", "seed": 1, "kernel": {"type": "rbf"},
 "solvers": ["2-smo"], "stop": {"rule": "delta", "tolerance": 1e-2}, "budget": {"iterations": 2000},
 "tune": {"splits": 1, "folds": 2, "stratified": true, "C": {"from": 0.5, "to": 8}, "width": {"from": 1, "to": 4},
  "grid": {"C": 2, "width": 2}, "cma-es": {"generations": 2, "population": 3, "start": [1, 2]},
  "printed": {"table": "lopez2008.table5.3.1", "C": "C_2svm", "width": "sigma_2svm"}}}
END
program tune tune.json --dry-run
ran "tune --dry-run" 0
program tune tune.json --out tune --no-render --quiet
ran "tune" 0 tune/tune.md tune/tune.json tune/evaluations.jsonl tune/surface.csv tune/run.json \
    tune/plots/tune-titanic-2-smo.gp
program tune tune.json --out tune --quiet
ran "the pictures of a search that is finished" 0 tune/plots/tune-titanic-2-smo.svg
program report tune -o tune.html
ran "report of a search" 0 tune.html
program conform tune
ran "conform of a search: nothing to compare" 3
for verb in tables replay "plot --no-render"; do
    # shellcheck disable=SC2086 # a verb and its option
    program $verb tune
    ended 2 1
    check "${verb% *} of a search is refused in one line"
done
finish
