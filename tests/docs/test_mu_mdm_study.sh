#!/bin/sh
# The files that docs/study-mu-mdm.md asks readers to run: its configurations and plugin, and its statement on mu = 1.
# shellcheck source=tests/tap.sh
. "$(dirname -- "$0")/../tap.sh"

"${CC:-cc}" -std=c11 -O2 -ffp-contract=off -Wall -Wextra -Werror -fPIC -shared -I"$root" \
    "$root/docs/examples/mu_mdm_readings.c" \
    -o "$work/readings.so" 2>"$work/err"
check "the plugin of the study compiles without a warning"

refused=0
for config in "$root"/configs/mu-mdm/*.json; do
    program run "$config" --plugin "$work/readings.so" --dry-run
    [ "$status" -eq 0 ] || refused=$((refused + 1))
done
[ "$refused" -eq 0 ]
check "every configuration of the study is accepted"

named=$(sed -n 's/^    X(\([a-z]*\), .*/mu-mdm-\1/p' "$root/docs/examples/mu_mdm_readings.c" | sort)
run=$(sed -n '/"solvers"/,/]/p' "$root/configs/mu-mdm/feasible.json" "$root/configs/mu-mdm/corrected.json" |
    grep -o 'mu-mdm-[a-z]*' | sort)
[ -n "$named" ] && [ "$named" = "$run" ]
check "the study runs each reading once"

# generated waveform and ringnorm; the built-in solvers next to the readings
cat >"$work/solvers.json" <<'EOF'
{"name": "readings", "datasets": ["ringnorm", "waveform"], "splits": "1", "standardise": "full-set",
 "kernel": {"type": "rbf", "width": {"per_dataset": {"ringnorm": 10, "waveform": 20}}},
 "parameters": {"mu": {"per_dataset": {"ringnorm": 1, "waveform": 0.0138}}},
 "solvers": ["clip-mdm", "mu-mdm", READINGS],
 "stop": {"rule": "rch-gap-both", "tolerance": 1e-5}, "budget": {"iterations": 2000}}
EOF
sed "s/READINGS/$(printf '%s\n' "$named" | sed 's/.*/"&"/' | paste -sd, -)/" "$work/solvers.json" >"$work/all.json"
HULLBENCH_DATA=$work/none program run "$work/all.json" --plugin "$work/readings.so" --out "$work/all" --quiet
ended 0
check "the readings run on sets made here"

# ending DATASET SOLVER: outcome, iterations and objective
ending()
{
    sed -n "/\"dataset\":\"$1\",.*\"solver\":\"$2\"/p" "$work/all/records.jsonl" |
        sed 's/.*"outcome":"\([a-z-]*\)","iterations":\([0-9]*\),.*"objective":\([^,]*\),.*/\1 \2 \3/'
}

# near A B: two endings whose objectives agree as far as the rule can tell. It bounds |W| - |W*| by 2e-5, and |W| is
# some 0.1 or more: 4e-4 of the square
near()
{
    awk -v a="${1##* }" -v b="${2##* }" 'BEGIN { exit !(a > 0 && a < b * (1 + 4e-4) && a > b * (1 - 4e-4)) }'
}

bad=0 # number of wrong endings
for solver in $named; do
    case $solver in
    *-any* | *-whole | *-share) continue ;;
    esac
    near "$(ending ringnorm "$solver")" "$(ending ringnorm clip-mdm)" || bad=$((bad + 1))
done
[ "$bad" -eq 0 ]
check "at mu = 1 the readings that keep eqs. 5 to 7 end where clip-mdm ends"

bad=0
literal=$(ending waveform mu-mdm)
[ "${literal%% *}" = stalled ] || bad=$((bad + 1))
near "$literal" "$(ending waveform clip-mdm)" && bad=$((bad + 1))
extreme=$(ending waveform mu-mdm-extreme)
[ "${extreme% *}" = "${literal% *}" ] || bad=$((bad + 1))
near "$(ending waveform mu-mdm-room)" "$(ending waveform clip-mdm)" || bad=$((bad + 1))
[ "$bad" -eq 0 ]
check "the first reading stalls short of the optimum in as many iterations as mu-mdm; moving those with room gets there"

awk '/"outcome":"failed"/ { bad++ } END { exit bad > 0 || NR == 0 }' "$work/all/records.jsonl"
check "no reading leaves the reduced hulls"
finish
