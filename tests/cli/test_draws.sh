#!/bin/sh
# The configurations of ten draws: on the splits that they share with the usual ones their records are the same, and
# conform counts these once.
# shellcheck source=tests/tap.sh
. "$(dirname -- "$0")/../tap.sh"

# The usual configuration of configs/NAME-draws.json.
base_of() {
    case $1 in
    lopez2011-clip-mdm-draws | lopez2011-mu-gsk-draws) echo lopez2011-tables-2-3 ;;
    *) echo "${1%-draws}" ;;
    esac
}
# A cheap data set in it: titanic is generated here, heart is not.
dataset_of() {
    case $1 in
    lopez2011-mu-gsk-draws) echo heart ;;
    *) echo titanic ;;
    esac
}
without_name() {
    sed 's/"config":"[^"]*",//' "$1" | sort
}

found=0
for file in "$root"/configs/*-draws.json; do
    name=$(basename "$file" .json)
    base=$(base_of "$name")
    set=$(dataset_of "$name")
    # conform needs two splits of the usual draw below.
    usual=1
    [ "$base" != lopez2008-section52 ] || usual=1-2
    found=$((found + 1))
    sentence="$name gives the records of $base on the splits that both have, and others beyond"
    program_with_data run "$file" --out "$work/$name" --datasets "$set" --splits "$usual,101" --quiet
    if [ "$status" -ne 0 ] && grep -q 'nothing to measure' "$work/err"; then
        skip "$sentence" "$no_data"
        continue
    fi
    program_with_data run "$root/configs/$base.json" --out "$work/$base-$set" --datasets "$set" --splits "$usual" \
        --quiet --force
    without_name "$work/$name/records.jsonl" >"$work/drawn"
    without_name "$work/$base-$set/records.jsonl" >"$work/usual"
    grep -v '"split":101,' "$work/drawn" >"$work/shared"
    ended 0 && [ -s "$work/shared" ] && [ -z "$(comm -23 "$work/shared" "$work/usual")" ] &&
        [ "$(wc -l <"$work/drawn")" -eq $(($(wc -l <"$work/shared") * (${usual#*-} + 1) / ${usual#*-})) ]
    check "$sentence"
done
[ "$found" -ge 6 ]
check "there are six of them, or more with further papers"

program conform "$work/lopez2008-section52-titanic" "$work/lopez2008-section52-draws" --json "$work/conform.json"
tr -d ' \t\n' <"$work/conform.json" | grep -o '"n":3,"min":[^{]*"one_draw":{' >"$work/drawn"
[ "$status" -le 1 ] && [ "$(wc -l <"$work/drawn")" -eq 12 ]
check "conform takes the cells of titanic from three splits and shows those of two beside"
finish
