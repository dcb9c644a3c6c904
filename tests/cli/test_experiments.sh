#!/bin/sh
# scripts/experiments.sh: the next run begins while the last units of the last one still run, unless a run measures
# seconds or there is one thread. A stand-in for hullbench notes in $work/log what begins and what ends.
# shellcheck source=tests/tap.sh
. "$(dirname -- "$0")/../tap.sh"

mkdir -p "$work/tree/scripts" "$work/tree/configs"
cp "$root/scripts/experiments.sh" "$work/tree/scripts/"
# c measures seconds; the splits of d are repeated.
for name in a b c d e f tune-2svm; do
    echo '{' >"$work/tree/configs/$name.json"
done
echo '  "tables": [],' >>"$work/tree/configs/b.json"
echo '  "repeats": 5,' >>"$work/tree/configs/c.json"
echo '  "splits": {"folds": 10, "repeats": 2},' >>"$work/tree/configs/d.json"

# A run closes descriptor 3 and ends once the run $NEXT has begun, or after ten seconds; $SLOW names a run that does
# not close it. $FAIL is a run and its status.
cat >"$work/stand-in" <<'END'
#!/bin/sh
verb=$1 name=$(basename "$2" .json) folder=$4
case $verb in run | tune) ;; *)
    [ "$verb" != conform ] || echo "all"
    echo "$*" | sed "s|$OUT/||g; s|^|does |" >>"$LOG"
    exit 0
    ;;
esac
case " $* " in *" --close-when-idle 3 "*) ;; *) [ "$verb" = tune ] || exit 9 ;; esac
trap 'echo "interrupted $name" >>"$LOG"; exit 143' TERM
echo "begin $name" >>"$LOG"
mkdir -p "$folder"
[ "$name" = "${FAIL% *}" ] && echo "end $name" >>"$LOG" && exit "${FAIL#* }"
: >"$folder/records.jsonl"
[ "$name" = "$SLOW" ] || exec 3>&-
for next in $NEXT; do
    [ "${next%:*}" = "$name" ] || continue
    tries=0
    until grep -qx "begin ${next#*:}" "$LOG" || [ $tries = 100 ]; do
        sleep 0.1
        tries=$((tries + 1))
    done
done
echo "end $name" >>"$LOG"
END
chmod +x "$work/stand-in"
OUT=$work/out LOG=$work/log SLOW='' FAIL='' NEXT=''
export OUT LOG SLOW FAIL NEXT

experiments() {
    rm -rf "$OUT"
    : >"$LOG"
    HULLBENCH=$work/stand-in sh "$work/tree/scripts/experiments.sh" full "$OUT" "$@" >"$work/out.txt" 2>"$work/err"
    status=$?
}
# before LINE OTHER: whether both are in the log, in this order.
before() {
    one=$(grep -nx "$1" "$LOG" | head -n 1 | cut -d: -f1) other=$(grep -nx "$2" "$LOG" | head -n 1 | cut -d: -f1)
    [ -n "$one" ] && [ -n "$other" ] && [ "$one" -lt "$other" ]
}
runs_each_once() {
    for name in a b c d e f tune-2svm; do
        [ "$(grep -cx "begin $name" "$LOG")" = 1 ] && [ "$(grep -cx "end $name" "$LOG")" = 1 ] || return 1
    done
}

NEXT='a:b d:e e:f f:tune-2svm' experiments --jobs 2
ended 0 && runs_each_once && before 'begin b' 'end a' && before 'begin e' 'end d' && before 'begin f' 'end e' &&
    before 'begin tune-2svm' 'end f'
check "a run begins while the last units of the one before it run, also if splits are repeated"
before 'end b' 'begin c' && before 'end c' 'begin d' && before 'does plot a' 'begin c'
check "a run that measures seconds is alone"
before 'end a' 'begin d' && before 'end d' 'begin f'
check "no third run begins"
before 'end f' 'does conform --json conform.json a b c d e f' && grep -qx 'does tables b' "$LOG" &&
    before 'end e' 'does tables e' && [ ! -e "$OUT/.begun" ]
check "tables, figures and verdicts are those of finished runs"
SLOW=a experiments --jobs 2
ended 0 && runs_each_once && before 'end a' 'begin b'
check "a run that does not say that its last unit has begun is waited for"
experiments --jobs 1
ended 0 && runs_each_once && before 'end a' 'begin b' && before 'end d' 'begin e' && before 'end f' 'begin tune-2svm' &&
    before 'does conform --json conform.json a b c d e f' 'begin tune-2svm'
check "with one thread no run begins before the last one has ended"

FAIL='d 3' experiments --jobs 2
ended 0 && runs_each_once && ! grep -q 'does tables d' "$LOG" &&
    grep -qx 'does conform --json conform.json a b c e f' "$LOG"
check "a run without data is left out"
FAIL='d 4' NEXT='e:f' experiments --jobs 2
ended 4 && ! grep -qE 'begin f|conform' "$LOG" && { grep -qx 'interrupted e' "$LOG" || ! grep -q 'begin e' "$LOG"; }
check "an error ends the script with its status; the next run is interrupted"

# A signal to the script alone.
: >"$LOG"
rm -rf "$OUT"
NEXT='a:none b:none' HULLBENCH=$work/stand-in sh "$work/tree/scripts/experiments.sh" full "$OUT" --jobs 2 \
    >"$work/out.txt" 2>"$work/err" &
script=$!
tries=0
until grep -qx 'begin b' "$LOG" || [ $tries = 100 ]; do
    sleep 0.1
    tries=$((tries + 1))
done
kill -TERM $script
wait $script
status=$?
ended 143 && grep -qx 'interrupted a' "$LOG" && grep -qx 'interrupted b' "$LOG" && ! grep -q 'end' "$LOG"
check "a signal to the script interrupts both runs, and the script waits for them"

# The program itself.
"$hullbench" run "$root/configs/ci.json" --out "$work/run" --close-when-idle 9 >"$work/out.txt" 2>"$work/err"
status=$?
ended 2 && grep -q 'close-when-idle: 9 ' "$work/err" && [ ! -e "$work/run" ]
check "a descriptor that is not open is an error, since it might become that of another file"
finish
