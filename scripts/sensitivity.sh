#!/bin/sh
# Reruns tables of the papers with one convention changed at a time, and counts the cells of each verdict
# (docs/verdicts.md).
set -eu

usage() {
    cat <<'END'
Usage: scripts/sensitivity.sh [--out DIR] [--jobs N] [--study NAME] [--only WORD] [--datasets LIST] [--splits LIST]
                              [--force] [--count] [--page FILE]
       scripts/sensitivity.sh --list

  --out DIR        write the runs and cells.csv to DIR (default: results/sensitivity in the current folder)
  --jobs N         use N threads (default: one for each processor)
  --study NAME     run only the studies whose name begins with NAME
  --only WORD      vary only one convention: threshold, rule, features, mu, ties, start, history or seed
  --datasets LIST, --splits LIST
                   run only these data sets or splits, as in hullbench run
  --force          restart runs that another version of the program began
  --count          run nothing; count the finished runs in DIR
  --page FILE      replace the tables in FILE, each between "<!-- STUDY -->" and "<!-- end -->", and keep all other
                   text
  --list           print the studies, their choices and the configurations, and do nothing

A study is a table of a paper, with one row for each choice; the first row is the choice of the project's other tables.

The script prints the tables; cells.csv has the verdict of every cell. Set HULLBENCH to the program if it is neither in
the folder above this script nor in PATH. Exit status: 0 success, 2 wrong usage, 3 no study could be counted.
END
}

# Each study has its name and one line per choice: the convention and the choice, a bar, and its configurations. The
# project's tables use the first choice. The configurations of the other choices differ from it in one key.
studies() {
    cat <<'END'
study lopez2011
as in all other tables|lopez2011-tables-2-3
threshold: above 1e-5|sensitivity/lopez2011-threshold-1e-5
threshold: above 1e-7|sensitivity/lopez2011-threshold-1e-7
threshold: above 0|sensitivity/lopez2011-threshold-0
rule: after an update, the class just updated|sensitivity/lopez2011-rule-updated
rule: before an update, both classes|sensitivity/lopez2011-rule-both
features: variance 1, divisor n − 1|sensitivity/lopez2011-features-sample
features: as in the files|sensitivity/lopez2011-features-raw
mu: least that rounds to the printed one|sensitivity/lopez2011-mu-low
mu: most that rounds to the printed one|sensitivity/lopez2011-mu-high
mu: recomputed, not rounded|sensitivity/lopez2011-mu-recomputed
ties: training patterns in reverse order|sensitivity/lopez2011-order-reversed
ties: classes exchanged|sensitivity/lopez2011-labels-swapped
seed: 2|sensitivity/lopez2011-seed-2
seed: 3|sensitivity/lopez2011-seed-3
study lopez2008-section52
as in all other tables|lopez2008-section52
threshold: above 1e-5|sensitivity/lopez2008-section52-threshold-1e-5
threshold: above 1e-7|sensitivity/lopez2008-section52-threshold-1e-7
threshold: above 0|sensitivity/lopez2008-section52-threshold-0
features: variance 1, divisor n − 1|sensitivity/lopez2008-section52-features-sample
features: as in the files|sensitivity/lopez2008-section52-features-raw
ties: training patterns in reverse order|sensitivity/lopez2008-section52-order-reversed
ties: classes exchanged|sensitivity/lopez2008-section52-labels-swapped
start: 2-SMO at 0|sensitivity/lopez2008-section52-start-zero
seed: 2|sensitivity/lopez2008-section52-seed-2
seed: 3|sensitivity/lopez2008-section52-seed-3
study lopez2008-section53
as in all other tables|lopez2008-1svm lopez2008-2svm
threshold: above 0|sensitivity/lopez2008-1svm-threshold-0 sensitivity/lopez2008-2svm-threshold-0
study barbero2008
as in all other tables|barbero2008-table2
features: variance 1, divisor n|sensitivity/barbero2008-table2-features-standardised
history: 10|sensitivity/barbero2008-table2-history-10
history: 25|sensitivity/barbero2008-table2-history-25
history: 35|sensitivity/barbero2008-table2-history-35
history: 40|sensitivity/barbero2008-table2-history-40
history: 50|sensitivity/barbero2008-table2-history-50
history: 60|sensitivity/barbero2008-table2-history-60
history: 100|sensitivity/barbero2008-table2-history-100
END
}

fail() {
    echo "sensitivity.sh: $1" >&2
    exit "${2:-2}"
}

out=results/sensitivity page='' only='' study='' count_only=no
here=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
run_words=''
while [ $# -gt 0 ]; do
    case $1 in
    --out | --jobs | --study | --only | --datasets | --splits | --page)
        [ -n "${2-}" ] || fail "$1 needs a value"
        case $1 in
        --out) out=$2 ;;
        --study) study=$2 ;;
        --only) only=$2 ;;
        --page) page=$2 ;;
        *)
            case $2 in *[!0-9a-zA-Z,_-]*) fail "$1: \"$2\" is not a list of names or numbers" ;; esac
            run_words="$run_words $1 $2"
            ;;
        esac
        shift
        ;;
    --force) run_words="$run_words --force" ;;
    --count) count_only=yes ;;
    --list) studies; exit 0 ;;
    -h | --help) usage; exit 0 ;;
    *) fail "unknown option \"$1\"; --help lists the options" ;;
    esac
    shift
done
program=${HULLBENCH:-$here/hullbench}
[ -n "${HULLBENCH-}" ] || [ -x "$program" ] || program=$(command -v hullbench) || program=$here/hullbench
[ -x "$program" ] || fail "$program: not a program; build it with make, or set HULLBENCH to the program"
[ -z "$page" ] || [ -w "$page" ] || fail "$page: cannot be written"
chosen=$(studies | awk -v only="$only" -v begin="$study" '
    /^study / { head = $0; keep = index($2, begin) == 1; next }
    /^as in / { head = head "\n" $0; if (keep && only == "") print head; next }
    keep && (only == "" || index($0, only ":") == 1) { if (only != "" && head != "") print head; head = ""; print }')
[ -n "$chosen" ] || fail "no choice of a convention \"$only\" in a study \"$study\"; --list prints them"
mkdir -p "$out"

# verdicts FOLDER: prints a line "table/data set/column verdict" for each cell that has one.
verdicts() {
    for table in "$1"/tables/*.csv; do
        awk -F, -v key=verdict 'NR == 1 { for (f = 1; f <= NF; f++) at[$f] = f; if (!(key in at)) exit }
                 NR > 1 && $(at[key]) ~ /^(agrees|compatible|undecidable|near|differs)$/ {
                     print $1 "/" $2 "/" $3, $(at[key]) }' "$table"
    done
}

configurations=$(printf '%s\n' "$chosen" | awk -F'|' 'NF == 2 { n = split($2, name, " ");
    for (i = 1; i <= n; i++) if (!seen[name[i]]++) print name[i] }')
for name in $configurations; do
    folder=$out/$(basename "$name")
    if [ "$count_only" = no ]; then
        status=0
        # shellcheck disable=SC2086 # a list of options
        "$program" run "$here/configs/$name.json" --out "$folder" $run_words >&2 || status=$?
        [ "$status" = 0 ] || [ "$status" = 3 ] || exit "$status"
    fi
    [ ! -e "$folder/run.json" ] || {
        "$program" tables "$folder" >/dev/null
        verdicts "$folder" >"$folder/verdicts.txt"
    }
done

# One Markdown table per study. A choice without a finished run is reported and left out of its table.
printf '%s\n' "$chosen" | awk -F'|' -v out="$out" '
    function read_choice(list, verdict,    n, i, name, path, file, line, part) {
        n = split(list, name, " ")
        for (i = 1; i <= n; i++) {
            path = name[i]
            sub(/.*\//, "", path)
            file = out "/" path "/verdicts.txt"
            if ((getline line <file) <= 0) { return 0 }
            do {
                split(line, part, " ")
                verdict[part[1]] = part[2]
                if (!(part[1] in place)) { place[part[1]] = ++places; cell_at[places] = part[1] }
            } while ((getline line <file) > 0)
            close(file)
        }
        return 1
    }
    # The choice, linked to its configurations.
    function linked(choice, list,    n, i, name, text) {
        n = split(list, name, " ")
        text = "[" choice "](../configs/" name[1] ".json)"
        for (i = 2; i <= n; i++) text = text ", [" i "](../configs/" name[i] ".json)"
        return text
    }
    # Cells that differ by one verdict and not by the other: a table, its columns with the same sets, and the sets.
    function named(verdict, other,    p, part, next_part, columns, order, sets, c, d, text) {
        for (p = 1; p <= places; p++)
            if (verdict[cell_at[p]] == "differs" && other[cell_at[p]] != "differs") {
                split(cell_at[p], part, "/")
                sub(/.*[.]table/, "", part[1])
                c = part[1] " " part[3]
                if (!(c in sets)) order[++columns] = c
                sets[c] = sets[c] (sets[c] == "" ? "" : ", ") part[2]
            }
        for (c = 1; c <= columns; c++) {
            if (!(order[c] in sets)) continue
            split(order[c], part, " ")
            text = text (text == "" ? "" : "; ") part[1] " `" part[2] "`"
            for (d = c + 1; d <= columns; d++) {
                split(order[d], next_part, " ")
                if (next_part[1] == part[1] && (order[d] in sets) && sets[order[d]] == sets[order[c]]) {
                    text = text ", `" next_part[2] "`"
                    delete sets[order[d]]
                }
            }
            text = text ": " sets[order[c]]
        }
        return text
    }
    # What the last column shows: of the first row its cells, of the others what they have more and less.
    function difference(verdict, base, is_first,    more, less) {
        more = is_first ? named(verdict, none) : named(verdict, base)
        less = is_first ? "" : named(base, verdict)
        if (more == "" && less == "") return is_first ? "none" : "the same"
        return (is_first || more == "" ? more : "also " more) (more != "" && less != "" ? "; " : "") \
            (less == "" ? "" : "not " less)
    }
    function row(choice, list,    verdict, cell, n, changed) {
        split("", verdict)
        if (!read_choice(list, verdict)) {
            print "sensitivity.sh: " study ": no finished run of " list >"/dev/stderr"
            return
        }
        if (!rows++) {
            split("", base)
            for (cell in verdict) base[cell] = verdict[cell]
            print "begin " study
            print "| choice | agree | compatible | undecidable | near | differ | verdicts that change | cells '\
'that differ: table, column, sets |"
            print "| --- | --: | --: | --: | --: | --: | --: | --- |"
        }
        split("", none)
        n["agrees"] = n["compatible"] = n["undecidable"] = n["near"] = n["differs"] = changed = 0
        for (cell in verdict) {
            n[verdict[cell]]++
            changed += verdict[cell] != base[cell]
            print study "," choice_word(choice) "," cell "," verdict[cell] >(out "/cells.unsorted")
        }
        print "| " linked(choice, list) " | " n["agrees"] " | " n["compatible"] " | " n["undecidable"] " | " '\
'n["near"] " | " n["differs"] " | " changed " | " difference(verdict, base, rows == 1) " |"
    }
    function choice_word(choice) {
        gsub(/,/, "", choice)
        return choice
    }
    /^study / { study = substr($0, 7); rows = places = no_base = 0; split("", place); next }
    !no_base { row($1, $2); no_base = !rows }
' >"$out/tables.txt"
[ -s "$out/tables.txt" ] || fail "no study could be counted: no finished run in $out" 3
{
    echo study,choice,cell,verdict
    LC_ALL=C sort "$out/cells.unsorted"
} >"$out/cells.csv"
rm "$out/cells.unsorted"
cat "$out/tables.txt"

if [ -n "$page" ]; then
    awk 'NR == FNR { if ($1 == "begin") study = $2; else table[study] = table[study] $0 "\n"; next }
         /^<!-- [a-z0-9-]+ -->$/ && $2 in table { print; printf "%s", table[$2]; skip = 1; next }
         /^<!-- end -->$/ { skip = 0 }
         !skip' "$out/tables.txt" "$page" >"$out/page.md"
    cat "$out/page.md" >"$page"
    rm "$out/page.md"
fi
