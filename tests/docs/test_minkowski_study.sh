#!/bin/sh
# The files that docs/study-minkowski.md asks readers to run: its configurations, its plugin and its table of ratios.
# shellcheck source=tests/tap.sh
. "$(dirname -- "$0")/../tap.sh"

"${CC:-cc}" -std=c11 -O2 -ffp-contract=off -Wall -Wextra -Werror -fPIC -shared -I"$root" \
    "$root/docs/examples/gsk_forms.c" \
    -o "$work/gsk_forms.so" 2>"$work/err"
check "the plugin of the study compiles without a warning"

refused=0
for config in "$root"/configs/lopez2011-minkowski-*.json "$root"/configs/minkowski/*.json; do
    program run "$config" --plugin "$work/gsk_forms.so" --dry-run
    [ "$status" -eq 0 ] || refused=$((refused + 1))
done
[ "$refused" -eq 0 ]
check "every configuration of the study is accepted"

program run "$root/configs/minkowski/forms.json" --plugin "$work/gsk_forms.so" --datasets waveform --splits 1-2 \
    --out "$work/forms" --quiet
ended 0
check "the forms of GSK run on waveform made here"
awk '{
    split($0, part, /"objective":/); value = part[2] + 0
    if ($0 !~ /"outcome":"converged"/) bad++
    split_number = $0; sub(/.*"split":/, "", split_number); split_number += 0
    if (!(split_number in first)) first[split_number] = value
    # the rule bounds |W| - |W*| by 2e-5, and |W| is some 0.1: 2e-4 of |W|, 4e-4 of its square
    if (value > first[split_number] * (1 + 4e-4) || value < first[split_number] * (1 - 4e-4)) bad++
    lines++
} END { exit !(lines == 10 && bad == 0) }' "$work/forms/records.jsonl"
check "all five converge to the same distance of the hulls"

# Two runs each: GSK with 10 and 30 operations in 2 and 4 iterations, Minkowski with 80 and 80 in 1 and 3, one of which
# stopped early.
mkdir "$work/two"
for line in 'mu-gsk 1 10 2 converged' 'mu-gsk 2 30 4 converged' 'minkowski-mu-gsk 1 80 1 iteration-limit' \
    'minkowski-mu-gsk 2 80 3 converged' 'clip-mdm 1 7 7 converged'; do
    # shellcheck disable=SC2086 # words
    set -- $line
    printf '{"dataset":"heart","split":%s,"solver":"%s","params":{"mu":0.5},"kernel":{"type":"rbf","width":1},' "$2" \
        "$1"
    printf '"stop":{"rule":"delta","tolerance":0.1},"outcome":"%s","iterations":%s,' "$5" "$4"
    printf '"kernel_operations":{"setup":5000,"iterations":%s,"predict":9},"objective":1}\n' "$3"
done >"$work/two/records.jsonl"
"$root/scripts/operations-ratio.sh" "$work/two" mu-gsk minkowski-mu-gsk >"$work/out" 2>"$work/err"
status=$?
ended 0 0 && [ "$(wc -l <"$work/out")" -eq 2 ] &&
    tail -n 1 "$work/out" | tr -s ' ' | grep -qx 'heart mu:0.5 type:rbf,width:1 delta 0.1 0.250 1.500 2/2 1/2'
check "operations-ratio.sh divides the means of iterations' operations and counts what converged"
"$root/scripts/operations-ratio.sh" "$work/none" mu-gsk clip-mdm >"$work/out" 2>"$work/err"
status=$?
ended 2 1
check "operations-ratio.sh refuses a folder without records"
finish
