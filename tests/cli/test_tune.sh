#!/bin/sh
# hullbench tune: the same bytes for any number of threads and after a kill, results recomputed from the evaluations,
# printed values next to them, and error messages.
# shellcheck source=tests/tap.sh
. "$(dirname -- "$0")/../tap.sh"

cat >"$work/config.json" <<'EOF'
{
  "name": "tune",
  "title": "A small search",
  "datasets": ["titanic", "twonorm"],
  "standardise": "full-set",
  "seed": 3,
  "kernel": {"type": "rbf"},
  "solvers": ["1-smo"],
  "stop": {"rule": "delta", "tolerance": 1e-2},
  "budget": {"iterations": 400},
  "tune": {
    "splits": 2,
    "folds": 3,
    "C": {"from": 0.1, "to": 100},
    "width": {"from": 0.5, "to": 1024},
    "grid": {"C": 3, "width": 3},
    "cma-es": {"generations": 3},
    "printed": {"table": "lopez2008.table5.3.1", "C": "C_2svm", "width": "sigma_2svm"}
  }
}
EOF
# titanic: 1 printed point, which twonorm lacks. Both: 9 points of the grid and 3 * 6 of CMA-ES. 6 folds each.
lines=55 folds=330

# outputs_as FOLDER: its reproducible files equal those of the first run.
outputs_as() {
    same_files "$work/whole/evaluations.jsonl" "$work/$1/evaluations.jsonl" &&
        diff -r -x run.json -x '*.svg' -x '*.png' -x '*.pdf' "$work/whole" "$work/$1"
}

# ---- help and lists ----
program tune --help
absent=0
for option in datasets dry-run force jobs no-render out quiet solvers; do
    grep -q -- "--$option" "$work/out" || absent=$((absent + 1))
done
ended 0 0 && [ "$absent" -eq 0 ]
check "help names every option"
program tune "$work/config.json" --dry-run --out "$work/dry"
ended 0 0 && grep -q "^tune: $lines evaluations of 6 folds each" "$work/out" &&
    grep -q '^titanic  *1-smo  *150  *1  *9  *18$' "$work/out" &&
    grep -q '^twonorm  *1-smo  *400  *0  *9  *18$' "$work/out" &&
    [ ! -e "$work/dry" ]
check "a dry run shows the counts and writes nothing"

# C and width have to be above 0.
mkdir -p "$work/zero/papers" "$work/zero/datasets"
ln -s "$root/datasets/manifest.json" "$work/zero/datasets/manifest.json"
cat >"$work/zero/papers/toy.json" <<'EOF'
{"paper": "toy", "datasets": ["titanic", "twonorm"], "splits": {"default": 1}, "tables": [{"name": "toy.t",
 "caption": "c",
 "source": "s", "columns": [{"key": "c", "title": "C", "statistic": "value"}, {"key": "w", "title": "w",
  "statistic": "value"}],
 "rows": {"titanic": {"c": {"mean": 0, "decimals": 0}, "w": {"mean": 2, "decimals": 0}},
          "twonorm": {"c": {"mean": 0.5, "decimals": 1}, "w": {"mean": 0.25, "decimals": 2}}}}]}
EOF
sed 's/lopez2008.table5.3.1/toy.t/; s/C_2svm/c/; s/sigma_2svm/w/' "$work/config.json" >"$work/zero.json"
HULLBENCH_DATADIR=$work/zero "$hullbench" tune "$work/zero.json" --dry-run >"$work/out" 2>"$work/err"
status=$?
ended 0 0 && grep -q '^titanic  *1-smo  *150  *0  *9  *18$' "$work/out" &&
    grep -q '^twonorm  *1-smo  *400  *1  *9  *18$' "$work/out"
check "a printed value of 0 is no point to evaluate"

# ---- a search ----
program tune "$work/config.json" --out "$work/whole" --jobs 2 --no-render
ended 0 0 && grep -q "^tune: $lines evaluations in $work/whole" "$work/out" &&
    [ "$(wc -l <"$work/whole/evaluations.jsonl")" -eq "$lines" ] && [ ! -e "$work/whole/journal.jsonl" ] &&
    same_files "$work/config.json" "$work/whole/config.json" && [ "$(wc -l <"$work/whole/surface.csv")" -eq 19 ]
check "a search has a line for each evaluation, one for each point of the grid in surface.csv, and no journal left"

# The mean of the folds, and its minimum over the evaluations of a search, computed in awk.
sed 's/.*"dataset":"\([^"]*\)".*"evaluation":\([0-9]*\),"by":"\([^"]*\)".*"C":\([^,]*\),"width":\([^,]*\),'\
'"error_percent":\([^,]*\),.*"folds":\[\([^]]*\)\].*/\1 \2 \3 \4 \5 \6 \7/' \
    "$work/whole/evaluations.jsonl" >"$work/points"
awk '{
    n = split($7, fold, ",")
    sum = 0
    for (i = 1; i <= n; i++) sum += fold[i]
    if (n != 6 || sum / n - $6 > 1e-9 || $6 - sum / n > 1e-9) bad++
} END { exit bad + (NR != 55) }' "$work/points"
check "an evaluation's error is the mean of its six folds"
awk '!(($1 " " $3) in least) || $6 < least[$1 " " $3] { least[$1 " " $3] = $6; at[$1 " " $3] = $2 }
    END { for (key in least) print key, at[key] }' "$work/points" | sort >"$work/best"
awk '/"dataset":/ { gsub(/[",]/, "", $2); set = $2 } /"chosen":/ { by = "" }
    /"(printed|grid|cma-es)":[[:space:]]*\{/ { by = $1; gsub(/[":]/, "", by) }
    /"evaluation":/ && by != "" { gsub(",", "", $2); print set, by, $2 }' "$work/whole/tune.json" | sort >"$work/told"
same_files "$work/best" "$work/told"
check "tune.json tells the first evaluation of least error of each kind"
# By hand: the least error over the grid and CMA-ES; of the points with this error the smallest C, then the largest
# width.
awk '$3 != "printed" { error = sprintf("%.9f", $6) + 0
    if (!($1 in least) || error < least[$1]) { least[$1] = error; n[$1] = 0; delete seen }
    if (error == least[$1] && !($1 $4 $5 in seen)) {
        if (!n[$1]++ || $4 < c[$1] || ($4 == c[$1] && $5 > width[$1])) { c[$1] = $4; width[$1] = $5; at[$1] = $2 }
        seen[$1 $4 $5]
    }
} END { for (set in least) print set, c[set], width[set], at[set], n[set] }' "$work/points" | sort >"$work/best"
awk '{ gsub(/[",:]/, "") } $1 == "dataset" { set = $2 } $1 == "chosen" { inside = 1 } $1 == "C" { c = $2 }
    $1 == "width" { width = $2 } $1 == "evaluation" { at = $2 }
    $1 == "tied" && inside { print set, c, width, at, $2; inside = 0 }' "$work/whole/tune.json" | sort >"$work/told"
[ "$(wc -l <"$work/told")" -eq 2 ] && same_files "$work/best" "$work/told"
check "the chosen point has the smallest C, then the widest kernel, of the points with the least error"
# The test of each split: by hand the point of the grid that its three folds choose; then a run there.
awk '$3 == "grid" { split($7, fold, ",")
    for (s = 1; s <= 2; s++) {
        key = $1 " " s
        error = sprintf("%.9f", fold[3 * s - 2] + fold[3 * s - 1] + fold[3 * s]) + 0
        if (!(key in least) || error < least[key] || (error == least[key] && ($4 < c[key] || ($4 == c[key] && \
            $5 > width[key])))) { least[key] = error; c[key] = $4; width[key] = $5 }
    }
} END { for (key in least) print key, c[key], width[key] }' "$work/points" | sort >"$work/best"
awk '{ gsub(/[",:{}]/, "") } $1 == "dataset" { set = $2 } $1 == "outer_test" { inside = 1 } $1 == "split" { s = $2 }
    $1 == "C" { c = $2 } $1 == "width" { width = $2 } $1 == "error_percent" { error = $2 }
    $1 == "outcome" && inside { printf "%s %s %s %s %.9f\n", set, s, c, width, error }
    $1 == "grid" { inside = 0 }' "$work/whole/tune.json" | sort >"$work/told"
cut -d ' ' -f 1-4 "$work/told" >"$work/told-points"
[ "$(wc -l <"$work/told")" -eq 4 ] && same_files "$work/best" "$work/told-points"
check "a split is tested at the point of the grid that its own folds choose"
while read -r set split c width _; do
    cat >"$work/test.json" <<EOF
{"name": "test", "datasets": ["$set"], "splits": $split, "standardise": "full-set", "seed": 3, "solvers": ["1-smo"],
 "kernel": {"type": "rbf", "width": $width}, "parameters": {"C": $c}, "stop": {"rule": "delta", "tolerance": 1e-2},
 "budget": {"iterations": 400}}
EOF
    "$hullbench" run "$work/test.json" --out "$work/test" --force --quiet
    error=$(sed 's/.*"error_percent":\([^,]*\),.*/\1/' "$work/test/records.jsonl")
    printf '%s %s %s %s %.9f\n' "$set" "$split" "$c" "$width" "$error"
done <"$work/told" >"$work/tested"
[ "$(wc -l <"$work/tested")" -eq 4 ] && same_files "$work/tested" "$work/told"
check "and its error is that of a run on the split's training and test part"
grep -q '"search_seconds":' "$work/whole/run.json" && ! grep -q seconds "$work/whole/tune.json" "$work/whole/tune.md"
check "run.json alone has the times of the searches"
awk '$3 == "cma-es" && ($4 < 0.0999999 || $4 > 100.0001 || $5 < 0.499999 || $5 > 1024.001) { bad++ }
    $3 == "printed" && !($1 == "titanic" && $4 == 0.46 && $5 == 35.08) { bad++ }
    END { exit bad }' "$work/points"
check "points of CMA-ES lie in the ranges, and the printed point is the paper's"

# ---- the report ----
grep '^| titanic ' "$work/whole/tune.md" | grep -q '0\.46 | *35\.08 |' &&
    grep '^| twonorm ' "$work/whole/tune.md" | grep -q '– |' && grep -q 'lopez2008.table5.3.1' "$work/whole/tune.md"
check "tune.md names the printed values where there are some"
printed=$(awk '$1 == "titanic" && $3 == "printed" { printf "%.2f", $6 }' "$work/points")
grep '^| titanic ' "$work/whole/tune.md" | grep -q "35\.08 | *$printed ±"
check "tune.md has the error at the printed values as evaluated here"
found=$(awk '$1 == "titanic" && $3 == "cma-es" { if (!n++ || $6 < least) { least = $6; c = $4 } }
    END { printf "%.3f", log(c / 0.46) / log(2) }' "$work/points")
awk '/"dataset":/ { set = $2 } /"against_printed"/ { inside = 1 } /"log2_C"/ && inside { value = $2 } END {
    printf "%.3f", value }' \
    "$work/whole/tune.json" >"$work/log2"
[ "$(cat "$work/log2")" = "$found" ]
check "the log2 distance to the printed C is that of the points"
awk '$1 == "titanic" && $3 == "cma-es" { if (!n++ || $6 < least) { least = $6; c = $4; width = $5 } }
    END { x = log(c / 0.46) / log(2); y = log(width / 35.08) / log(2); printf "%.3f %.3f", y, sqrt(x * x + y * y) }' \
        "$work/points" >"$work/found"
awk '/"against_printed"/ { inside = 1 } /"log2_width"/ && inside { width = $2 } /"log2_distance"/ && inside {
    both = $2 }
    END { printf "%.3f %.3f", width, both }' "$work/whole/tune.json" >"$work/log2"
same_files "$work/found" "$work/log2"
check "so is that to the printed width, and the distance in the plane of both"
sed -n 's/.*"dataset":"\([^"]*\)".*"same_as":null.*"outcomes":{\(.*\)}}$/\1 \2/p' "$work/whole/evaluations.jsonl" |
    tr -d '"' | tr ':,' '  ' >"$work/outcomes"
awk '{ of_point = 0
    for (i = 2; i < NF; i += 2) { n[$1 " " $i] += $(i + 1); of_point += $(i + 1) }
    if (of_point != 6) print "not six:", $0
} END { for (key in n) print key, n[key] }' "$work/outcomes" | sort >"$work/counted"
awk '{ gsub(/[",:]/, "") } $1 == "dataset" { set = $2 } $1 == "}" { inside = 0 } inside { print set, $1, $2 }
    $1 == "outcomes" { inside = 1 }' "$work/whole/tune.json" | sort >"$work/told"
[ "$(wc -l <"$work/counted")" -eq 4 ] && same_files "$work/counted" "$work/told"
check "each point has six outcomes, and tune.json counts those of a search"
solved=$(awk '{ n[$2] += $3 } END { printf "%d problems were solved: %d converged, %d iteration-limit.",
    n["converged"] + n["iteration-limit"], n["converged"], n["iteration-limit"] }' "$work/counted")
grep -q "^$solved" "$work/whole/tune.md"
check "tune.md counts those of all searches"
for set in titanic twonorm; do
    awk -v set=$set '$1 == set && $3 == "grid" {
        printf "%s %.6f %.6f %.6f\n", set, log($4) / log(2), log($5) / log(2), $6 }' "$work/points" \
        >>"$work/grid-points"
    awk -v set=$set '!NF { exit } !/^#/ { printf "%s %.6f %.6f %.6f\n", set, $1, $2, $3 }' \
        "$work/whole/plots/tune-$set-1-smo.dat" >>"$work/grid-drawn"
done
[ "$(wc -l <"$work/grid-points")" -eq 18 ] && same_files "$work/grid-points" "$work/grid-drawn"
check "the figures draw the grids of both searches"

# ---- one writer ----
"$hullbench" tune "$work/config.json" --out "$work/held" --jobs 1 --no-render --quiet >/dev/null 2>&1 &
job=$!
tries=0
while [ ! -e "$work/held/journal.jsonl" ] && [ "$tries" -lt 500 ]; do
    sleep 0.01
    tries=$((tries + 1))
done
kill -s STOP "$job"
program tune "$work/config.json" --out "$work/held" --no-render
ended 2 1 && says "held: process $job "
check "a folder that another search writes to is refused"
kill -s KILL "$job"
wait "$job" 2>/dev/null

# ---- the same bytes ----
program tune "$work/config.json" --out "$work/one" --jobs 1 --no-render --quiet
ended 0 0 && [ ! -s "$work/out" ] && outputs_as one
check "one thread gives the same bytes"
HULLBENCH_LANES=generic "$hullbench" tune "$work/config.json" --out "$work/generic" --no-render --quiet >"$work/out" \
    2>"$work/err"
outputs_as generic
check "narrow vectors give the same bytes"
sed 's/"seed": 3,/"seed": 3, "gram_megabytes": 0.01,/' "$work/config.json" >"$work/narrow.json"
program tune "$work/narrow.json" --out "$work/narrow" --no-render --quiet
ended 0 0 && same_files "$work/whole/evaluations.jsonl" "$work/narrow/evaluations.jsonl"
check "a budget that holds no kernel matrix gives the same evaluations"
sed 's/"seed": 3/"seed": 4/' "$work/config.json" >"$work/seed.json"
program tune "$work/seed.json" --out "$work/seed" --no-render --quiet
ended 0 0 && ! cmp -s "$work/whole/evaluations.jsonl" "$work/seed/evaluations.jsonl"
check "another seed gives other folds"
program tune "$work/config.json" --out "$work/part" --datasets twonorm --no-render --quiet
tail -27 "$work/whole/evaluations.jsonl" >"$work/tail"
ended 0 0 && same_files "$work/tail" "$work/part/evaluations.jsonl"
check "a search restricted to a data set has the evaluations of the whole one"

# ---- interruptions ----
# start FOLDER: starts the search in the background, as process $job.
start() {
    "$hullbench" tune "$work/config.json" --out "$work/$1" --jobs 1 --no-render --quiet >"$work/out" 2>"$work/err" &
    job=$!
    cleaning="kill -9 $job 2>/dev/null"
}
journalled() {
    [ -f "$work/$1/journal.jsonl" ] || { echo 0 && return; }
    echo $(($(wc -l <"$work/$1/journal.jsonl") - 1))
}
# wait_for FOLDER COUNT: waits until the journal has this many folds, for at most ten seconds.
wait_for() {
    tries=0
    while [ "$(journalled "$1")" -lt "$2" ] && [ "$tries" -lt 1000 ]; do
        sleep 0.01
        tries=$((tries + 1))
    done
    [ "$tries" -lt 1000 ]
}

kills=0
for least in 20 50 80; do
    start killed
    wait_for killed "$least"
    kill -9 "$job" 2>/dev/null
    wait "$job" 2>/dev/null
    [ "$?" -eq 137 ] || break # 128 + 9; otherwise it had finished
    kills=$((kills + 1))
done
cleaning=:
[ "$kills" -ge 1 ] && [ ! -e "$work/killed/evaluations.jsonl" ] && [ "$(journalled killed)" -lt "$folds" ] &&
    [ "$(sed -n 's/^{"index":\([0-9]*\),.*/\1/p' "$work/killed/journal.jsonl" | sort | uniq -d | wc -l)" -eq 0 ]
check "a search killed $kills times has done no fold twice and left no results in part"
cp -r "$work/killed" "$work/torn"
program tune "$work/config.json" --out "$work/killed" --jobs 2 --no-render --quiet
ended 0 0 && outputs_as killed && [ ! -e "$work/killed/journal.jsonl" ]
check "the same command goes on to the same bytes"
size=$(wc -c <"$work/torn/journal.jsonl")
head -c $((size - 30)) "$work/torn/journal.jsonl" >"$work/cut" && cp "$work/cut" "$work/torn/journal.jsonl"
program tune "$work/seed.json" --out "$work/torn" --no-render --quiet
ended 2 1 && says "belongs to another run"
check "an unfinished folder of another configuration is refused"
program tune "$work/config.json" --out "$work/torn" --no-render --quiet
ended 0 0 && outputs_as torn
check "a torn journal is gone on with to the same bytes"
start signalled
wait_for signalled 20
kill -s INT "$job"
wait "$job"
status=$?
cleaning=:
[ "$status" -eq 130 ] && says "resumes it" && [ "$(journalled signalled)" -ge 20 ] &&
    [ ! -e "$work/signalled/tune.json" ]
check "SIGINT ends the search by that signal, with a message and the journal kept"

# ---- folders ----
program tune "$work/config.json" --out "$work/whole" --no-render
ended 0 0 && grep -q 'already complete' "$work/out" && [ ! -e "$work/whole/plots/tune-twonorm-1-smo.svg" ]
check "a finished search is left as it is"
program tune "$work/seed.json" --out "$work/whole" --no-render
ended 2 1 && says "--force"
check "a finished folder and another configuration is refused"
for what in missing cut; do
    rm -rf "$work/lost" "$work/kept" && cp -r "$work/whole" "$work/lost"
    if [ $what = cut ]; then echo '{"a' >"$work/lost/run.json"; else rm "$work/lost/run.json"; fi
    cp -r "$work/lost" "$work/kept"
    program tune "$work/config.json" --out "$work/lost" --no-render --quiet
    ended 2 1 && says run.json && says "--force" && diff -r "$work/kept" "$work/lost"
    check "a finished search whose run.json is $what is left as it is"
done
# spoil FILE SED TEXT SENTENCE: a finished search whose FILE was edited is refused with TEXT, and so is a report on it.
spoil() {
    rm -rf "$work/lost" "$work/kept" && cp -r "$work/whole" "$work/lost" && sed -i "$2" "$work/lost/$1"
    [ "$2" != d ] || rm "$work/lost/$1"
    cp -r "$work/lost" "$work/kept"
    program tune "$work/config.json" --out "$work/lost" --no-render --quiet
    ended 2 1 && says "lost/$1$3" && diff -r "$work/kept" "$work/lost" &&
        program report "$work/lost" --out "$work/lost.html" && ended 2 1 && says "lost/$1" && [ ! -e "$work/lost.html" ]
    check "a finished search $4 is refused, and stays as it is"
}
# shellcheck disable=SC2016 # the last line, for sed
spoil evaluations.jsonl '$d' ': was changed after it was written: it has ' 'that lacks an evaluation'
spoil evaluations.jsonl '7s/"iterations":[0-9]/"iterations":x/' ': was changed after it was written: its SHA-256 is ' \
    'with an edited evaluation'
spoil surface.csv d ': is missing, and run.json lists it; restore' 'without its surface.csv'
spoil tune.json 's/"tied"/"deit"/' ': was changed after it was written: its SHA-256 is ' 'with an edited tune.json'
rm -r "$work/lost" && cp -r "$work/whole" "$work/lost"
head -c -9 "$work/whole/evaluations.jsonl" >"$work/lost/evaluations.jsonl"
program tune "$work/config.json" --out "$work/lost" --no-render --quiet
ended 2 1 && says "lost/evaluations.jsonl:$lines: the file ends within this line"
check "a cut line of its evaluations is named"
cp "$work/whole/evaluations.jsonl" "$work/lost" && rm "$work/lost/config.json" && : >"$work/lost/journal.jsonl"
program tune "$work/config.json" --out "$work/lost" --no-render --quiet
ended 0 0 && [ ! -e "$work/lost/journal.jsonl" ] && outputs_as lost
check "a finished search gets its lost configuration back"
rm -r "$work/lost" "$work/kept"
touch "$work/one/plots/tune-heart-1-smo.dat"
program tune "$work/seed.json" --out "$work/one" --no-render --quiet --force
ended 0 0 && same_files "$work/seed/evaluations.jsonl" "$work/one/evaluations.jsonl" &&
    same_files "$work/seed/tune.md" "$work/one/tune.md" && [ ! -e "$work/one/plots/tune-heart-1-smo.dat" ]
check "--force puts the other search in its place, figures included"
cat >"$work/run.json" <<'EOF'
{"name": "run", "datasets": ["titanic"], "splits": 1, "standardise": "full-set", "kernel": {"type": "linear"},
 "parameters": {"C": 1}, "solvers": ["1-smo"], "stop": {"rule": "delta", "tolerance": 0.1},
 "budget": {"iterations": 1000000}}
EOF
cp -r "$work/one" "$work/kept"
program run "$work/run.json" --out "$work/one" --force
ended 2 1 && says "$work/one: belongs to hullbench tune" && diff -r "$work/kept" "$work/one"
check "run refuses the folder of a search, even with --force"
program run "$work/run.json" --out "$work/ran" --quiet
cp -r "$work/ran" "$work/kept-run"
program tune "$work/config.json" --out "$work/ran" --no-render --force
ended 2 1 && says "$work/ran: belongs to hullbench run" && diff -r "$work/kept-run" "$work/ran"
check "tune refuses the folder of a run, even with --force"

# ---- figures ----
if command -v gnuplot >/dev/null 2>&1; then
    (cd "$work/whole/plots" && LC_ALL=C.UTF-8 gnuplot -d tune-titanic-1-smo.gp >"$work/said" 2>&1) &&
        [ ! -s "$work/said" ] &&
        [ -s "$work/whole/plots/tune-titanic-1-smo.svg" ] && [ -s "$work/whole/plots/tune-titanic-1-smo.png" ]
    check "gnuplot draws the figure and has nothing to say"
    cp "$work/whole/plots/tune-titanic-1-smo.png" "$work/drawn.png"
    echo "not drawn again" >"$work/whole/plots/tune-titanic-1-smo.svg"
    program tune "$work/config.json" --out "$work/whole"
    ended 0 0 && grep -q 'already complete' "$work/out" && [ -s "$work/whole/plots/tune-twonorm-1-smo.svg" ] &&
        [ -s "$work/whole/plots/tune-twonorm-1-smo.png" ] &&
        grep -q "not drawn again" "$work/whole/plots/tune-titanic-1-smo.svg"
    check "the pictures a finished search lacks are drawn, and only those"
    rm "$work/whole/plots/tune-titanic-1-smo.png"
    program tune "$work/config.json" --out "$work/whole" --quiet
    ended 0 0 && same_files "$work/drawn.png" "$work/whole/plots/tune-titanic-1-smo.png"
    check "and are the same as gnuplot draws by hand"
    sed 's/"grid": {"C": 3, "width": 3},//' "$work/config.json" >"$work/alone.json"
    program tune "$work/alone.json" --out "$work/alone" --datasets twonorm --quiet
    ended 0 0 && [ -s "$work/alone/plots/tune-twonorm-1-smo.png" ] && [ ! -e "$work/alone/surface.csv" ]
    check "CMA-ES without a grid and without a printed point is drawn"
    sed 's/"cma-es": {"generations": 3},//' "$work/config.json" >"$work/grid.json"
    program tune "$work/grid.json" --out "$work/grid" --datasets titanic --quiet
    ended 0 0 && [ -s "$work/grid/plots/tune-titanic-1-smo.png" ] &&
        grep -q 'log₂ of grid over printed' "$work/grid/tune.md"
    check "a grid without CMA-ES is drawn, and compared with the printed point"
else
    skip "gnuplot draws the figure and has nothing to say" "gnuplot is not installed" gnuplot-nox
fi
mkdir "$work/bin"
PATH=$work/bin "$hullbench" tune "$work/config.json" --out "$work/plain" --datasets titanic --quiet >"$work/out" \
    2>"$work/err"
status=$?
ended 4 1 && says "gnuplot is not installed" && [ -s "$work/plain/tune.md" ] && [ -s "$work/plain/run.json" ]
check "without gnuplot the pictures alone are missing, which is said"

# ---- no point to choose ----
sed 's/"iterations": 400/"iterations": 1/' "$work/config.json" >"$work/short.json"
for again in first second; do
    program tune "$work/short.json" --out "$work/short" --no-render --quiet
    ended 1 2 && says 'titanic, 1-smo: ' && says 'twonorm, 1-smo: ' && says '168 iteration-limit' &&
        says '162 iteration-limit' &&
        says 'raise the limit in "budget"' && grep -q '"chosen":[[:space:]]*null' "$work/short/tune.json" &&
        grep -q '^| titanic .*|  *– ' "$work/short/tune.md" && [ -s "$work/short/run.json" ]
    check "a search in which all problems end at their limit has status 1 and names it ($again call)"
done
sed 's/"iterations": 400/"iterations": 1/; s/{"rule": "delta", "tolerance": 1e-2}/{"rule": "iterations"}/' \
    "$work/config.json" >"$work/short.json"
program tune "$work/short.json" --out "$work/by-count" --no-render --quiet
ended 0 0 && ! grep -q '"chosen":[[:space:]]*null' "$work/by-count/tune.json"
check "unless the rule is that number of iterations"

# ---- files of one's own ----
awk 'BEGIN { srand(5); for (i = 0; i < 60; i++) { y = i % 2 ? 1 : -1
    printf "%.3f,%.3f,%d\n", 100 * rand() + 40 * y, rand(), y } }' >"$work/own.csv"
cat >"$work/mine.json" <<EOF
{"name": "mine", "datasets": [{"name": "mine", "file": "$work/own.csv"}], "kernel": {"type": "rbf"},
 "solvers": ["1-smo"], "stop": {"rule": "kkt", "tolerance": 1e-3},
 "tune": {"splits": 1, "C": {"from": 0.1, "to": 10}, "width": {"from": 0.5, "to": 32}, "grid": {"C": 3, "width": 4}}}
EOF
program tune "$work/mine.json" --out "$work/mine" --no-render --quiet
ended 0 0 && grep -q '"standardise":[[:space:]]*"training"' "$work/mine/run.json" &&
    awk '{ gsub(/[",:{}]/, "") } $1 == "chosen" { inside = 1 } $1 == "outer_test" { tested = 1 }
        $1 == "C" && !tested && inside { c = $2 } $1 == "width" && !tested && inside { width = $2 }
        $1 == "C" && tested { same += c == $2; tested = 0 } $1 == "n_test" { n = $2 }
        END { exit !(same == 1 && n == 20) }' "$work/mine/tune.json"
check "one split of a file is tested at the chosen point, on the third of its rows that the search has not seen"

# ---- errors ----
# wrong SENTENCE SED-COMMAND TEXT: rejects the configuration after this change, with the text.
wrong() {
    sed "$2" "$work/config.json" >"$work/wrong.json"
    cmp -s "$work/config.json" "$work/wrong.json" && echo "# $2 changes nothing"
    program tune "$work/wrong.json" --out "$work/never" --quiet
    ended 2 1 && says "$3" && [ ! -e "$work/never" ]
    check "$1"
}
wrong "an unknown key of tune is named" 's/"folds": 3/"fold": 3/' \
    'wrong.json:13:5: tune: unknown key "fold"; did you mean "folds"'
wrong "a range that is none is named" 's/"to": 100}/"to": 0.1}/' \
    'tune.C: "from" is 0.1 and "to" is 0.1; allowed: "to" above "from"'
wrong "a range too short to search is shown as it is" 's/"from": 0.1, "to": 100}/"from": 1, "to": 1.0000001}/' \
    'tune.C: "from" is 1 and "to" is 1.0000001; allowed: "to" above "from", by'
wrong "a grid of one level is named" 's/"C": 3/"C": 1/' 'tune.grid.C: 1 is out of range; allowed: 2 to 200'
wrong "an unknown printed column is named" 's/C_2svm/C_3svm/' \
    'tune.printed.C: unknown column "C_3svm"; did you mean "C_1svm"'
wrong "an unknown printed table is named" 's/table5.3.1/table9/' 'wrong.json:18:17: tune.printed.table: '
wrong "an unknown paper is named" 's/lopez2008.table5.3.1/foo.table9/' 'wrong.json:18:17: tune.printed.table: '
wrong "a path is no printed table" 's|lopez2008.table5.3.1|../../x.y|' \
    'wrong.json:18:17: tune.printed.table: "../../x.y" is not the name of a table'
wrong "more splits than there are is named" 's/"splits": 2/"splits": 101/' \
    'json: tune.splits: 101 is out of range; allowed: at most 100, the number of splits of titanic'
wrong "more folds than patterns is named" 's/"folds": 3/"folds": 151/' \
    'json: tune.folds: 151 is out of range; allowed: at most 150, the number of training patterns of titanic'
wrong "a solver without C is named" 's/"1-smo"/"mdm"/' 'solvers[0]: solver "mdm" has no parameter "C"'
program tune "$root/configs/convergence.json" --out "$work/never"
ended 2 1 && says 'key "tune" is missing' && [ ! -e "$work/never" ]
check "a configuration of a run is refused"
program run "$work/config.json" --out "$work/never"
ended 2 1 && [ ! -e "$work/never" ]
check "run refuses the configuration of a search"
program tune "$work/config.json"
ended 2 && says "expected --out DIR"
check "a search without a folder is refused"
sed 's/"titanic", "twonorm"/"heart"/' "$work/config.json" >"$work/absent.json"
program tune "$work/absent.json" --out "$work/never"
ended 3 && says "nothing to search on" && [ ! -e "$work/never" ]
check "a search without data ends with status 3"

# ---- numbers other than C and width ----
# edit FILE SED-COMMANDS: the configuration with svm-light on titanic, changed.
edit() {
    sed -e 's/"titanic", "twonorm"/"titanic"/; s/"1-smo"/"svm-light"/' \
        -e 's/"delta"/"kkt"/; s/, "cma-es": {"generations": 3}//; /"printed"/d' \
        -e 's/"cma-es": {"generations": 3},/"cma-es": {"generations": 3}/' -e "$2" "$work/config.json" >"$work/$1.json"
}
# point FILE SED: for each evaluation of the grid the data set, the part of its point that SED leaves, and the result.
points_of() {
    grep '"by":"grid"' "$work/$1/evaluations.jsonl" | sed -e 's/"evaluation":[0-9]*,//' -e "$2" | sort
}
edit both ''
edit single 's/"rbf"}/"rbf", "width": 1024}/; /"width": {/d; s/"grid": .*/"grid": {"C": 3}/; /"cma-es"/d'
program tune "$work/both.json" --out "$work/both" --no-render --quiet
program tune "$work/single.json" --out "$work/single" --no-render --quiet
points_of single '' >"$work/a"
points_of both '/"width":1024,/!d; s/"width":1024,//' >"$work/b"
ended 0 0 && [ "$(wc -l <"$work/a")" -eq 3 ] && sed 's/"config":"[^"]*"//' "$work/a" >"$work/a2" &&
    sed 's/"config":"[^"]*"//' "$work/b" >"$work/b2" && same_files "$work/a2" "$work/b2"
check "C searched alone at a width gives what the search of both gives at that width"
[ "$(head -n 1 "$work/single/surface.csv" | tr -d '\r')" = dataset,solver,C,error_percent,sd,folds,not_converged ] &&
    grep -q '^| *data set *| *solver *| *chosen: C *| *chosen: error' "$work/single/tune.md" &&
    grep -q '^x_title = "C"$' "$work/single/plots/tune-titanic-svm-light.gp"
check "its files have one column for what was searched"
if command -v gnuplot >/dev/null; then
    program tune "$work/single.json" --out "$work/single" --quiet
    ended 0 0 && [ -s "$work/single/plots/tune-titanic-svm-light.svg" ]
    check "and its figure is drawn"
else
    skip "and its figure is drawn" "gnuplot is not installed" gnuplot-nox
fi
own='s/"rbf"}/"rbf", "width": 8}/; s/"width": {"from".*/"new_variables": {"from": 0, "to": 10},/; '
edit own "$own"'s/"width": 3/"new_variables": 6/'
edit fixed "$own"'s/"new_variables": {.*//; s/"kernel"/"parameters": {"new_variables": 4}, "kernel"/; '\
's/, "width": 3//; /cma-es/d; s/"C": 3},/"C": 3}/'
program tune "$work/own.json" --out "$work/own" --no-render --quiet --jobs 2
ended 0 0 && program tune "$work/fixed.json" --out "$work/fixed" --no-render --quiet
points_of fixed '' >"$work/a"
points_of own '/"new_variables":4,/!d; s/"new_variables":4,//' >"$work/b"
ended 0 0 && [ "$(wc -l <"$work/a")" -eq 3 ] && same_files "$work/a" "$work/b"
check "a solver's own parameter is searched: at 4 it gives what 4 in the configuration gives"
awk -F'"new_variables":' '{ split($2, value, ","); if (value[1] % 2 || value[1] < 0 || value[1] > 10) bad = 1
    seen[value[1]] = 1 } END { for (v in seen) n++; exit bad || n != 6 }' "$work/own/evaluations.jsonl" &&
    [ "$(grep -c '"by":"cma-es"' "$work/own/evaluations.jsonl")" -eq 18 ]
check "whole numbers stay whole in the grid and under CMA-ES"
"$hullbench" tune "$work/own.json" --out "$work/killed-own" --no-render --quiet --jobs 1 >"$work/out" 2>"$work/err" &
job=$!
cleaning="kill -9 $job 2>/dev/null"
wait_for killed-own 40
kill -9 "$job" 2>/dev/null
wait "$job" 2>/dev/null
cleaning=:
program tune "$work/own.json" --out "$work/killed-own" --no-render --quiet --jobs 2
ended 0 0 && same_files "$work/own/evaluations.jsonl" "$work/killed-own/evaluations.jsonl" &&
    same_files "$work/own/tune.json" "$work/killed-own/tune.json"
check "a search of them that is killed goes on to the same bytes"
finish
