#!/bin/sh
# tests/lint/layers.sh: breaks each rule of CONTRIBUTING.md in a copy of the tree and checks that it is reported.
# shellcheck source=tests/tap.sh
. "$(dirname -- "$0")/../tap.sh"

tree=$work/tree
mkdir "$tree" && (cd "$root" && tar -cf - CONTRIBUTING.md Makefile docs/architecture.md solvers harness tests) |
    tar -xf - -C "$tree"
check "the tree can be copied"

# layers: runs tests/lint/layers.sh of the copy; $status and $work/out.
layers() {
    sh "$root/tests/lint/layers.sh" "$tree" >"$work/out" 2>"$work/err"
    status=$?
}

# breaks SENTENCE PLACE: reports the violation at its place in the broken tree, which is then repaired.
breaks() {
    layers
    ended 1 0 && grep -q "^$2" "$work/out"
    check "$1"
}

layers
cp "$work/out" "$work/before"

echo '#include "harness/cli/cli.h"' >"$tree/harness/support/test_broken.c"
layers
same_files "$work/out" "$work/before" || { [ ! -s "$work/before" ] && [ ! -s "$work/out" ]; }
check "a test may include everything"
rm "$tree/harness/support/test_broken.c"

sed -i 's/support stats/stats support/' "$tree/CONTRIBUTING.md"
breaks "two orders of folders" 'docs/architecture.md: the order of folders'
cp "$root/CONTRIBUTING.md" "$tree/"
sed -i '/evaluate library/,/report cli/d' "$tree/CONTRIBUTING.md"
breaks "no order of folders" 'CONTRIBUTING.md: the order of folders is missing'
cp "$root/CONTRIBUTING.md" "$tree/"

# All other rules at once: each violation has a line of its own in the report.
file=harness/support/file.c
first=$(($(wc -l <"$tree/$file") + 1))
printf '%b\n' '#include "harness/run/run.h"' '#include <harness/run/run.h>' '\t#\tinclude\t"harness/run/run.h"' \
    '#include"harness/run/run.h"' '#include /* x */ "harness/run/run.h" /* y */' >>"$tree/$file"
echo '#include "harness/support/file.h"' >>"$tree/solvers/error.c"
echo '#include "tests/geometry.h"' >>"$tree/harness/cli/main.c"
mkdir "$tree/harness/unknown" "$tree/harness/nothing"
echo '#include "harness/support/file.h"' >"$tree/harness/unknown/unknown.c"
: >"$tree/harness/stray.md"
: >"$tree/tests/test_stray.sh"
for i in $(seq 21); do : >"$tree/harness/format/crowd_$i.c"; done
: >"$tree/harness/format/file.c"
long='harness/long.c solvers/long.h tests/long.sh long.py'
for name in $long; do
    # The letter takes one column and two bytes.
    printf '%0121d\né%0119d\n' 0 0 >"$tree/$name"
done
layers
ended 1 0
check "a broken tree is reported with status 1"
# reported SENTENCE PLACE: this violation is in the report.
reported() {
    grep -q "^$2" "$work/out"
    check "$1"
}
for line in 0 1 2 3 4; do
    reported "an include against the direction, line $((line + 1)) of five spellings" \
        "$file:$((first + line)): includes harness/run/run.h"
done
reported "solvers that include the harness" 'solvers/error.c:[0-9]*: includes harness/support/file.h'
reported "a source that includes what is of tests" 'harness/cli/main.c:[0-9]*: includes tests/geometry.h'
reported "an empty folder that is not in the list" 'harness/nothing/: is not in the list'
reported "a folder that is not in the list" 'harness/unknown/unknown.c: its folder is not in the list'
reported "a file directly in harness/" 'harness/stray.md: only folders'
reported "a test directly in tests/" 'tests/test_stray.sh: tests stand in a folder'
reported "a folder with too many sources" 'harness/format: [0-9]* sources; at most 20'
reported "a file name that is used twice" 'file.c: two files'
for name in $long; do
    reported "a line of 121 columns in $name" "$name:1: more than 120 columns"
    ! grep -q "^$name:2:" "$work/out"
    check "one of 120 columns in $name is kept"
    rm "$tree/$name"
done
for name in "$file" solvers/error.c harness/cli/main.c; do
    cp "$root/$name" "$tree/$name"
done
rm -r "$tree/harness/unknown" "$tree/harness/nothing" "$tree/harness/stray.md" "$tree/tests/test_stray.sh" \
    "$tree/harness/format/file.c" "$tree"/harness/format/crowd_*.c
layers
cmp -s "$work/out" "$work/before"
check "mended, the tree is as it was"

# ---- the lines of a folder ----
budget=$work/budget
mkdir -p "$budget/docs" "$budget/harness/more" "$budget/harness/none" "$budget/harness/same"
# shellcheck disable=SC2016 # Markdown
printf '## Lines\n| `more/` | 2 |\n| `same/` | 2 |\n' >"$budget/docs/architecture.md"
echo 1 | tee "$budget/harness/more/a.h" >"$budget/harness/none/a.c"
printf '1\n2\n' | tee "$budget/harness/more/a.c" "$budget/harness/same/a.c" >"$budget/harness/same/test_a.c"
sh "$root/tests/lint/budget.sh" "$budget" >"$work/out" 2>"$work/err"
status=$?
cat >"$work/expected" <<'END'
harness/more/: 3 lines; docs/architecture.md allows 2
docs/architecture.md: no number of lines for harness/none/
END
ended 1 0 && same_files "$work/out" "$work/expected"
check "a folder with more lines than its number, or without one, is reported, and tests do not count"
finish
