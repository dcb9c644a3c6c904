#!/bin/sh
# The commands that docs/study-variants.md asks readers to run for SMO with other steps and pairs.
# shellcheck source=tests/tap.sh
. "$(dirname -- "$0")/../tap.sh"

refused=0
for config in "$root"/configs/smo-steps/*.json; do
    grep -q "^    for name in.* $(basename "$config" .json)[ ;]" "$root/docs/study-variants.md" ||
        refused=$((refused + 1))
    program run "$config" --dry-run
    [ "$status" -eq 0 ] || refused=$((refused + 1))
done
[ "$refused" -eq 0 ]
check "every configuration of the study is accepted, and the page names it"

program run "$root/configs/smo-steps/generated.json" --datasets chess300 --splits 1 --out "$work/generated" --quiet
ended 0
check "the relaxations run on a generated set"
[ "$(grep -c '"outcome":"converged"' "$work/generated/records.jsonl")" -eq 27 ] &&
    [ "$(grep -o '"relaxation":[0-9.]*' "$work/generated/records.jsonl" | sort -u | wc -l)" -eq 8 ]
check "each of them converges at each C"
finish
