#!/bin/sh
# scripts/sensitivity.sh on two synthetic sets: its counts agree with the records, its configurations change one key
# each, and docs/sensitivity.md has the tables that it writes.
# shellcheck source=tests/tap.sh
. "$(dirname -- "$0")/../tap.sh"
configs=$root/configs
document=$root/docs/sensitivity.md

sensitivity() {
    HULLBENCH=$hullbench "$root/scripts/sensitivity.sh" "$@" >"$work/out" 2>"$work/err"
    status=$?
    return 0
}

# Lines "base configuration".
sensitivity --list
cp "$work/out" "$work/studies"
awk -F'|' '/^study / { base = "" } NF == 2 { n = split($2, name, " ")
    if (base == "") base = $2
    split(base, of, " ")
    for (i = 1; i <= n; i++) print of[i], name[i] }' "$work/studies" >"$work/named"
awk '{ print $2 }' "$work/named" | grep '^sensitivity/' | sort -u >"$work/a"
(cd "$configs" && ls sensitivity/*.json) | sed 's/\.json$//' | sort >"$work/b"
[ "$(wc -l <"$work/a")" -gt 30 ] && cmp -s "$work/a" "$work/b"
check "the studies name every configuration in configs/sensitivity, and no other"

# The key that a configuration changes, from its name; "mu" means its whole block.
key_of() {
    case $1 in
    *-threshold-*) echo support_vector_threshold ;;
    *-rule-*) echo stop ;;
    *-features-*) echo standardise ;;
    *-mu-*) echo mu ;;
    *-order-*) echo training_order ;;
    *-labels-*) echo swap_labels ;;
    *-history-*) echo solvers ;;
    *-start-*) echo parameters ;;
    *-seed-*) echo seed ;;
    esac
}
# Lines "base configuration key".
while read -r base name; do
    [ "$base" = "$name" ] || echo "$base $name $(key_of "$name")"
done <"$work/named" >"$work/keyed"
# The lines of a configuration without name and title, and without that key if there is one.
awk -v configs="$configs/" '
    function lines(file, key, text, line, inside) {
        while ((getline line <file) > 0) {
            if (key == "mu" && line ~ /"mu": {/) inside = 1
            if (!inside && line !~ /^  "(name|title)":/ && (key == "" || index(line, "  \"" key "\":") != 1))
                text = text line "\n"
            if (line ~ /^      }/) inside = 0
            if (line ~ /^  "name":/) called = line
        }
        close(file)
        return text
    }
    {
        base = configs $1 ".json"
        file = configs $2 ".json"
        if (lines(base, $3) != lines(file, $3)) { bad = 1; print "# " $2 " differs from " $1 " in more than " $3 }
        if (lines(base, "") == lines(file, "")) { bad = 1; print "# " $2 " does not differ from " $1 }
        name = $2
        sub(/.*\//, "", name)
        if (!index(called, "\"name\": \"" name "\"")) { bad = 1; print "# " file " has another name" }
    }
    END { exit bad || NR < 30 }' "$work/keyed"
check "each configuration differs from its base in one key"

# By default one for each table and key, since the others differ from it in a value, and with one set of data if it
# has titanic.
awk '{ last[substr($2, 1, index($2, "-")) $3] = $2 } END { for (key in last) print last[key] }' "$work/keyed" |
    sort -u >"$work/read"
sets=titanic
[ "${HULLBENCH_TESTS-}" != all ] || sets=''
[ -n "$sets" ] || cut -d ' ' -f 2 "$work/keyed" | sort -u >"$work/read"
bad=0
while read -r name; do
    only=$sets
    grep -q '"titanic"' "$configs/$name.json" || only=''
    program run "$configs/$name.json" --dry-run ${only:+--datasets "$only"}
    [ "$status" = 0 ] || { bad=$((bad + 1)); sed 's/^/# /' "$work/err"; }
done <"$work/read"
[ "$bad" -eq 0 ]
check "configurations of each table and key are read without an error"

for word in threshold ties; do
    sensitivity --out "$work/runs" --study lopez2011 --only $word --datasets titanic,twonorm --splits 1-2 --jobs 1
    ended 0
    check "the choices of $word run on two sets"
done
cp "$document" "$work/page.md"
sensitivity --out "$work/runs" --study lopez2011 --count --page "$work/page.md"
ended 0 && grep -q 'no finished run of sensitivity/lopez2011-seed-3' "$work/err"
check "finished runs are counted, and the others are named"

# Cells of Tables 2 and 3 that are not rejected by docs/verdicts.md, computed from the records: |m_o - m_p| <= t e +
# u/2. With fewer than eight records the larger deviation and n_p - 1 replace ours. The quantile of Student's t is
# Cornish and Fisher's to 1/nu^2, accurate to 1e-4 here. Printed values come from papers, through the table's own
# columns.
matches() {
    folder=$1
    for solver in mu-gsk clip-mdm; do
        for dataset in titanic twonorm; do
            grep "\"dataset\":\"$dataset\".*\"solver\":\"$solver\"" "$folder/records.jsonl" |
                sed 's/.*"iterations":\([0-9]*\),"kernel_operations":{"setup":[0-9]*,"iterations":\([0-9]*\),'\
'.*"support_vectors":\([0-9]*\),"error_percent":\([-+0-9.e]*\),.*/\1 \2 \3 \4/' |
                awk -v name="$dataset,$solver" '{ print name ".iterations", $1; print name ".kernel_operations", $2
                    print name ".support_vectors", $3; print name ".error_percent", $4 }'
        done
    done >"$work/values"
    cat "$folder"/tables/lopez2011.table[23].csv | awk -F, '
        FNR == NR { split($0, part, " "); v = part[2]; c = part[1]; sum[c] += v; squares[c] += v * v; n[c]++; next }
        $1 ~ /table[23]$/ && ($2 "," $3) in n {
            c = $2 "," $3
            mean = sum[c] / n[c]
            variance = (squares[c] - n[c] * mean * mean) / (n[c] - 1)
            mean /= $4
            variance = variance > 0 ? variance / ($4 * $4) : 0
            u = 10 ^ -$20
            printed = $17 * $17
            if ($17 == 0 && variance > 0) printed = u * u / 4
            if (printed > variance) variance = printed
            a = variance / n[c]
            b = printed / $19
            e2 = a + b
            t = 0
            if (e2 > 0) {
                nu = e2 * e2 / ((a * a + b * b) / ($19 - 1))
                z = 2.5758293035489
                t = z + (z ^ 3 + z) / (4 * nu) + (5 * z ^ 5 + 16 * z ^ 3 + 3 * z) / (96 * nu * nu)
            }
            d = mean > $16 ? mean - $16 : $16 - mean
            count += d <= t * sqrt(e2) + u / 2 * (1 + 1e-9)
        }
        END { print count + 0 }' "$work/values" -
}
wrong=0 counted=''
for choice in "as in all other tables|lopez2011-tables-2-3" "threshold: above 1e-5|lopez2011-threshold-1e-5" \
    "threshold: above 0|lopez2011-threshold-0" "ties: classes exchanged|lopez2011-labels-swapped"; do
    mine=$(matches "$work/runs/${choice#*|}")
    said=$(awk -F'|' -v choice="[${choice%|*}]" 'index($2, choice) { print $3 + $4 + $5; exit }' "$work/page.md")
    counted="$counted ${choice%|*}: $mine ($said);"
    [ "$mine" = "$said" ] || wrong=$((wrong + 1))
done
[ "$wrong" -eq 0 ]
check "the cells that are not rejected are those worked out from the records:$counted"
bad=0
for choice in "threshold: above 1e-5" "ties: classes exchanged"; do
    count=$(grep -c "^lopez2011,$choice,lopez2011.table[23]/t[a-z]*/[a-z-]*[.][a-z_]*,[a-z]*\$" "$work/runs/cells.csv")
    [ "$count" -eq 16 ] || bad=$((bad + 1))
done
[ "$bad" -eq 0 ]
check "cells.csv has the verdict of each of the 16 cells of a choice"

# value FOLDER FIELD: of clip-mdm on twonorm, for each split.
value() {
    grep '"dataset":"twonorm".*"solver":"clip-mdm"' "$work/runs/$1/records.jsonl" |
        sed "s/.*\"$2\":\\([-+0-9.e]*\\)[,}].*/\\1/"
}
{
    value lopez2011-tables-2-3 bias
    value lopez2011-labels-swapped bias
} | awk '{ bias[NR] = $1 } END { s = bias[1] + bias[3]; t = bias[2] + bias[4]; exit !(NR == 4 && bias[1] != 0 &&
    s * s + t * t < 1e-16) }'
check "with the classes exchanged the plane is the same and its bias has the other sign"
{
    value lopez2011-tables-2-3 objective
    value lopez2011-order-reversed objective
} | awk '{ f[NR] = $1 } END { s = f[1] / f[3] - 1; t = f[2] / f[4] - 1; exit !(NR == 4 && s * s + t * t < 1e-8) }' &&
    ! cmp -s "$work/runs/lopez2011-tables-2-3/records.jsonl" "$work/runs/lopez2011-order-reversed/records.jsonl"
check "with the training patterns in reverse order the optimum is the same"

# rows FILE: the number of columns and the first one of each row of the table.
rows() {
    awk -F'|' '/^<!-- lopez2011 -->$/ { inside = 1 } /^<!-- end -->$/ { inside = 0 }
        inside && /^\|/ { print NF, $2 }' "$1"
}
rows "$document" >"$work/a"
rows "$work/page.md" >"$work/b"
[ "$(wc -l <"$work/b")" -eq 8 ] && [ "$(grep -cxFf "$work/a" "$work/b")" -eq 8 ]
check "docs/sensitivity.md has the columns and the rows that the command writes"
# Everything except that table stays unchanged.
rest() {
    awk '/^<!-- lopez2011 -->$/ { inside = 1 } /^<!-- end -->$/ { inside = 0 } !inside' "$1"
}
rest "$document" >"$work/a"
rest "$work/page.md" >"$work/b"
cmp -s "$work/a" "$work/b" && ! cmp -s "$document" "$work/page.md"
check "the text around the table and the other tables are left as they were"
sed -n 's/^study \(.*\)/<!-- \1 -->/p; s/^\([^|]*\)|.*/\1/p' "$work/studies" >"$work/a"
sed -n 's/^\(<!-- [a-z0-9-]* -->\)$/\1/p; s/^| \[\([^]]*\)\]([.][.].configs.*/\1/p' "$document" |
    grep -v '^<!-- end' >"$work/b"
cmp -s "$work/a" "$work/b"
check "docs/sensitivity.md has a table for every study and a row for every choice"

# The text of the page counts cells that differ, "12 of 104": of a table with that number of cells, a row has them.
awk -F'|' '/^\| \[/ { print $3 + $4 + $5 + $6 + $7, $7 + 0 }' "$document" | sort -u >"$work/counts"
grep -v '^| \[' "$document" | tr '\n' ' ' |
    grep -oE '[0-9]+((,|,? (or|and)) [0-9]+)* of (104|120|240|20)\b' >"$work/said"
bad=0
while read -r line; do
    for count in ${line% of *}; do
        case $count in or | and) continue ;; esac
        grep -qx "${line##* } ${count%,}" "$work/counts" || { bad=$((bad + 1)); echo "# $line"; }
    done
done <"$work/said"
[ "$bad" -eq 0 ] && [ "$(wc -l <"$work/said")" -gt 8 ]
check "each count of cells in the text stands in a table"

# Verdicts made up: columns of a table that differ on the same sets stand together.
mkdir -p "$work/made/lopez2011-tables-2-3"
for cell in 2/heart/a 2/heart/b 2/image/c 3/heart/a 3/image/a 3/heart/c 3/image/c; do
    echo "lopez2011.table$cell differs"
done >"$work/made/lopez2011-tables-2-3/verdicts.txt"
echo "lopez2011.table3/heart/d agrees" >>"$work/made/lopez2011-tables-2-3/verdicts.txt"
sensitivity --count --study lopez2011 --out "$work/made"
# shellcheck disable=SC2016 # backticks of Markdown
ended 0 && grep -qF '| 2 `a`, `b`: heart; 2 `c`: image; 3 `a`, `c`: heart, image |' "$work/out"
check "columns of a table with the same sets share them"

sensitivity --count --out "$work/empty"
ended 3 && grep -q 'no study could be counted' "$work/err"
check "a folder without runs is refused with status 3"
sensitivity --only thresholds
ended 2 && grep -q thresholds "$work/err"
check "a convention that does not exist is refused by name"
sensitivity --datasets 'heart; rm'
ended 2 && grep -q 'heart; rm' "$work/err"
check "a list of data sets that is none is refused"
finish
