#!/bin/sh
# Follows docs/adding-a-solver.md to the letter, in a copy of the source tree and beside an installed program: writes
# the files it shows, adds the line it shows, gives its commands in their order, and looks for the numbers it tells.
# shellcheck source=tests/tap.sh
. "$(dirname -- "$0")/tap.sh"
page=$root/docs/adding-a-solver.md

# The tree with what is built for it. Objects know their place by the one flag that names the folder, and stay valid.
mkdir "$work/tree" && (cd "$root" && tar cf - --exclude=./build --exclude=./results --exclude=./.git \
    --exclude=./hullbench \
    --exclude=./datasets/cache .) | (cd "$work/tree" && tar xpf -) && mkdir "$work/tree/results" "$work/tree/build" &&
    cp -Rp "$root/results/paper" "$work/tree/results/" && cp -Rp "$BUILD" "$work/tree/build/"
check "a copy of the tree"
MAKEFLAGS=CURDIR=$root
export MAKEFLAGS
make_root install PREFIX="$work/prefix" >"$work/log" 2>"$work/err"
check "an installed program beside it"
PKG_CONFIG_PATH=$work/prefix/lib/pkgconfig
PATH=$work/prefix/bin:$PATH
HULLBENCH_DATA=$data
export PKG_CONFIG_PATH PATH HULLBENCH_DATA
unset HULLBENCH_DATADIR
heart=there
case $("$hullbench" list datasets | grep '^heart ') in *missing*) heart=missing ;; esac

# The page as a script: what a comment announces is done with the block of code that follows it.
cat >"$work/steps" <<'END_OF_STEPS'
# insert FILE: of the lines read the first is there already, and the last behind it; those between go between
insert() {
    cat >lines
    awk 'NR == FNR { line[n++] = $0; next }
         { print; after = $0 == line[n - 1] && before == line[0] ? 1 : after; before = $0 }
         $0 == line[0] { for (i = 1; i < n - 1; i++) print line[i] }
         END { exit !after }' lines "$1" >changed
    mv changed "$1"
    rm lines
}
END_OF_STEPS
awk '
function end_block() {
    if (what == "run") printf "echo \"DONE %d\"\n", ++runs
    else print "END_OF_BLOCK"
    what = ""
}
/^<!-- / { if (what) end_block(); what = $2; name = $(NF - 1); begun = 0; next }
what && /^    / {
    if (!begun && what == "file") printf "cat >%s <<\\END_OF_BLOCK\n", name
    if (!begun && what == "lines") printf "insert %s <<\\END_OF_BLOCK\n", name
    begun = 1
    print substr($0, 5)
    next
}
what && begun && /^$/ { if (what == "file") print ""; next }
what && begun { end_block() }
END { if (what) end_block() }' "$page" >>"$work/steps"
if [ "$heart" = missing ]; then
    grep -v -- '--dataset heart' "$work/steps" >"$work/fewer" && mv "$work/fewer" "$work/steps"
fi
blocks=$(grep -c '^<!-- run -->' "$page")
cd "$work/tree" || exit 4
sh -eu "$work/steps" >"$work/said" 2>"$work/err"
status=$?
[ "$status" -eq 0 ] && [ "$blocks" -ge 5 ] && [ "$(grep -c '^DONE' "$work/said")" -eq "$blocks" ]
check "every command of the page ends with status 0"
! grep -E 'warning|error' "$work/err"
check "nothing is warned of"
cmp -s solvers/hull/turn_mdm.c "$root/solvers/hull/turn_mdm.c" || [ ! -e "$root/solvers/hull/turn_mdm.c" ]
check "the tree itself is left alone"
[ "$(sed -n '/X(minkowski_clip_mdm)/,/X(ch_mdm)/p' solvers/registry.c | grep -c 'X(')" -eq 3 ]
check "the registry has the line where the page shows it"
grep -q '^turn-mdm ' "$work/said" && grep -q '^my-turn-mdm ' "$work/said"
check "list solvers names the solver, built in and as a plugin"
[ "$(cat "$work/said" "$work/err" | grep -c 'the_optimum_is_that_of_clip_mdm$')" -ge 2 ]
check "its test is run, as generated and as changed"
program list solvers
ended 0 0 && ! grep -q turn-mdm "$work/out"
check "the program that is tested knows nothing of it"
hullbench=$work/tree/hullbench

# ---- what the page tells ----
# shellcheck disable=SC2016 # the quotes of code
sentence=$(tr '\n' ' ' <"$page" | grep -oE 'On split 1 of heart this takes [0-9]+ iterations, and `clip-mdm` with '\
'the same words takes [0-9]+')
# shellcheck disable=SC2046 # two numbers
set -- $(echo "$sentence" | grep -oE '[0-9]{2,}')
if [ "$heart" = missing ]; then
    skip "the iterations it tells" "heart is not here"
else
    words='--dataset heart --set mu=0.0232 --kernel rbf,width=120 --stop rch-gap-both'
    # shellcheck disable=SC2086 # a list of words
    "$hullbench" solve --solver turn-mdm $words | grep -qF "\"iterations\":$1," &&
        "$hullbench" solve --solver clip-mdm $words | grep -qF "\"iterations\":$2,"
    check "the iterations it tells"
fi
program solve --solver turn-mdm --dataset twonorm --set mu=0.0232 --stop rch-gap
tr '\n' ' ' <"$page" | tr -s ' ' | grep -qF "$(cat "$work/err")"
check "the error it shows"
finish
