#!/bin/sh
# Checks the rules of CONTRIBUTING.md on folders and lines (layers.sh), and the lines of each folder (budget.sh). Then
# runs gcc and clang with strict warnings as errors, cppcheck on the sources and shellcheck on the scripts, as far as
# they are installed.
set -eu
cd "$(dirname "$0")/../.."
status=0
sh tests/lint/layers.sh || status=1
echo "layers: done"
sh tests/lint/budget.sh || status=1
echo "lines: done"
base=$(make -s print-BASE)
cflags=$(pkg-config --cflags libcjson gsl)
defines='-DHAVE_LIBSVM=0 -DHAVE_MPFR=0 -DLANES_NAME=generic -DHULLBENCH_BUILD="lint"'
[ -e /usr/include/libsvm/svm.h ] && defines="-DHAVE_LIBSVM=1 ${defines#* }"
sources=$(find solvers harness tests -name '*.c' | sort)
for compiler in gcc clang; do
    if ! command -v $compiler >/dev/null; then
        echo "$compiler is not installed: skipped"
        continue
    fi
    for file in $sources; do
        # shellcheck disable=SC2086 # lists of flags
        $compiler -fsyntax-only -O2 -Werror -Wno-psabi $base $cflags $defines "$file" || status=1
    done
    echo "$compiler: done"
done
if command -v cppcheck >/dev/null; then
    cppcheck -q --std=c11 --error-exitcode=1 --inline-suppr -j2 -I. --enable=warning,portability \
        --suppress=missingIncludeSystem --suppress=unknownMacro --suppress=arrayIndexThenCheck \
        '-D_Noreturn=__attribute__((noreturn))' -DHAVE_LIBSVM=0 -DHAVE_MPFR=0 -DLANES_NAME=generic \
        solvers harness tests || status=1
    echo "cppcheck: done"
else
    echo "cppcheck is not installed: skipped"
fi
if command -v shellcheck >/dev/null; then
    shellcheck -x run_all.sh .ci/run packaging/*.sh scripts/*.sh datasets/*.sh docs/*.bash tests/*.sh tests/*/*.sh \
        debian/tests/quick debian/tests/develop tests/bench/peers/*.sh || status=1
    echo "shellcheck: done"
else
    echo "shellcheck is not installed: skipped"
fi
# actionlint checks the workflows of GitHub.
if command -v actionlint >/dev/null; then
    actionlint .github/workflows/*.yml docs/ci/github.yml docs/ci/plugin-github.yml || status=1
    echo "actionlint: done"
else
    echo "actionlint is not installed: skipped"
fi
exit $status
