#!/bin/sh
# The output of new-solver for each problem, as a plugin and in the tree, and for a kernel and a stopping rule: it
# compiles without a warning under gcc and clang, passes the generated test, and runs.
# shellcheck source=tests/tap.sh
. "$(dirname -- "$0")/../tap.sh"

install_headers
problems='nearest-points c-svm 2-svm minimum-norm no-bias no-bias-hard-margin'
warnings='-Wall -Wextra -Wconversion -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Werror'
mkdir "$work/plugin" && cd "$work/plugin" || exit 4
# The compiler of the generated tests, without optimisation, which would take longer than the runs. Warnings of -O2 are
# looked for below.
printf '#!/bin/sh\nexec %s "$@" -O0\n' "${CC:-cc}" >"$work/cc" && chmod +x "$work/cc"
export CC="$work/cc"

# clean FILES: no placeholder remains, no line is too long
clean() {
    ! grep -nE '@[A-Za-z]' "$@" >"$work/err" && ! awk 'length($0) > 120 { print FILENAME ": " FNR }' "$@" |
        grep . >"$work/err" || return 1
}

# compiles IDENT: with every available compiler
compiles() {
    for compiler in gcc clang; do
        command -v $compiler >/dev/null || continue
        # The generated test links the plugin.
        # shellcheck disable=SC2046,SC2086 # lists of flags
        $compiler -std=c11 -O2 -ffp-contract=off $warnings -fPIC -S -o "$1.s" "$1.c" \
            $(pkg-config --cflags hullbench) 2>"$work/err" || return 1
    done
}

numbers=31-40,152,160,201,251
[ "${HULLBENCH_TESTS-}" != all ] || numbers=1-300
for problem in $problems; do
    name=my-$problem
    ident=$(echo "$name" | tr - _)
    program new-solver --plugin --formulation "$problem" "$name"
    ended 0 0 && clean "$ident.c" "test_$ident.sh"
    check "$problem: a source and a test are written"
    compiles "$ident"
    check "$problem: no compiler warns of the source"
    sh "./test_$ident.sh" >"$work/out" 2>"$work/err" && grep -q ': fine$' "$work/out"
    check "$problem: the test passes"
    program verify "$name" --plugin "./$ident.so" --quiet --problem $numbers
    ended 0 && ! grep -q 'not declared' "$work/out"
    check "$problem: verify finds nothing that does not hold"
    # Each with a different fault: a step that changes multipliers and F differently, a premature claim of the optimum.
    mkdir "wrong-$ident" && sed 's/box_move_pair(box, &pair, step)/box_move_pair(box, \&pair, step \/ 2)/
        s/min_norm_set(norm, high, most - lambda)/min_norm_set(norm, high, most)/
        s/return nonnegative_select(state, progress);/nonnegative_select(state, progress), progress->delta = 0;\
    return STATUS_OK;/
        s/self->pair = hull_choose_pair.*/&\
    if (progress->delta < 1e-3) self->pair.delta = 0;/' \
        "$ident.c" >"wrong-$ident/$ident.c" && cp "test_$ident.sh" "wrong-$ident" &&
        ! same_files "$ident.c" "wrong-$ident/$ident.c" &&
        ! sh "./wrong-$ident/test_$ident.sh" >"$work/out" 2>"$work/err"
    check "$problem: the test fails where the solver does not do what it says"
done
for option in kernel stopping-rule; do
    program new-solver --$option my-$option
    ident=my_$(echo $option | tr - _)
    ended 0 0 && clean "$ident.c" "test_$ident.sh" && compiles "$ident"
    check "--$option: a source that compiles, and a test"
    sh "./test_$ident.sh" >"$work/out" 2>"$work/err" && grep -q ': fine$' "$work/out"
    check "--$option: the test passes"
done
if command -v shellcheck >/dev/null; then
    shellcheck test_*.sh >"$work/err" 2>&1
    check "shellcheck finds nothing in the tests"
else
    skip "shellcheck finds nothing in the tests" "shellcheck is not installed" shellcheck
fi
mkdir wrong-kernel && sed 's/return 1 \/ (1 + /return 1 \/ (1.0001 + /' my_kernel.c >wrong-kernel/my_kernel.c &&
    cp test_my_kernel.sh wrong-kernel && ! sh ./wrong-kernel/test_my_kernel.sh >"$work/out" 2>"$work/err" &&
    says "objective"
check "--kernel: the test fails where the value is not that of the formula"
mkdir wrong-rule && sed 's/return stopping_gap(look, 0) <= /&10 * /' my_stopping_rule.c \
    >wrong-rule/my_stopping_rule.c &&
    cp test_my_stopping_rule.sh wrong-rule && ! sh ./wrong-rule/test_my_stopping_rule.sh >"$work/out" 2>"$work/err" &&
    says "not converged"
check "--stopping-rule: the test fails where runs end too early"
plugins=
for problem in $problems; do
    plugins="$plugins --plugin ./my_$(echo "$problem" | tr - _).so"
done
cat >all.json <<'END'
{"name": "all", "datasets": ["twonorm"], "splits": "1-2", "standardise": "full-set",
 "kernel": {"type": "my-kernel", "width": [20, 40]}, "parameters": {"C": 1},
 "solvers": ["1-smo", {"name": "my-c-svm", "parameters": {"relaxation": [0.8, 1, 1.2]}}, "my-2-svm", "my-no-bias",
 {"name": "my-minimum-norm", "stop": {"rule": "my-stopping-rule", "tolerance": 1e-3}}],
 "stop": {"rule": "kkt", "tolerance": 1e-4}}
END
# shellcheck disable=SC2086 # a list of words
program run all.json $plugins --plugin ./my_kernel.so --plugin ./my_stopping_rule.so --out run --quiet
ended 0 0 && [ "$(grep -c '"outcome":"converged","iterations"' run/records.jsonl)" -eq 28 ] &&
    [ "$(grep -c '"params":{"C":1,"relaxation":1.2}' run/records.jsonl)" -eq 4 ]
check "all of them together: solvers with a parameter swept, kernel and rule, in one configuration"
sed -n 's/.*"solver":"\(1-smo\|my-c-svm\)","params":{"C":1,"\(start":"zero"\|relaxation":1\)}/\1 /p' \
    run/records.jsonl | sed 's/"config":"[^"]*",//' >pair
grep '^1-smo ' pair | cut -d' ' -f2- >known && grep '^my-c-svm ' pair | cut -d' ' -f2- | same_files known -
check "with relaxation 1 the C-SVM's records are those of 1-smo"
program new-solver --plugin --formulation c-smv other
ended 2 1 && says 'unknown value "c-smv"; did you mean "c-svm"?; allowed: c-svm'
check "a misspelt problem is refused"
program new-solver --plugin --formulation c-svm --kernel other
ended 2 && says "only one of --formulation, --kernel and --stopping-rule"
check "and two kinds at once are refused"
program new-solver --kernel rbf
ended 2 1 && says 'kernel "rbf" already exists' && program new-solver --stopping-rule kkt && ended 2 1 &&
    says 'stopping rule "kkt" already exists'
check "names that are taken are refused"

# ---- in the tree ----
# The registry with a line for each new solver, linked before the archive, which has the one without.
mkdir "$work/tree" && cd "$work/tree" && mkdir solvers && cp "$root/solvers/registry.c" solvers/ &&
    mkdir solvers/hull solvers/decomposition solvers/norm solvers/multiplicative
check "a place for a tree"
for problem in $problems; do
    name=my-$problem
    program new-solver --formulation "$problem" "$name"
    if ! ended 0 0; then break; fi
    printf '    X(%s) \\\n' "$(echo "$name" | tr - _)" >>lines
done
ended 0 0
check "new-solver writes into the folder of each problem"
awk 'NR == FNR { line[n++] = $0; next } /^    X\(gsk\) / { for (i = 0; i < n; i++) print line[i] } { print }' \
    lines solvers/registry.c >changed && mv changed solvers/registry.c &&
    [ "$(grep -c 'X(my_' solvers/registry.c)" -eq 6 ]
check "the registry has a line for each"
# object FILE: compiles it as the tree's files are, with warnings as errors and without debug information
object() {
    # shellcheck disable=SC2046 # the compiler and its flags
    (cd "$root" && $(sed -n 1p "$BUILD/flags") -Werror -g0 -c -o "$work/tree/$(basename "$1" .c).o" "$work/tree/$1")
}
for source in solvers/registry.c solvers/*/*.c; do
    if ! object "$source" 2>"$work/err"; then break; fi
done
[ -s registry.o ] && [ "$(find . -name 'test_*.o' | wc -l)" -eq 6 ] && [ ! -s "$work/err" ]
check "they compile as files of the tree do"
libraries=$(make -s -C "$root" print-TEST_LDLIBS)
# program_of TEST: links the generated test as the tree's are
program_of() {
    # shellcheck disable=SC2046,SC2086 # the compiler, its flags, lists of files
    (cd "$root" && $(sed -n 1p "$BUILD/flags") -Wl,-S -o "$work/tree/$1" "$work/tree/$1.o" "$work/tree/registry.o" \
        $(find "$work/tree" -name 'my_*.o') $(find "$BUILD/tests" -maxdepth 1 -name '*.o' ! -name 'test_*') \
        "$BUILD/libhullbench.a" -lcmocka $libraries $(sed -n 2p "$BUILD/flags"))
}
passed=0
for problem in $problems; do
    test=test_my_$(echo "$problem" | tr - _)
    if ! program_of "$test" 2>"$work/err"; then break; fi
    "./$test" >"$work/out" 2>"$work/err" && grep -q that_of "$work/out" "$work/err" && passed=$((passed + 1))
done
[ "$passed" -eq 6 ]
check "and pass the tests that are written beside them"
finish
