#!/bin/sh
# Downloads svm.cpp and svm.h of LIBSVM 3.37 from its authors' repository and checks each against its SHA-256. LIBSVM
# has its own BSD licence and is not part of this project.
set -eu

case ${1-} in
    '' | -*)
        # shellcheck disable=SC2016 # the variable's name
        echo 'Usage: tests/bench/peers/fetch_libsvm.sh FOLDER
Downloads svm.cpp and svm.h of LIBSVM 3.37 to FOLDER; a file that is there and right is left alone.
HULLBENCH_URL_BASE: take them from $HULLBENCH_URL_BASE/NAME instead (a mirror, or file://...)' >&2
        exit 2 ;;
esac
folder=$1
base=${HULLBENCH_URL_BASE-https://raw.githubusercontent.com/cjlin1/libsvm/v337}
mkdir -p -- "$folder"

# fetch NAME SHA256
fetch() {
    if [ -f "$folder/$1" ] && echo "$2  $folder/$1" | sha256sum -c --status; then
        return
    fi
    curl -fL --retry 1 --connect-timeout 10 -sS -o "$folder/$1.part" -- "$base/$1"
    if ! echo "$2  $folder/$1.part" | sha256sum -c --status; then
        rm -f -- "$folder/$1.part"
        echo "$base/$1: SHA-256 is not $2; nothing kept" >&2
        exit 1
    fi
    mv -f -- "$folder/$1.part" "$folder/$1"
}

fetch svm.cpp bfe02a7c001151ab703c206ff6a9136c75eb704b4427536e3f65d3ac90bd0eb6
fetch svm.h 597aff50cfb9a04922736472bd125862439c87408a83cb57fb04980744dffd51
