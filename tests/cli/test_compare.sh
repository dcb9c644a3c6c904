#!/bin/sh
# hullbench compare, from a configuration and from folders: its files, its messages, its errors.
# shellcheck source=tests/tap.sh
. "$(dirname -- "$0")/../tap.sh"

# config NAME SOLVERS [TOLERANCE [SPLITS [SEED [SETS]]]]: writes $work/NAME.json.
config() {
    cat >"$work/$1.json" <<END
{
  "name": "$1",
  "datasets": [${6:-\"twonorm\", \"ringnorm\"}],
  "splits": "${4:-1-8}",
  "standardise": "full-set",
  "seed": ${5:-1},
  "kernel": {"type": "rbf", "width": 20},
  "parameters": {"mu": 0.1},
  "solvers": [$2],
  "stop": {"rule": "rch-gap", "tolerance": ${3:-1e-3}},
  "budget": {"iterations": 100000}
}
END
}

# sentence [FILE]: the last conclusion that the program printed, before its tables.
sentence() {
    sed '/^$/q' "${1:-$work/out}" | grep -v '^$\|^In time' | tail -1
}

# field FOLDER NAME: the first number or text with that name in compare.json.
field() {
    sed -n "s/.*\"$2\":[[:space:]]*\"\{0,1\}\([^\",]*\)\"\{0,1\},\{0,1\}$/\1/p" "$work/$1/compare.json" | head -1
}

# totals FOLDER: the rows over data sets of compare.json.
totals() {
    sed -n '/^"totals": \[/,/\]/p' "$work/$1/compare.json" | grep '"metric"'
}

# results FOLDER: the results that do not depend on the machine.
results() {
    (cd "$work/$1" && cat records.jsonl compare.json compare.md compare.tex compare.csv plots/compare.dat \
        plots/compare.gp)
}

# ---- a configuration ----
config both '"clip-mdm", "second-order-clip-mdm", "mu-gsk"'
program compare "$work/both.json" --baseline clip-mdm --solver second-order-clip-mdm --out "$work/one" --jobs 1 \
    --no-render --repeats 2
cp "$work/out" "$work/whole"
ended 0 0 && [ "$(wc -l <"$work/one/records.jsonl")" -eq 32 ] && ! grep -q mu-gsk "$work/one/records.jsonl" &&
    cmp -s "$work/both.json" "$work/one/config.json"
check "compare runs both solvers of a configuration and no other"
missing=0
for name in compare.json compare.md compare.tex compare.csv compare-time.json compare-time.md compare-time.tex \
    compare-time.csv plots/compare.dat plots/compare.gp; do
    [ -s "$work/one/$name" ] || missing=$((missing + 1))
done
[ "$missing" -eq 0 ] && [ ! -e "$work/one/plots/compare.svg" ]
check "it writes its tables, those of the times apart, and the figure's numbers"
# Two data sets have 4 sign patterns: p is 2/4 if both differences have the same sign and 1 if not; with two sets
# without a difference it is 1.
totals one >"$work/totals"
grep -cE '"p": (0\.5|1),' "$work/totals" | grep -qx 7 && [ "$(wc -l <"$work/totals")" -eq 7 ]
check "compare.json has p over the data sets for each metric"
# The signed-rank interval of two differences has level 1 - 2/2^2, the t interval of a case 0.95.
awk -F '|' '$2 ~ /^ all / { all = $11 } $2 ~ /^ (twonorm|ringnorm) / { cases += $11 ~ /\[/ && $11 !~ /;/ }
    END { exit !(all ~ /; 50 %\]/ && cases == 2) }' "$work/one/compare.md" &&
    awk -F , 'NR > 1 && $18 + 0 != 0.95 { exit 1 }' "$work/one/compare.csv" && ! sentence | grep -q ' needs '
check "each interval has its own level"
[ "$(sentence)" = "$(tail -1 "$work/one/compare.md")" ] && sentence |
    grep -q "^Cost: no claim, since 2 data sets are too few \
.*second-order-clip-mdm over clip-mdm, is "
check "the first line is the sentence, which claims nothing over two data sets"
awk -F , 'NR > 1 && $1 == "iterations" && $2 == "twonorm" { print $5, $6, $11 }' "$work/one/compare.csv" >"$work/said"
for solver in clip-mdm second-order-clip-mdm; do
    sed -n "s/.*\"dataset\":\"twonorm\".*\"solver\":\"$solver\".*\"iterations\":\([0-9]*\),.*\"kernel_op.*/\1/p" \
        "$work/one/records.jsonl" |
        awk '{ sum += $1 } END { printf "%.15g\n", sum / NR }'
done | paste -s -d ' ' - | awk '{ printf "%s %s %.6g\n", $1, $2, $2 / $1 }' >"$work/recomputed"
same_files "$work/said" "$work/recomputed"
check "means and their ratio are those of the records"
program compare "$work/both.json" --baseline clip-mdm --solver second-order-clip-mdm --out "$work/two" --jobs 2 \
    --no-render
results one >"$work/of-one"
results two >"$work/of-two"
ended 0 0 && same_files "$work/of-one" "$work/of-two"
check "one thread and two give the same bytes"
program compare "$work/one" --against clip-mdm --solver second-order-clip-mdm
ended 0 0 && [ "$(sentence)" = "$(sentence "$work/whole")" ]
check "a finished folder is compared without running anything"
program compare "$work/one" --baseline clip-mdm --solver second-order-clip-mdm --quiet
ended 0 0 && [ "$(grep -vc '^In time' "$work/out")" -eq 1 ] && [ "$(sentence)" = "$(sentence "$work/whole")" ]
check "--quiet prints the sentence alone"

config lone '"clip-mdm"'
program compare "$work/lone.json" --baseline clip-mdm --solver second-order-clip-mdm --out "$work/lone" --jobs 2 \
    --no-render \
    --splits 1-2 --datasets twonorm
ended 0 0 && grep -q "second-order-clip-mdm is not in $work/lone.json; it was run with the settings of clip-mdm there" \
    "$work/out" &&
    [ "$(grep -c '"solver":"second-order-clip-mdm","params":{"mu":0.1}' "$work/lone/records.jsonl")" -eq 2 ]
check "a solver that is not in the configuration is run with the baseline's settings, and this is said"

program compare "$work/lone.json" --against clip-mdm --solver second-order-clip-mdm --out "$work/equal" --jobs 2 \
    --no-render --splits 1-6 --datasets twonorm --equal-gaps
ended 0 0 && sentence | grep -q 'Both costs are counted up to the same recomputed gap' &&
    [ "$(find "$work/equal/traces" -name '*.tsv' | wc -l)" -eq 12 ] && grep -q '"equal_targets":[[:space:]]*true' \
    "$work/equal/compare.json"
check "--equal-gaps writes traces of all runs and compares at equal gaps"
head -n 4 "$work/equal/records.jsonl" >"$work/traced-records"
same_files "$work/lone/records.jsonl" "$work/traced-records"
check "and changes no record"

# ---- killed and resumed ----
config long '"clip-mdm", "mu-gsk"' 1e-4 1-12
program compare "$work/long.json" --baseline clip-mdm --solver mu-gsk --out "$work/unbroken" --jobs 2 --no-render \
    --quiet
"$hullbench" compare "$work/long.json" --baseline clip-mdm --solver mu-gsk --out "$work/broken" --jobs 1 --no-render \
    --quiet >"$work/out" 2>"$work/err" &
job=$!
cleaning="kill -9 $job 2>/dev/null"
tries=0
while [ "$({ wc -l <"$work/broken/journal.jsonl"; } 2>/dev/null || echo 0)" -lt 10 ] && [ "$tries" -lt 500 ]; do
    sleep 0.01
    tries=$((tries + 1))
done
kill -s INT "$job"
wait "$job"
status=$?
cleaning=:
[ "$status" -eq 130 ] && says "resumes it" && [ ! -e "$work/broken/compare.json" ] &&
    [ ! -e "$work/broken/records.jsonl" ]
check "Ctrl-C ends a comparison before it says anything"
program compare "$work/long.json" --baseline clip-mdm --solver mu-gsk --out "$work/broken" --jobs 1 --no-render --quiet
results unbroken >"$work/of-one"
results broken >"$work/of-two"
ended 0 0 && same_files "$work/of-one" "$work/of-two"
check "and the same command goes on to the same bytes"

# ---- no difference ----
config same '"mdm", {"name": "clip-mdm", "parameters": {"mu": 1}}'
sed -i 's/"parameters": {"mu": 0.1},//' "$work/same.json"
program compare "$work/same.json" --baseline mdm --solver clip-mdm --out "$work/same" --jobs 2 --no-render
ended 0 0 && sentence | grep -q '^There is no difference between clip-mdm and mdm: .* equal on all 16 pairs\.$' &&
    [ "$(field same claim)" = alike ]
check "mdm and clip-mdm at mu = 1 are alike, and the sentence says so"
awk -F , 'NR > 1 { rows++; one = $1 != "error" && $1 != "failures"; wrong += $5 != $6 || $7 != one ||
    $8 != one || $9 != one || $10 != one || $11 != one || $12 != 1 || $13 != 1 || ($1 != "failures" && $15 != 1) }
    END { exit !(rows == 14 && wrong == 0) }' "$work/same/compare.csv"
check "every ratio is 1, every difference 0 and every p 1"

# ---- one data set with two cases; what was left out ----
cat >"$work/cases.json" <<'END'
{"name": "cases", "datasets": [{"name": "twonorm", "synthetic": true}, {"name": "ringnorm", "synthetic": true}],
 "splits": "1-9", "standardise": "full-set", "kernel": {"type": "rbf", "width": 20},
 "parameters": {"mu": [0.1, 0.2]}, "solvers": ["clip-mdm", "mu-gsk"],
 "stop": {"rule": "rch-gap", "tolerance": 1e-3}}
END
program run "$work/cases.json" --datasets twonorm --splits 1-7 --out "$work/cases" --quiet
program compare "$work/cases" --against clip-mdm --solver mu-gsk --out "$work/cases-compared" --no-render
ended 0 0 && [ "$(sed '/^# Times/,$d' "$work/out" | grep -c '^| twonorm, mu = 0.[12] ')" -eq 2 ] &&
    ! grep -q '^| all ' "$work/out" &&
    ! grep -q 'row "all"' "$work/out" &&
    [ "$(totals cases-compared | grep -c '"p": null,')" -eq "$(totals cases-compared | grep -c .)" ] &&
    totals cases-compared | grep -q iterations
check "over one data set there is no row of all, and no p"
sentence | grep -q 'Not compared, although the run or its configuration has them: 1 data set, 2 splits\.$' &&
    grep -q '^"left_out": .*"datasets":1,"splits":2,' "$work/cases-compared/compare.json"
check "the sentence and the file say how many data sets and splits --datasets and --splits left out"
program compare "$work/cases" --against 'clip-mdm[mu=0.2]' --solver 'mu-gsk[mu=0.2]' --quiet
ended 0 0 && sentence | grep -q ': 2 settings of the compared solvers, 1 data set, 2 splits\. If they were left out'
check "and how many settings the choice of a value left out"
program compare "$work/cases" --against clip-mdm --solver 'mu-gsk[mu=0.2],mu-gsk[mu=2e-1]' --quiet
ended 2 1 && says 'mu-gsk[mu=0.2] against clip-mdm and mu-gsk[mu=2e-1] against clip-mdm are the same 7 pairs'
check "one comparison under two spellings is refused"
program compare "$work/cases" "$work/cases/" --against clip-mdm --solver clip-mdm --quiet
ended 2 1 && says "have records in common"
check "one folder under two names is one folder"

# ---- two folders ----
config tight '"clip-mdm"' 1e-5 1-10 1 '"twonorm"'
config loose '"clip-mdm"' 1e-2 1-10 1 '"twonorm"'
for name in tight loose; do
    program run "$work/$name.json" --out "$work/$name" --jobs 2 --quiet
done
cp -r "$work/tight" "$work/copy" && unlist "$work/copy"
program compare "$work/tight" "$work/copy" --out "$work/versions" --no-render
ended 0 0 && [ "$(field versions baseline)" = "clip-mdm ($work/tight)" ] && sentence |
    grep -q '^There is no difference .* all 10 pairs\.$'
check "two folders with one solver are two versions of it"
program compare "$work/tight" "$work/loose" --out "$work/accuracy" --no-render
ended 0 0 && [ "$(field accuracy claim)" = "accuracy differs" ] &&
    sentence | grep -q '^Cost: no claim, since .*loose) stops less accurately (gaps .* times as large)' &&
    grep -q '"equal_targets":[[:space:]]*false' "$work/accuracy/compare.json"
check "a looser tolerance wins nothing"
program compare "$work/loose" "$work/tight" --out "$work/turned" --no-render
ended 0 0 && [ "$(field turned claim)" = "accuracy differs" ]
check "nor does a tighter one lose"
program compare "$work/tight" "$work/loose" --gap-factor 1e9 --quiet
ended 0 0 && sentence | grep -q '^Cost without the set-up: clip-mdm .* needs .* % fewer kernel operations than '
check "a gap factor that lets everything pass lets the claim pass"
for name in tight loose; do
    sed 's/"seed"/"trace": {"datasets": ["twonorm"], "splits": "1-10"}, "seed"/' "$work/$name.json" \
        >"$work/$name-traced.json"
    program run "$work/$name-traced.json" --out "$work/$name-traced" --jobs 2 --quiet
done
program compare "$work/tight-traced" "$work/loose-traced" --out "$work/traced" --no-render
ended 0 0 && sentence | grep -q 'practically equal in kernel operations .*same recomputed gap' &&
    [ "$(field traced claim)" = negligible ]
check "with traces a solver that stops early costs as much as itself to the same gap"
config once '"clip-mdm"' 1e-3 1 1 '"twonorm"'
program run "$work/once.json" --out "$work/once" --quiet
program compare "$work/tight" "$work/once"
ended 0 0 && sentence |
    grep -q 'no claim, since 1 split is too few (6 are needed).*Left out, .*: 0 records of .*, 9 of '
check "one common split is too few, and the others are said to have no partner"
config other '"clip-mdm"' 1e-3 1-3 2 '"twonorm"'
program run "$work/other.json" --out "$work/other" --quiet
program compare "$work/tight" "$work/other"
ended 2 1 && says "cannot be paired"
check "folders with other splits are refused"
sed 's/"mu": 0.1/"mu": 0.2/' "$work/tight.json" >"$work/wide.json"
program run "$work/wide.json" --out "$work/wide" --jobs 2 --quiet
program compare "$work/tight" "$work/wide"
ended 3 1 && says "nothing to compare"
check "other problems are no pairs: exit status 3"
sed 's/full-set/none/' "$work/tight.json" >"$work/raw.json"
program run "$work/raw.json" --out "$work/raw" --jobs 2 --quiet
program compare "$work/tight" "$work/raw"
ended 2 1 && says 'tight has standardise "full-set" and ' && says 'raw has "none":'
check "folders prepared in different ways are refused, with both ways"
for threshold in 1e-6 1e-5; do
    sed "s/\"seed\"/\"support_vector_threshold\": $threshold, \"seed\"/" "$work/tight.json" >"$work/at-$threshold.json"
    program run "$work/at-$threshold.json" --out "$work/at-$threshold" --jobs 2 --quiet
done
program compare "$work/tight" "$work/at-1e-6" --no-render --quiet
ended 0 && program compare "$work/tight" "$work/at-1e-5" --no-render --quiet
ended 2 1 && says 'tight has support_vector_threshold 1e-06 and ' && says 'at-1e-5 has 1e-05:'
check "a threshold that is not given is 1e-6, and another is refused"
rm "$work/copy/timings.jsonl"
program compare "$work/tight" "$work/copy" --out "$work/timeless" --no-render
ended 0 0 && grep -q 'Times are not compared: .*copy has no timings.jsonl' "$work/out" &&
    [ ! -e "$work/timeless/compare-time.json" ]
check "without times all else is compared"
sed '1s/converged/iteration-limit/; 2s/converged/stalled/' "$work/tight/records.jsonl" >"$work/copy/records.jsonl"
program compare "$work/tight" "$work/copy" --quiet
ended 0 0 && sentence |
    grep -q '^Failures .*: 2 of 10 pairs for .*copy), 0 for .*tight) (10 splits; not significant, p = ' &&
    sentence | grep -q 'f a failed run counts as 10 times the largest cost of its data set'
check "failures come first, and their costs are penalised"
program compare "$work/tight" "$work/copy" --quiet --par 3
ended 0 0 && sentence | grep -q 'f a failed run counts as 3 times the largest'
check "by the penalty that is asked for"
head -3 "$work/tight/records.jsonl" >"$work/copy/records.jsonl"
program compare "$work/tight" "$work/copy"
ended 2 1 && says "run.json says 10"
check "a file that was cut is an error"

# ---- unlike conditions ----
# Two budgets: at 100 iterations some runs fail that 100000 would let converge.
sed 's/100000/100/' "$work/tight.json" >"$work/brief.json"
program run "$work/brief.json" --out "$work/brief" --jobs 2 --quiet
program compare "$work/tight" "$work/brief"
ended 2 1 && grep -q '"iteration-limit"' "$work/brief/records.jsonl" && says '100 iterations' &&
    says '100000 iterations' && says 'ended at a limit'
check "runs of which a smaller budget ended some are not compared"
sed 's/100000/50000/' "$work/tight.json" >"$work/ample.json"
program run "$work/ample.json" --out "$work/ample" --jobs 2 --quiet
program compare "$work/tight" "$work/ample" --quiet
ended 0 0 && ! grep -q '"iteration-limit"' "$work/ample/records.jsonl"
check "budgets that ended no run do not matter"
sed 's/"clip-mdm", "second-order-clip-mdm", "mu-gsk"/"clip-mdm", {"name": "mu-gsk", "budget": {"iterations": 9}}/' \
    "$work/both.json" >"$work/own.json"
program compare "$work/own.json" --baseline clip-mdm --solver mu-gsk --out "$work/own" --no-render
ended 2 && says '9 iterations' && says '100000 iterations'
check "nor are solvers of one configuration with such budgets"

# ---- different problems ----
cat >"$work/problems.json" <<'END'
{"name": "problems", "datasets": ["titanic"], "splits": "1-7", "standardise": "full-set", "kernel": {"type": "rbf",
 "width": 2},
 "parameters": {"mu": 0.1, "C": 1}, "solvers": ["clip-mdm", "1-smo"], "stop": {"rule": "delta", "tolerance": 1e-4}}
END
program compare "$work/problems.json" --baseline clip-mdm --solver 1-smo --out "$work/problems" --jobs 2 --no-render
ended 0 0 && sentence | grep -q '^The two solve different problems'
check "a hull and an SVM are compared, and the sentence says that the problems differ"

# ---- refused ----
refused() {
    words=$1
    text=$2
    # shellcheck disable=SC2086 # words, not one word
    program compare $words
    ended 2 && says "$text" && [ ! -s "$work/out" ]
    check "refused: $3"
}
refused "" "expected a configuration file, or one or two" "no words"
refused "$work/both.json --baseline clip-mdm --out $work/x" "--against NAME and --solver NAME" \
    "a configuration without --solver"
refused "$work/both.json --baseline clip-mdm --solver mu-gsk" "expected --out DIR" "a configuration without --out"
refused "$work/both.json --baseline clip-mdm --solver nobody --out $work/x" 'unknown solver "nobody"' \
    "a solver that does not exist"
refused "$work/both.json --baseline gsk --solver mdm --out $work/x" "none of gsk, mdm is in the list" \
    "two solvers that are not in the list"
refused "$work/both.json --baseline mu-gsk --solver mu-gsk --out $work/x" "is the baseline itself" \
    "a solver against itself"
refused "$work/lone.json --baseline clip-mdm --solver 1-smo --out $work/x" 'needs parameter "C"' \
    "a solver that needs what is not there"
refused "$work/nothing.json --baseline clip-mdm --solver mu-gsk --out $work/x" "nothing.json" \
    "a configuration that is not there"
refused "$work/one" "name one of them: clip-mdm, second-order-clip-mdm" "a folder of two solvers without names"
refused "$work/one --baseline mu-gsk --solver clip-mdm" 'unknown solver "mu-gsk"' "a solver without records"
refused "$work/tight" "have records in common" "a folder of one solver"
refused "$work/tight $work/both.json" "is a folder, but" "a folder and a file"
refused "$work/both.json $work/tight" "is not a folder" "a file and a folder"
refused "$work/one $work/two $work/tight" "one argument too many" "three folders"
refused "$work/tight $work/loose --jobs 2" "need a configuration" "--jobs without a run"
refused "$work/tight $work/loose --gap-factor 0.5" "is not a number from 1" "a factor below 1"
refused "$work/tight $work/loose --equal-gaps" "needs a configuration" "--equal-gaps without a run"
refused "$work/tight $work/loose --par 0.5" "is not a number from 1" "a penalty below the largest cost"
refused "$work/tight $work/loose --cost-margin -1" "is not a number from 0" "a margin below 0"
refused "$work/tight $work/loose --error-margin some" "is not a number from 0" "a margin that is no number"
[ ! -e "$work/x" ]
check "nothing is left of what was refused"

refused "$work/both.json --baseline clip-mdm --solver mu-gsk[histroy=9] --out $work/x" \
    'unknown parameter of mu-gsk "histroy"' "a parameter that does not exist"
refused "$work/both.json --baseline clip-mdm --solver mu-gsk[mu=0.2 --out $work/x" "unmatched brackets" \
    "a bracket that is not closed"
refused "$work/one --baseline clip-mdm --solver second-order-clip-mdm[mu=0.2]" "mu: 0.2 matches none of the remaining" \
    "a value that no record has"

# ---- several, with settings ----
program compare "$work/both.json" --baseline clip-mdm --solver \
    'cycle-clip-mdm[history=9],second-order-clip-mdm,cycle-clip-mdm[history=1]' --out "$work/many" --jobs 1 --no-render
ended 0 0 && [ "$(wc -l <"$work/many/records.jsonl")" -eq 64 ] &&
    [ "$(grep -c '"history":9}' "$work/many/records.jsonl")" -eq 16 ] &&
    [ "$(grep -c '"history":1}' "$work/many/records.jsonl")" -eq 16 ] &&
    grep -q 'cycle-clip-mdm\[history=9\] was run with the settings of clip-mdm' "$work/out"
check "compare runs a solver with each of the settings it is given, like the baseline"
[ "$(grep -c '^{"folder":' "$work/many/compare.json")" -eq 3 ] && [ -s "$work/many/compare-3/compare.md" ] &&
    [ -s "$work/many/compare-1/plots/compare.gp" ] && [ ! -e "$work/many/compare-4" ] &&
    [ "$(grep -c '^There is no difference\|^Cost\( without the set-up\)\{0,1\}: ' "$work/out")" -eq 3 ]
check "it writes what all come to, and each comparison into a folder of its own"
program compare "$work/many" --baseline clip-mdm \
    --solver 'cycle-clip-mdm[history=9],second-order-clip-mdm,cycle-clip-mdm[history=1]' --out "$work/again" --no-render
ended 0 0 && sed '/^"notes"/,$d' "$work/many/compare.json" >"$work/first" &&
    sed '/^"notes"/,$d' "$work/again/compare.json" | cmp -s - "$work/first"
check "from the folder, the same comes out"
program compare "$work/both.json" --against clip-mdm --solver cycle-clip-mdm --sweep history=9,1 --out "$work/swept" \
    --jobs 1 --no-render
ended 0 0 && [ "$(wc -l <"$work/swept/records.jsonl")" -eq 48 ] && [ "$(grep -c '^| cycle-clip' "$work/out")" -eq 2 ] &&
    sentence | grep -q '^Of the 2 values of history, [19] costs least compared with clip-mdm on' &&
    grep -q '^{"setting": "history", "values": 2, .*"confirmed": 1, ' "$work/swept/compare.json"
check "a sweep runs the solver at each value, compares all, and confirms the best on the other data set"
# Ratio and ends of its interval, as in compare.csv, in the order of the values.
awk -F , '$4 == "cost" { split($3, name, "[]=[]"); print name[3], $11, $12, $13 }' "$work/swept/compare.csv" | sort -n |
    awk '{ printf "%s %.4g %.4g %.4g\n", $1, $2, $3 == "" ? $2 : $3, $4 == "" ? $2 : $4 }' >"$work/ratios"
awk '/^[0-9]/ { printf "%s %.4g %.4g %.4g\n", $1, $3, $5, $7 } /^NaN/ && $3 == 1 { exit }' \
    "$work/swept/plots/compare-sweep.dat" | same_files "$work/ratios" /dev/stdin && grep -q '^NaN 0 1 ' \
    "$work/swept/plots/compare-sweep.dat"
check "the figure of the sweep has these ratios, and the baseline at 1"
grep -q '^1 ' "$work/swept/plots/compare-sweep.dat" && grep -q '^9 ' "$work/swept/plots/compare-sweep.dat" &&
    grep -q '^array x_axes.*"history, ' "$work/swept/plots/compare-sweep.gp" &&
    grep -q '^array x_scale.*= .[12]' "$work/swept/plots/compare-sweep.gp"
check "its axis has the values as tics, and the setting's meaning and scale"
grep -q '^array series\[2\] = \["against clip-mdm", "the baseline"\]' "$work/swept/plots/compare-sweep.gp" &&
    grep -q '^array reference\[2\] = \[0, 1\]' "$work/swept/plots/compare-sweep.gp"
check "and each block of numbers has its name"
program compare "$work/swept" --against clip-mdm --solver 'cycle-clip-mdm[history=*]' --quiet
cp "$work/out" "$work/all"
config lone-set '"clip-mdm", "cycle-clip-mdm"' 1e-3 1-8 1 '"twonorm"'
program compare "$work/lone-set.json" --against clip-mdm --solver cycle-clip-mdm --sweep history=9,1 --quiet \
    --out "$work/lone-set" --no-render
ended 0 0 && sentence | grep -q 'on 1 data set (.* There is no other data set to confirm the choice\.$' &&
    grep -q '"confirmed": null' "$work/lone-set/compare.json"
check "a choice on the only data set is not confirmed"
program compare "$work/swept" --against clip-mdm --solver cycle-clip-mdm --sweep history=1,9 --quiet
ended 0 0 && same_files "$work/all" "$work/out"
check "of a folder a star stands for all values that it has"
program compare "$work/swept" --sweep history=1,9 --solver cycle-clip-mdm
[ "$status" -eq 2 ] && says "--sweep needs --against NAME and --solver NAME"
check "a sweep without a baseline is refused"
# Files of an earlier call: those of more comparisons, those of one, and a file of the user.
program compare "$work/many" --against clip-mdm --solver second-order-clip-mdm --out "$work/again" --no-render --quiet
ended 0 0 && [ ! -e "$work/again/compare-1" ] && [ ! -e "$work/again/compare-3" ] &&
    [ -s "$work/again/plots/compare.dat" ]
check "a comparison of fewer leaves no folder of an earlier one"
touch "$work/again/compare-time.csv"
program compare "$work/many" --against clip-mdm --out "$work/again" --no-render --quiet \
    --solver 'cycle-clip-mdm[history=9],second-order-clip-mdm,cycle-clip-mdm[history=1]'
touch "$work/again/compare-3/notes"
program compare "$work/many" --against 'cycle-clip-mdm[history=9]' --against 'cycle-clip-mdm[history=1]' \
    --out "$work/again" --no-render --solver second-order-clip-mdm
ended 0 0 && [ ! -e "$work/again/compare-time.csv" ] && [ ! -e "$work/again/plots/compare.dat" ] &&
    [ -s "$work/again/compare-2/compare.json" ] && [ "$(ls "$work/again/compare-3")" = notes ] &&
    [ "$(grep -c '^| second-order-clip-mdm | *cycle-clip-mdm' "$work/out")" -eq 2 ]
check "--against may be given again, and only files of a reader's own are left of what was there before"
program compare "$work/many" --baseline clip-mdm --solver second-order-clip-mdm --quiet
ended 0 0 && sed 's/ Not compared, .*//; /^In time/d' "$work/out" >"$work/single" &&
    program compare "$work/one" --baseline clip-mdm \
    --solver second-order-clip-mdm --quiet && [ "$(sed '/^In time/d' "$work/out")" = "$(cat "$work/single")" ]
check "one of them by itself has the conclusion of a comparison of two"
program compare "$work/many" --solver 'cycle-clip-mdm[history=1]' --baseline 'cycle-clip-mdm[history=9]' --quiet
ended 0 0 && grep -qF 'cycle-clip-mdm[history=1]' "$work/out" && grep -qF 'cycle-clip-mdm[history=9]' "$work/out"
check "two settings of a solver are compared in one folder"

# ---- pictures ----
if command -v gnuplot >/dev/null 2>&1; then
    program compare "$work/one" --baseline clip-mdm --solver second-order-clip-mdm --out "$work/drawn" --quiet
    ended 0 0 && [ -s "$work/drawn/plots/compare.svg" ] && [ -s "$work/drawn/plots/compare.png" ] &&
        [ -s "$work/drawn/compare.md" ] &&
        same_files "$work/one/plots/compare.dat" "$work/drawn/plots/compare.dat"
    check "the figure is drawn"
else
    skip "the figure is drawn" "gnuplot is not installed" gnuplot-nox
fi
PATH=$work/empty "$hullbench" compare "$work/one" --baseline clip-mdm --solver second-order-clip-mdm \
    --out "$work/undrawn" --quiet >"$work/log" 2>&1
status=$?
sed '/^In time/d' "$work/log" >"$work/err" # which depends on the machine
ended 4 2 && says "pictures were not drawn" && [ -s "$work/undrawn/compare.json" ] &&
    [ -s "$work/undrawn/plots/compare.gp" ]
check "without gnuplot all but the pictures is written and the exit status is 4"
[ "$(head -1 "$work/err")" = "$(tail -1 "$work/undrawn/compare.md")" ]
check "a log of both outputs has the conclusion before the error that follows it"
finish
