#!/bin/sh
# The installed library is compatible with tests/packaging/abi/libhullbench.abi (docs/guarantees.md), which describes
# the ABI on x86-64. `make abi` renews that file.
# shellcheck source=tests/tap.sh
. "$(dirname -- "$0")/../tap.sh"
was=$root/tests/packaging/abi/libhullbench.abi
if ! command -v abidiff >/dev/null || [ "$(uname -m)" != x86_64 ]; then
    skip "the library is compatible with the stored ABI" \
        "abidiff is not here, or the machine is not x86-64" abigail-tools
    finish
fi
make_root install PREFIX="$work/prefix" >"$work/log" 2>"$work/err"
check "make install"
library=$work/prefix/lib/libhullbench.so

# changes OPTION... FILE: the differences of the library from the description go to err; $status is the sum of
# 1, 2: error; 4: a change; 8: an incompatible change. A struct that grows is a 4.
changes() {
    abidiff --exported-interfaces-only "$@" "$library" >"$work/err" 2>&1
    status=$?
}

changes --no-added-syms "$was"
[ "$status" -eq 0 ]
check "no function, struct, enumeration or soname changed incompatibly"
changes "$was"
[ "$status" -eq 0 ] || echo "A compatible change: run make abi, and say why in the commit." >>"$work/err"
[ "$status" -eq 0 ]
check "the stored ABI has all functions"

# found SENTENCE MASK SED...: the library differs from an edited description; a bit of MASK is set.
found() {
    sentence=$1 mask=$2
    shift 2
    sed "$@" "$was" >"$work/edited.abi"
    ! cmp -s "$was" "$work/edited.abi" && changes --no-added-syms "$work/edited.abi"
    [ $((status & 3)) -eq 0 ] && [ $((status & mask)) -ne 0 ]
    check "$sentence is found"
}

found "another soname" 8 "s/soname='[^']*'/soname='libhullbench.so.99'/"
found "a missing function" 8 "s/hullbench_decide/hullbench_decision/"
found "a new member of a struct" 4 "/name='hullbench_problem'/,/<\/class-decl>/{
    /layout-offset-in-bits='512'/,/<\/data-member>/d
}"
found "another number of a status" 4 "/name='HULLBENCH_FAILED'/s/value='4'/value='5'/"
found "another argument" 4 "/parameter .*name='bias'/d"
finish
