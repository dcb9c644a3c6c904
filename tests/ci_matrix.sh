#!/bin/sh
# One job of .github/workflows/test.yml, as root on Debian: installs packages, builds with the compiler and tests.
# Usage: tests/ci_matrix.sh gcc|clang all|short
# "all" runs every test. "short" runs the unit tests of a package build and compares configs/ci.json with its baseline.
set -eu
cd "$(dirname "$0")/.."
case ${1-},${2-} in
gcc,all | gcc,short) compiler=gcc ;;
clang,all | clang,short) compiler='clang libomp-dev' ;;
*)
    echo "usage: tests/ci_matrix.sh gcc|clang all|short" >&2
    exit 2
    ;;
esac
export CC="$1" DEBIAN_FRONTEND=noninteractive HULLBENCH_FETCH=no
apt-get -qq update
# shellcheck disable=SC2086 # a list of packages
apt-get -qq install -y --no-install-recommends make libc6-dev $compiler
[ "$2" = short ] || exec ./run_all.sh --test
apt-get -qq build-dep -y --no-install-recommends --arch-only ./
make -s -j"$(getconf _NPROCESSORS_ONLN)"
make -s -j"$(getconf _NPROCESSORS_ONLN)" unit-short
./hullbench check configs/ci.json --out build/ci-run --baseline results/baselines/ci.json
