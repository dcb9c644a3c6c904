#!/bin/sh
# One job of .github/workflows/test.yml, as root on Debian: installs packages, builds with the compiler and tests.
# Usage: tests/packaging/ci_matrix.sh gcc|clang all|short, or gcc checks|bare
# "all" runs every test. "short" runs the unit tests of a package build and compares configs/ci.json with its baseline.
# "checks" runs the seeds of the fuzzer under sanitizers, and every test for build/coverage.txt, and the
# guard of speed. "bare" runs every test
# as an ordinary user of a bare Debian without LANG; it needs to mount and to make roots.
set -eu
cd "$(dirname "$0")/../.."
case ${1-},${2-} in
gcc,all | gcc,short | gcc,checks | gcc,bare) compiler=gcc ;;
clang,all | clang,short) compiler='clang libomp-dev' ;;
*)
    echo "usage: tests/packaging/ci_matrix.sh gcc|clang all|short, or gcc checks|bare" >&2
    exit 2
    ;;
esac
export CC="$1" DEBIAN_FRONTEND=noninteractive HULLBENCH_FETCH=no
apt-get -qq update
# shellcheck disable=SC2086 # a list of packages
apt-get -qq install -y --no-install-recommends make libc6-dev $compiler
make="make -s -j$(getconf _NPROCESSORS_ONLN)"
case $2 in
all) exec ./run_all.sh --test ;;
checks)
    ./run_all.sh --test --install-only
    $make fuzz-seeds
    $make coverage
    status=0
    $make bench-check >build/bench-check.txt 2>&1 || status=$?
    cat build/bench-check.txt
    [ $status -eq 0 ] || grep -q 'has no ratios of' build/bench-check.txt
    ;;
bare)
    ./run_all.sh --test --install-only
    apt-get -qq install -y --no-install-recommends debootstrap git
    SUITES=bookworm PARTS=bare TEST_SKIPS=$PWD/tests/may_skip.txt $make test-packages
    ;;
short)
    apt-get -qq build-dep -y --no-install-recommends --arch-only ./
    $make
    $make unit-short
    ./hullbench check configs/ci.json --out build/ci-run --baseline baselines/ci.json
    ;;
esac
