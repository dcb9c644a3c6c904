#!/bin/sh
# The gate: the counts of configs/ci.json are those of results/baselines/ci.json, and a solver that is broken on purpose
# is seen. Where a change moves counts that are meant to move: docs/regression.md.
# shellcheck source=tests/tap.sh
. "$(dirname -- "$0")/tap.sh"
baseline=$root/results/baselines/ci.json

# ---- the gate ----
program run "$root/configs/ci.json" --out "$work/ci" --quiet
ended 0 0 && ! grep -q '"split_source":"[^g]' "$work/ci/records.jsonl"
check "configs/ci.json runs without data"
absent=''
for name in $(solver_names); do
    grep -q "\"solver\":\"$name\"" "$work/ci/records.jsonl" || absent="$absent $name"
done
for rule in $("$hullbench" list stops | awk '{ print $1 }'); do
    grep -q "\"stop\":{\"rule\":\"$rule\"" "$work/ci/records.jsonl" || absent="$absent $rule"
done
[ -z "$absent" ] || echo "absent:$absent (a parameter without a default, or a rule that no entry has)" >"$work/err"
[ -z "$absent" ]
check "every registered solver and stopping rule is in configs/ci.json"
program check "$work/ci" --baseline "$baseline" --all
sed -n 's/^new  *\([^ ]*\) .*/\1/p' "$work/out" | sort -u >"$work/new"
known=0
while read -r name; do
    ! grep -q "^{\"solver\":\"$name\"" "$baseline" || known=1
done <"$work/new"
ended "$([ -s "$work/new" ] && echo 1 || echo 0)" 0 && [ $known -eq 0 ] &&
    grep -q '^ci: [0-9]* records compared: .* the same, 0 moved, 0 missing, [0-9]* new$' "$work/out"
good=$?
[ $good -eq 0 ] || cp "$work/out" "$work/err"
[ $good -eq 0 ]
check "no count moved"
# A solver that is not in the reference counts yet: the rest of this test is about counts that have it.
if [ -s "$work/new" ]; then
    names=$(paste -sd ' ' "$work/new")
    skip "the counts of $names are in results/baselines/ci.json" "add them: ./hullbench run configs/ci.json \
--out ci-run && ./hullbench check ci-run --baseline results/baselines/ci.json --update --message 'Add $names'"
    mkdir -p "$work/results/baselines" && cp "$baseline" "$work/results/baselines/ci.json"
    baseline=$work/results/baselines/ci.json
    program check "$work/ci" --baseline "$baseline" --update --message "Add $names" --author test
    ended 0 0
    check "one command adds them"
fi
program_with_data run "$root/configs/ci.json" --out "$work/data" --quiet --solvers clip-mdm
program check "$work/data" --baseline "$baseline" --subset
ended 0 0 && grep -q '0 moved, 0 missing, 0 new; [0-9]* of the baseline not asked for$' "$work/out"
check "nor where real data may be found; --subset asks for the records of the run alone"
program check "$work/data" --baseline "$baseline"
ended 1 0 && [ "$(grep -c '^missing ' "$work/out")" -eq 50 ] && grep -q 'more lines (--all shows them)' "$work/out"
check "without --subset the others are missing"
[ "$(wc -c <"$baseline")" -lt 300000 ] &&
    [ "$(grep -c '^{"solver":' "$baseline")" -eq "$(wc -l <"$work/ci/records.jsonl")" ]
check "the baseline is small and has a line a record"

# ---- solvers broken on purpose: a changed source before the archive of all others ----
# broken NAME SOURCE SED-COMMAND: a program with the source so changed; $work/NAME is a run of the solvers named in
# $solvers.
broken() {
    mkdir -p "$work/source"
    sed "$3" "$root/$2" >"$work/source/$1.c"
    cmp -s "$root/$2" "$work/source/$1.c" && echo "# $3 changes nothing in $2" >"$work/err" && return 1
    # shellcheck disable=SC2046 # the compiler and its flags, and the libraries, as the build wrote them down
    (cd "$root" && $(sed -n 1p "$BUILD/flags") -o "$work/source/$1" "$work/source/$1.c" "$BUILD/harness/cli/main.o" \
        "$BUILD/libhullbench.a" $(sed -n 2p "$BUILD/flags")) >"$work/err" 2>&1 || return 1
    "$work/source/$1" run "$root/configs/ci.json" --out "$work/$1" --quiet --solvers "$solvers" 2>"$work/err" ||
        return 1
    program check "$work/$1" --baseline "$baseline" --subset --all
}

solvers=clip-mdm,mdm,clip-gsk
# shellcheck disable=SC2016 # C
broken tie solvers/hull/pairs.c 's/^        hull->pair\[c\] = none/        for (size_t j = 0; j < hull->n; j++) \
            if (!c \&\& (hull->eligible[0][j >> 3] >> j % 8 \& 1) \&\& hull->products[0][j] - hull->products[1][j] '\
'== found->min) low = j;\
&/'
ended 1 0 && grep -q '^moved   clip-mdm  *titanic .* support_vectors ' "$work/out" &&
    ! grep -q '^moved   clip-gsk' "$work/out" &&
    ! grep -q '^moved .*waveform' "$work/out" && grep -q '^sum .* records moved  *support_vectors ' "$work/out" &&
    grep -q 'records compared: .* 0 missing, 0 new; ' "$work/out"
check "ties to the highest index are seen, where there are ties and in the solvers that use the rule"
awk '/^moved/ { size = ""; for (i = 1; i < NF; i++) if ($(i + 1) == "%") size = $i + 0; if (size < 0) size = -size
    if (seen && size > last) bad = 1; seen = 1; last = size } END { exit bad || !seen }' "$work/out"
check "the worst come first"
broken clip solvers/hull/pairs.c 's/hull_pair_max_step(hull, class, &moved)/INFINITY/'
ended 1 0 && grep -q '^outcome clip-mdm .* converged  *failed ' "$work/out" && grep -q '^outcome mdm ' "$work/out" &&
    ! grep -q '^[a-z]*  *clip-gsk ' "$work/out"
check "a skipped clip is seen by its outcome, in the solvers that lost it"

# ---- tolerances ----
head -n 1 "$work/ci/records.jsonl" >"$work/first"
was=$(sed 's/.*"iterations":\([0-9]*\),"kernel_op.*/\1/' "$work/first")
cp -r "$work/ci" "$work/near"
sed "1s/\"iterations\":$was,\"kernel_op/\"iterations\":$((was + 2)),\"kernel_op/" "$work/ci/records.jsonl" \
    >"$work/near/records.jsonl"
program check "$work/near" --baseline "$baseline"
ended 1 0 && [ "$(grep -c '^moved ' "$work/out")" -eq 1 ] &&
    grep -q " iterations  *$was  *$((was + 2))  *+2  *+" "$work/out"
check "one count that moved by two is named with both values and the change"
program check "$work/near" --baseline "$baseline" --tolerance iterations=2
ended 0 0 && program check "$work/near" --baseline "$baseline" -t iterations=1 && ended 1 0 &&
    program check "$work/near" --baseline "$baseline" -t all=100% && ended 0 0 &&
    program check "$work/near" --baseline "$baseline" -t all=100% -t iterations=0 && ended 1 0 &&
    program check "$work/near" --baseline "$baseline" -t kernel_operations=100% && ended 1 0
check "tolerances are absolute or relative, by count, and the last word holds"
sed 's/"tolerances": {}/"tolerances": {\n"iterations": 2\n}/' "$baseline" >"$work/tolerant.json"
program check "$work/near" --baseline "$work/tolerant.json"
ended 0 0
check "tolerances in the baseline hold"
for word in iterations iterations= iterations=x iterations=-1 iterations=1%% speed=2; do
    program check "$work/near" --baseline "$baseline" --tolerance "$word"
    if ! ended 2 1; then break; fi
done
ended 2 1 && says 'unknown count "speed"'
check "a tolerance that is none is refused"

# ---- update ----
cp "$baseline" "$work/own.json"
program check "$work/near" --baseline "$work/own.json" --update
ended 2 && says "--update needs a --message"
check "--update wants to know why"
(unset USER && program check "$work/near" --baseline "$work/own.json" --update -m x && ended 2 1 &&
    says "--author NAME")
check "and who"
program check "$work/near" --baseline "$work/own.json" --update --message 'Two more "rounds", as meant' --by Ada
ended 0 0 && grep -q 'own.json written: 1 records new, gone or moved' "$work/out" &&
    [ "$(diff "$baseline" "$work/own.json" | grep -c '^[<>] {"solver"')" -eq 2 ] &&
    [ "$(diff "$baseline" "$work/own.json" | grep -c '^>')" -le 3 ] &&
    grep -q '"by":"Ada","version":"[0-9.]*","moved":1,"message":"Two more \\"rounds\\", as meant"}' "$work/own.json" &&
    program check "$work/near" --baseline "$work/own.json" && ended 0 0
check "--update changes the lines that moved and adds one to the history"
cp "$work/own.json" "$work/before.json"
program check "$work/near" --baseline "$work/own.json" --update --message again --by Ada
ended 0 0 && grep -q 'as it should be' "$work/out" && cmp -s "$work/own.json" "$work/before.json"
check "where nothing moved the file stays as it is"
program check "$work/data" --baseline "$work/own.json" --update -m part --by Ada
ended 2 1 && says "is restricted to a part; --subset keeps" && cmp -s "$work/own.json" "$work/before.json"
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
check "a baseline made anew is the one in results/baselines but for its history"

# ---- data, other configurations, damaged files, nothing ----
sed 's/^"titanic": "[0-9a-f]/"titanic": "x/' "$baseline" >"$work/other.json"
program check "$work/ci" --baseline "$work/other.json"
ended 1 0 && grep -q '^data    titanic  *SHA-256 was x' "$work/out" && grep -q ', 1 data sets changed$' "$work/out"
check "other data are a difference of their own"
sed 's/"config": "ci"/"config": "cj"/' "$baseline" >"$work/other.json"
program check "$work/ci" --baseline "$work/other.json"
ended 2 1 && says 'is a run of "ci", the baseline is of "cj"'
check "a baseline of another configuration is refused"
sed '/^{"solver":"mdm"/s/"split":1/"split":"one"/' "$baseline" >"$work/other.json"
program check "$work/ci" --baseline "$work/other.json"
ended 2 1 && says "other.json: records[" && says "]: split: "
check "a damaged baseline is named with its member"
program check "$work/ci" --baseline "$work/nowhere.json"
ended 2 1 && says "nowhere.json"
check "so is one that is not there"
program check "$work/nowhere" --baseline "$baseline"
ended 2 1 && says "nowhere: no such folder"
check "and a run that is not there"
cp -r "$work/ci" "$work/short" && sed -i '$d' "$work/short/records.jsonl"
program check "$work/short" --baseline "$baseline"
ended 2 1 && says "run.json says"
check "records that end early are an error"
sed 's/"solver":"/"solver":"x-/' "$baseline" >"$work/other.json"
program check "$work/ci" --baseline "$work/other.json"
ended 3 1 && says "has no record in common"
check "no record in common ends with status 3"
cp -r "$work/ci" "$work/none" && : >"$work/none/records.jsonl" &&
    sed -i 's/"records":[^0-9]*[0-9]*/"records": 0/' "$work/none/run.json"
program check "$work/none" --baseline "$baseline"
ended 3 1 && says "holds no records"
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
    skip "xmllint reads it" "xmllint is not installed"
fi
sum=$(sed -n '/"solver":"mdm"/s/.*"dataset":"titanic".*"iterations":\([0-9]*\),"kernel_op.*/\1/p' \
    "$work/tie/records.jsonl" | awk '{ s += $1 } END { print s }')
tr -d ' \n\t' <"$work/bencher.json" | grep -qF "\"mdm/titanic\":{\"iterations\":{\"value\":$sum}," &&
    tr -d '\n\t' <"$work/github.json" |
    grep -qF "{\"name\":\"mdm/titanic iterations\",\"unit\":\"iterations\",\"value\":$sum,"
check "the JSON files hold the sums over the records ($sum)"
for phase in setup iterations predict; do
    measure=kernel-operations
    [ $phase = iterations ] || measure=kernel-operations-$phase
    sum=$(sed -n "/\"solver\":\"mdm\"/s/.*\"dataset\":\"titanic\".*\"kernel_operations\":\
{[^}]*\"$phase\":\([0-9]*\).*/\1/p" "$work/tie/records.jsonl" |
        awk '{ s += $1 } END { print s }')
    [ "$sum" -gt 0 ] && tr -d ' \n\t' <"$work/bencher.json" | grep -o '"mdm/titanic":{.*' |
        grep -qF "\"$measure\":{\"value\":$sum}" &&
        tr -d '\n\t' <"$work/github.json" |
        grep -qF "{\"name\":\"mdm/titanic $measure\",\"unit\":\"kernel operations\",\"value\":$sum,"
    check "the kernel operations of $phase are exported as $measure"
done
rm "$work/bencher.json"
program check "$work/tie" --bencher "$work/bencher.json"
ended 0 0 && [ -s "$work/bencher.json" ] && program check "$work/tie" && ended 2 &&
    says "--baseline FILE is expected" &&
    program check "$work/tie" --junit "$work/x" && ended 2
check "exports of sums need no baseline, verdicts do"
program check "$work/tie" --bencher "$work/nowhere/bencher.json"
ended 4 1 && says "nowhere/bencher.json"
check "a file that cannot be written ends with status 4"

# ---- the workflows of docs/ci ----
bad=0
packages=$(sed -n "s/^packages='\(.*\)'$/\1 libmd4c-html0-dev zlib1g-dev/p" "$root/run_all.sh")
for file in "$root"/docs/ci/*.yml; do
    [ -n "$packages" ] && grep -qF -- "--no-install-recommends $packages" "$file" || bad=1
    grep -oE '\./hullbench (run|check) .*' "$file" | sed 's/ *#.*//' >"$work/commands"
    [ "$(wc -l <"$work/commands")" -eq 2 ] || bad=1
    [ -d "$work/results" ] || ln -s "$root/results" "$work/results"
    (cd "$work" && ln -sf "$root/configs" . && ln -sf "$hullbench" hullbench &&
        sh -e "$work/commands") >"$work/out" 2>"$work/err" || bad=1
    (cd "$work" && rm -rf ci-run && ls check.xml) >/dev/null || bad=1
done
[ "$bad" -eq 0 ]
check "the example workflows install what the build needs, and their commands work"
finish
