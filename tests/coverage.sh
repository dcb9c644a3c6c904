#!/bin/sh
# Prints line coverage of solvers/ and harness/, without tests and bench, from the counts that a build with --coverage
# left in BUILD: by folder, in total, and the files with most lines that no test reaches. Status 1 if less than LEAST
# per cent are reached. Usage: tests/coverage.sh BUILD [LEAST]
set -eu
if [ $# -lt 1 ] || [ ! -d "$1" ]; then
    echo "usage: tests/coverage.sh BUILD [LEAST]" >&2
    exit 2
fi
gcov=${GCOV:-gcov}
command -v "$gcov" >/dev/null || { echo "coverage.sh: $gcov is not installed" >&2; exit 4; }
counts=$(mktemp)
trap 'rm -f "$counts"' EXIT
# A source may be compiled several times, and a header is part of many objects: a line is reached if one of them reached
# it.
find "$1" -name '*.gcda' ! -path '*/tests/*' -exec "$gcov" -t {} + 2>/dev/null | awk -F : '
    $2 + 0 == 0 && $3 == "Source" {
        file = $4
        sub(/^\.\//, "", file)
        wanted = file ~ /^(solvers|harness)\// && file !~ /\/(test_[^\/]*|bench\/.*)$/
    }
    wanted && $2 + 0 > 0 && $1 !~ /-/ { reached[file ":" $2 + 0] += $1 !~ /#|=/ }
    END { for (line in reached) { split(line, at, ":"); print at[1], at[2], (reached[line] > 0) } }' >"$counts"
[ -s "$counts" ] || { echo "coverage.sh: $1 holds no counts: build with SANITIZE=--coverage and run the tests" \
    >&2; exit 3; }
echo "folder                          lines  reached"
awk '{ folder = $1; sub(/\/[^\/]*$/, "", folder); lines[folder]++; reached[folder] += $3 }
    END { for (folder in lines) printf "%-28s %8d  %6.1f %%\n", folder, lines[folder], 100 * reached[folder] / '\
'lines[folder] }' "$counts" | sort
echo "Most lines that no test reaches:"
awk '{ lines[$1]++; reached[$1] += $3 }
    END { for (file in lines) printf "%8d of %5d  %s\n", lines[file] - reached[file], lines[file], file }' "$counts" |
        sort -rn | head -n 20
awk -v least="${2:-90}" '{ reached += $3 }
    END {
        printf "%d of %d lines, %.1f %%, are reached; at least %s %% are asked for\n", reached, NR, 100 * reached / '\
'NR, least
        exit 100 * reached < least * NR
    }' "$counts"
