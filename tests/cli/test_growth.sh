#!/bin/sh
# No function of a verb does more than ten times the work for four times the records: 4 is linear, 16 quadratic. Work is
# counted in instructions by valgrind, so that it does not depend on the machine's load, and for each function, so that
# a quadratic step shows long before it takes most of the time. tests/bench/records.py measures seconds.
# shellcheck source=tests/tap.sh
. "$(dirname -- "$0")/../tap.sh"

if ! valgrind --tool=callgrind --callgrind-out-file=/dev/null "$hullbench" --version >/dev/null 2>&1; then
    skip "work grows like the number of records" "valgrind does not work here" valgrind
    finish
fi

# make_run SHAPE N: a run of N records in $work/N. "sets": N / 20 data sets, all traced. "levels": a grid of N values of
# two settings, on one split of one data set.
make_run() {
    sets=$(seq "$(($2 / 20))") width=2
    side=$(awk -v n="$2" 'BEGIN { print int(sqrt(n)) }')
    list="{\"log\": {\"from\": 0.3, \"to\": 1, \"count\": $side}}"
    case $1 in
        sets) more='"solvers": ["mu-gsk", "clip-mdm"], "parameters": {"mu": [0.3, 1]}, "splits": "1-5"' ;;
        levels)
            sets=1 width=$list
            more="\"solvers\": [\"mu-gsk\"], \"parameters\": {\"mu\": $list}, \"splits\": \"1\""
            ;;
    esac
    names=$(echo "$sets" | sed 's/.*/"g&"/' | paste -sd,)
    datasets=$(echo "$sets" |
        sed 's/.*/{"name": "g&", "n_train": 20, "n_test": 2, "generate": {"shape": "gaussians"}}/' | paste -sd,)
    echo "{\"name\": \"growth\", \"standardise\": \"none\", \"kernel\": {\"type\": \"rbf\", \"width\": $width}, $more,
        \"datasets\": [$datasets], \"trace\": {\"datasets\": [$names], \"splits\": \"1-5\"},
        \"stop\": {\"rule\": \"rch-gap\", \"tolerance\": 0.3}, \"budget\": {\"iterations\": 9}}" >"$work/$2.json"
    rm -rf "${work:?}/$2"
    "$hullbench" run "$work/$2.json" --out "$work/$2" --quiet
}

# count_work N VERB...: the instructions of each function for the run of N records, as "WORK NAME" in $work/N.count.
count_work() {
    records=$1
    shift
    valgrind --tool=callgrind --callgrind-out-file="$work/$records.out" "$hullbench" "$@" "$work/$records" \
        >"$work/$records.log" 2>&1 || { cat "$work/$records.log"; return 1; }
    awk '/^c?fn=/ { split($0, part, /[=() ]+/); if (part[3] != "") name[part[2]] = part[3] }
         /^fn=/ { id = part[2] }
         /^calls=/ { getline; next } # the next line has the work of the called function
         /^[0-9+*-]/ { work[id] += $2 }
         END { for (id in work) print work[id], name[id] }' "$work/$records.out" >"$work/$records.count"
}

# grows SHAPE N VERB...: whether the work of each function grows little enough from N to 4 N records. Prints the other
# functions, by their addresses unless the program was built by make STRIP_DEBUG=. Setting and copying memory is left to
# the kernel above some size, so it is not counted.
grows() {
    shape=$1 few=$2 many=$((4 * $2))
    shift 2
    make_run "$shape" "$few" && make_run "$shape" "$many" && count_work "$few" "$@" && count_work "$many" "$@" &&
        awk 'NR == FNR { few[$2] += $1; next }
             { many[$2] += $1; total += $1 }
             END { for (f in many)
                       if (few[f] > 0 && many[f] > total / 5000 && many[f] > 10 * few[f] &&
                           f !~ /^_*mem(set|cpy|move)/) {
                           print "# " f ": " few[f] " and " many[f] " instructions"
                           found = 1
                       }
                   exit found || total == 0 }' "$work/$few.count" "$work/$many.count"
}

n=160
[ "${HULLBENCH_TESTS-}" != all ] || n=1000
grows sets $n tables
check "the work of tables grows like the number of data sets"
grows sets $n plot --no-render
check "the work of plot grows like the number of data sets and traces"
grows levels $n plot --no-render
check "the work of plot grows like the number of values of two settings"
grows sets $n export
check "the work of export grows like the number of data sets and traces"
finish
