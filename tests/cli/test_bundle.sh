#!/bin/sh
# Finished runs cannot be changed unnoticed: run.json has the checksums of all files, every reader refuses a file that
# was edited, cut or lost, `replay --verify` checks a folder without running anything, and `bundle` hands it on.
# shellcheck source=tests/tap.sh
. "$(dirname -- "$0")/../tap.sh"

cat >"$work/config.json" <<'END'
{"name": "small", "datasets": ["titanic", "twonorm"], "splits": "1-2", "seed": 1, "standardise": "none",
 "kernel": {"type": "rbf", "width": 2}, "parameters": {"mu": [0.05, 0.1]}, "solvers": ["clip-mdm", "clip-gsk"],
 "trace": {"datasets": ["titanic"], "splits": "1"}, "stop": {"rule": "rch-gap", "tolerance": 0.1},
 "plots": [{"kind": "convergence", "name": "traces"}]}
END
program run "$work/config.json" --out "$work/run" --quiet
ended 0
check "a run"
program tables "$work/run"
ended 0
check "its tables"

# listed FILE: the SHA-256 that run.json has for it.
listed() {
    tr -d '\n\t ' <"$work/run/run.json" | grep -o "\"$1\":{\"bytes\":[0-9]*,\"sha256\":\"[0-9a-f]*" | sed 's/.*"//'
}
for file in config.json records.jsonl timings.jsonl traces/titanic-1-clip-mdm.tsv tables/summary.json \
    tables/summary.tex; do
    [ "$(listed "$file")" = "$(sha256sum <"$work/run/$file" | cut -d' ' -f1)" ]
    check "run.json has the SHA-256 of $file"
done
program replay --verify "$work/run"
ended 0 && grep -q '^[0-9]* files are as they were written; 16 records$' "$work/out"
check "an untouched folder is sound"
[ ! -e "$work/run/replay" ]
check "and nothing was run"

# fresh: a copy of the run in $work/copy.
fresh() {
    rm -rf "$work/copy" && cp -R "$work/run" "$work/copy"
}
# noticed FILE: replay --verify names the file and ends with status 1.
noticed() {
    program replay --verify "$work/copy"
    ended 1 0 && grep -qF "copy/$1: " "$work/out"
    check "replay --verify notices $2"
}
fresh
sed -i '3s/"iterations":[0-9]*/"iterations":1/' "$work/copy/records.jsonl"
noticed records.jsonl "an edited record"
for verb in tables compare plot report export; do
    set -- "$verb" "$work/copy"
    case $verb in
    compare) set -- "$@" --against clip-mdm --solver clip-gsk --out "$work/compared" ;;
    report) set -- "$@" --out "$work/report.html" ;;
    plot) set -- "$@" --no-render ;;
    esac
    program "$@"
    ended 2 && grep -qF "copy/records.jsonl: " "$work/err"
    check "$verb refuses an edited records.jsonl"
done
program run "$work/config.json" --out "$work/copy" --quiet
ended 2 && grep -qF "copy/records.jsonl: " "$work/err"
check "run does not take an edited folder for its own result"
program bundle "$work/copy" --out "$work/edited.tar"
ended 2 && grep -qF "copy/records.jsonl: " "$work/err" && [ ! -e "$work/edited.tar" ]
check "bundle refuses it"
fresh
sed -i '1s/"seconds":[0-9.]*/"seconds":0.000001/' "$work/copy/timings.jsonl"
noticed timings.jsonl "an edited time"
fresh
rm "$work/copy/timings.jsonl"
noticed timings.jsonl "missing times"
fresh
rm "$work/copy/traces/titanic-1-clip-mdm.tsv"
noticed traces/titanic-1-clip-mdm.tsv "a missing trace"
# read_by_none FILE SENTENCE: each reader of the run refuses it and names the file.
read_by_none() {
    file=$1 sentence=$2
    for verb in plot tables compare report export check run; do
        set -- "$verb" "$work/copy"
        case $verb in
        compare) set -- "$@" --against clip-mdm --solver clip-gsk --out "$work/compared" ;;
        report) set -- "$@" --out "$work/report.html" ;;
        plot) set -- "$@" --no-render ;;
        check) set -- "$@" --baseline "$work/counts.json" --update --by test --message "a test" ;;
        run) set -- run "$work/config.json" --out "$work/copy" --quiet ;;
        esac
        program "$@"
        ended 2 && says "copy/$file: "
        check "$verb names $sentence"
    done
}
read_by_none traces/titanic-1-clip-mdm.tsv "a missing trace"
fresh
rm "$work/copy/timings.jsonl"
read_by_none timings.jsonl "missing times"
fresh
truncate -s -5 "$work/copy/traces/titanic-1-clip-mdm.tsv"
program tables "$work/copy"
ended 2 && says "copy/traces/titanic-1-clip-mdm.tsv: " && says bytes
check "a verb that draws nothing notices a truncated trace by its size"
fresh
sed -i '1s/"seconds":[0-9]/"seconds":7/' "$work/copy/timings.jsonl"
program run "$work/config.json" --out "$work/copy" --quiet
ended 2 && says "copy/timings.jsonl: "
check "run does not take a folder with edited times for its own result"
fresh
sed -i '$s/[0-9]$/7/; $s/77$/71/' "$work/copy/traces/titanic-1-clip-mdm.tsv"
noticed traces/titanic-1-clip-mdm.tsv "an edited trace"
program export "$work/copy" --out "$work/records.csv" --traces "$work/traces.csv"
ended 2 && grep -qF "copy/traces/titanic-1-clip-mdm.tsv: " "$work/err"
check "export names the edited trace"
fresh
cp "$work/copy/traces/titanic-1-clip-mdm.tsv" "$work/copy/traces/titanic-1-other.tsv"
noticed traces/titanic-1-other.tsv "a trace that the run did not write"
fresh
sed -i 's/banana/banana/; s/clip-gsk/CLIP-GSK/' "$work/copy/tables/summary.md"
noticed tables/summary.md "an edited table"
fresh
sed -i 's/"seed": 1/"seed": 2/' "$work/copy/config.json"
noticed config.json "an edited configuration"
fresh
unlist "$work/copy"
program replay --verify "$work/copy"
ended 2 && grep -q 'copy: run.json lists no checksums' "$work/err"
check "a folder without checksums cannot be verified"
program tables "$work/copy"
ended 0
check "but it can be read"
program replay --verify "$work"
ended 2
check "a folder of no run is bad input"

# ---- files of other kinds, and files that run.json does not list ----
for file in records.jsonl timings.jsonl run.json traces/titanic-1-clip-mdm.tsv; do
    fresh
    rm "$work/copy/$file"
    mkfifo "$work/copy/$file"
    status=0
    timeout 10 "$hullbench" replay --verify "$work/copy" >"$work/out" 2>"$work/err" || status=$?
    [ "$status" -eq 1 ] || [ "$status" -eq 2 ] && cat "$work/out" "$work/err" | grep -qF "copy/$file: is not a regular"
    check "replay --verify does not wait for a FIFO in place of $file"
    status=0
    timeout 10 "$hullbench" run "$work/config.json" --out "$work/copy" --quiet >"$work/out" 2>"$work/err" || status=$?
    ended 2 && says "copy/$file: is not a regular"
    check "nor does run"
done
status=0
timeout 10 "$hullbench" replay --verify "$work/copy/traces/titanic-1-clip-mdm.tsv" >"$work/out" 2>"$work/err" ||
    status=$?
ended 2 && says "titanic-1-clip-mdm.tsv: is not a regular"
check "a FIFO is no archive"
fresh
mv "$work/copy/records.jsonl" "$work/elsewhere" && ln -s ../elsewhere "$work/copy/records.jsonl"
program replay --verify "$work/copy"
ended 0
check "a link to the records is followed, and the file checked"
fresh
mkdir "$work/copy/plots" && echo >"$work/copy/plots/figure.dat" && echo >"$work/copy/letter.txt"
program replay --verify "$work/copy"
ended 0 && [ "$(grep -c '^not checked' "$work/out")" -eq 1 ] && grep -q '^not checked, .*: letter.txt$' "$work/out"
check "replay --verify names a file that run.json does not list, and no figures"
program bundle "$work/copy" --out "$work/letter.tar"
ended 0 && ! tar tf "$work/letter.tar" | grep -q 'letter\|figure'
check "and bundle leaves it out"

fresh
sed -i 's/"records.jsonl":/"..\/secret":/' "$work/copy/run.json"
program replay --verify "$work/copy"
ended 2 && says "run.json: files"
check "a name in run.json that leads out of the folder is refused"
fresh
unlist "$work/copy" && sed -i '$d' "$work/copy/run.json" && echo ', "files": [1, 2]}' >>"$work/copy/run.json"
program bundle "$work/copy" --out "$work/edited.tar"
ended 2 && says "run.json: files"
check "and so is a list that is none"
fresh
sed -i 's/clip-gsk/CLIP-GSK/' "$work/copy/tables/summary.md"
program report "$work/copy" --out "$work/report.html"
ended 0 && ! grep -q CLIP-GSK "$work/report.html" && program replay --verify "$work/copy" && ended 0
check "report makes a changed table again"
program run "$work/config.json" --out "$work/copy" --quiet --force
ended 0 && [ ! -e "$work/copy/tables/summary.md" ] && program replay --verify "$work/copy" && ended 0
check "run --force removes the tables of the earlier run"

# ---- bundles ----
(cd "$work" && "$hullbench" bundle run) >"$work/out" 2>"$work/err"
[ -s "$work/hullbench-small.tar" ]
check "the archive is named for the configuration"
echo '/* my solver */' >"$work/mine.c"
program bundle "$work/run" --plugin-source "$work/mine.c" --out "$work/one.tar"
ended 0
check "a bundle with a source"
cp -R "$work/run" "$work/again"
touch -d '2001-01-01' "$work/again/records.jsonl"
program bundle "$work/again" --plugin-source "$work/mine.c" --out "$work/two.tar"
ended 0 && cmp "$work/one.tar" "$work/two.tar"
check "has the same bytes wherever the folder is"
mkdir "$work/unpacked" && tar xf "$work/one.tar" -C "$work/unpacked"
(cd "$work/unpacked/hullbench-small" && sha256sum --quiet -c SHA256SUMS) >"$work/out" 2>"$work/err"
check "sha256sum accepts it"
cmp "$work/unpacked/hullbench-small/run/records.jsonl" "$work/run/records.jsonl" &&
    cmp "$work/unpacked/hullbench-small/plugins/mine.c" "$work/mine.c"
check "it holds the run and the source"
grep -q '^    hullbench run run/config.json --out again$' "$work/unpacked/hullbench-small/README.md"
check "and the command that repeats the run"
program replay --verify "$work/one.tar"
ended 0 && grep -q '16 records' "$work/out"
check "replay --verify reads the archive"
gzip -k "$work/one.tar"
program replay --verify "$work/one.tar.gz"
ended 0
check "and a compressed one"
mkdir "$work/tmp"
TMPDIR=$work/tmp "$hullbench" replay "$work/one.tar" >"$work/out" 2>"$work/err"
status=$?
ended 0 && grep -q '16 the same, 0 different' "$work/out" && [ -z "$(ls "$work/tmp")" ]
check "replay repeats the run of an archive and leaves nothing behind"
# interrupted SIGNAL: the signal ends a replay that waits for the list of data sets, which is a FIFO. The children of
# nohup ignore SIGHUP, and hullbench then goes on.
mkdir -p "$work/stuck/datasets"
mkfifo "$work/stuck/datasets/manifest.json"
interrupted() {
    TMPDIR=$work/tmp HULLBENCH_DATADIR=$work/stuck env --default-signal=HUP "$hullbench" replay "$work/one.tar" \
        >"$work/out" 2>"$work/err" &
    process=$!
    for try in 1 2 3 4 5 6 7 8 9; do
        [ -z "$(ls "$work/tmp"/*/*/run/run.json 2>/dev/null)" ] || break
        sleep "0.$try"
    done
    kill -s "$1" "$process"
    status=0
    wait "$process" 2>/dev/null || status=$?
    for try in 1 2 3 4 5 6 7 8 9; do
        [ -n "$(ls "$work/tmp")" ] || break
        sleep "0.$try"
    done
    [ "$status" -gt 128 ] && [ -z "$(ls "$work/tmp")" ] && ! says resumes
    check "an unpacked archive is removed after SIG$1, and nothing is said to be kept"
}
interrupted TERM
interrupted INT
interrupted HUP
program replay "$work/one.tar" --out "$work/second"
ended 0 && cmp "$work/second/records.jsonl" "$work/run/records.jsonl"
check "with --out it keeps the second run"

# rebuilt: the unpacked bundle as an archive again.
rebuilt() {
    tar cf "$work/changed.tar" --format=ustar -C "$work/unpacked" "$@"
}
# refused NAME SENTENCE: the archive is refused, and the message names NAME.
refused() {
    TMPDIR=$work/tmp "$hullbench" replay --verify "$work/changed.tar" >"$work/out" 2>"$work/err"
    status=$?
    ended 2 && grep -qF "$1" "$work/err" && [ -z "$(ls "$work/tmp")" ]
    check "$2"
}
sed -i '2s/converged/CONVERGED/' "$work/unpacked/hullbench-small/run/records.jsonl"
rebuilt hullbench-small
refused run/records.jsonl "an archive with an edited file is refused"
(cd "$work/unpacked/hullbench-small" && sha256sum README.md plugins/* run/*.* run/*/* | sort -k 2 >SHA256SUMS)
rebuilt hullbench-small
program replay --verify "$work/changed.tar"
ended 1 0 && grep -qF "  $work/changed.tar: hullbench-small/run/records.jsonl: " "$work/out" &&
    ! grep -q hullbench-bundle "$work/out"
check "also if its SHA256SUMS was made to fit: run.json has the checksum too"
mkdir "$work/differs" && cp -R "$work/unpacked/hullbench-small" "$work/differs"
unlist "$work/differs/hullbench-small/run"
sed -i '2s/"bias":[^,]*,/"bias":1,/; 2s/CONVERGED/converged/' "$work/differs/hullbench-small/run/records.jsonl"
(cd "$work/differs/hullbench-small" && sha256sum README.md plugins/* run/*.* run/*/* | sort -k 2 >SHA256SUMS)
tar cf "$work/differs.tar" --format=ustar -C "$work/differs" hullbench-small
TMPDIR=$work/tmp "$hullbench" replay "$work/differs.tar" >"$work/out" 2>"$work/err"
status=$?
ended 1 0 && grep -q 'record 1 .*: bias: ' "$work/out" && grep -q -- '--out keeps' "$work/out" &&
    [ -z "$(ls "$work/tmp")" ]
check "a replay of an archive with other results leaves nothing behind"
tar cf "$work/changed.tar" --format=ustar -C "$work/unpacked" hullbench-small hullbench-small/README.md
refused hullbench-small/README.md "a file that occurs twice is refused"
rm "$work/unpacked/hullbench-small/run/timings.jsonl"
rebuilt hullbench-small
refused SHA256SUMS "an archive that lacks a file is refused"
ln -s /etc/passwd "$work/unpacked/hullbench-small/run/link"
rebuilt hullbench-small
refused run/link "a link is refused"
rm "$work/unpacked/hullbench-small/run/link"
tar cf "$work/changed.tar" --format=ustar -P -C "$work/unpacked/hullbench-small" \
    --transform 's|^README.md|hullbench-small/run/../../../outside|' README.md
refused outside "a name that leads out of the folder is refused"
tar cf "$work/changed.tar" --format=ustar -C "$work" config.json
refused config.json "another archive is refused"
head -c 3000 "$work/one.tar" >"$work/changed.tar"
refused changed.tar "a truncated archive is refused"
gzip -c "$work/one.tar" | gzip -c >"$work/changed.tar"
refused changed.tar "gzip within gzip is refused"
head -c 100000000 /dev/zero >"$work/unpacked/hullbench-small/README.md"
tar cf - --format=ustar -C "$work/unpacked" hullbench-small | gzip -c >"$work/changed.tar"
refused "allowed: at most 200 times" "an archive that becomes some 1000 times as large is refused"
echo '{"no": "archive"}' >"$work/changed.tar"
refused changed.tar "a file that is no archive is refused"
program bundle "$work/run" --plugin-source "$work/mine.c" --plugin-source "$work/unpacked/../mine.c" --out "$work/3.tar"
ended 2 && grep -qF mine.c "$work/err"
check "two sources of one name are refused"
echo >"$work/.mine.c"
program bundle "$work/run" --plugin-source "$work/.mine.c" --out "$work/3.tar"
ended 2 && says .mine.c
check "a source that replay would refuse is not packed"
program bundle "$work/run" --plugin-source "$work/absent.c" --out "$work/3.tar"
ended 2 && says absent.c
check "a missing source is bad input"
if sanitized; then
    skip "a file that is changed while the bundle is written is noticed" \
        "the leak sanitizer does not work under strace"
elif strace -o "$work/trace" true 2>"$work/err"; then
    fresh
    strace -f -o "$work/trace" -e trace=openat -P "$work/copy/records.jsonl" \
        -e inject=openat:delay_enter=700000:when=3 "$hullbench" bundle "$work/copy" --out "$work/3.tar" \
        >"$work/out" 2>"$work/err" &
    sleep 0.4
    sed '2s/converged/CONVERGED/' "$work/run/records.jsonl" >"$work/copy/records.jsonl"
    status=0
    wait $! || status=$?
    ended 2 && says "copy/records.jsonl: " && [ ! -e "$work/3.tar" ]
    check "a file that is changed while the bundle is written is noticed"
else
    skip "a file that is changed while the bundle is written is noticed" \
        "strace is not installed, or may not be used" strace
fi
program bundle "$work/run" --out "$work/run/records.jsonl"
ended 2 && [ "$(listed records.jsonl)" = "$(sha256sum <"$work/run/records.jsonl" | cut -d' ' -f1)" ]
check "the archive is not written over the run"
finish
