#!/bin/sh
# Output paths of all kinds: a device, FIFO or link is never replaced by a file, nothing else is destroyed, and an
# existing file keeps its mode. harness/support/test_file.c tests this for one file; this test covers the verbs.
# shellcheck source=tests/tap.sh
. "$(dirname -- "$0")/../tap.sh"

cp "$root/datasets/wedge.csv" "$work/x.csv"
cd "$work" || exit 4
cat >c.json <<'EOF'
{"name": "outputs", "datasets": [{"name": "heart", "file": "x.csv", "n_train": 40, "n_test": 20}], "splits": "1-2",
 "standardise": "none",
 "kernel": {"type": "rbf", "width": 5}, "parameters": {"mu": 0.5}, "solvers": ["mu-gsk", "clip-mdm"],
 "stop": {"rule": "rch-gap-both", "tolerance": 1e-3}, "trace": {"datasets": ["heart"], "splits": "1-200"},
  "tables": ["lopez2011.table2"]}
EOF
program solve --data x.csv --solver 1-smo --set C=1 -q m.model
ended 0 && [ -s m.model ]
check "a model is written"
program predict -q x.csv m.model labels
ended 0 && [ "$(wc -l <labels)" -eq "$(($(wc -l <x.csv) - 1))" ]
check "labels are written"
program run c.json --out o --quiet && program check o --baseline base.json --update --message fine --by me
ended 0 && [ -s o/records.jsonl ] && [ -s base.json ]
check "a run and its baseline are written"

# ---- every verb with an output path ----

# writes VERB PATH: makes the verb write there.
writes() {
    case $1 in
    predict) program predict -q x.csv m.model "$2" ;;
    solve) program solve --data x.csv --solver 1-smo --set C=1 -q "$2" ;;
    trace) program solve --data x.csv --split 1 --solver 1-smo --set C=1 --trace "$2" ;;
    junit) program check o --baseline base.json --junit "$2" ;;
    bencher) program check o --baseline base.json --bencher "$2" ;;
    github) program check o --baseline base.json --github "$2" ;;
    update) program check o --baseline "$2" --update --message fine --by me ;;
    conform)
        program conform o --json "$2"
        [ "$status" -ne 1 ] || status=0 # it differs from the paper
        ;;
    report) program report o --out "$2" ;;
    export) program export o --out "$2" ;;
    traces) program export o --out /dev/null --traces "$2" ;;
    esac
}
verbs='predict solve trace junit bencher github conform report export traces'

for verb in $verbs update; do
    rm -rf d && mkdir d d/in && echo old >d/in/file && chmod 640 d/in/file && ln -s in/file d/link &&
        ln -s in/new d/dangling
    echo victim >victim && ln -s ../victim d/plain.aside && ln -s ../victim d/plain.tmp
    [ "$verb" != update ] || cp base.json d/in/file
    writes "$verb" d/link
    [ "$status" -eq 0 ] && [ -h d/link ] && [ -s d/in/file ] && ! grep -qx old d/in/file &&
        [ "$(stat -c %a d/in/file)" = 640 ] &&
        writes "$verb" d/dangling && [ "$status" -eq 0 ] && [ -h d/dangling ] && [ -s d/in/new ] &&
        writes "$verb" d/plain && [ "$status" -eq 0 ] && [ -s d/plain ] && grep -qx victim victim && [ ! -h d/plain ] &&
        writes "$verb" d/in && [ "$status" -ne 0 ] && says "d/in" && [ "$(find d | wc -l)" -eq 9 ]
    check "$verb follows links, keeps the mode, leaves planted links alone and refuses a folder"
done

for verb in $verbs; do
    rm -f fifo && mkfifo fifo
    timeout 10 cat fifo >got & # a reader without a writer gives up
    reader=$!
    writes "$verb" plain
    writes "$verb" fifo
    wait "$reader"
    [ "$status" -eq 0 ] && [ -p fifo ] && [ -s got ] && { [ "$verb" = conform ] || [ "$verb" = report ] ||
        cmp -s plain got; }
    check "$verb writes into a FIFO"
done

if [ "$(id -u)" -eq 0 ] && mknod null c 1 3 2>err && true 2>err >null; then
    for verb in $verbs; do
        writes "$verb" null
        [ "$status" -eq 0 ] && [ -c null ]
        check "$verb writes into a device, which stays one"
    done
    mknod full c 1 7
    program predict -q x.csv m.model full
    ended 4 1 && says "full: cannot be written: No space left on device" && [ -c full ]
    check "a device that takes nothing is an error"
else
    skip "devices stay devices" "needs root and a file system with devices"
fi

# ---- standard output ----

program predict -q x.csv m.model -
ended 0 0 && cmp -s out labels
check "- is standard output"
program predict x.csv m.model -
ended 0 1 && says Accuracy && cmp -s out labels
check "with labels on standard output the accuracy goes to standard error"
program solve --data x.csv --solver 1-smo --set C=1 -
ended 0 && says "obj = " && cmp -s out m.model
check "with the model on standard output the report goes to standard error"
program solve --data x.csv --split 1 --solver 1-smo --set C=1 --trace -
ended 0 && grep -q '^{"schema"' err && ! grep -q '^{' out && grep -q '^# solver 1-smo' out
check "with the trace on standard output the record goes to standard error"
for export in junit bencher github; do
    program check o --baseline base.json --$export - && mv out got && mv err report && writes $export plain
    ended 0 && cmp -s got plain && grep -q 'records compared' report
    check "with the export for $export on standard output the verdict goes to standard error"
done
program conform o --json -
[ "$status" -le 1 ] && [ "$(head -c 1 out)" = '{' ] && grep -q '^all: ' err
check "with JSON of conform on standard output the verdicts go to standard error"
# Our own links, so that a program that replaces its output cannot change /dev. /dev/stdout is such a link.
if [ -e /proc/self/fd/1 ]; then
    ln -s /proc/self/fd/1 stdout
    { echo first && "$hullbench" predict x.csv m.model stdout && echo last; } >all 2>err
    { echo first && cat labels && echo last; } >expected
    cmp -s all expected && [ -h stdout ] && [ "$(wc -l <err)" -eq 1 ] && says Accuracy
    check "standard output by its name that is a file is written on where it stands, not replaced"
    "$hullbench" predict -q x.csv m.model stdout | cmp -s - labels
    check "standard output by its name that is a pipe is written to"
    "$hullbench" report o --out stdout 2>err | grep -q '</html>' && [ -h stdout ] && [ ! -e .lock ]
    check "a page can go to standard output"
else
    skip "standard output by its name" "needs /proc"
fi
"$hullbench" predict x.csv m.model closed >&- 2>err
status=$?
[ "$status" -eq 4 ] && says "standard output: cannot be written" && cmp -s closed labels
check "what is printed while standard output is closed does not get into a file"

# ---- folders of runs ----

echo victim >victim
for name in .lock journal.jsonl; do
    rm -rf p && mkdir p && ln -s ../victim "p/$name"
    program run c.json --out p --quiet --force
    ended 2 1 && says "p/$name" && says "not a regular file" && grep -qx victim victim
    check "a link planted as $name is refused and what it leads to is left alone"
done
touch o/hullbench-0123456789abcdef.tmp o/traces/hullbench-0123456789abcdee.tmp o/notes.tmp
program run c.json --out o
ended 0 && [ "$(find o -name '*.tmp')" = o/notes.tmp ]
check "a run sweeps the temporary files of killed ones out of its folder, and nothing else"
rm o/notes.tmp
touch hullbench-0123456789abcdef.tmp
writes predict plain
[ "$status" -eq 0 ] && [ -e hullbench-0123456789abcdef.tmp ]
check "nothing is swept out of other folders"
rm hullbench-0123456789abcdef.tmp

# ---- failures ----

if [ "$(id -u)" -eq 0 ] && mkdir small && mount -t tmpfs -o size=8k tmpfs small 2>/dev/null; then
    cleaning="umount $work/small"
    echo old >small/labels
    head -c 4096 /dev/zero >small/fill # leaves a page for folder and file, none for the new one
    program predict -q x.csv m.model small/labels
    ended 4 1 && says "small/labels: cannot be written: No space left on device" && grep -qx old small/labels &&
        [ "$(find small -type f | wc -l)" -eq 2 ]
    check "on a full disk the old file stays and nothing is left"
    mount -o remount,size=1m,ro small
    program predict -q x.csv m.model small/labels
    ended 4 1 && says "small/labels: cannot be written: Read-only file system" && grep -qx old small/labels
    check "on a disk that is read-only the error names the file"
else
    skip "a full disk" "needs root and a tmpfs"
fi

# Killed at some moment while traces are written; the leftovers of SIGKILL are gone after resuming.
sed 's/"1-2"/"1-60"/' c.json >many.json
program run many.json --out whole --quiet
bad=0 struck=0
for signal in INT TERM KILL; do
    for lines in 5 40 90; do
        rm -rf s
        "$hullbench" run many.json --out s --quiet >out 2>err &
        job=$!
        tries=0
        while [ "$( (wc -l <s/journal.jsonl) 2>/dev/null || echo 0)" -lt "$lines" ] && [ $((tries += 1)) -lt 2000 ] &&
            [ ! -e s/run.json ]; do :; done
        kill -s "$signal" "$job" 2>/dev/null && struck=$((struck + 1))
        wait "$job" 2>/dev/null
        [ "$signal" = KILL ] || [ -z "$(find s -name '*.tmp')" ] || bad=$((bad + 1))
        program run many.json --out s --quiet
        { ended 0 && [ -z "$(find s -name '*.tmp')" ] && cmp -s s/records.jsonl whole/records.jsonl &&
            diff -r s/traces whole/traces; } ||
            bad=$((bad + 1))
    done
done
[ "$bad" -eq 0 ] && [ "$struck" -gt 0 ]
check "SIGINT and SIGTERM leave no temporary file, and what SIGKILL leaves is gone when the run goes on ($struck of \
9 struck)"
cd / || exit 4
finish
