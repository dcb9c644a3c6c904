#!/bin/sh
# Builds the shared objects of tests/bench/peers/peer.h for the bench, as far as their requirements are installed.
set -eu

if [ $# -ne 2 ]; then
    echo 'Usage: tests/bench/peers/build.sh FOLDER FETCHED
Builds into FOLDER. LIBSVM is compiled from svm.cpp and svm.h in the folder LIBSVM_SOURCE; if that is not set, they are
downloaded to FETCHED. What lacks its library or a C++ compiler is left out; bench says what it needs.
CC (gcc), CXX (g++), SHARK_FLAGS (-lshark -lboost_serialization): compilers, and where Shark is' >&2
    exit 2
fi
folder=$1 fetched=$2
here=tests/bench/peers
: "${CC:=gcc}" "${CXX:=g++}" "${SHARK_FLAGS:=-lshark -lboost_serialization}"
mkdir -p -- "$folder"
fast='-O3 -march=native'
object="-fPIC -fvisibility=hidden -I."

# old FILE SOURCES...: the file is missing, or older than a source or than any file in tests/bench/peers
old() {
    made=$folder/$1
    shift
    [ ! -e "$made" ] || [ -n "$(find "$@" $here -type f -newer "$made")" ]
}

# includes COMPILER HEADER FLAGS...
includes() {
    compiler=$1 header=$2
    shift 2
    command -v "$compiler" >/dev/null && echo "#include <$header>" | "$compiler" -x c++ -E "$@" - >/dev/null 2>&1
}

cc() {
    # shellcheck disable=SC2086 # words
    $CC -std=c11 $object "$@"
}

cxx() {
    # shellcheck disable=SC2086 # words
    $CXX -std=c++17 $object $fast -w "$@"
}

if echo '#include <libsvm/svm.h>' | "$CC" -x c -E - >/dev/null 2>&1; then
    if old libsvm.so $here/libsvm_train.c; then
        cc -O2 -shared -o "$folder/libsvm.so" $here/libsvm_train.c -lsvm -lm
    fi
fi
if includes "$CXX" vector; then
    source=${LIBSVM_SOURCE-}
    if [ -z "$source" ] && $here/fetch_libsvm.sh "$fetched" 2>/dev/null; then
        source=$fetched
    fi
    if [ -n "$source" ]; then
        if old libsvm_source.so $here/libsvm_train.c "$source/svm.cpp"; then
            cxx -c -o "$folder/svm.o" "$source/svm.cpp"
            cc -O2 -shared -I"$source" '-DSVM_HEADER="svm.h"' -o "$folder/libsvm_source.so" $here/libsvm_train.c \
                "$folder/svm.o" -lstdc++ -lm
        fi
        if old libsvm_rows.so $here/libsvm_train.c $here/libsvm_rows.cpp $here/libsvm_row.c "$source/svm.cpp"; then
            # -ffast-math only for the loop, not for the linker, where it would change the rounding of the process.
            # shellcheck disable=SC2086 # words
            cc $fast -ffast-math -c -o "$folder/row.o" $here/libsvm_row.c
            cxx -I"$source" -c -o "$folder/rows.o" $here/libsvm_rows.cpp
            cc -O2 -shared -I"$source" '-DSVM_HEADER="svm.h"' -DVECTORISED_ROWS -o "$folder/libsvm_rows.so" \
                $here/libsvm_train.c "$folder/rows.o" "$folder/row.o" -lstdc++ -lmvec -lm
        fi
    fi
    if old dlib.so $here/dlib.cpp && includes "$CXX" dlib/svm.h; then
        cxx -shared -o "$folder/dlib.so" $here/dlib.cpp
    fi
    # shellcheck disable=SC2086 # words
    if old shark.so $here/shark.cpp && includes "$CXX" shark/Algorithms/Trainers/CSvmTrainer.h $SHARK_FLAGS; then
        cxx -shared -o "$folder/shark.so" $here/shark.cpp $SHARK_FLAGS
    fi
fi
