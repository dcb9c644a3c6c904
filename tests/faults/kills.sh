#!/bin/sh
# ./run_all.sh --quick is killed with all its processes at KILLS (200) moments drawn from a seed, while it compiles,
# runs, writes tables or draws, and started again each time. Once it is allowed to end, its results are those of a run
# without kills. `make test-kills` runs this file (half an hour).
# shellcheck source=tests/tap.sh
. "$(dirname -- "$0")/../tap.sh"
kills=${KILLS:-200}

copy_tree "$work/tree"
check "a copy of the tree"
cd "$work/tree" || exit 4
unset HULLBENCH_DATADIR
HULLBENCH_DATA=$data HULLBENCH_FETCH=no
export HULLBENCH_DATA HULLBENCH_FETCH

# sums FOLDER: of all results but pictures, which show times and are drawn by gnuplot.
sums() {
    contents "$1" ! -name '*.html' ! -name '*.svg' ! -name '*.png' ! -name '*.pdf'
}

./run_all.sh --quick --no-install --out "$work/whole" >"$work/out" 2>"$work/err"
status=$?
[ "$status" -le 1 ] && sums "$work/whole" >"$work/whole.sums" &&
    [ "$(grep -c records.jsonl "$work/whole.sums")" -gt 20 ]
check "a run without kills"
right=$status

# The moments, and before some of them objects to remove, so that kills also strike make.
awk -v n="$kills" 'BEGIN { srand(23); for (i = 0; i < n; i++) print 0.1 + 6 * rand(), rand() < 0.1 }' >"$work/moments"
struck=0 ended=0 bad=0
# finished: a run came to its end before it was killed: compares it, and the next begins anew.
finished() {
    ended=$((ended + 1))
    sums "$work/killed" >"$work/killed.sums"
    if [ "$1" -ne "$right" ] || ! cmp -s "$work/whole.sums" "$work/killed.sums"; then
        bad=$((bad + 1))
        { echo "status $1"; tail -n 3 "$work/said"; diff "$work/whole.sums" "$work/killed.sums" | head -n 5; } \
            >>"$work/differences"
    fi
    rm -rf "$work/killed"
}
while read -r wait compile; do
    [ "$compile" = 0 ] || find build -name '*.o' -path '*/harness/*' | awk 'NR % 9 == 0' | xargs rm -f
    setsid ./run_all.sh --quick --no-install --out "$work/killed" >"$work/said" 2>&1 </dev/null &
    group=$!
    sleep "$wait"
    if kill -s KILL -- "-$group" 2>/dev/null; then
        struck=$((struck + 1))
        wait "$group" 2>/dev/null
    else
        wait "$group"
        finished $?
    fi
done <"$work/moments"
./run_all.sh --quick --no-install --out "$work/killed" >"$work/said" 2>&1
finished $?
[ ! -e "$work/differences" ] || cp "$work/differences" "$work/err"
[ "$bad" -eq 0 ] && [ "$struck" -ge $((kills * 9 / 10)) ]
check "after $struck kills, each of the $ended runs that ended has the results of the run without kills"
finish
