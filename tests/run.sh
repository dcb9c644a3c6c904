#!/bin/sh
# Runs test programs that print TAP (cmocka's, and shell scripts) in parallel. The last line is "N passed, N failed" or
# "N passed, N failed, N skipped". Usage: tests/run.sh PROGRAM...
# Temporary files go to TMPDIR; by default to memory, /dev/shm, if programs may run there and it has 4 GB free. On a
# disk, tests that write many files mostly wait, because hullbench syncs each of them.
# The tests that were skipped are listed with their reasons, and with the packages that they lack, before the last line.
# If TEST_SKIPS names a file, a skipped test that has no line there fails the run (lines: "PROGRAM: TEST", without
# folders, or "reason: REASON"; # begins a comment).
# BUILD is the build folder; TEST_WRAPPER, if set, precedes each program; TEST_JOBS programs run at once (default: one
# per processor).
set -u
export CMOCKA_MESSAGE_OUTPUT=TAP

# Runs one program: prints its report in one write, and appends "passed failed skipped" to the file $TEST_COUNTS.
if [ "${1-}" = --one ]; then
    program=$2
    log=$(mktemp) || exit 4
    trap 'rm -f "$log" "$log.report"' EXIT
    trap 'exit 130' INT TERM
    case $program in
        *.sh) sh "$program" >"$log" 2>&1; status=$? ;;
        *) ${TEST_WRAPPER:-} "$program" >"$log" 2>&1; status=$? ;;
    esac
    # cmocka before 1.1.7 prints "not ok N # SKIP" for a skipped test.
    skip=$(grep -Eci '^(not )?ok .*# *skip' "$log")
    good=$(grep -Ev '^(not )?ok .*# *(skip|SKIP)' "$log" | grep -Ec '^ok')
    bad=$(grep -Ev '^(not )?ok .*# *(skip|SKIP)' "$log" | grep -Ec '^not ok')
    # A program that crashes or runs no test has failed, even if no line says so.
    if [ "$bad" -eq 0 ] && { [ "$status" -ne 0 ] || [ $((good + skip)) -eq 0 ]; }; then
        bad=1
        echo "not ok - $program ended with status $status after $((good + skip)) tests" >>"$log"
    fi
    if [ "$bad" -gt 0 ]; then
        echo "FAILED $program"
        sed 's/^/    /' "$log"
    else
        echo "  ok   $program: $good passed$([ "$skip" -gt 0 ] && echo ", $skip skipped")"
    fi >"$log.report"
    cat "$log.report"
    # cmocka prints "# WHY" (tests/all_tests.h), then "not ok N # SKIP TEST".
    awk -v program="${program##*/}: " '
        /^(not )?ok [0-9]+ # SKIP / { print program $NF " # SKIP " why }
        /^(not )?ok [0-9]+ - .*# *[sS][kK][iI][pP]/ { sub(/^[^-]* - /, ""); print program $0 }
        { why = /^# / ? substr($0, 3) : "" }' "$log" >>"$TEST_COUNTS.skipped"
    echo "$good $bad $skip" >>"$TEST_COUNTS"
    exit 0
fi

processors=$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 1)
# Programs share the processors: two threads each, so that parallel code is tested, and no thread spins while waiting.
if [ $# -gt 1 ] && [ -z "${OMP_NUM_THREADS-}" ]; then
    export OMP_NUM_THREADS=2 OMP_WAIT_POLICY=passive
fi
memory_free=$(df -Pk /dev/shm 2>/dev/null | awk 'NR == 2 { print $4 }') # in kilobytes
if [ -z "${TMPDIR-}" ] && [ "${memory_free:-0}" -ge 4000000 ]; then
    probe=$(mktemp /dev/shm/hullbench-XXXXXX 2>/dev/null) && echo exit 0 >"$probe" && chmod +x "$probe" &&
        "$probe" 2>/dev/null && export TMPDIR=/dev/shm
    rm -f "$probe"
fi
TEST_COUNTS=$(mktemp) || exit 4
export TEST_COUNTS
: >"$TEST_COUNTS.skipped"
trap 'rm -f "$TEST_COUNTS" "$TEST_COUNTS.skipped"' EXIT
trap 'exit 130' INT TERM
# The longest first, so that none of them runs alone at the end.
longest='test_slurm.sh test_same_bytes.sh test_resume.sh test_records.sh test_adding_page.sh test_gate.sh '\
'test_pages.sh test_example_plugin.sh test_templates.sh test_shapes.sh test_ci_templates.sh test_verify.sh'
for name in $longest -; do
    for program in "$@"; do
        case " $longest " in
        *" ${program##*/} "*) [ "${program##*/}" != "$name" ] || printf '%s\0' "$program" ;;
        *) [ "$name" != - ] || printf '%s\0' "$program" ;;
        esac
    done
done | xargs -0 -n 1 -P "${TEST_JOBS:-$processors}" sh "$0" --one
if [ -s "$TEST_COUNTS.skipped" ]; then
    echo "Skipped:"
    sort "$TEST_COUNTS.skipped" | sed 's/^/  /'
    packages=$(sed -n 's/.*(Debian: \(.*\))$/\1/p' "$TEST_COUNTS.skipped" | tr ' ' '\n' | sort -u | paste -sd ' ' -)
    [ -z "$packages" ] || echo "More of these tests run with the Debian packages $packages"
fi
if [ -n "${TEST_SKIPS-}" ]; then
    sort "$TEST_COUNTS.skipped" | while IFS= read -r line; do
        printf '%s\n' "$line" | sed -E 's/ *# *skip/\nreason:/I; s/ \(Debian: .*\)$//' | grep -qxFf "$TEST_SKIPS" ||
            echo "  $line"
    done >"$TEST_COUNTS.unlisted"
    if [ -s "$TEST_COUNTS.unlisted" ]; then
        echo "Skipped, but not listed in $TEST_SKIPS:"
        cat "$TEST_COUNTS.unlisted"
        echo "0 1 0" >>"$TEST_COUNTS"
        set -- "$@" "the skipped tests"
    fi
    rm -f "$TEST_COUNTS.unlisted"
fi
# A killed runner has written no counts.
awk -v wanted=$# '{ passed += $1; failed += $2; skipped += $3 }
    END {
        failed += wanted - NR
        printf "%d passed, %d failed%s\n", passed, failed, skipped ? ", " skipped " skipped" : ""
        exit failed != 0
    }' "$TEST_COUNTS"
