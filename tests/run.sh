#!/bin/sh
# Runs test programs that speak TAP (cmocka's, and shell scripts) and ends in "N passed, N failed[, N skipped]".
# Usage: tests/run.sh PROGRAM...   BUILD is the build folder; TEST_WRAPPER, if set, is put before each program.
set -u
passed=0 failed=0 skipped=0
log=$(mktemp) || exit 4
trap 'rm -f "$log"' EXIT INT TERM
export CMOCKA_MESSAGE_OUTPUT=TAP
for program in "$@"; do
    case $program in
        *.sh) sh "$program" >"$log" 2>&1; status=$? ;;
        *) ${TEST_WRAPPER:-} "$program" >"$log" 2>&1; status=$? ;;
    esac
    # cmocka before 1.1.7 says "not ok N # SKIP" of a test that was skipped.
    skip=$(grep -Eci '^(not )?ok .*# *skip' "$log")
    good=$(grep -Ev '^(not )?ok .*# *(skip|SKIP)' "$log" | grep -Ec '^ok')
    bad=$(grep -Ev '^(not )?ok .*# *(skip|SKIP)' "$log" | grep -Ec '^not ok')
    # A program that dies, or that runs nothing, has failed even where no line says so.
    if [ "$bad" -eq 0 ] && { [ "$status" -ne 0 ] || [ $((good + skip)) -eq 0 ]; }; then
        bad=1
        echo "not ok - $program ended with status $status after $((good + skip)) tests" >>"$log"
    fi
    if [ "$bad" -gt 0 ]; then
        echo "FAILED $program"
        sed 's/^/    /' "$log"
    else
        echo "  ok   $program: $good passed$([ "$skip" -gt 0 ] && echo ", $skip skipped")"
        grep -Ei '^(not )?ok .*# *skip' "$log" | sed 's/^/         /'
    fi
    passed=$((passed + good)) failed=$((failed + bad)) skipped=$((skipped + skip))
done
if [ "$skipped" -gt 0 ]; then
    echo "$passed passed, $failed failed, $skipped skipped"
else
    echo "$passed passed, $failed failed"
fi
[ "$failed" -eq 0 ]
