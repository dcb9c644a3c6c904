#!/bin/sh
# tests/mutation/mutate.py on a project with one source, whose mutants have known outcomes.
set -u
root=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd)
work=$(mktemp -d) || exit 4
trap 'rm -rf "$work"' EXIT
count=0 failed=0

check() {
    # shellcheck disable=SC2181 # the command before the call
    if [ "$?" -eq 0 ]; then outcome=ok; else outcome='not ok' failed=$((failed + 1)); fi
    count=$((count + 1))
    echo "$outcome $count - $1"
    [ "$outcome" = ok ] || sed 's/^/# /' "$work/err"
}

if ! command -v python3 >/dev/null || ! command -v gcc >/dev/null || ! command -v "${GCOV:-gcov}" >/dev/null; then
    echo "ok 1 - mutants # SKIP needs python3, gcc and gcov"
    echo 1..1
    exit 0
fi
unset MAKEFLAGS MFLAGS MAKELEVEL
export CC=gcc PYTHONDONTWRITEBYTECODE=1
python3 "$root/tests/mutation/mutation_sites.py" >"$work/err" 2>&1
check "the choice of mutations leaves out what is no code"

tree=$work/tree
mkdir -p "$tree/solvers" "$tree/tests/mutation"
cp "$root/tests/run.sh" "$tree/tests/run.sh"
cat >"$tree/Makefile" <<'END'
CC ?= gcc
OPT ?= -O2
FLAGS = $(OPT) $(SANITIZE) -I.
B := build/$(if $(SANITIZE),counted,plain)
TEST_PROGRAMS := $(B)/solvers/test_small
tests-built: $(TEST_PROGRAMS) $(B)/hullbench
$(B)/%.o: %.c
	@mkdir -p $(@D)
	@$(CC) $(FLAGS) -c -o $@ $<
$(B)/libsmall.a: $(B)/solvers/small.o
	@rm -f $@
	@ar rcs $@ $^
$(B)/solvers/test_small: $(B)/solvers/test_small.o $(B)/libsmall.a
	@$(CC) $(FLAGS) -o $@ $^
$(B)/hullbench: $(B)/solvers/main.o $(B)/libsmall.a
	@$(CC) $(FLAGS) -o $@ $^
print-%:
	@echo '$($*)'
END
cat >"$tree/solvers/small.c" <<'END'
int difference(int p, int q);
int product(int p, int q);
int quotient(int p, int q);
int by_program(int p, int q);
long apart(const char *p, const char *q);
int count_to(int n);
int difference(int p, int q)
{
    int kept;
    kept = p;
    kept = q;
    return p - kept;
}
int product(int p, int q) /* p * q */
{
    return p * q;
}
int quotient(int p, int q)
{
    return p / q;
}
int by_program(int p, int q)
{
    return p + q;
}
long apart(const char *p, const char *q)
{
    return p - q;
}
int count_to(int n)
{
    volatile int i = 0;
    while (i < n)
        i++;
    return i;
}
END
cat >"$tree/solvers/test_small.c" <<'END'
#include <stdio.h>
int difference(int a, int b);
int product(int a, int b);
int count_to(int n);
int main(void)
{
    int good = difference(3, 1) == 2 && product(5, 1) == 5 && count_to(3) == 3;
    printf("%s 1 - small\n1..1\n", good ? "ok" : "not ok");
    return !good;
}
END
cat >"$tree/solvers/main.c" <<'END'
int by_program(int a, int b);
int main(void) { return by_program(2, 3) != 5; }
END
cat >"$tree/tests/mutation/test_program.sh" <<'END'
"$BUILD/hullbench" && echo "ok 1 - program" || { echo "not ok 1 - program"; exit 1; }
END
echo 'exit 1' >"$tree/tests/mutation/test_broken.sh"

mutate() {
    python3 "$root/tests/mutation/mutate.py" --root "$tree" --jobs 1 --patience 1 "$@" >"$work/out" 2>"$work/err"
    status=$?
}
journal=$tree/results/mutate/1/journal.jsonl

# fate LINE: the verdict of the only mutant on a line of small.c.
fate() {
    sed -n 's/.*"line": '"$1"', .*"verdict": "\([^"]*\)".*/\1/p' "$journal" | tail -n 1
}

(cd "$tree" && find . -type f | sort | xargs cksum) >"$work/before"
mutate --mutants 100 --only small.c
(cd "$tree" && find . -type f ! -path './build/*' ! -path './results/*' | sort | xargs cksum) | cmp -s - "$work/before"
check "the working tree stays as it is"
[ "$(fate 12)" = killed ] && [ "$(fate 24)" = killed ]
check "a fault that a test program or a script sees is killed"
[ "$(fate 34)" = timeout ] || { grep -q '"line": 34' "$journal" && false; }
check "a fault that makes a loop endless is killed by its time"
[ "$(fate 16)" = survived ] && grep -q 'small.c:16 (arithmetic, in product); 1 tests reach it: solvers/test_small' \
    "$work/out"
check "a fault that the test does not see survives and is in the table"
[ "$(fate 20)" = 'not reached' ] && grep -q 'small.c:20 .*no test reaches it' "$work/out"
check "a fault that no test reaches survives"
[ "$(fate 10)" = 'same code' ] && ! grep -q 'small.c:10' "$work/out"
check "a fault that changes no object code is replaced"
[ "$(fate 28)" = 'not compiled' ] && ! grep -q 'small.c:28' "$work/out"
check "a fault that does not compile is replaced"
grep -q 'test_broken.sh failed without a fault: left out' "$work/err"
check "a test that fails without a fault kills nothing"
[ "$status" -eq 1 ]
check "the status is 1 below the share asked for"

# An interrupted run: half of a last line.
cp "$journal" "$work/journal" && cp "$work/out" "$work/whole"
lines=$(wc -l <"$journal")
head -n $((lines - 2)) "$work/journal" >"$journal" && sed -n "$((lines - 1))p" "$work/journal" | head -c 20 >>"$journal"
mutate --mutants 100 --only small.c
[ "$(wc -l <"$journal")" -eq "$lines" ] && cmp -s "$work/out" "$work/whole"
check "an interrupted run judges the rest and ends with the same table"
mutate --mutants 100 --only small.c
[ "$(wc -l <"$journal")" -eq "$lines" ] && cmp -s "$work/out" "$work/whole"
check "a finished run judges nothing again"

cat >"$tree/tests/mutation/mutants-equivalent.txt" <<'END'
# Made for this test.
solvers/small.c
- return p / q;
+ return p * q;
= Nothing calls it.
END
mutate --mutants 100 --only small.c --least 90
sed 's/product(5, 1) == 5/product(5, 2) == 10 \&\& count_to(0) == 0/' "$tree/solvers/test_small.c" >"$work/test" &&
    cp "$work/test" "$tree/solvers/test_small.c"
[ "$status" -eq 1 ] && grep -q '1 change nothing' "$work/out" && grep -q '= Nothing calls it' "$work/out"
check "a mutant listed with a reason is counted apart"
mutate --mutants 100 --only small.c --least 100
[ "$status" -eq 0 ] && [ "$(fate 16)" = killed ]
check "a survivor is judged again when its test has changed, and the status is 0"
sed 's/^= .*//' "$tree/tests/mutation/mutants-equivalent.txt" >"$work/list" &&
    cp "$work/list" "$tree/tests/mutation/mutants-equivalent.txt"
mutate --mutants 1 --only small.c
[ "$status" -eq 4 ] && grep -q 'has no reason' "$work/err"
check "a listed mutant without a reason is refused"
echo "1..$count"
[ "$failed" -eq 0 ]
