#!/bin/sh
# tests/layers.sh: breaks each rule of CONTRIBUTING.md in a copy of the tree and checks that it is reported.
# shellcheck source=tests/tap.sh
. "$(dirname -- "$0")/tap.sh"

tree=$work/tree
mkdir "$tree" && (cd "$root" && tar -cf - CONTRIBUTING.md Makefile docs/architecture.md solvers harness tests) |
    tar -xf - -C "$tree"
check "the tree can be copied"

# layers: runs tests/layers.sh of the copy; $status and $work/out.
layers() {
    sh "$root/tests/layers.sh" "$tree" >"$work/out" 2>"$work/err"
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

echo '#include "harness/run/run.h"' >>"$tree/harness/support/file.c"
breaks "an include against the direction" 'harness/support/file.c:[0-9]*: includes harness/run/run.h'
cp "$root/harness/support/file.c" "$tree/harness/support/"
for line in '#include <harness/run/run.h>' '\t#\tinclude\t"harness/run/run.h"' '#include"harness/run/run.h"' \
    '#include /* x */ "harness/run/run.h" /* y */'; do
    printf '%b\n' "$line" >>"$tree/harness/support/file.c"
    breaks "an include against the direction, written $line" 'harness/support/file.c:[0-9]*: includes harness/run/run.h'
    cp "$root/harness/support/file.c" "$tree/harness/support/"
done
echo '#include "harness/support/file.h"' >>"$tree/solvers/error.c"
breaks "solvers that include the harness" 'solvers/error.c:[0-9]*: includes harness/support/file.h'
cp "$root/solvers/error.c" "$tree/solvers/"
echo '#include "tests/geometry.h"' >>"$tree/harness/cli/main.c"
breaks "a source that includes what is of tests" 'harness/cli/main.c:[0-9]*: includes tests/geometry.h'
cp "$root/harness/cli/main.c" "$tree/harness/cli/"
echo '#include "harness/cli/cli.h"' >"$tree/harness/support/test_broken.c"
layers
same_files "$work/out" "$work/before" || { [ ! -s "$work/before" ] && [ ! -s "$work/out" ]; }
check "a test may include everything"
rm "$tree/harness/support/test_broken.c"

mkdir "$tree/harness/unknown"
breaks "an empty folder that is not in the list" 'harness/unknown/: is not in the list'
echo '#include "harness/support/file.h"' >"$tree/harness/unknown/unknown.c"
breaks "a folder that is not in the list" 'harness/unknown/unknown.c: its folder is not in the list'
rm -r "$tree/harness/unknown"
sed -i 's/support stats/stats support/' "$tree/CONTRIBUTING.md"
breaks "two orders of folders" 'docs/architecture.md: the order of folders'
cp "$root/CONTRIBUTING.md" "$tree/"
sed -i '/support stats/,/report cli/d' "$tree/CONTRIBUTING.md"
breaks "no order of folders" 'CONTRIBUTING.md: the order of folders is missing'
cp "$root/CONTRIBUTING.md" "$tree/"

: >"$tree/harness/stray.md"
breaks "a file directly in harness/" 'harness/stray.md: only folders'
rm "$tree/harness/stray.md"
for i in $(seq 21); do : >"$tree/harness/format/crowd_$i.c"; done
breaks "a folder with too many sources" 'harness/format: [0-9]* sources; at most 20'
rm "$tree"/harness/format/crowd_*.c
: >"$tree/harness/format/file.c"
breaks "a file name that is used twice" 'file.c: two files'
rm "$tree/harness/format/file.c"
for name in harness/long.c solvers/long.h tests/long.sh long.py; do
    printf '%0121d\n' 0 >"$tree/$name"
    breaks "a line of 121 columns in $name" "$name:1: more than 120 columns"
    # The letter takes one column and two bytes.
    printf 'é%0119d\n' 0 >"$tree/$name"
    layers
    ! grep -q "^$name:1:" "$work/out"
    check "one of 120 columns in $name is kept"
    rm "$tree/$name"
done
layers
cmp -s "$work/out" "$work/before"
check "mended, the tree is as it was"
finish
