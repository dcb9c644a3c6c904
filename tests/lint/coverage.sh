#!/bin/sh
# Prints how many lines and branches of solvers/ and harness/, without tests and bench, the tests reached, from the
# counts that a build with --coverage left in BUILD: by folder, the files with most lines that no test reaches, and in
# total. Status 1 if less than LEAST per cent of the lines are reached. Usage: tests/lint/coverage.sh BUILD [LEAST]
set -eu
if [ $# -lt 1 ] || [ ! -d "$1" ]; then
    echo "usage: tests/lint/coverage.sh BUILD [LEAST]" >&2
    exit 2
fi
gcov=${GCOV:-gcov}
command -v "$gcov" >/dev/null || { echo "coverage.sh: $gcov is not installed" >&2; exit 4; }
counts=$(mktemp)
trap 'rm -f "$counts"' EXIT
# A source may be compiled several times, and a header is part of many objects: a line or branch is reached if one of
# them reached it. $counts has a line for each: FILE 1 0 and whether it is reached for a line, FILE 0 1 for a branch.
find "$1" -name '*.gcda' ! -path '*/tests/*' -exec "$gcov" -b -c -t {} + 2>/dev/null | awk -F : '
    $2 + 0 == 0 && $3 == "Source" {
        file = $4
        sub(/^\.\//, "", file)
        wanted = file ~ /^(solvers|harness)\// && file !~ /\/(test_[^\/]*|bench\/.*)$/
    }
    wanted && /^branch/ { split($0, words, " "); reached[file " 0 1:" line ":" words[2]] += / taken [1-9]/ }
    wanted && $2 + 0 > 0 {
        line = $2 + 0
        if ($1 !~ /-/)
            reached[file " 1 0:" line] += $1 !~ /#|=/
    }
    END { for (place in reached) { split(place, at, ":"); print at[1], (reached[place] > 0) } }' >"$counts"
[ -s "$counts" ] || { echo "coverage.sh: $1 holds no counts: build with SANITIZE=--coverage and run the tests" \
    >&2; exit 3; }
echo "folder                          lines  reached  branches  reached"
awk '{ folder = $1; sub(/\/[^\/]*$/, "", folder); lines[folder] += $2; line[folder] += $2 * $4
        branches[folder] += $3; branch[folder] += $3 * $4 }
    END { for (folder in lines) printf "%-28s %8d  %6.1f %%  %8d  %6.1f %%\n", folder, lines[folder],
        100 * line[folder] / lines[folder], branches[folder], 100 * branch[folder] / (branches[folder] + 1e-9) }' \
    "$counts" | sort
echo "Most lines that no test reaches:"
awk '{ lines[$1] += $2; missed[$1] += $2 * !$4 }
    END { for (file in lines) printf "%8d of %5d  %s\n", missed[file], lines[file], file }' "$counts" | sort -rn |
    head -n 20
awk -v least="${2:-90}" '{ lines += $2; line += $2 * $4; branches += $3; branch += $3 * $4 }
    END {
        printf "%d of %d branches, %.1f %%, and\n", branch, branches, 100 * branch / branches
        printf "%d of %d lines, %.1f %%, are reached; at least %s %% of the lines are asked for\n", line, lines,
            100 * line / lines, least
        exit 100 * line < least * lines
    }' "$counts"
