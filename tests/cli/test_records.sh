#!/bin/sh
# The records of run_all.sh --quick have the hashes of tests/records.sha256, and tests/check_records.sh, which compares
# them, notices each difference.
# shellcheck source=tests/tap.sh
. "$(dirname -- "$0")/../tap.sh"
unset HULLBENCH_DATADIR
HULLBENCH_DATA=$data HULLBENCH=$hullbench
export HULLBENCH_DATA HULLBENCH
lines=$root/tests/records.sha256

# records OPTION...: $status, $work/out, $work/err.
records() {
    "$root/tests/check_records.sh" "$@" >"$work/out" 2>"$work/err"
    status=$?
    [ -s "$work/err" ] || cp "$work/out" "$work/err"
}
# printed EXPRESSION: a line of the output matches.
printed() {
    grep -q -- "$1" "$work/out"
}
summary() {
    [ "$(tail -n 1 "$work/out")" = "records: $1 the same, $2 moved, $3 failed, $4 unknown" ]
}

for mode in '' --quick; do
    "$root/run_all.sh" --list $mode | sed "s|^run \([^ ]*\).*|\1/records.jsonl|
        s|^tune \([^ ]*\).*|\1/evaluations.jsonl|; s|^|${mode:+quick/}|"
done | LC_ALL=C sort >"$work/runs"
sed '/^#/d; s/^[^ ]*  //' "$lines" >"$work/lines"
[ "$(wc -l <"$work/runs")" -gt 80 ] && diff "$work/runs" "$work/lines" >"$work/err"
check "every run of run_all.sh has one line, and every line a run"

# ---- wrong usage ----
bad=0
for wrong in --unknown --records '--records /nowhere' --rewrite nothing '--rewrite nothing'; do
    # shellcheck disable=SC2086 # options
    records $wrong
    { [ "$status" = 2 ] && grep -qe "${wrong##* }" "$work/err"; } || bad=1
done
[ "$bad" = 0 ]
check "an unknown option or name, a missing file, and --rewrite without a name are refused"

# ---- data that are not there ----
HULLBENCH_DATA=$work/misspelt records quick/barbero2008-thyroid-printed
[ "$status" = 1 ] && printed '^failed  quick/barbero2008-thyroid-printed: .*thyroid' && summary 0 0 1 0
check "without its data a run fails and is named"
HULLBENCH_DATA=$work/misspelt records quick/sweep
[ "$status" = 1 ] && printed '^failed  quick/sweep: data are ' && printed 'data are missing: heart: ' &&
    printed 'data are not as expected: titanic is from made here' && summary 0 0 1 0
check "also if other data sets of it were found or generated"
sed 's|^[0-9a-f]*\(  quick/sweep/\)|unknown\1|' "$lines" >"$work/mine"
HULLBENCH_DATA=$work/misspelt records --records "$work/mine" quick/sweep
[ "$status" = 0 ] && printed '^unknown quick/sweep: its data are not all here' && summary 0 0 0 1
check "a line whose hash was never known does not fail for want of some of its data"

program_with_data run "$root/configs/barbero2008-thyroid-printed.json" --splits 1 --out "$work/probe" --quiet
if ! grep -q "$(sed -n 's/^# data \([^ ]*\) benchmarks_partial.mat$/\1/p' "$lines")" "$work/probe/run.json" \
    2>/dev/null; then
    skip "the records have their hashes" "$no_data"
    finish
fi

# ---- small runs: one line each ----
name=quick/barbero2008-thyroid-printed other=quick/barbero2008-figure1
records $name $other
[ "$status" = 0 ] && summary 2 0 0 0
check "two runs have their hashes"

# A program that writes another value into one member of the second record.
cat >"$work/changed" <<'END'
#!/bin/sh
"$TRUE_PROGRAM" "$@" || exit
while [ "$1" != --out ]; do shift; done
sed '2s/"iterations":[0-9]*,"kernel_operations"/"iterations":7,"kernel_operations"/' "$2/records.jsonl" >"$2/new"
mv "$2/new" "$2/records.jsonl"
END
chmod +x "$work/changed"
TRUE_PROGRAM=$hullbench
export TRUE_PROGRAM
HULLBENCH=$work/changed records $name $other
[ "$status" = 1 ] && printed "^moved   $name: was [0-9a-f]\{64\}, is [0-9a-f]\{64\}$" && summary 0 2 0 0 &&
    printed ' 1 records changed; first record 2 (thyroid 1 [a-z-]*): iterations was [0-9]*, is 7$'
check "a value that changed in one record is found: its record and its member are named"
cp "$lines" "$work/mine"
HULLBENCH=$work/changed records --records "$work/mine" --rewrite $name
[ "$status" = 0 ] && diff "$lines" "$work/mine" >"$work/err"
[ "$(grep -c '^>' "$work/err")" = 1 ] && [ "$(grep -c '^<' "$work/err")" = 1 ] && grep -q "^> .* $name/" "$work/err"
check "--rewrite changes the line of that name and no other"
HULLBENCH=$work/changed records --records "$work/mine" $name
[ "$status" = 0 ] && records --records "$work/mine" $name && [ "$status" = 1 ] &&
    printed 'iterations was 7, is [0-9]*$'
check "which then agrees with the changed program, and differs from this one"

grep -v "$name/" "$lines" >"$work/mine"
records --records "$work/mine" $name
[ "$status" = 1 ] && printed "^failed  $name: .*no line" && summary 0 0 1 0
check "a run without a line fails"
records --records "$work/mine" --rewrite $name
[ "$status" = 0 ] && same_files "$lines" "$work/mine"
check "and gets one by --rewrite, in its place"
sed 's|quick/barbero2008-figure1/|quick/gone/|' "$lines" >"$work/mine"
records --records "$work/mine" quick/gone
[ "$status" = 1 ] && printed '^failed  quick/gone: run_all.sh does not run it'
check "a line without a configuration fails"
sed 's/^# data [^ ]* bench/# data 0 bench/' "$lines" >"$work/mine"
cp "$work/mine" "$work/before"
records --records "$work/mine" --rewrite $name
[ "$status" = 1 ] && printed "^failed  $name: data are not as expected: thyroid is from .*benchmarks_partial.mat" &&
    cmp -s "$work/mine" "$work/before"
check "another data file is named, and no line is rewritten from it"

# ---- all quick runs ----
records
[ "$status" = 0 ] && [ "$(wc -l <"$work/out")" -le 2 ]
check "the records of run_all.sh --quick have the hashes of tests/records.sha256"
finish
