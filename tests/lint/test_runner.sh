#!/bin/sh
# tests/run.sh: what it counts as passed, failed and skipped, and that it runs programs in parallel.
# shellcheck source=tests/tap.sh
. "$(dirname -- "$0")/../tap.sh"
cd "$work" || exit 4

# runner WORD...: runs tests/run.sh; $status and $work/out, whose last line is $last.
runner() {
    sh "$root/tests/run.sh" "$@" >"$work/out" 2>"$work/err"
    status=$?
    last=$(tail -n 1 "$work/out")
}

printf 'echo "ok 1 - one"; echo "ok 2 - two"; echo 1..2\n' >good.sh
printf 'echo "ok 1 - one"; echo "not ok 2 - of # this"; echo 1..2; exit 1\n' >bad.sh
printf 'echo "ok 1 - one"; exit 3\n' >dies.sh
printf 'exit 0\n' >empty.sh
printf 'echo "ok 1 - one # SKIP not here"; echo "not ok 2 - two # SKIP (Debian: b a)"; echo 1..2\n' >skips.sh
printf 'echo "# none (Debian: c a)"; echo "not ok 1 # SKIP it_is"; echo "not ok 2 # SKIP so_is_it"\n' >cmocka.sh
# shellcheck disable=SC2016 # for the script
printf 'echo "ok 1 - one"; kill -9 $PPID; sleep 1\n' >kills.sh
runner ./good.sh
ended 0 0 && [ "$last" = "2 passed, 0 failed" ] && grep -q '^  ok   ./good.sh: 2 passed$' "$work/out"
check "tests that pass are counted"
runner ./good.sh ./bad.sh
ended 1 0 && [ "$last" = "3 passed, 1 failed" ] && grep -q '^FAILED ./bad.sh$' "$work/out" &&
    grep -q '^    not ok 2 - of # this$' "$work/out"
check "one that fails is counted and shown"
runner ./dies.sh ./empty.sh
ended 1 0 && [ "$last" = "1 passed, 2 failed" ] && grep -q 'dies.sh ended with status 3 after 1 tests' "$work/out"
check "a program that dies or runs nothing has failed"
runner ./skips.sh ./good.sh
ended 0 0 && [ "$last" = "2 passed, 0 failed, 2 skipped" ]
check "skipped tests are counted"
grep -A2 -x 'Skipped:' "$work/out" | tail -n 2 >"$work/listed"
[ "$(cat "$work/listed")" = "  skips.sh: one # SKIP not here
  skips.sh: two # SKIP (Debian: b a)" ]
check "and listed with their reasons"
runner ./cmocka.sh ./skips.sh
ended 0 0 && [ "$last" = "0 passed, 0 failed, 4 skipped" ] && grep -qx '  cmocka.sh: it_is # SKIP none (Debian: c a)' \
    "$work/out" && grep -qx '  cmocka.sh: so_is_it # SKIP ' "$work/out"
check "those of cmocka have their names, and the reason that was printed before"
[ "$(tail -n 2 "$work/out" | head -n 1 | sed 's/.* packages //')" = 'a b c' ]
check "the packages that tests lack are listed"
printf '# why\nskips.sh: two\nskips.sh: three\n' >may_skip
TEST_SKIPS=may_skip runner ./skips.sh ./good.sh
ended 1 0 && [ "$last" = "2 passed, 1 failed, 2 skipped" ] && grep -A1 'not listed in may_skip' "$work/out" |
    grep -qx '  skips.sh: one # SKIP not here'
check "a skipped test that is not on the list fails the run"
echo 'skips.sh: one' >>may_skip
TEST_SKIPS=may_skip runner ./skips.sh ./good.sh
ended 0 0 && [ "$last" = "2 passed, 0 failed, 2 skipped" ]
check "one that is on it does not"
printf 'skips.sh: two\nreason: not here\n' >may_skip
TEST_SKIPS=may_skip runner ./skips.sh ./good.sh
ended 0 0
check "nor one whose reason is on it"
runner ./kills.sh
ended 1 && [ "$last" = "0 passed, 1 failed" ]
check "a program whose runner is killed has failed"

# Each waits for the other.
for pair in 'a b' 'b a'; do
    # shellcheck disable=SC2016 # for the script
    printf ': >%s.here; for i in $(seq 100); do [ ! -e %s.here ] || exec echo "ok 1 - met"; sleep 0.1; done\n' \
        "${pair% *}" "${pair#* }" >"${pair% *}.sh"
done
TEST_JOBS=2 runner ./a.sh ./b.sh
ended 0 0 && [ "$last" = "2 passed, 0 failed" ]
check "programs run side by side"
# shellcheck disable=SC2016 # for the scripts
printf 'mkdir only && echo "ok 1 - alone"; sleep 0.1; rmdir only\n' >first.sh
cp first.sh second.sh
TEST_JOBS=1 runner ./first.sh ./second.sh
ended 0 0 && [ "$last" = "2 passed, 0 failed" ]
check "and one after the other with TEST_JOBS=1"
# shellcheck disable=SC2016 # for the scripts
printf '[ "${WRAPPED-}" = yes ] && echo "ok 1 - wrapped"\n' >wrapped
chmod +x wrapped
TEST_WRAPPER="env WRAPPED=yes sh" runner ./wrapped
ended 0 0 && [ "$last" = "1 passed, 0 failed" ]
check "TEST_WRAPPER stands before a program"
finish
