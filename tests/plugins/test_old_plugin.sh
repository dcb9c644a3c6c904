#!/bin/sh
# A plugin's source as of version 1.0 compiles without a warning and runs (docs/guarantees.md).
# shellcheck source=tests/tap.sh
. "$(dirname -- "$0")/../tap.sh"

install_headers
cp "$root/tests/packaging/abi/plugin_1_0.c.in" plugin_1_0.c
compile plugin_1_0 -O2
check "the kernel, the rule and the solver of version 1.0 compile without a warning"
program solve --plugin ./plugin_1_0.so --solver clip-mdm --dataset twonorm --set mu=0.05 --kernel laplace,width=10 \
    --stop relative-gap --tolerance 1e-4
ended 0 && grep -q '"kernel":{"type":"laplace","width":10}' out && grep -q '"outcome":"converged"' out &&
    ! grep -q '"reason"' out
check "a solver converges with them, and the recheck confirms the rule"
program verify ascent --plugin ./plugin_1_0.so
ended 0
check "the solver does what it declares"
# objective SOLVER [OPTION]...: of the solution of one problem.
objective() {
    program solve --dataset twonorm --set C=1 --kernel rbf,width=10 --stop duality-gap --tolerance 1e-4 --solver "$@" &&
        sed -n 's/.*"objective":\([^,]*\).*/\1/p' out
}
objective ascent --plugin ./plugin_1_0.so >objectives && objective kernel-adatron-soft >>objectives &&
    awk '{ if (($1 - 55.968)^2 > 0.006^2) exit 1 } END { exit NR != 2 }' objectives
check "its objective is that of version 1.0, and so is that of kernel-adatron-soft"
# shellcheck disable=SC2154 # of install_headers
mkdir other && cp -R "$prefix/include/hullbench" other &&
    sed 's/\.abi = HULLBENCH_ABI/.abi = HULLBENCH_ABI + 1/' "$prefix/include/hullbench/solvers/plugin.h" \
        >other/hullbench/solvers/plugin.h
compile plugin_1_0 -Iother && program list kernels --plugin ./plugin_1_0.so
ended 2 1
check "another HULLBENCH_ABI is refused"
finish
