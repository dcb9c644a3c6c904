#!/bin/sh
# How verbs treat their output paths before they work: they refuse to overwrite their inputs, detect paths that cannot
# be written, wait for the reader of a FIFO, and do not follow links that another user has planted. No clock is needed
# to test that they do so early: the data come through a FIFO without a writer, so a verb that continued would never
# end.
# shellcheck source=tests/tap.sh
. "$(dirname -- "$0")/../tap.sh"

cp "$root/datasets/wedge.csv" "$work/x.csv"
cd "$work" || exit 4
cat >c.json <<'END'
{"name": "paths", "datasets": [{"name": "wedge", "file": "x.csv", "n_train": 40, "n_test": 20}], "splits": "1",
 "standardise": "none", "kernel": {"type": "rbf", "width": 5}, "parameters": {"mu": 0.5}, "solvers": ["clip-mdm"],
 "stop": {"rule": "rch-gap-both", "tolerance": 1e-3}, "trace": {"datasets": ["wedge"], "splits": "1"},
 "tables": ["lopez2011.table2"]}
END
# train FILE ARGUMENTS...
train() {
    data_file=$1
    shift
    program solve --format csv --data "$data_file" --solver 1-smo -c 1 "$@"
}
train x.csv -q m
ended 0 && [ -s m ]
check "a model is written"
program predict -q x.csv m labels
ended 0 && [ -s labels ]
check "labels are written"
program run c.json --out o --quiet && program check o --baseline base.json --update --message fine --by me
ended 0 && [ -s base.json ] && [ -s o/traces/wedge-1-clip-mdm.tsv ]
check "a run and its baseline are written"
mkdir -p taken/traces/wedge-1-clip-mdm.tsv
program run c.json --out taken --quiet
ended 4 && says taken/traces/wedge-1-clip-mdm.tsv && [ ! -e taken/run.json ] &&
    rmdir taken/traces/wedge-1-clip-mdm.tsv && program run c.json --out taken --quiet && ended 0 0 &&
    cmp -s taken/records.jsonl o/records.jsonl &&
    cmp -s taken/traces/wedge-1-clip-mdm.tsv o/traces/wedge-1-clip-mdm.tsv
check "where a trace cannot be written the run ends and goes on, and no memory is lost"

# sums: checksums of all files except this test's output.
sums() {
    find . -type f ! -name out ! -name err ! -name 'sums-*' -exec sha256sum {} + | sort
}

# ---- no input is overwritten ----

cp x.csv data.csv
ln data.csv hard.csv
ln -s data.csv soft.csv
ln -s . here
ln m hard.m
# refuses SENTENCE A B ARGUMENTS...: the command fails with one line that names A and B, and changes nothing.
refuses() {
    sentence=$1 first=$2 second=$3
    shift 3
    sums >sums-before
    program "$@"
    sums >sums-after
    ended 2 1 && says "$first would overwrite" && says "would overwrite $second" && cmp -s sums-before sums-after
    check "$sentence"
}
smo='--solver 1-smo -c 1'
for name in data.csv ./data.csv "$work/data.csv" here/data.csv hard.csv soft.csv; do
    # shellcheck disable=SC2086 # options
    refuses "solve does not overwrite its data by a model named $name" "the model $name" "--data data.csv" \
        solve $smo --data data.csv "$name"
    # shellcheck disable=SC2086
    refuses "solve does not overwrite its data by a trace named $name" "--trace $name" "--data data.csv" \
        solve $smo --data data.csv --trace "$name" fresh
    refuses "predict does not overwrite its data, named $name" "OUTPUT $name" "TEST data.csv" \
        predict data.csv m "$name"
done
refuses "predict does not overwrite its model" "OUTPUT hard.m" "MODEL m" predict data.csv m hard.m
for name in fresh ./fresh here/fresh; do
    # shellcheck disable=SC2086
    refuses "model and trace are two files, also where neither is there: $name" "the model $name" "--trace fresh" \
        solve $smo --data data.csv --trace fresh "$name"
done
# shellcheck disable=SC2086
refuses "model and trace do not both go to standard output" "the model /dev/stdout" "--trace standard output" \
    solve $smo --data data.csv --trace - /dev/stdout
# shellcheck disable=SC2094 # what is refused
"$hullbench" solve --solver 1-smo -c 1 --data data.csv - >>data.csv 2>err
status=$?
ended 2 1 && says "the model standard output would overwrite --data data.csv" && cmp -s data.csv x.csv
check "standard output that leads to the data is not written to"
# from_input SENTENCE FILE OUTPUT ARGUMENTS...: FILE is standard input, and the command is rejected.
from_input() {
    sentence=$1 file=$2 output=$3
    shift 3
    sums >sums-before
    "$hullbench" "$@" <"$file" >out 2>err
    status=$?
    sums >sums-after
    ended 2 1 && says "$output would overwrite" && says "standard input" && cmp -s sums-before sums-after
    check "$sentence"
}
for name in data.csv hard.csv soft.csv; do
    # shellcheck disable=SC2086
    from_input "solve does not overwrite its data, read as -, by a model named $name" data.csv "the model $name" \
        solve $smo -q --format csv --data - "$name"
    from_input "predict does not overwrite its data, read as -: $name" data.csv "OUTPUT $name" \
        predict -q --format csv - m "$name"
done
from_input "predict does not overwrite its model, read as -" m "OUTPUT m" predict -q data.csv - m
train - fresh.m <data.csv
ended 0 && [ -s fresh.m ]
check "another file is written from data that are read as -"
rm -f fresh.m
for input in data.csv hard.csv - /dev/stdin; do
    # shellcheck disable=SC2094
    "$hullbench" solve --solver 1-smo -c 1 --format csv --data "$input" fresh <data.csv >>data.csv 2>err
    status=$?
    ended 2 1 && says "the report on standard output would overwrite --data" && cmp -s data.csv x.csv && [ ! -e fresh ]
    check "the report is not appended to the data, read as $input"
done
cp m copy.m
# shellcheck disable=SC2094
"$hullbench" predict x.csv copy.m fresh >>copy.m 2>err
status=$?
ended 2 1 && says "the report on standard output would overwrite MODEL copy.m" && cmp -s copy.m m && [ ! -e fresh ]
check "the accuracy is not appended to the model"
"$hullbench" conform o >>o/records.jsonl 2>err
status=$?
ended 2 1 && says "the report on standard output would overwrite the run o/records.jsonl"
check "verdicts are not appended to records"
mkdir sets
cp x.csv sets/known.csv
echo '{"datasets": [{"name": "known", "file": "known.csv", "n_train": 40, "n_test": 20}]}' >sets/datasets.json
HULLBENCH_DATA=$work/sets "$hullbench" solve --solver 1-smo --set C=1 --dataset known --trace sets/known.csv >out 2>err
status=$?
ended 2 1 && says "--trace sets/known.csv would overwrite" && cmp -s sets/known.csv x.csv
check "a known data set's file is not overwritten by a trace"
for name in config.json records.jsonl timings.jsonl run.json; do
    refuses "export does not overwrite $name" "--out here/o/$name" "the run o/$name" export o --out "here/o/$name"
done
refuses "export does not overwrite a trace" "--traces o/traces/wedge-1-clip-mdm.tsv" "the run o/traces" \
    export o --out fresh --traces o/traces/wedge-1-clip-mdm.tsv
refuses "conform does not overwrite records" "--json o/records.jsonl" "the run o/records.jsonl" \
    conform o --json o/records.jsonl
refuses "report does not overwrite a configuration" "--out o/config.json" "the run o/config.json" \
    report o --out o/config.json
refuses "check does not overwrite its baseline" "--junit base.json" "--baseline base.json" \
    check o --baseline base.json --junit base.json
refuses "check does not overwrite records" "--github o/records.jsonl" "the run o/records.jsonl" \
    check o --baseline base.json --github o/records.jsonl
refuses "check does not overwrite its configuration" "--bencher c.json" "the configuration c.json" \
    check c.json --baseline base.json --bencher c.json
refuses "two exports do not both go to standard output" "--junit standard output" "--bencher standard output" \
    check o --baseline base.json --bencher - --junit -
mkdir mine && echo '{"mine": 1}' >mine/config.json
sums >sums-before
program run c.json --out mine --quiet
sums >sums-after
ended 2 1 && says "config.json that belongs to no run" && cmp -s sums-before sums-after
check "run does not overwrite a config.json that belongs to no run"
program run c.json --out - --quiet
ended 2 1 && says "expected a folder" && [ ! -e ./- ]
check "- is no folder"
program predict x.csv m ''
ended 4 1 && says '"": cannot be written: the name is empty'
check "an empty name of an output is shown as such"
program predict '' m labels
ended 2 1 && says '"": cannot be read: No such file'
check "and so is that of an input"
program predict - - labels
ended 2 1 && says "only one of them can be standard input"
check "data and model cannot both be standard input"
for name in - /dev/stdout; do
    "$hullbench" solve --solver 1-smo -c 1 -q --data x.csv "$name" 2>err >&-
    status=$?
    ended 4 1 && says "cannot be written: it is closed"
    check "a standard output that is closed is said to be closed: $name"
done
train data.csv --trace /dev/null /dev/null
ended 0 0
check "several outputs may be thrown away"

# ---- paths that cannot be written are detected before the work ----

mkfifo never
mkdir aim
# early SENTENCE PATH STATUS ARGUMENTS...: ends without reading from the FIFO, in one line that names the path.
early() {
    sentence=$1 path=$2 expected=$3
    shift 3
    timeout 60 "$hullbench" "$@" >out 2>err
    status=$?
    ended "$expected" 1 && says "$path: cannot be written"
    check "$sentence"
}
for path in nowhere/m aim; do
    # shellcheck disable=SC2086
    early "solve looks at its model before it reads the data: $path" "$path" 4 \
        solve $smo --data never --format csv "$path"
    # shellcheck disable=SC2086
    early "solve looks at its trace before it reads the data: $path" "$path" 4 \
        solve $smo --data never --format csv --trace "$path" fresh
    # shellcheck disable=SC2086
    early "solve looks at the trace of a split before it reads the data: $path" "$path" 4 \
        solve $smo --data never --format csv --split 1 --trace "$path"
    early "predict looks at its output before it reads the data: $path" "$path" 4 predict --format csv never m "$path"
done
ln -s ring ring
# shellcheck disable=SC2086
early "links in a ring are found before the data are read" ring 4 solve $smo --data never --format csv ring
[ ! -e fresh ]
check "an output beside one that cannot be written is not made"
for option in bencher github junit; do
    early "check looks at --$option before it runs a configuration" nowhere/e 4 \
        check c.json --baseline base.json --$option nowhere/e
done
early "check looks at the baseline before it runs a configuration" nowhere/b 4 \
    check c.json --baseline nowhere/b --update --message fine
[ ! -e c-check ]
check "then nothing has been run"
cp -r o page && rm -rf page/tables page/plots
early "report looks at its page before it makes tables and figures" nowhere/p 4 report page --out nowhere/p
[ ! -e page/tables ] && [ ! -e page/plots ]
check "then neither tables nor figures are made"
early "export looks at both files first" nowhere/t 4 export o --out fresh --traces nowhere/t
[ ! -e fresh ]
check "then no records are written"
early "conform looks at its file first" nowhere/j 4 conform o --json nowhere/j
[ ! -s out ]
check "then no verdict is printed"

# ---- temporary files are removed ----

# start ARGUMENTS...: runs in the background with data from the FIFO `slow`. Background processes of a shell ignore
# SIGINT, and those of nohup SIGHUP.
start() {
    : >err # before the other process does, so that no old message is read
    env --default-signal=HUP,INT "$hullbench" "$@" >out 2>err &
    job=$!
}
# feed: lets the started program read its data; descriptor 4 keeps it waiting.
mkfifo slow
begin() {
    rm -rf aim && mkdir aim && echo old >aim/m
    start solve --solver 1-smo -c 1 --data slow --format csv aim/m
    exec 4>slow # opened when the program has opened it, which is after the output
}
finish_by() {
    kill -s "$1" "$job"
    wait "$job"
    status=$?
    exec 4>&-
}
# no_tmpfile.so: a file system without nameless files, such as NFS.
cat >no_tmpfile.c <<'END'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <sys/types.h>
static int either(const char *name, const char *path, int flags, mode_t mode)
{
    int (*next)(const char *, int, ...) = (int (*)(const char *, int, ...))dlsym(RTLD_NEXT, name);
    if ((flags & O_TMPFILE) == O_TMPFILE) {
        errno = EOPNOTSUPP;
        return -1;
    }
    return next(path, flags, mode);
}
#define OPEN(name)                                                                                                     \
    int name(const char *path, int flags, ...)                                                                         \
    {                                                                                                                  \
        va_list rest;                                                                                                  \
        va_start(rest, flags);                                                                                         \
        mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, mode_t) : 0;                                        \
        va_end(rest);                                                                                                  \
        return either(#name, path, flags, mode);                                                                       \
    }
OPEN(open)
OPEN(open64)
END
for kind in nameless $(sanitized || echo named); do # the address sanitizer wants to be the first library
    preload=
    if [ "$kind" = named ]; then
        if ! ${CC:-cc} -shared -fPIC -o no_tmpfile.so no_tmpfile.c -ldl 2>err; then
            false
            check "a library that takes nameless files away is compiled"
            continue
        fi
        preload=$work/no_tmpfile.so
    fi
    for signal in TERM HUP INT KILL; do
        [ -z "$preload" ] || export LD_PRELOAD="$preload"
        begin
        unset LD_PRELOAD
        during=$(find aim -name '*.tmp' | wc -l)
        finish_by "$signal"
        after=$(find aim -name '*.tmp' | wc -l)
        [ "$status" -gt 128 ] && grep -qx old aim/m
        check "a solve ended by SIG$signal leaves the old model (temporary file: $kind)"
        case $kind:$signal in
        nameless:*) [ "$during" -eq 0 ] && [ "$after" -eq 0 ] ;;
        named:KILL) [ "$during" -eq 1 ] ;; # which nothing can prevent
        *) [ "$during" -eq 1 ] && [ "$after" -eq 0 ] ;;
        esac
        check "and no temporary file (temporary file: $kind; SIG$signal)"
    done
done
begin
echo "this,is,no,data" >&4
exec 4>&-
wait "$job"
status=$?
ended 2 && grep -qx old aim/m && [ "$(find aim -type f | wc -l)" -eq 1 ]
check "a solve that fails leaves the old model and no temporary file"

# ---- FIFOs and pipes ----

mkfifo fifo
ln -s fifo link
for path in fifo link; do
    start predict -q x.csv m "$path"
    tries=0
    until says "waiting until a program reads" || [ $((tries += 1)) -gt 600 ]; do sleep 0.1; done
    says "$path: waiting until a program reads this FIFO"
    check "$path: the program says that it waits for a reader"
    cat fifo >got
    wait "$job"
    status=$?
    ended 0 1 && cmp -s got labels && [ -p fifo ] && [ -h link ]
    check "$path: a reader that comes late gets all"
done
start solve --solver 1-smo -c 1 --data x.csv --trace fifo fifo-model
cat fifo >got
wait "$job"
status=$?
ended 0 && grep -q '^# solver 1-smo' got && cmp -s fifo-model m
check "a trace goes to a FIFO and the model to a file"
# closed PATH NAMED: the reader of PATH closes it while the data are read.
closed() {
    start predict -q --format csv slow m "$1" 3>&-
    exec 3<"${2:-$1}"
    exec 4>slow
    exec 3<&-
    cat x.csv >&4
    exec 4>&-
    wait "$job"
    status=$?
}
closed fifo
ended 4 && says "fifo: cannot be written: Broken pipe" && [ -p fifo ]
check "a FIFO whose reader has gone is an error that names it"
mkfifo output
env --default-signal=PIPE "$hullbench" predict -q --format csv slow m - >output 2>err &
job=$!
exec 3<output
exec 4>slow
exec 3<&-
cat x.csv >&4
exec 4>&-
wait "$job"
status=$?
[ "$status" -eq 141 ] && [ ! -s err ]
check "standard output whose reader has gone ends the program by SIGPIPE, without a word"
"$hullbench" solve --solver 1-smo -c 1 --data x.csv - 2>err | cmp -s - m
check "a pipe gets the model alone"
says "obj = "
check "and standard error the report"
if [ -e /dev/stdout ] && [ -e /proc/self/fd/1 ]; then
    "$hullbench" solve --solver 1-smo -c 1 --data x.csv /dev/stdout 2>err | cmp -s - m && says "obj = "
    check "by its name /dev/stdout a pipe gets the model alone, too"
    program conform o --json plain.json
    "$hullbench" conform o --json /dev/stdout 2>err | cmp -s - plain.json && says "all: "
    check "and so does the JSON of conform"
else
    skip "standard output by its name" "needs /dev/stdout and /proc"
fi

# ---- full disks ----

awk 'NR == 1 { print; next } { rows = rows $0 "\n" } END { for (i = 0; i < 500; i++) printf "%s", rows }' x.csv \
    >many.csv
program predict -q many.csv m many.labels
ended 0 && [ "$(wc -l <many.labels)" -eq 30000 ]
check "many labels are written"
if [ -c /dev/full ]; then
    program predict -q many.csv m /dev/full
    ended 4 1 && says "/dev/full: cannot be written: No space left on device" && [ -c /dev/full ]
    check "a device that takes nothing is an error that says why, however much is written"
else
    skip "a device that takes nothing" "needs /dev/full"
fi
# as_nobody ARGUMENTS...: runs the program as a user without rights who has access to this folder.
as_nobody() {
    setpriv --reuid=65534 --regid=65534 --clear-groups "$work/hullbench" "$@" >out 2>err
    status=$?
}
if [ "$(id -u)" -eq 0 ]; then
    mkdir small shut
    if mount -t tmpfs -o size=16k tmpfs small 2>err; then
        cleaning="umount $work/small"
        echo old >small/labels
        program predict -q many.csv m small/labels
        ended 4 1 && says "small/labels: cannot be written: No space left on device" && grep -qx old small/labels &&
            [ "$(find small -type f | wc -l)" -eq 1 ]
        check "a full disk is an error that says why, and the old file stays"
        mount -o remount,ro small
        # shellcheck disable=SC2086
        early "a disk that is read-only is found out before the data are read" small/new 4 \
            solve $smo --data never --format csv small/new
        ln -s small/new into
        # shellcheck disable=SC2086
        early "a link that leads to nothing on such a disk as well" into 4 \
            solve $smo --data never --format csv into
    else
        skip "a full disk" "this root may not mount"
        skip "a disk that is read-only" "this root may not mount"
    fi
    # Root has setpriv of util-linux; without it these tests fail.
    chmod 755 "$work" && cp "$hullbench" "$work/hullbench" && chmod 755 hullbench && chmod 666 out err
    as_nobody predict -q x.csv m shut/labels
    ended 4 1 && says "shut/labels: cannot be written: Permission denied"
    check "a folder that may not be written to is an error that names the file"
    echo old >shut/labels && chmod 666 shut/labels
    as_nobody predict -q x.csv m shut/labels
    ended 4 1 && says "shut/labels: cannot be written: no temporary file can be created in its folder" &&
        grep -qx old shut/labels
    check "a file that may be written in such a folder stays as it is"

    # ---- files that others plant in world-writable folders ----

    mkdir sticky && chmod 1777 sticky
    echo victim >victim
    ln -s ../victim sticky/link && ln -s ../unborn sticky/dangling && echo theirs >sticky/file && mkfifo sticky/fifo
    chown -h 65534 sticky/*
    for name in link dangling file fifo; do
        # shellcheck disable=SC2086
        early "another user's $name in a folder that all may write to is refused" "sticky/$name" 4 \
            solve $smo --data never --format csv "sticky/$name"
        says "belongs to another user"
        check "and the message says why ($name)"
    done
    grep -qx victim victim && [ ! -e unborn ] && grep -qx theirs sticky/file && [ -p sticky/fifo ] && [ -h sticky/link ]
    check "nothing of it is followed or changed"
    mkdir elsewhere && ln -s ../elsewhere sticky/folder && chown -h 65534 sticky/folder
    ln -s sticky/folder through && ln -s sticky/folder/m behind && mkdir sticky/real
    for name in sticky/folder/m sticky//folder/./m "$work/sticky/folder/m" through/m behind sticky/real/../folder/m; do
        # shellcheck disable=SC2086
        early "another user's link to a folder is not followed there: $name" "$name" 4 \
            solve $smo --data never --format csv "$name"
    done
    [ -z "$(ls elsewhere)" ]
    check "and nothing is written where it leads"
    program predict -q x.csv m sticky/real/labels
    ended 0 && cmp -s sticky/real/labels labels
    check "a folder that is there itself is written to"
    chown -h 0 sticky/folder
    program predict -q x.csv m through/labels
    ended 0 && cmp -s elsewhere/labels labels
    check "a link of one's own to a folder is followed there"
    chown -h 0 sticky/link
    program predict -q x.csv m sticky/link
    ended 0 && cmp -s victim labels && [ -h sticky/link ]
    check "a link of one's own is followed there"
    chown 65534 sticky
    program predict -q x.csv m sticky/file
    ended 0 && cmp -s sticky/file labels
    check "what belongs to the folder's owner is written"
    chmod 0777 sticky && chown 0 sticky && echo theirs >sticky/file && chown 65534 sticky/file
    program predict -q x.csv m sticky/file
    ended 0 && cmp -s sticky/file labels
    check "in a folder that is not sticky it is written as well"
else
    skip "a full disk, a disk that is read-only" "needs root"
    skip "what other users plant" "needs root"
    mkdir shut && chmod 555 shut
    program predict -q x.csv m shut/labels
    ended 4 1 && says "shut/labels: cannot be written: Permission denied"
    check "a folder that may not be written to is an error that names the file"
fi
cd / || exit 4
finish
