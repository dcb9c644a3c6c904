#!/bin/sh
# The registered test of docs/atlas-registered.md: analyses its three runs and prints each hypothesis with its estimate
# and its outcome. It runs no solver; docs/atlas-registered.md has the commands of the runs.
# Usage: HULLBENCH=PROGRAM scripts/atlas-registered.sh DIR, which has the folders atlas-registered,
# atlas-registered-polynomial and atlas-registered-large
# shellcheck disable=SC2016 # awk programs
set -eu
[ $# = 1 ] || { echo "usage: HULLBENCH=PROGRAM scripts/atlas-registered.sh DIR" >&2; exit 2; }
out=$1 hullbench=${HULLBENCH:-hullbench}
tests=18 # with p-values: nine on each of the first two parts; each is held to 5 % / tests

pairs=''
for pair in conjugate-smo:conjugate-clip-mdm 1-smo:clip-mdm second-order-smo:second-order-clip-mdm \
    second-order-smo:conjugate-smo clip-mdm:conjugate-clip-mdm second-order-smo:planning-ahead-smo \
    second-order-smo:overshooting-smo clip-mdm:pairwise-fw; do
    pairs="$pairs --pair $pair"
done
for part in registered registered-polynomial registered-large; do
    # shellcheck disable=SC2086 # a list of words
    "$hullbench" atlas "$out/atlas-$part" --out "$out/$part" --no-render --quiet $pairs
done

# of TABLE PROGRAM NAME=VALUE...: runs awk on the rows of a table, whose columns `at` numbers.
of() {
    table=$1 program=$2
    shift 2
    for word; do
        set -- "$@" -v "$word"
        shift
    done
    awk -F, "$@" -v tests=$tests "
        { sub(/\\r/, \"\") }
        NR == 1 { for (i = 1; i <= NF; i++) at[\$i] = i; next }
        $program" "$table"
}
# ratio HYPOTHESIS PART SOLVER AGAINST COST below|above|alike: the ratio of two costs to 1e-6. On the large sets, which
# are too few for a test, it holds if all of them agree.
ratio() {
    of "$out/$2/atlas-ratios.csv" '
        $at["solver"] == solver && $at["against"] == against && $at["cost"] == cost && $at["target"] == 1e-6 {
            p = $at["p"]
            same = $at["equivalent_p"]
            sure = p <= 0.05 / tests
            sets = $at["datasets"]
            fits = want == "below" ? $at["ratio"] < 1 : $at["ratio"] > 1
            missed = $at["solver_alone"] + $at["other_alone"] + $at["neither"]
            if (part == "registered-large")
                outcome = (want == "below" ? $at["cheaper"] : sets - $at["cheaper"]) == sets ? "holds" : "refuted"
            else if (want == "alike")
                outcome = same <= 0.05 / tests ? "holds" : sure ? "refuted" : "open"
            else
                outcome = !sure ? "open" : fits ? "holds" : "refuted"
            printf "%-3s %s / %s, %s, %s: %.3f [%.3f, %.3f], ", name, solver, against, cost, want, $at["ratio"],
                $at["low"], $at["high"]
            printf "p %.2g, equivalent p %.2g, cheaper on %d of %d sets, ", p, same, $at["cheaper"], sets
            printf "%d of %d problems not reached by both: %s\n", missed, missed + $at["both"], outcome
        }' "name=$1" "part=$2" "solver=$3" "against=$4" "cost=$5" "want=$6"
}
# nearest PART: the solver nearest to the best over all problems, and the one that is the cheapest on most of them.
nearest() {
    of "$out/$1/atlas-near-best.csv" '
        $at["cost"] == "kernel-operations" && $at["target"] == "1e-06" {
            if (!first || $at["ratio"] + 0 < least) {
                least = $at["ratio"] + 0
                first = $at["solver"]
                without = $at["first_without"]
            }
            if ($at["best"] + 0 > most) {
                most = $at["best"] + 0
                winner = $at["solver"]
            }
        }
        END {
            printf "H0  nearest to the best: %s, %.2f times its cost, first without each of %d sets: %s\n", first,
                least, without, first == "conjugate-clip-mdm" ? "holds" : "refuted"
            if (part != "registered-large")
                printf "H1  cheapest on most problems: %s, on %.1f %%: %s\n", winner, 100 * most,
                    most < 0.5 ? "holds" : "refuted"
        }' "part=$1"
}

for part in registered registered-polynomial; do
    echo "$part"
    nearest $part
    ratio H2 $part conjugate-clip-mdm conjugate-smo kernel-operations below
    ratio H2s $part conjugate-clip-mdm conjugate-smo all-operations alike
    ratio H3 $part clip-mdm 1-smo kernel-operations alike
    ratio H3s $part clip-mdm 1-smo all-operations above
    ratio H4 $part conjugate-smo second-order-smo kernel-operations below
    ratio H4h $part conjugate-clip-mdm clip-mdm kernel-operations below
    ratio H5 $part planning-ahead-smo second-order-smo kernel-operations below
    ratio H5o $part overshooting-smo second-order-smo kernel-operations below
    ratio H7 $part pairwise-fw clip-mdm kernel-operations above
    of "$out/$part/atlas-stability.csv" '
        $at["cost"] == "kernel-operations" && $at["reference"] == 1e-3 && $at["target"] == 1e-6 {
            printf "H8  tau of the rankings at 1e-3 and 1e-6: %.3f: %s\n", $at["tau"],
                ($at["tau"] >= 0.8 ? "holds" : "refuted")
        }'
done
of "$out/registered/atlas-maps.csv" '
    $at["cost"] == "kernel-operations" && $at["target"] == "1e-06" && $at["dataset"] == "all" && $at["C"] == 16384 {
        cells++
        won += $at["best"] == "wolfe-mnp"
    }
    END {
        printf "H6  wolfe-mnp is best in %d of %d cells with C = 16384: %s\n", won, cells,
            (2 * won > cells ? "holds" : "refuted")
    }'
echo registered-large
nearest registered-large
ratio H2 registered-large conjugate-clip-mdm conjugate-smo kernel-operations below
ratio H4 registered-large conjugate-smo second-order-smo kernel-operations below
ratio H5 registered-large planning-ahead-smo second-order-smo kernel-operations below
