#!/bin/sh
# Installs the Debian packages that building, running and, with "test", testing need: as root, or with sudo where CI is
# set. If it may not, it prints the command and ends with status 4. run_all.sh calls it.
# Usage: packaging/install_packages.sh MODE yes|no, where "no" forbids to install
set -eu
mode=$1 may_install=$2

# The Debian packages that building and running need, those that the tests need in addition, and those without which
# only some tests are skipped.
packages='gcc make pkg-config libc6-dev libgsl-dev libcjson-dev libmd-dev libmd4c-dev'
packages="$packages zlib1g-dev libarchive-dev gnuplot-nox curl ca-certificates"
test_packages='libcmocka-dev libmatio-dev'
optional_packages='libmpfr-dev libsvm-dev libsvm-tools python3 python3-jsonschema python3-yaml'
optional_packages="$optional_packages libxml2-utils librsvg2-bin locales poppler-utils strace"

missing_packages() {
    for package in "$@"; do
        case $(dpkg-query -W -f '${Status}' "$package" 2>/dev/null || true) in
        *'ok installed') ;;
        *) printf ' %s' "$package" ;;
        esac
    done
}

# install PACKAGE...: installs those that are missing, or prints the command to run. Status 4 if some are still missing.
install() {
    missing=$(missing_packages "$@")
    [ -n "$missing" ] || return 0
    # A new machine may hold the lock for minutes.
    wait='-o DPkg::Lock::Timeout=300'
    install="${sudo}apt-get $wait install -y --no-install-recommends$missing"
    if [ "$may_install" = no ]; then
        {
            echo "run_all.sh: these Debian packages are missing:$missing"
            echo "Install them with the following line, then run this command again:"
            echo "${sudo}apt-get $wait update && $install"
        } >&2
        return 4
    fi
    echo "Installing these Debian packages:$missing"
    echo "by ${sudo}apt-get $wait update && $install"
    log=$(mktemp)
    # shellcheck disable=SC2086 # lists of words
    if ! { ${sudo}apt-get $wait update && ${sudo}env DEBIAN_FRONTEND=noninteractive \
        apt-get $wait install -y --no-install-recommends $missing; } >"$log" 2>&1; then
        tail -n 20 "$log" >&2
        rm -f "$log"
        echo "run_all.sh: apt-get could not install the packages" >&2
        return 4
    fi
    rm -f "$log"
}

command -v dpkg-query >/dev/null || exit 0 # not Debian: make names what it does not find
sudo=''
if [ "$(id -u)" != 0 ]; then
    sudo='sudo '
    if [ -z "${CI-}" ] || ! sudo -n true 2>/dev/null; then may_install=no; fi
fi
if [ "$mode" = test ]; then
    packages="$packages $test_packages"
    # shellcheck disable=SC2086 # lists of words
    [ "$may_install" = no ] || install $packages $optional_packages || echo "Trying without optional packages" >&2
fi
# shellcheck disable=SC2086 # a list of words
install $packages || exit 4
