#!/bin/sh
# make install into a separate folder: the installed files, the program working from there, the example of
# docs/library.md compiled and run with the shared and the static library, the exported names, and bash completion.
# shellcheck source=tests/tap.sh
. "$(dirname -- "$0")/../tap.sh"

# ---- DESTDIR: files are installed there, their contents name PREFIX ----
make_root install DESTDIR="$work/stage" PREFIX=/opt/hull LIBDIR=/opt/hull/lib64 >"$work/log" 2>"$work/err"
check "make install with DESTDIR, PREFIX and LIBDIR"
(cd "$work/stage/opt/hull" && find . -type f -o -type l | sort) >"$work/files"
absent=0
for name in bin/hullbench lib64/libhullbench.a lib64/libhullbench.so lib64/libhullbench.so.1 \
    lib64/pkgconfig/hullbench.pc \
    include/hullbench/hullbench.h include/hullbench/solver.h include/hullbench/solvers/solver.h \
    share/man/man1/hullbench.1 share/man/man3/libhullbench.3 \
    share/bash-completion/completions/hullbench share/zsh/site-functions/_hullbench \
    share/fish/vendor_completions.d/hullbench.fish share/hullbench/COPYING share/hullbench/configs/sweep.json \
    share/hullbench/configs/minkowski/forms.json share/hullbench/configs/mu-mdm/feasible.json \
    share/hullbench/configs/smo-steps/generated.json \
    share/hullbench/docs/templates/solver.c.in share/hullbench/docs/examples/nearest.c \
    share/hullbench/schemas/config.schema.json \
    share/hullbench/bindings/python/hullbench.py share/hullbench/bindings/R/hullbench.R \
    share/hullbench/docs/examples/hullbench.ipynb; do
    grep -qx "./$name" "$work/files" || { echo "$name" >>"$work/err" && absent=1; }
done
[ "$absent" = 0 ] && [ -z "$(find "$work/stage" -mindepth 1 -maxdepth 1 ! -name opt)" ]
check "everything is there and nothing is elsewhere"
! grep -rqF "$work" "$work/stage/opt/hull/lib64/pkgconfig" &&
    grep -qx 'libdir=/opt/hull/lib64' "$work/stage/opt/hull/lib64/pkgconfig/hullbench.pc"
check "hullbench.pc names PREFIX and LIBDIR, not DESTDIR"
echo mine >"$work/stage/opt/hull/share/hullbench/configs/mine.json"
make_root uninstall DESTDIR="$work/stage" PREFIX=/opt/hull LIBDIR=/opt/hull/lib64 >"$work/log" 2>"$work/err" &&
    (cd "$work/stage/opt/hull" && find . -type f -o -type l) >"$work/files" &&
    [ "$(cat "$work/files")" = ./share/hullbench/configs/mine.json ] &&
    [ ! -e "$work/stage/opt/hull/include/hullbench" ]
check "make uninstall leaves only what it did not install"

# ---- an installed prefix, without the source tree ----
prefix=$work/prefix
make_root install PREFIX="$prefix" >"$work/log" 2>"$work/err"
check "make install"
unset HULLBENCH_DATADIR
PKG_CONFIG_PATH=$prefix/lib/pkgconfig
PATH=$prefix/bin:$PATH
export PKG_CONFIG_PATH PATH
hullbench=$prefix/bin/hullbench
cd "$work" || exit 4
program solve --dataset twonorm --solver clip-mdm --set mu=0.05
ended 0 0
check "the installed program finds its files"
program new-solver my-mdm --plugin
ended 0 0 && sh ./test_my_mdm.sh >"$work/out" 2>"$work/err"
check "a new plugin compiles against the installed headers and passes its test"

for script in run_all.sh scripts/sensitivity.sh; do
    echo "$prefix/share/hullbench/$script"
done >scripts.list
[ -x "$(sed -n 2p scripts.list)" ] && env -u HULLBENCH "$(sed -n 2p scripts.list)" --only seed --datasets titanic \
    --splits 1 >out 2>err
[ -s results/sensitivity/cells.csv ] && [ ! -e "$prefix/share/hullbench/results/sensitivity" ]
check "the installed scripts/sensitivity.sh finds the program and writes into the current folder"

# ---- the library ----
cp "$root/docs/examples/nearest.c" .
[ "$(wc -l <nearest.c)" -le 32 ]
check "the example is about 30 lines"
sed -n '/nearest.c).*:$/,/^[A-Z]/p' "$root/docs/library.md" | grep '^    ' >printed
[ "$(wc -l <printed)" -ge 5 ] && ! grep -vxFf nearest.c printed >"$work/err"
check "docs/library.md prints its lines as they are"
# shellcheck disable=SC2016,SC2046 # a pattern; lists of flags
{
    ${CC:-cc} -std=c11 -Wall -Wextra -Werror nearest.c $(pkg-config --cflags --libs hullbench) -o shared 2>"$work/err"
    check "it compiles against the shared library"
    LD_LIBRARY_PATH=$prefix/lib ./shared >shared.out 2>"$work/err" && grep -q '^converged after' shared.out
    check "and runs"
    flags=$(sed -n 's/^    cc nearest.c $(\(pkg-config --static .*\)) -o nearest$/\1/p' "$root/docs/library.md")
    ${CC:-cc} -std=c11 -Wall -Wextra -Werror nearest.c $(eval "$flags") -o static 2>"$work/err"
    check "it compiles against the static library by the printed command, with both libraries there"
}
./static >static.out 2>"$work/err" && same_files static.out shared.out && ! ldd ./static | grep -q libhullbench
check "and gives the same"
# The optimum by brute force: 1/2 |W|^2 of the reduced hulls at mu = 1/2 is attained between midpoints of two patterns
# of each class.
awk 'BEGIN {
    split("0 0 1 2 2 1 3 0", p); split("4 4 5 3 3 5 2 2.5", q); best = 1e9
    for (a = 0; a < 4; a++) for (b = a + 1; b < 4; b++) for (c = 0; c < 4; c++) for (d = c + 1; d < 4; d++)
        for (s = 0; s <= 1; s += 0.125) for (e = 0; e < 4; e++) for (f = 0; f < 4; f++) for (t = 0; t <= 1; t += '\
'0.125) {
            if (e == a || f == c) continue
            # 1/2 on one pattern, the other half shared by two
            x = p[2*a+1]/2 + s*p[2*b+1]/2 + (1-s)*p[2*e+1]/2 - q[2*c+1]/2 - t*q[2*d+1]/2 - (1-t)*q[2*f+1]/2
            y = p[2*a+2]/2 + s*p[2*b+2]/2 + (1-s)*p[2*e+2]/2 - q[2*c+2]/2 - t*q[2*d+2]/2 - (1-t)*q[2*f+2]/2
            v = (x*x + y*y) / 2; if (v < best) best = v
        }
    printf "%.6f\n", best }' >by_hand
grep -qF "1/2 |W|^2 = $(cat by_hand)," shared.out
check "which is what a search over the hulls finds"
nm -D --defined-only "$prefix/lib/libhullbench.so" | awk '{ print $3 }' | sort >shown
nm -g --defined-only "$prefix/lib/libhullbench.a" |
    awk '$2 == "T" || $2 == "D" || $2 == "B" || $2 == "R" { print $3 }' | sort >shown_static
grep -oE 'hullbench_[a-z]+\(' "$prefix/include/hullbench/hullbench.h" | tr -d '(' | sort -u >declared
same_files shown declared && same_files shown_static declared
check "both libraries show the names of hullbench.h and no others"
objdump -p "$prefix/lib/libhullbench.so" | grep -q 'SONAME *libhullbench.so.1'
check "the shared one has its soname"
if command -v c++ >/dev/null; then
    echo '#include <hullbench/hullbench.h>
int main() { return hullbench_version()[0] == 0; }' >version.cc
    # shellcheck disable=SC2046
    c++ -Wall -Wextra -Werror version.cc $(pkg-config --cflags --libs hullbench) -o version 2>"$work/err" &&
        LD_LIBRARY_PATH=$prefix/lib ./version
    check "C++ can use it"
fi
[ "$(pkg-config --modversion hullbench)" = "$(hullbench --version | cut -d' ' -f2)" ]
check "hullbench.pc has the program's version"

# ---- completion ----
if command -v bash >/dev/null; then
    # completed WORD...: bash's completions of the last word
    completed() {
        bash -c '. "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _hullbench; printf "%s\n" "${COMPREPLY[@]}"' \
            "$prefix/share/bash-completion/completions/hullbench" "$@" 2>"$work/err" | tr '\n' ' '
    }
    [ "$(completed hullbench conf)" = "conform " ] && [ "$(completed hullbench --v)" = "--version " ]
    check "completion: verbs"
    [ "$(completed hullbench run --sh)" = "--shard= " ] && [ "$(completed hullbench export --plu)" = " " ]
    check "completion: the options of the verb"
    [ "$(completed hullbench solve --solver clip-)" = "clip-gsk clip-mdm " ] &&
        [ "$(completed hullbench run --solvers mdm,clip-m)" = "mdm,clip-mdm " ]
    check "completion: solvers, and lists of them"
    [ "$(completed hullbench solve --plugin my_mdm.so --solver my-)" = "my-mdm " ]
    check "completion: solvers of a plugin"
    program new-solver --kernel my-kernel && sh ./test_my_kernel.sh >"$work/out" 2>"$work/err" &&
        program new-solver --stopping-rule my-rule && sh ./test_my_rule.sh >"$work/out" 2>"$work/err" &&
        [ "$(completed hullbench solve --plugin my_kernel.so --kernel my)" = "my-kernel " ] &&
        [ "$(completed hullbench solve --plugin my_rule.so --stop my)" = "my-rule " ] &&
        [ "$(completed hullbench solve --plugin my_kernel.so --kernel from)" = " " ]
    check "completion: kernels and stopping rules of plugins"
    [ "$(completed hullbench solve --plugin = my_mdm.so --solver = my-)" = "my-mdm " ] &&
        [ "$(completed hullbench solve --stop = rch-gap-b)" = "rch-gap-both " ] &&
        [ "$(completed hullbench solve --kernel =)" = "rbf polynomial linear precomputed " ]
    check "completion: behind an equals sign"
    [ "$(completed hullbench list pa)" = "parameters " ] &&
        [ "$(completed hullbench solve --stop rch-gap-b)" = "rch-gap-both " ] &&
        [ "$(completed hullbench solve --kernel pol)" = "polynomial " ] &&
        [ "$(completed hullbench solve --dataset twon)" = "twonorm " ] &&
        [ "$(completed hullbench solve --set forg)" = "forgetting " ]
    check "completion: lists, stopping rules, kernels, data sets, parameters"
fi
if command -v fish >/dev/null; then
    # fished WORDS: fish's completions of the last word
    fished() {
        # shellcheck disable=SC2016 # variables of fish
        PATH=$prefix/bin:$PATH fish --no-config -c 'source $argv[1]; complete -C $argv[2]' \
            "$prefix/share/fish/vendor_completions.d/hullbench.fish" "$1" 2>"$work/err" | cut -f 1 | tr '\n' ' '
    }
    [ "$(fished 'hullbench conf')" = "conform " ] && [ "$(fished 'hullbench run --sh')" = "--shard " ] &&
        [ "$(fished 'hullbench solve --solver clip-')" = "clip-gsk clip-mdm " ] &&
        [ "$(fished 'hullbench solve --dataset twon')" = "twonorm " ]
    check "completion of fish: verbs, options, solvers, data sets"
else
    skip "completion of fish: verbs, options, solvers, data sets" "fish is not installed" fish
fi
finish
