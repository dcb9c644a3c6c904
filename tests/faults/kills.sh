#!/bin/sh
# ./run_all.sh --quick, `run` with a solver that is a program, and `report` are killed at KILLS (200) moments each,
# drawn from a seed, and started again each time. Once one is allowed to end, its results are those without kills.
# run_all.sh is killed with all its processes while it compiles, runs, writes tables or draws; the others are killed
# alone, and the processes that they started end by themselves. `make test-kills` runs this file (an hour).
# shellcheck source=tests/tap.sh
. "$(dirname -- "$0")/../tap.sh"
kills=${KILLS:-200}

copy_tree "$work/tree"
check "a copy of the tree"
cd "$work/tree" || exit 4
share=$HULLBENCH_DATADIR
unset HULLBENCH_DATADIR
HULLBENCH_DATA=$data HULLBENCH_FETCH=no
export HULLBENCH_DATA HULLBENCH_FETCH

# sums FOLDER: of all results whose endings are not in $omitted: at first pictures, which show times and are drawn by
# gnuplot, and the reports with them.
omitted='html|svg|png|pdf'
sums() {
    contents "$1" | grep -vE "\.($omitted)$"
}
# ended_whole STATUS: a run came to its end before it was killed: compares it, and the next starts from nothing.
ended_whole() {
    ended=$((ended + 1))
    sums "$work/killed" >"$work/killed.sums"
    find "$work/killed" -name '*.tmp' >>"$work/killed.sums"
    if [ "$1" -ne "$right" ] || ! cmp -s "$work/whole.sums" "$work/killed.sums"; then
        bad=$((bad + 1))
        { echo "status $1"; tail -n 3 "$work/said"; diff "$work/whole.sums" "$work/killed.sums" | head -n 5; } \
            >>"$work/differences"
    fi
    rm -rf "$work/killed"
    anew
}
anew() { :; }
# strike WHOM SECONDS COMMAND...: starts the command again and again, and kills it (WHOM alone), or it and all processes
# of its session (WHOM all), at moments of at most so many seconds.
strike() {
    whom=$1 longest=$2
    shift 2
    struck=0 ended=0 bad=0
    awk -v n="$kills" -v longest="$longest" 'BEGIN { srand(23)
        for (i = 0; i < n; i++) print (1 + 60 * rand()) / 61 * longest, rand() < 0.1 }' >"$work/moments"
    while read -r wait often; do
        [ "$often" = 0 ] || before
        setsid "$@" >"$work/said" 2>&1 </dev/null &
        child=$!
        sleep "$wait"
        group=$child
        [ "$whom" = alone ] || group=-$child
        if kill -s KILL -- "$group" 2>/dev/null; then
            struck=$((struck + 1))
            wait "$child" 2>/dev/null
        else
            wait "$child"
            ended_whole $?
        fi
    done <"$work/moments"
    "$@" >"$work/said" 2>&1
    ended_whole $?
    [ ! -e "$work/differences" ] || mv "$work/differences" "$work/err"
    [ "$bad" -eq 0 ] && [ "$struck" -ge $((kills / 2)) ] && [ "$ended" -ge 2 ]
}

./run_all.sh --quick --no-install --out "$work/whole" >"$work/out" 2>"$work/err"
right=$?
[ "$right" -le 1 ] && sums "$work/whole" >"$work/whole.sums" &&
    [ "$(grep -c records.jsonl "$work/whole.sums")" -gt 20 ]
check "a run without kills"
# Objects are removed, so that kills also strike make.
before() {
    find build -name '*.o' -path '*/harness/*' | awk 'NR % 9 == 0' | xargs rm -f
}
strike all 6.1 ./run_all.sh --quick --no-install --out "$work/killed" && [ "$struck" -ge $((kills * 9 / 10)) ]
check "after $struck kills, each of the $ended runs that ended has the results of the run without kills"

HULLBENCH_DATADIR=$share
export HULLBENCH_DATADIR
PATH=$(dirname "$hullbench"):$PATH
find_numpy
cd "$work" || exit 4
before() { :; }
program new-solver my-python --language python
set -- run my_python_run.json --plugin ./my_python.json --splits 1-4 --jobs 2
began=$(date +%s%N)
"$hullbench" "$@" --out whole >out 2>err &
tries=0
until pgrep -f my_python.py >/dev/null || [ $((tries += 1)) -gt 100 ]; do sleep 0.05; done
[ "$tries" -le 100 ]
seen=$?
wait $!
right=$? took=$((($(date +%s%N) - began) / 1000000))
sums whole >whole.sums
[ "$right" -eq 0 ] && [ "$(wc -l <whole/records.jsonl)" -eq 48 ] && [ "$seen" -eq 0 ]
check "a run with a solver that is a program, whose processes can be seen"
strike alone "$(echo "$took" | awk '{ print 0.6 * $1 / 1000 }')" "$hullbench" "$@" --out killed
check "after $struck kills of it alone, each of the $ended that ended has the records of the run without kills"
tries=0
while pgrep -f my_python.py >/dev/null && [ $((tries += 1)) -le 100 ]; do sleep 0.1; done
! pgrep -fa my_python.py >err
check "the solver's processes ended with the runs that started them"

omitted=pdf
anew() {
    cp -a whole killed
}
anew
began=$(date +%s%N)
program report killed
right=$status took=$((($(date +%s%N) - began) / 1000000))
sums killed >whole.sums
[ "$right" -eq 0 ] && grep -q report-interactive.html whole.sums
check "a report of it"
rm -r killed
anew
strike alone "$(echo "$took" | awk '{ print 1.5 * $1 / 1000 }')" "$hullbench" report killed
check "after $struck kills of it, each of the $ended that ended has the report of the one without kills"
finish
