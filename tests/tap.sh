# shellcheck shell=sh
# Sourced by the whole-program tests in tests/FOLDER, which print TAP. Gives each test its own folder $work, removed at
# the end, the program as $hullbench, and a share folder without downloaded data, so that all tests see the same data
# sets on every machine. $data is the search path for real data, for tests that need them.
set -u
root=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd)
# The outer make's flags would change the builds in these tests.
unset TEST_SKIPS MAKEFLAGS MFLAGS MAKELEVEL HULLBENCH_LANES HULLBENCH_STORAGE HULLBENCH_SHARE HULLBENCH_DATADIR
BUILD=${BUILD:-$(make -s -C "$root" print-B)}
case $BUILD in
    /*) ;;
    *) BUILD=$root/$BUILD ;;
esac
hullbench=$BUILD/hullbench
[ -x "$hullbench" ] || { echo "not ok 1 - $hullbench is built" && echo 1..1 && exit 1; }
# shellcheck disable=SC2034 # used by the scripts that source this
data=${HULLBENCH_DATA:-}
[ ! -d "$root/datasets/cache" ] || data=$data:$root/datasets/cache
unset HULLBENCH_DATA
# shellcheck disable=SC2034
no_data='the data are not along HULLBENCH_DATA; datasets/fetch.sh downloads them'
work=$(mktemp -d) || exit 4
cleaning=:
trap 'eval "$cleaning"; rm -rf "$work"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
mkdir -p "$work/share/datasets"
for name in papers baselines bindings configs plots docs; do
    ln -s "$root/$name" "$work/share/$name"
done
ln -s "$root/datasets/manifest.json" "$work/share/datasets/manifest.json"
HULLBENCH_DATADIR=$work/share
export HULLBENCH_DATADIR
count=0 failed=0 status=0

# check SENTENCE: reports the status of the preceding command.
check() {
    # shellcheck disable=SC2181 # the command before the call
    if [ "$?" -eq 0 ]; then
        count=$((count + 1))
        echo "ok $count - $1"
        return 0
    fi
    count=$((count + 1))
    echo "not ok $count - $1"
    failed=$((failed + 1))
    echo "# status $status"
    [ ! -s "$work/err" ] || sed 's/^/# /' "$work/err"
    return 0
}

# sanitized: the program is built with a sanitizer (make sanitize), which has an allocator of its own and is slow.
sanitized() {
    grep -q -e -fsanitize "$BUILD/flags" 2>/dev/null
}

# Puts a python3 with numpy first: one before that of the system may lack it.
find_numpy() {
    python3 -c 'import numpy' 2>/dev/null || ! /usr/bin/python3 -c 'import numpy' 2>/dev/null || PATH=/usr/bin:$PATH
    export PATH
}

# skip SENTENCE WHY [PACKAGE]...: names the Debian packages with which the test would run.
skip() {
    count=$((count + 1))
    (line="ok $count - $1 # SKIP $2" && shift 2 && echo "$line${*:+ (Debian: $*)}")
}

# Prints the plan line and sets the exit status.
finish() {
    echo "1..$count"
    [ "$failed" -eq 0 ]
    exit
}

# Runs make in the source tree, which parallel tests share.
make_root() {
    if command -v flock >/dev/null; then
        mkdir -p "$root/build" && flock "$root/build/.lock" make -s -C "$root" "$@"
    else
        make -s -C "$root" "$@"
    fi
}

# Runs the program: $status, $work/out, $work/err.
program() {
    "$hullbench" "$@" >"$work/out" 2>"$work/err"
    status=$?
    return 0
}

# The same, with access to real data.
program_with_data() {
    HULLBENCH_DATA=$data "$hullbench" "$@" >"$work/out" 2>"$work/err"
    status=$?
    return 0
}

# has_data SET: the data set is in the search path for real data, or is made by the program. `list datasets` takes
# longer, since it reads all files.
has_data() {
    HULLBENCH_DATA=$data "$hullbench" solve --dataset "$1" --solver clip-mdm --set mu=0.5 --iterations 1 >/dev/null 2>&1
    [ $? -ne 3 ]
}

# solver_names: the built-in solvers, one per line; if HULLBENCH_TESTED_SOLVER is set, only the solver of that name.
solver_names() {
    "$hullbench" list solvers --json | sed -n 's/^{"name":"\([^"]*\)".*/\1/p' | grep -x "${HULLBENCH_TESTED_SOLVER:-.*}"
}

# ended STATUS [LINES]: the last program had this exit status and printed this many lines on standard error.
ended() {
    [ "$status" -eq "$1" ] && { [ $# -lt 2 ] || [ "$(wc -l <"$work/err")" -eq "$2" ]; }
}

# says TEXT: standard error contains the text.
says() {
    grep -qF -- "$1" "$work/err"
}

# says_at FILE TEXT: standard error names FILE:LINE:COLUMN, a path that ends in FILE, before the text.
says_at() {
    grep -F -- "$2" "$work/err" | grep -qE "(^|[ /])$1:[1-9][0-9]*:[1-9][0-9]*: "
}

# unlist FOLDER: takes the checksums out of run.json, as in folders of versions before 1.0, so that a test may edit
# files.
unlist() {
    awk '/^\t"files":/ { exit } { print }' "$1/run.json" | sed '$s/,$//' >"$1/run.json.new" &&
        echo '}' >>"$1/run.json.new" && mv "$1/run.json.new" "$1/run.json"
}

# contents FOLDER [FIND-CONDITION]...: the contents of a folder of results, without times and without what a fault may
# leave: locks, journals of finished runs, temporary files. The conditions select files.
contents() {
    (
        cd "$1" && shift || exit 4
        find . -type f ! -name run.json ! -name timings.jsonl ! -name .lock ! -name journal.jsonl ! -name '*.tmp' \
            ! -name '*compare-time*' "$@" -exec sha256sum {} + | sort -k 2
        find . -name run.json | sort | xargs -r sed '/"time":/,/}/d; /"timings.jsonl":/,/}/d
            /"search_seconds":/,/^\t}/d; /finished\|seconds\|peak_megabytes/d'
        find . -name timings.jsonl | sort | xargs -r cut -d, -f1
    )
}

# same_files A B: both exist, are not empty and are identical.
same_files() {
    [ -s "$1" ] && cmp -s "$1" "$2"
}

# install_headers: lets pkg-config find the installed headers, and changes to $work. The tests share one installation,
# which is made again if a header or the Makefile has changed.
install_headers() {
    prefix=$BUILD/headers-$(cd "$root" && find Makefile solvers harness/library \( -name '*.h' -o -name 'M*' -o -name \
        '*.mk' -o -name '*.in' \) -exec cat {} + | cksum | tr ' ' -)
    # Moved as a whole, so that a test that runs at the same time sees all or nothing.
    [ -e "$prefix" ] || { make_root install-headers DESTDIR="$work/new" PREFIX="$prefix" >"$work/log" 2>&1 &&
        mv "$work/new$prefix" "$prefix"; }
    check "the headers are installed"
    PKG_CONFIG_PATH=$prefix/lib/pkgconfig
    PATH=$BUILD:$PATH
    export PKG_CONFIG_PATH PATH
    cd "$work" || exit 4
}

# compile NAME [FLAGS]: compiles NAME.c to the plugin NAME.so; any warning is an error. With -O2 gcc warns of more.
compile() {
    name=$1
    shift
    # shellcheck disable=SC2046 # a list of flags
    ${CC:-cc} -std=c11 -O0 -ffp-contract=off -Wall -Wextra -Werror -fPIC -shared "$@" -o "$name.so" "$name.c" \
        $(pkg-config --cflags hullbench) 2>"$work/err"
}

# plugin NAME [SED]...: builds NAME.so, the plugin my_mdm.c after edits that each must change it; ignores warnings.
plugin() {
    name=$1
    cp my_mdm.c "$name.c" && shift
    for change; do
        sed "$change" "$name.c" >changed.c
        ! same_files changed.c "$name.c" || return 1
        mv changed.c "$name.c"
    done
    compile "$name" -w
}

# refused_with NAME LIST: with each statement of standard input (lines STATEMENT@SENTENCE@TEXT) executed while NAME.c is
# loaded as the plugin bad.so, `list LIST` ends with status 2 and one line that begins with the file and contains TEXT.
# One plugin, *self, has all statements, since a compilation takes longer than several runs.
refused_with() {
    {
        sed 's/^static const struct/static struct/; s/^static const char \*const/static const char */' "$1.c"
        echo '#include <stdlib.h>'
        echo '__attribute__((constructor)) static void alter(void)'
        echo '{ struct hullbench_plugin *self = (void *)&hullbench_plugin; switch (atoi(getenv("FAULT"))) {'
        tee faults | awk -F@ '{ print "case " NR ": {" $1 "; break; }" }'
        echo '} }'
    } >bad.c
    compile bad -w -Wl,-z,norelro && FAULT=0 "$hullbench" list "$2" --plugin ./bad.so >"$work/out" 2>"$work/err"
    check "without an altered member the plugin with the $2 is accepted"
    number=0
    while IFS=@ read -r _ sentence text; do
        number=$((number + 1))
        FAULT=$number "$hullbench" list "$2" --plugin ./bad.so >"$work/out" 2>"$work/err"
        status=$?
        ended 2 1 && says "hullbench: ./bad.so: " && says "$text"
        check "$sentence"
    done <faults
}

# copy_tree FOLDER: copies the sources into this new folder.
copy_tree() {
    mkdir "$1" && (cd "$root" && tar -cf - --exclude=./build --exclude=./results --exclude=./.git \
        --exclude=./hullbench --exclude=./datasets/cache .) | tar -xpf - -C "$1"
}

# copy_build FOLDER: copies what was compiled, with its times, into this folder of builds, but nothing that was linked.
copy_build() {
    mkdir -p "$1" && (cd "$BUILD/.." && find "${BUILD##*/}" -type f ! -perm -u+x -print0 |
        tar -cf - --null --no-recursion -T -) | tar -xpf - -C "$1"
}
