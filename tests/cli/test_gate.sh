#!/bin/sh
# The gate: counts and accuracy of configs/ci.json agree with baselines/ci.json, and a deliberately broken
# solver is detected. For intended changes see docs/regression.md.
# shellcheck source=tests/tap.sh
. "$(dirname -- "$0")/../tap.sh"
baseline=$root/baselines/ci.json

# ---- the gate ----
# HULLBENCH_TESTED_SOLVER: only the counts of this solver, against those of the baseline.
only=${HULLBENCH_TESTED_SOLVER-}
program run "$root/configs/ci.json" --out "$work/ci" --quiet ${only:+--solvers "$only"}
ended 0 0 && ! grep -q '"split_source":"[^g]' "$work/ci/records.jsonl"
check "configs/ci.json runs without data"
sed -n 's/.*"solver":"\([^"]*\)".*/\1/p' "$work/ci/records.jsonl" | sort -u >"$work/ran"
absent=$(solver_names | grep -vxFf "$work/ran" | sed 's/^/ /' | tr -d '\n')
sed -n 's/.*"stop":{"rule":"\([^"]*\)".*/\1/p' "$work/ci/records.jsonl" | sort -u >"$work/ran"
[ -n "$only" ] || absent="$absent$("$hullbench" list stops | awk '/^[a-z]/ { print $1 }' | grep -vxFf "$work/ran" |
    sed 's/^/ /' | tr -d '\n')"
[ -z "$absent" ] || echo "absent:$absent (a parameter without a default, or a rule that no entry has)" >"$work/err"
[ -z "$absent" ]
check "every registered solver and stopping rule is in configs/ci.json"
program check "$work/ci" --baseline "$baseline" --all ${only:+--subset}
sed -n 's/^new  *\([^ ]*\) .*/\1/p' "$work/out" | sort -u >"$work/new"
known=0
while read -r name; do
    ! grep -q "^{\"solver\":\"$name\"" "$baseline" || known=1
done <"$work/new"
expected=0
[ ! -s "$work/new" ] || expected=${only:+3} # no record in common
[ $known -eq 0 ] && ended "${expected:-1}" &&
    grep -q '^ci: [0-9]* records compared: .* the same, 0 moved, 0 missing, [0-9]* new\(; .*\)*$' "$work/out"
good=$?
[ $good -eq 0 ] || cp "$work/out" "$work/err"
[ $good -eq 0 ]
check "no count moved"
# A solver without reference counts yet: the rest of this test is about solvers that have them.
if [ -s "$work/new" ]; then
    names=$(paste -sd ' ' "$work/new")
    skip "the counts of $names are in baselines/ci.json" "add them: ./hullbench check \
configs/ci.json --baseline baselines/ci.json --update --message 'Add $names'"
    mkdir -p "$work/baselines" && cp "$baseline" "$work/baselines/ci.json"
    baseline=$work/baselines/ci.json
    program check "$work/ci" --baseline "$baseline" --update --message "Add $names" --author test ${only:+--subset}
    ended 0 0
    check "one command adds them"
fi
[ -z "$only" ] || finish
program_with_data run "$root/configs/ci.json" --out "$work/data" --quiet --solvers mdm
program check "$work/data" --baseline "$baseline" --subset
ended 0 0 && grep -q '0 moved, 0 missing, 0 new; [0-9]* of the reference counts not selected$' "$work/out"
check "nor where real data may be found; --subset asks for the records of the run alone"
program check "$work/data" --baseline "$root/results/baselines/ci.json" --subset
ended 0 0 && grep -q '0 moved, 0 missing' "$work/out"
check "the folder of version 0.2.0, results/baselines, stands for baselines"
program check "$work/data" --baseline "$baseline"
ended 1 0 && [ "$(grep -c '^missing ' "$work/out")" -eq 50 ] && grep -q 'more lines (--all shows them)' "$work/out"
check "without --subset the others are missing"
[ "$(wc -c <"$baseline")" -lt $((600 * $(wc -l <"$work/ci/records.jsonl"))) ] &&
    [ "$(grep -c '^{"solver":' "$baseline")" -eq "$(wc -l <"$work/ci/records.jsonl")" ]
check "the baseline is small and has a line a record"
grep -q '^"schema": 2,$' "$baseline" && grep -q '^"objective": "1e-7%+1e-14",$' "$baseline" &&
    [ "$(grep -c '"objective":[-0-9].*,"error_percent":' "$baseline")" -eq "$(wc -l <"$work/ci/records.jsonl")" ]
check "it holds the accuracy of each, and says how far it may move"

# The tests below need few records: those of four solvers, with their lines of the baseline.
few=1-smo,mdm,clip-mdm,clip-gsk
program run "$root/configs/ci.json" --out "$work/few" --quiet --solvers "$few"
awk -v few="$few" 'BEGIN { n = split(few, name, ","); for (i = 1; i <= n; i++) wanted[name[i]] = 1 }
    /^{"solver":"/ { split($0, part, "\""); if (part[4] in wanted) { sub(/,$/, ""); line[++lines] = $0 } next }
    lines && !done { for (i = 1; i <= lines; i++) print line[i] (i < lines ? "," : ""); done = 1 } { print }' \
    "$baseline" >"$work/few.json"

# ---- deliberately broken solvers: changed sources linked before the archive ----
# fault SOURCE SED-COMMAND: changes the copy of the source in $work/source. The change holds where fault("NAME") does.
mkdir "$work/source"
unchanged=''
fault() {
    copy=$work/source/${1##*/}
    [ -e "$copy" ] || { printf '%s\n' '#include <stdlib.h>' '#include <string.h>' \
        'static int fault(const char *name) { return strcmp(getenv("FAULT"), name) == 0; }' &&
        cat "$root/$1"; } >"$copy"
    sed "$2" "$copy" >"$copy.new"
    ! cmp -s "$copy" "$copy.new" || unchanged="$unchanged $2"
    mv "$copy.new" "$copy"
}
# broken NAME [SETS]: $work/NAME is a run of the solvers in $solvers with this fault.
broken() {
    FAULT=$1 "$work/source/hullbench" run "$root/configs/ci.json" --out "$work/$1" --quiet --solvers "$solvers" \
        ${2:+--datasets "$2"} 2>"$work/err" || return 1
    program check "$work/$1" --baseline "$baseline" --subset --all
}
# shellcheck disable=SC2016 # C
fault solvers/hull/pairs.c 's/^        hull->pair\[c\] = none/for (size_t j = 0; fault("tie") \&\& j < hull->n; j++)'\
' if (!c \&\& (hull->eligible[0][j >> 3] >> j % 8 \& 1) \&\& hull->products[0][j] - hull->products[1][j] '\
'== found->min) low = j;\
&/'
fault solvers/hull/pairs.c 's/hull_pair_max_step(hull, class, &moved)/(fault("clip") ? (double)INFINITY : &)/'
fault solvers/hull/second_order_mdm.c \
    's/hull, mdm->ties_to_positive, progress/hull, fault("example") || mdm->ties_to_positive, progress/'
fault solvers/decomposition/box.c 's/^    memcpy(alpha, box->alpha.*/&\
    for (size_t j = 0; fault("short") \&\& j < box->n; j++) alpha[j] *= 1 - 1e-7;/'
[ -z "$unchanged" ] || echo "changes nothing:$unchanged" >"$work/err"
# shellcheck disable=SC2046 # the compiler and its flags, and the libraries, as the build wrote them down
[ -z "$unchanged" ] && (cd "$root" && $(sed -n 1p "$BUILD/flags") -O1 -g0 -Wl,-S -o "$work/source/hullbench" \
    "$work"/source/*.c "$BUILD/harness/cli/main.o" "$BUILD/libhullbench.a" $(sed -n 2p "$BUILD/flags")) \
    >"$work/err" 2>&1
check "a program with four faults to choose from is built"

solvers=clip-mdm,mdm,clip-gsk
broken tie titanic,waveform
ended 1 0 && grep -q '^moved   clip-mdm  *titanic .* support_vectors ' "$work/out" &&
    ! grep -q '^moved   clip-gsk' "$work/out" &&
    ! grep -q '^moved .*waveform' "$work/out" && grep -q '^sum  *support_vectors .* records moved' "$work/out" &&
    grep -q 'records compared: .* 0 missing, 0 new; ' "$work/out"
check "ties to the highest index are seen, where there are ties and in the solvers that use the rule"
awk '/^moved/ { size = ""; for (i = 1; i < NF; i++) if ($(i + 1) == "%") size = $i + 0
    if (size == "") next; if (size < 0) size = -size
    if (seen && size > last) bad = 1; seen = 1; last = size } END { exit bad || !seen }' "$work/out"
check "the worst come first"
broken clip titanic,twonorm
ended 1 0 && grep -q '^outcome clip-mdm .* converged to failed, ' "$work/out" && grep -q '^outcome mdm ' "$work/out" &&
    ! grep -q '^[a-z]*  *clip-gsk ' "$work/out"
check "a skipped clip is seen by its outcome, in the solvers that lost it"

# The example of docs/regression.md: its moved lines, and every number of records on the page.
page=$root/docs/regression.md
solvers=second-order-clip-mdm
broken example
ended 1 0 && tr -s ' ' <"$work/out" >"$work/lines" &&
    sed -n 's/^    moved /moved /p' "$page" | tr -s ' ' >"$work/shown" && [ -s "$work/shown" ] &&
    ! grep -vxFf "$work/lines" "$work/shown" >"$work/err"
check "the page on the gate shows this output"
n=$(grep -c '^{"solver"' "$root/baselines/ci.json") # without a solver that is being added
grep -o '[0-9]* records \(in about\|compared\)\|of [0-9]* records' "$page" | grep -o '[0-9][0-9]*' >"$work/numbers"
[ "$(wc -l <"$work/numbers")" -eq 4 ] && ! grep -vx "$n" "$work/numbers" >"$work/err"
check "and the number of records"

solvers=second-order-2-smo
broken short
ended 1 0 && grep -q '^ci: \([0-9]*\) records compared: 0 the same, \1 moved, ' "$work/out" &&
    grep -q '^moved   second-order-2-smo .* worse duality_gap .*, allowed ' "$work/out" &&
    ! grep '^[mos]' "$work/out" | grep -qv ' \(duality_gap\|kkt_violation\|objective\)\( \|$\)'
check "multipliers that are handed out 1e-7 too small move no count, and are seen by the gap"

# ---- accuracy ----
# altered KEY FACTOR: $work/altered is the run with that number changed in its first record of 1-smo.
altered() {
    rm -rf "$work/altered" && cp -r "$work/few" "$work/altered" && unlist "$work/altered" &&
        awk -v key="\"$1\":" -v factor="$2" 'index($0, "\"solver\":\"1-smo\"") && !done {
            at = index($0, key) + length(key); rest = substr($0, at); end = match(rest, /[,}]/)
            was = substr(rest, 1, end - 1); done = 1
            $0 = substr($0, 1, at - 1) sprintf("%.17g", was * factor) substr(rest, end) } { print }' \
            "$work/few/records.jsonl" >"$work/altered/records.jsonl" &&
        [ "$(diff "$work/few/records.jsonl" "$work/altered/records.jsonl" | grep -c '^>')" -eq 1 ] &&
        program check "$work/altered" --baseline "$work/few.json"
}
good=0
for key in objective duality_gap kkt_violation; do
    altered $key 1.000001 && ended 1 0 && [ "$(grep -c '^moved ' "$work/out")" -eq 1 ] &&
        grep -q "^moved   1-smo .* [0-9.e-]* \(better\|worse\) $key .*, allowed [0-9.e-]*, " "$work/out" &&
        altered $key 0.999999 && ended 1 0 && altered $key 1.00000000001 && ended 0 0 || good=1
done
altered error_percent 1.000001 && ended 1 0 && grep -q ' worse error_percent .*, allowed 0, ' "$work/out" || good=1
[ $good -eq 0 ]
check "objective, gap and violation may move by rounding, either way, and the error not at all"
altered objective 1.000001
grep -q ' better objective ' "$work/out" && altered objective 0.999999 && grep -q ' worse objective ' "$work/out" &&
    altered duality_gap 1.000001 && grep -q ' worse duality_gap ' "$work/out"
check "more is better of a dual objective, and worse of a gap"
program check "$work/altered" --baseline "$work/few.json" --tolerance duality_gap=1% --junit "$work/check.xml"
ended 0 0 && ! grep -q '<failure' "$work/check.xml" &&
    program check "$work/altered" --baseline "$work/few.json" --tolerance all=100% --junit "$work/check.xml" &&
    ended 1 0 &&
    grep -q 'duality_gap: was [0-9.e-]*, is [0-9.e-]*: [0-9.e-]* worse, allowed [0-9.e-]*$' "$work/check.xml"
check "--tolerance holds for accuracy by its name, not by all; the JUnit file says what was allowed"
sed -e 's/"schema": 2/"schema": 1/' -e 's/,"objective":.*}/}/' -e '/^"\(objective\|duality_gap\|kkt_violation\)": /d' \
    -e '/^"error_percent": /d' "$baseline" >"$work/one.json"
program check "$work/altered" --baseline "$work/one.json" --subset
ended 0 0 && [ "$(wc -l <"$work/out")" -eq 2 ] &&
    grep -q 'one.json: .*accuracy is not compared until --update' "$work/out"
check "a baseline of schema 1 is read, and says that it has no accuracy"
program check "$work/ci" --baseline "$work/one.json" --update -m "accuracy" --author Ada
ended 0 0 && program check "$work/altered" --baseline "$work/one.json" --subset && ended 1 0 &&
    sed '/"history"/,/\]/d' "$baseline" >"$work/a" && sed '/"history"/,/\]/d' "$work/one.json" >"$work/b" &&
    same_files "$work/a" "$work/b"
check "--update writes it"

# ---- tolerances ----
# moved FOLDER: $work/near is this run with two more iterations, after $was, in its first record.
moved() {
    was=$(sed -n '1s/.*"iterations":\([0-9]*\),"kernel_op.*/\1/p' "$1/records.jsonl")
    rm -rf "$work/near" && cp -r "$1" "$work/near" && unlist "$work/near"
    sed "1s/\"iterations\":$was,\"kernel_op/\"iterations\":$((was + 2)),\"kernel_op/" "$1/records.jsonl" \
        >"$work/near/records.jsonl"
}
moved "$work/few"
program check "$work/near" --baseline "$work/few.json"
ended 1 0 && [ "$(grep -c '^moved ' "$work/out")" -eq 1 ] &&
    grep -q "+[0-9.]* % iterations $was to $((was + 2)), " "$work/out"
check "one count that moved by two is named with both values and the change"
solver=$(sed -n 's/^moved   \([^ ]*\) .*/\1/p' "$work/out")
grep -q "^| $solver *| *1 | *0 | *0 | iterations $was to $((was + 2)) (+[0-9.]* %) *|\$" "$work/out" &&
    [ "$(tail -n 1 "$work/out")" = "If intended: hullbench check $work/near --baseline $work/few.json --update -m WHY" ]
check "a row says so for the solver, and the last line how to accept it"
: >"$work/summary"
GITHUB_STEP_SUMMARY=$work/summary program check "$work/near" --baseline "$work/few.json" --github-summary
ended 1 0 && grep -q "^| $solver " "$work/summary" && grep -q '^### ci: 1 of ' "$work/summary" &&
    grep -q "^::error title=hullbench::$solver: 1 moved, 0 missing, 0 new; iterations $was to " "$work/out"
check "GitHub gets a summary and an annotation"
GITHUB_STEP_SUMMARY='' program check "$work/near" --baseline "$work/few.json" --github-summary
ended 2 1 && says GITHUB_STEP_SUMMARY
check "unless it names no file"
program check "$work/near" --baseline "$work/few.json" --tolerance iterations=2
ended 0 0 && program check "$work/near" --baseline "$work/few.json" -t iterations=1 && ended 1 0 &&
    program check "$work/near" --baseline "$work/few.json" -t all=100% && ended 0 0 &&
    program check "$work/near" --baseline "$work/few.json" -t all=100% -t iterations=0 && ended 1 0 &&
    program check "$work/near" --baseline "$work/few.json" -t kernel_operations=100% && ended 1 0
check "tolerances are absolute or relative, by count, and the last word holds"
sed 's/^"tolerances": {/&\n"iterations": 2,/' "$work/few.json" >"$work/tolerant.json"
program check "$work/near" --baseline "$work/tolerant.json"
ended 0 0
check "tolerances in the baseline hold"
program check "$work/near" --baseline "$work/few.json" -t "$solver:iterations=2"
ended 0 0 && program check "$work/near" --baseline "$work/few.json" -t "${solver%?}*/*:all=2" && ended 0 0 &&
    program check "$work/near" --baseline "$work/few.json" -t "$solver/waveform:all=2" -t all=0 && ended 1 0
check "also those of a solver, of solvers by a pattern, and of a data set"
program check "$work/near" --baseline "$work/few.json" -t "1-smo/nowhere:iterations=2"
ended 2 1 && says '"1-smo/nowhere:iterations"'
check "a solver or data set that no record has is refused"
for word in iterations iterations= iterations=x iterations=-1 iterations=1%% speed=2; do
    program check "$work/near" --baseline "$work/few.json" --tolerance "$word"
    if ! ended 2 1; then break; fi
done
ended 2 1 && says 'unknown quantity "speed"'
check "a tolerance that is none is refused"

# ---- update ----
moved "$work/ci"
cp "$baseline" "$work/own.json"
program check "$work/near" --baseline "$work/own.json" --update
ended 2 && says "--update needs --message"
check "--update wants to know why"
(unset USER && program check "$work/near" --baseline "$work/fresh.json" --update -m x && ended 0 0 &&
    grep -q '"by":"unknown"' "$work/fresh.json") && rm "$work/fresh.json" && USER=Eve "$hullbench" check "$work/near" \
    --baseline "$work/fresh.json" --update -m x >"$work/out" && grep -q '"by":"Eve"' "$work/fresh.json" &&
    rm "$work/fresh.json"
check "who it was is --author, \$USER, or unknown"
program check "$work/near" --baseline "$work/own.json" --update --message 'Two more "rounds", as meant' --by Ada
ended 0 0 && grep -q 'own.json written: 1 records new, removed or changed' "$work/out" &&
    [ "$(diff "$baseline" "$work/own.json" | grep -c '^[<>] {"solver"')" -eq 2 ] &&
    [ "$(diff "$baseline" "$work/own.json" | grep -c '^>')" -le 3 ] &&
    grep -q '"by":"Ada","version":"[0-9.]*[0-9a-z-]*","moved":1,"message":"Two more \\"rounds\\", as meant"}' \
        "$work/own.json" &&
    program check "$work/near" --baseline "$work/own.json" && ended 0 0
check "--update changes the lines that moved and adds one to the history"
cp "$work/own.json" "$work/before.json"
program check "$work/near" --baseline "$work/own.json" --update --message again --by Ada
ended 0 0 && grep -q 'own.json is up to date' "$work/out" && cmp -s "$work/own.json" "$work/before.json"
check "where nothing moved the file stays as it is"
program check "$work/data" --baseline "$work/own.json" --update -m part --by Ada
ended 2 1 && says "--subset keeps" && cmp -s "$work/own.json" "$work/before.json"
check "a restricted run does not replace the whole"
program check "$work/data" --baseline "$work/own.json" --update -m part --by Ada --subset
program check "$work/tie" --baseline "$work/own.json" --update -m part --by Ada --subset
ended 0 0 && [ "$(grep -c '^{"solver"' "$work/own.json")" -eq "$(grep -c '^{"solver"' "$baseline")" ] &&
    grep -v '"solver":"clip-mdm"\|"solver":"mdm"\|"message":\|^\]' "$work/before.json" >"$work/a" &&
    grep -v '"solver":"clip-mdm"\|"solver":"mdm"\|"message":\|^\]' "$work/own.json" >"$work/b" &&
    same_files "$work/a" "$work/b"
check "with --subset it replaces its own records"
program check "$work/ci" --baseline "$work/fresh.json" --update -m "First" --by Ada
ended 0 0 && sed '/"history"/,/\]/d' "$baseline" >"$work/a" && sed '/"history"/,/\]/d' "$work/fresh.json" >"$work/b" &&
    same_files "$work/a" "$work/b"
check "a baseline made anew is the one in baselines but for its history"

# ---- data, other configurations, damaged files, nothing ----
sed 's/^"titanic": "[0-9a-f]/"titanic": "x/' "$work/few.json" >"$work/other.json"
program check "$work/few" --baseline "$work/other.json"
ended 1 0 && grep -q '^data    titanic  *SHA-256 was x' "$work/out" && grep -q ', 1 data sets changed$' "$work/out"
check "other data are a difference of their own"
sed 's/"config": "ci"/"config": "cj"/' "$work/few.json" >"$work/other.json"
program check "$work/few" --baseline "$work/other.json"
ended 2 1 && says 'is a run of "ci", but the reference counts are of "cj"'
check "a baseline of another configuration is refused"
sed '/^{"solver":"mdm"/s/"split":1/"split":"one"/' "$work/few.json" >"$work/other.json"
program check "$work/few" --baseline "$work/other.json"
ended 2 1 && says "other.json: records[" && says "]: split: "
check "a damaged baseline is named with its member"
program check "$work/few" --baseline "$work/nowhere.json"
ended 2 1 && says "nowhere.json: " && says "run with --update" && [ ! -e "$work/nowhere.json" ]
check "so is one that is not there"
program check "$work/nowhere" --baseline "$work/few.json"
ended 2 1 && says "nowhere: no such folder"
check "and a run that is not there"
cp -r "$work/few" "$work/short" && sed -i '$d' "$work/short/records.jsonl"
program check "$work/short" --baseline "$work/few.json"
ended 2 1 && says "run.json says"
check "records that end early are an error"
sed 's/"solver":"/"solver":"x-/' "$work/few.json" >"$work/other.json"
program check "$work/few" --baseline "$work/other.json"
ended 3 1 && says "has no record in common"
check "no record in common ends with status 3"
cp -r "$work/few" "$work/none" && unlist "$work/none" && : >"$work/none/records.jsonl" &&
    sed -i 's/"records":[^0-9]*[0-9]*/"records": 0/' "$work/none/run.json"
program check "$work/none" --baseline "$work/few.json"
ended 3 1 && says "none: contains no records"
check "so does a run without records"

# ---- exports ----
program check "$work/tie" --baseline "$baseline" --subset --junit "$work/check.xml" --bencher "$work/bencher.json" \
    --github "$work/github.json"
moved=$(sed -n 's/.* the same, \([0-9]*\) moved,.*/\1/p' "$work/out")
ended 1 0 && [ "$moved" -gt 0 ] && [ "$(grep -c '<failure ' "$work/check.xml")" -eq "$moved" ] &&
    [ "$(grep -c '<testcase ' "$work/check.xml")" -eq "$(wc -l <"$work/tie/records.jsonl")" ] &&
    grep -q "<testsuites tests=\"$(wc -l <"$work/tie/records.jsonl")\" failures=\"$moved\">" "$work/check.xml" &&
    [ "$(grep -o 'classname="[^"]*" name="[^"]*"' "$work/check.xml" | sort -u | wc -l)" -eq \
    "$(wc -l <"$work/tie/records.jsonl")" ]
check "the JUnit file has a case a record, no two of one name, and a failure where one moved"
if command -v xmllint >/dev/null; then
    xmllint --noout "$work/check.xml" 2>"$work/err"
    check "xmllint reads it"
else
    skip "xmllint reads it" "xmllint is not installed" libxml2-utils
fi
if command -v python3 >/dev/null; then
    python3 - "$work/tie/records.jsonl" "$work/bencher.json" "$work/github.json" <<'END' 2>"$work/err"
import json, sys
records, bencher, github = (open(name).read() for name in sys.argv[1:])
names = ["iterations", "kernel_operations.setup", "kernel_operations.iterations", "kernel_operations.predict",
         "kernel_evaluations", "support_vectors"]
sums, entries = {}, {}
for record in map(json.loads, records.splitlines()):
    series = record["solver"] + "/" + record["dataset"]
    entries[series] = entries.get(series, 0) + 1
    for name in names:
        value = record
        for key in name.split("."):
            value = value[key]
        sums.setdefault(series, dict.fromkeys(names, 0))[name] += value
found = {series: {name: value["value"] for name, value in measures.items()}
         for series, measures in json.loads(bencher).items()}
assert found == sums, (found, sums)
listed = {item["name"]: (item["value"], item["extra"]) for item in json.loads(github)}
assert listed == {f"{series} {name}": (sums[series][name], f"sum over {entries[series]} records")
                  for series in sums for name in names}
END
    check "both JSON files hold the sums over the records, each by the name that it has there"
else
    skip "both JSON files hold the sums over the records" "python3 is not installed" python3
fi
rm "$work/bencher.json"
program check "$work/tie" --bencher "$work/bencher.json"
ended 0 0 && [ -s "$work/bencher.json" ] && program check "$work/tie" && ended 2 &&
    says "expected --baseline FILE" &&
    program check "$work/tie" --junit "$work/x" && ended 2
check "exports of sums need no baseline, verdicts do"
program check "$work/tie" --bencher "$work/nowhere/bencher.json"
ended 4 1 && says "nowhere/bencher.json"
check "a file that cannot be written ends with status 4"

# ---- a configuration in place of a folder ----
cat >"$work/small.json" <<'END'
{"name": "small", "datasets": [{"name": "titanic", "made": true}, {"name": "ringnorm", "made": true}],
 "splits": "1-3", "standardise": "full-set",
 "kernel": {"type": "rbf", "width": 2}, "parameters": {"mu": 0.1, "C": 10},
 "solvers": ["mdm", "clip-mdm", {"name": "1-smo", "stop": {"rule": "kkt", "tolerance": 1e-3}}],
 "stop": {"rule": "rch-gap", "tolerance": 1e-3}, "budget": {"iterations": 1000000}}
END
cd "$work" || exit 4
program check small.json --baseline small-baseline.json
ended 2 1 && says "run with --update" && [ ! -e small-check ]
check "of a configuration, too, a missing baseline is named, before anything is run"
program check small.json --baseline small-baseline.json --update -m First --author Ada --jobs 1
ended 0 0 && grep -q '^small: 18 records in small-check ' out && [ ! -e small-check ] &&
    [ "$(grep -c '^{"solver"' small-baseline.json)" -eq 18 ]
check "--update makes it in one step"
program check small.json --baseline small-baseline.json --quiet
ended 0 0 && [ "$(cat out)" = "small: 18 records compared: 18 the same, 0 moved, 0 missing, 0 new" ] &&
    [ ! -e small-check ]
check "the same command without --update compares, and leaves no folder"
program check small.json --baseline small-baseline.json --solvers mdm --splits 2-3
ended 0 0 && grep -q '^small: 4 records compared: 4 the same, .*; 14 of the reference counts not selected$' out
check "a part of the configuration is compared with its own records"
sed 's/"iterations":\([0-9]\)/"iterations":1\1/' small-baseline.json >other.json
program check small.json --baseline other.json --quiet --junit - >out
ended 1 && [ "$(grep -c '<failure ' out)" -eq 18 ] && says "The run is kept in small-check" &&
    [ -s small-check/records.jsonl ]
check "where something moved the folder is kept"
sed -i 's/"config"/"changed"/' small-check/run.json
program check small.json --baseline small-baseline.json
ended 0 0 && [ ! -e small-check ]
check "and is done anew the next time"
program check small.json --baseline small-baseline.json --out mine
ended 0 0 && [ -s mine/records.jsonl ] && grep -q '^small: 18 records in mine ' out &&
    program check small.json --baseline small-baseline.json --out mine && ended 0 0 && grep -q 'already complete' out &&
    program check mine --baseline small-baseline.json && ended 0 0
check "with --out it stays there, and is not run twice"
program check mine --baseline small-baseline.json --jobs 1
ended 2 && says "need a configuration" && program check nothing.json --baseline small-baseline.json && ended 2 1 &&
    says "nothing.json" && program check other.json --baseline small-baseline.json && ended 2 1 && says "other.json"
check "options of a run do not go with a folder; what is neither is named"
# ---- the history ----
export GITHUB_SHA='' CI_COMMIT_SHA=''
program check small.json --baseline small-baseline.json --quiet --history small.jsonl --commit 1111111111
ended 0 && GITHUB_SHA=2222222222 program check mine --baseline small-baseline.json --history small.jsonl && ended 0 &&
    cp -r mine moved && unlist moved &&
    sed -i '1s/"support_vectors":\([0-9]\)/"support_vectors":1\1/' moved/records.jsonl &&
    program check moved --baseline small-baseline.json --history small.jsonl --commit 3333333333 && ended 1 &&
    [ "$(wc -l <small.jsonl)" -eq 3 ] && grep -q '"commit":"2222222222"' small.jsonl
check "--history adds a line for each run, also where something moved"
program trend small.jsonl --no-render
ended 0 0 && [ "$(grep -c '^| 3333333333 ' out)" -eq 1 ] && grep -q ' support vectors [0-9]* to [0-9]* (+' out &&
    ! grep -q '^| 2222222222 ' out && grep -q '^small: counts moved in 1 of 3 runs; ' out &&
    [ "$(grep -c ',support_vectors,' small-trend/trend.csv)" -eq 1 ] && [ "$(wc -l <small-trend/trend.csv)" -eq 2 ]
check "trend names the commit in which a count moved, and no other"
# the ratio of the moved sum to the first, from the lines themselves
python3 - small.jsonl small-trend/trend.dat <<'END'
import json, re, sys
runs = [json.loads(line) for line in open(sys.argv[1])]
sums = [{(s["solver"], s["dataset"]): s["counts"]["support_vectors"] for s in run["sums"]} for run in runs]
moved = [key for key in sums[0] if sums[2][key] != sums[0][key]]
assert len(moved) == 1
text = open(sys.argv[2]).read()
block = text.split("# support_vectors of %s, %s\n" % moved[0])[1].split("\n\n")[0]
drawn = [float(line.split()[2]) for line in block.splitlines()]
assert drawn == [sums[r][moved[0]] / sums[0][moved[0]] for r in range(3)], drawn
END
check "the figure has its sums relative to the first"
sed '2s/"hash":"[0-9a-f]*"/"hash":"0123456789abcdef"/' small.jsonl >hidden.jsonl
program trend hidden.jsonl --no-render --solvers 1-smo,clip-mdm,mdm
ended 0 0 && grep -q '^| 2222222222 .* the sums are the same' out && grep -q '^| 3333333333 ' out
check "what the sums hide is told"
sed -e '2s/"hash":"[0-9a-f]*"/"hash":"0123456789abcdef"/g' -e '2s/,"support_vectors":[0-9]*//g' small.jsonl \
    >lacking.jsonl
program trend lacking.jsonl --no-render --out lacking
ended 0 0 && tr -d '\r' <lacking/trend.csv >lacking.csv &&
    [ "$(grep -c '^2222222222,.*,support_vectors,[0-9]*,$' lacking.csv)" -eq 6 ] &&
    [ "$(grep -c '^3333333333,.*,support_vectors,,[0-9]*$' lacking.csv)" -eq 6 ]
check "a count that one run lacks has moved there, and again where it is back"
program trend small.jsonl --solvers gsk --no-render
ended 3 1 && : >empty.jsonl && program trend empty.jsonl && ended 3 1 && program trend absent.jsonl && ended 2 1
check "where there is nothing to draw, the status says so"
{ cat small.jsonl && sed -n '1s/"config":"small"/"config":"large"/p' small.jsonl; } >two.jsonl
program trend two.jsonl
ended 2 1 && says 'two.jsonl:4' && sed '2s/"records"/"record"/' small.jsonl >bad.jsonl && program trend bad.jsonl &&
    ended 2 1 && says 'bad.jsonl:2: sums[0]: ' && printf x >>bad.jsonl && program trend bad.jsonl && ended 2 1 &&
    program check mine --baseline small-baseline.json --history bad.jsonl && ended 2 1 && says 'bad.jsonl'
check "a line of another configuration, a damaged and a cut-off one are named"
program check mine --baseline small-baseline.json --commit x
ended 2 1 && says -- --history
check "--commit needs --history"
good=0
for name in '' 'a b' "$(printf 'a\nb')" "$(printf '\303\244')"; do
    program check mine --baseline small-baseline.json --history named.jsonl --commit "$name"
    ended 2 1 && says 'expected 1 to 200' || good=1
done
GITHUB_SHA='a b' program check mine --history named.jsonl --quiet
[ $good -eq 0 ] && ended 0 && ! grep -q 'a b' named.jsonl
check "a commit has a name that later readers accept"
cp small-baseline.json named.json
for file in named.json mine/records.jsonl second.jsonl; do
    [ $file != second.jsonl ] || sed 's/"config":"small"/"config":"large"/' small.jsonl >second.jsonl
    cp $file before
    program check mine --history $file --commit x
    ended 2 1 && says "$file:1" && cmp -s $file before || good=1
done
program check mine --history nowhere/h.jsonl && ended 4 1 && says nowhere && program check mine --history new.jsonl \
    --junit new.jsonl --baseline small-baseline.json && ended 2 1 && [ $good -eq 0 ] && [ ! -e new.jsonl ]
check "lines are added to histories of this configuration alone"
alone='"sums":[{"solver":"mdm","dataset":"titanic","records":1,"hash":"0000000000000001","counts":{}}]}'
sed "2s/\"sums\":.*/$alone/" small.jsonl >restricted.jsonl
sed 's/"commit":"3333333333"/"commit":"v1-2-gabc"/' restricted.jsonl >named.jsonl
program trend named.jsonl --no-render
ended 0 0 && grep -q '^small: counts moved in 1 of 3 runs; ' out && grep -q '^| v1-2-gabc .* support vectors ' out &&
    [ "$(grep -c '^| 22222222' out)" -eq 1 ] && grep -q '^| 22222222.* 1 records, 3 before' out
check "a restricted run hides no move, and is none; names that are no hash stay whole"
program check mine --history alone.jsonl --quiet
ended 0 0 && [ "$(wc -l <alone.jsonl)" -eq 1 ]
check "a history needs no reference counts"
git init -q repository >>out 2>&1 && cd repository && : >file && git add file &&
    git -c user.name=test -c user.email=test@example.org -c commit.gpgsign=false commit -q -m test &&
    program check ../mine --history ../git.jsonl && ended 0 0 &&
    grep -q "\"commit\":\"$(git rev-parse HEAD)\"" ../git.jsonl && echo >file &&
    program check ../mine --history ../git.jsonl && ended 0 0 &&
    tail -n 1 ../git.jsonl | grep -q '"commit":"[0-9a-f]*-dirty"'
good=$?
cd "$work" || exit 4
[ $good -eq 0 ]
check "the commit is that of git, which is told apart from changed files"

# ---- what the gate prints is accepted ----
cp other.json "it's.json"
program check small.json --baseline "it's.json" --solvers mdm --datasets titanic --quiet
ended 1 && sed -n "s/^If intended: hullbench \\(.*\\) WHY\$/\\1 because/p" out >accept &&
    [ "$(wc -l <accept)" -eq 1 ] && eval "program $(cat accept)" && ended 0 &&
    eval "program $(sed 's/ --update.*//' accept)" && ended 0 &&
    grep -q ' 3 the same, 0 moved' out && program check small.json --baseline "it's.json" --quiet && ended 1 &&
    grep -q '15 moved' out
check "the printed command accepts what was compared, and no more"
rm -rf small-check
sed 's/^"tolerances": {/&\n"mdm\/ringnorm:iterations": 2,/' small-baseline.json >stale.json
sed 's/, {"name": "ringnorm", "made": true}//' small.json >shrunk.json && cp stale.json before.json
program check shrunk.json --baseline stale.json --update -m Less --quiet
ended 2 1 && says '"mdm/ringnorm:iterations"' && cmp -s stale.json before.json
check "an update leaves no tolerance that later checks refuse"
rm -f "$work/summary" && : >"$work/summary"
export GITHUB_STEP_SUMMARY="$work/summary"
program check small.json --baseline other.json --update -m All --github-summary --quiet
ended 0 && ! grep -q '^::' out && ! grep -q intended "$work/summary" && grep -q '^### small: 18 of 18' "$work/summary"
check "an accepted change is no error of the job"
rm -rf small-check
# ---- every way in which a record may be absent ----
program run small.json --out whole --quiet
sed 's/"C": 10/"C": [10, 100]/; s/"mu": 0.1/"mu": [0.1, 0.2]/' small.json >wide.json
program check wide.json --baseline wide-baseline.json --update -m First --quiet
ended 0 && program check small.json --baseline wide-baseline.json --solvers clip-mdm --quiet && ended 1 &&
    grep -q '^missing clip-mdm .*mu=0.2' out && grep -q '6 records compared: 6 the same, 0 moved, 6 missing' out &&
    program check whole --baseline wide-baseline.json --subset && ended 1 && grep -q ' 12 missing' out
check "a record that the selected solver no longer makes is missing, not left out"
program run small.json --out second --shard 2/2 --quiet
program check second --baseline small-baseline.json --subset
ended 0 && grep -q '9 records compared: 9 the same, .* 0 missing, .*; 9 of the ref' out &&
    program check second --baseline wide-baseline.json --subset && ended 1 && grep -q ' 6 missing' out
check "of a shard, the records of the other shards alone are left out"
sed 's/{"name": "ringnorm", "made": true}/{"name": "heart", "made": false}/' small.json >absent.json
program check absent.json --baseline small-baseline.json --update -m x --quiet
ended 3 3 && says 'missing data sets: heart: ' && says -- '--datasets' && cp small-baseline.json before.json &&
    sed 's/"ringnorm"/"heart"/' small-baseline.json >heart.json && program check absent.json --baseline heart.json &&
    ended 1 && grep -q ': missing data sets: heart: ' out && grep -q ' 9 missing' out
check "data that are not there make records missing, and --update refuses"
program check absent.json --baseline small-baseline.json --update --subset -m x --quiet
ended 3 && cmp -s before.json small-baseline.json
check "--subset does not change that"
program check small.json --baseline small-baseline.json --solvers mdm --solvers 1-smo
ended 2 && says -- '--solvers is given twice' && program run small.json --out twice --splits 1 --splits 2 && ended 2
check "an option with one value is refused the second time"
program check small.json --baseline small-baseline.json --splits 3-4
ended 2 && says 'no split 4' && program run small.json --splits 1-9 --out nine && ended 2 && says 'no split 4' &&
    [ ! -e nine ]
check "a split outside the configuration is named"
awk '/^"data": \{/ { print "\"data\": {"; skip = 1; next } /^\}/ { skip = 0 } !skip' small-baseline.json >nodata.json
program check whole --baseline nodata.json
ended 2 && says 'nodata.json:5:1: data: ' && says 'ringnorm' &&
    sed 's/^"titanic": "[0-9a-f]*"/"titanic": ""/' small-baseline.json >nodata.json &&
    program check whole --baseline nodata.json && ended 2 && says 'titanic'
check "a reference file without the SHA-256 of its data is refused"
sed 's/"outcome":"[a-z]*"/"outcome":"failed"/' small-baseline.json >failed.json
cp -r whole allfailed && unlist allfailed && sed -i 's/"outcome":"[a-z]*"/"outcome":"failed"/' allfailed/records.jsonl
program check allfailed --baseline failed.json
ended 3 && says 'all 18 records failed' && program check allfailed --baseline new.json --update -m x && ended 3 &&
    [ ! -e new.json ] && program check allfailed --baseline small-baseline.json && ended 1
check "a folder in which everything failed measures nothing"

# ---- several updates at once ----
cp small-baseline.json shared.json
sed -i 's/"iterations":\([0-9]\)/"iterations":1\1/' shared.json
for solver in mdm clip-mdm 1-smo; do
    for split in 1 2 3; do
        "$hullbench" check small.json --baseline shared.json --update --subset -m x --quiet --solvers $solver \
            --splits $split --out "part-$solver-$split" >/dev/null 2>>err &
    done
done
wait
program check whole --baseline shared.json
ended 0 && [ "$(grep -c '"message":"x"' shared.json)" -eq 9 ] && [ ! -e .lock ]
check "nine updates of one file at once lose no record"
slow=2-smo,platt-smo,m3,munk,gilbert
"$hullbench" check "$root/configs/ci.json" --baseline "$baseline" --jobs 1 --solvers $slow >out 2>err &
job=$!
cleaning="kill $job 2>/dev/null"
waited=0
until { [ -f ci-check/journal.jsonl ] && [ "$(wc -l <ci-check/journal.jsonl)" -gt 20 ]; } || [ $waited -gt 3000 ]
do
    sleep 0.01
    waited=$((waited + 1))
done
kill -s INT "$job" 2>/dev/null
wait "$job"
status=$?
cleaning=:
done=$(wc -l <ci-check/journal.jsonl)
[ "$status" -eq 130 ] && says "resumes it" && [ "$done" -gt 20 ] &&
    program check "$root/configs/ci.json" --baseline "$baseline" --jobs 1 --solvers $slow && ended 0 0 &&
    [ ! -e ci-check ]
check "a check that is interrupted goes on where it was"
cd "$root" || exit 4

finish
