#!/bin/sh
# The portable ways of harness/support/platform.c (make PORTABLE=1): its unit tests, those of the parts that use it, and
# the program pass with them as well, and records have the same bytes.
# shellcheck source=tests/tap.sh
. "$(dirname -- "$0")/tap.sh"
cd "$root" || exit 4

# object SOURCE: compiles a source for the portable ways into $work.
object() {
    # shellcheck disable=SC2046 # a list of flags
    $(sed -n 1p "$BUILD/flags") -DHULLBENCH_PORTABLE -c -o "$work/$(basename "$1" .c).o" "$1" 2>"$work/err"
}

# link PROGRAM [OPTION...] OBJECT...: links it with the portable object in place of the library's.
link() {
    linked=$1
    shift
    # shellcheck disable=SC2046 # lists of flags
    $(sed -n 1p "$BUILD/flags") -o "$linked" "$@" "$work/platform.o" "$BUILD/libhullbench.a" \
        $(sed -n 2p "$BUILD/flags") 2>"$work/err"
}

object harness/support/platform.c && [ ! -s "$work/err" ]
check "platform.c compiles for the portable ways without a warning"

# passes SOURCE: compiles, links and runs a unit test.
passes() {
    object "$1"
    name=$(basename "$1" .c)
    link "$work/$name" "$work/$name.o" "$BUILD/libtests.a" -lcmocka &&
        CMOCKA_MESSAGE_OUTPUT=TAP "$work/$name" >"$work/err" 2>&1
    check "the tests of $name pass"
}
for test in support/test_platform support/test_file support/test_folder_lock support/test_input_stream \
    records/test_record report/test_figures; do
    passes "harness/$test.c"
done

mkdir "$work/build" && link "$work/build/hullbench" -Wl,--dynamic-list=solvers/plugin.symbols \
    "$BUILD/harness/cli/main.o"
check "the program links"
cd "$work" || exit 4

cat >small.json <<'END'
{"name": "small", "datasets": ["titanic"], "splits": 2, "standardise": "none", "kernel": {"type": "rbf", "width": 2},
 "solvers": [{"name": "1-smo", "parameters": {"C": 1}}, {"name": "2-smo", "parameters": {"C": 1}}],
 "stop": {"rule": "kkt", "tolerance": 0.01}}
END
program run small.json --out usual --jobs 1
hullbench=$work/build/hullbench
program run small.json --out portable --jobs 1
ended 0 && same_files usual/records.jsonl portable/records.jsonl
check "a run writes the same records"
! grep -q '"libc"\|"processor": *"' portable/run.json && grep -q '"program_sha256"' portable/run.json
check "what is unknown of the machine is left out of run.json, and the program is known"
program run small.json --out portable --none
ended 2 2 && says "hullbench run: unrecognized option '--none'"
check "bad use ends with status 2"
program run --help
ended 0 0 && grep -q -e '--out=DIR' out && ! grep -q '.\{80\}' out
check "the help lists the options"
finish
