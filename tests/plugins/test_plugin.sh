#!/bin/sh
# Solvers from shared objects: the output of new-solver compiles, converges and counts; --plugin in the verbs; a plugin
# in run.json and in the plan; all errors.
# shellcheck source=tests/tap.sh
. "$(dirname -- "$0")/../tap.sh"

install_headers

# record SOLVER [WORDS]: the record without the solver's name
record() {
    name=$1
    shift
    "$hullbench" solve "$@" --solver "$name" --dataset twonorm --set mu=0.05 --kernel rbf,width=40 2>"$work/err" |
        sed "s/\"solver\":\"$name\"//"
}

# ---- new-solver ----
program new-solver my-mdm --plugin
ended 0 0 && [ -s my_mdm.c ] && [ -s test_my_mdm.sh ] && ! grep -q '@' my_mdm.c
check "new-solver --plugin writes a source and its test"
program new-solver my-mdm --plugin
ended 2 1 && says "my_mdm.c: already exists"
check "new-solver does not overwrite"
rm my_mdm.c && program new-solver my-mdm --plugin
ended 2 1 && says "test_my_mdm.sh: already exists" && [ ! -e my_mdm.c ]
check "nor write one file where the other is there"
rm -f test_my_mdm.sh && program new-solver my-mdm --plugin
for name in '' My-mdm 1-mdm -x a/b mdm_2 simd simd-search test-foo aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa; do
    program new-solver --plugin -- "$name"
    if ! ended 2 1 || ! says "is not a name for a solver"; then break; fi
done
[ "$name" = aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa ] && ended 2 1
check "names that a solver cannot have are refused"
program new-solver clip-mdm --plugin
ended 2 1 && says 'solver "clip-mdm" already exists'
check "and so is the name of a solver that is there"
program new-solver other-mdm
ended 2 1 && says "change to the top folder of the source tree"
check "without --plugin it wants the source tree"
compile my_mdm -O2 -Wconversion -Wshadow -Wstrict-prototypes -Wmissing-prototypes
check "the generated source compiles without a warning"
sh ./test_my_mdm.sh >"$work/out" 2>"$work/err"
check "its own test passes"
sed 's/self->pair = hull_choose_pair(&self->hull, 0, progress)/self->pair = hull_choose_pair(\&self->hull, 0, '\
'progress), self->pair.delta *= 0.5/' \
    my_mdm.c >half.c && mkdir half && sed 's/pair.delta > 0/pair.delta > 1e-3/' half.c >half/my_mdm.c &&
    cp test_my_mdm.sh half/
! sh ./half/test_my_mdm.sh >"$work/out" 2>"$work/err"
check "and fails where the solver stops too early"
if command -v shellcheck >/dev/null; then
    shellcheck test_my_mdm.sh >"$work/err" 2>&1
    check "shellcheck finds nothing in it"
fi

# ---- the verbs ----
[ "$(record my-mdm --plugin ./my_mdm.so)" = "$(record clip-mdm)" ] && [ -n "$(record clip-mdm)" ]
check "the plugin's record is that of clip-mdm, count by count"
program list solvers --plugin my_mdm.so
ended 0 0 && grep -q '^my-mdm ' "$work/out" && grep -q ' from my_mdm.so$' "$work/out"
check "list solvers names it and its file; a name without a slash is a file of this folder"
sed 's/my-mdm/your-mdm/' my_mdm.c >your_mdm.c && compile your_mdm
program list solvers --plugin ./my_mdm.so --plugin=./your_mdm.so
ended 0 0 && grep -q '^my-mdm ' "$work/out" && grep -q '^your-mdm ' "$work/out"
check "--plugin may be repeated"
# A solver whose first multiplier is too large by one, so that its classes are unbalanced.
sed 's/my-mdm/off-mdm/; s/HULL_SOLVER,/HULL_SOLVER_BUT_ALPHA, .alpha = off_alpha,/
    /^static const struct solver/i\
#define HULL_SOLVER_BUT_ALPHA .formulation = FORMULATION_NEAREST_POINTS, .stops = HULL_STOPS, .gap = hull_gap_of_state\
static void off_alpha(const void *state, double *alpha)\
{\
    hull_alpha(state, alpha);\
    alpha[0] += 1;\
}
' my_mdm.c >off_mdm.c && compile off_mdm
printf '%s\n' '1 1:1' '1 1:2' '-1 1:-1' '-1 1:-3' >four.txt
program solve --solver off-mdm --plugin ./off_mdm.so --data four.txt off.model
[ "$status" -ne 0 ] && says four.txt && says off-mdm && [ ! -e off.model ] &&
    program solve --solver my-mdm --plugin ./my_mdm.so --data four.txt my.model && ended 0 && [ -s my.model ]
check "no model is written of multipliers that violate the constraints"
program solve --solver my-mdm --dataset twonorm --set mu=0.05
ended 2 1 && says 'unknown solver "my-mdm"' && says 'give --plugin FILE'
check "without --plugin the solver is unknown, and the error asks for one"
program list solvers --plugin ./my_mdm.so
awk '/^[a-z0-9]/ { print $1 }' "$work/out" | sort >names
program solve --solver my-mdn --plugin ./my_mdm.so --data four.txt
sed 's/.*allowed: //; s/;.*//; s/ and [0-9]* more$//' "$work/err" | tr -d ' ' | tr , '\n' >allowed
ended 2 1 && says 'did you mean "my-mdm"' && [ "$(sed -n 1p allowed)" = my-mdm ] && [ "$(wc -l <allowed)" -gt 30 ] &&
    [ -z "$(sort allowed | comm -23 - names)" ]
check "a misspelt solver of a plugin is found, and the names allowed are whole"
for verb in run solve list plot merge replay tune; do
    program "$verb" --help
    grep -q -- --plugin "$work/out" || break
done
grep -q -- --plugin "$work/out"
check "the verbs that take a solver's name have --plugin"

cat >config.json <<'END'
{"name": "two", "datasets": ["twonorm"], "splits": "1-2", "standardise": "full-set", "kernel": {"type": "rbf",
 "width": 40},
 "parameters": {"mu": 0.05}, "solvers": ["clip-mdm", "my-mdm"], "stop": {"rule": "rch-gap", "tolerance": 1e-4},
 "budget": {"iterations": 1000000}}
END
program run config.json --plugin ./my_mdm.so --out run --quiet
ended 0 0 && grep '"my-mdm"' run/records.jsonl | sed 's/my-mdm/clip-mdm/' >mine && grep '"clip-mdm"' run/records.jsonl |
    same_files mine /dev/stdin
check "run runs it beside others"
# A solver whose multipliers increase from run to run, by less than any tolerance.
sed 's/alpha\[0\] += 1/static int runs; alpha[0] += 1e-15 * runs++/; s/off-mdm/new-mdm/' off_mdm.c >new_mdm.c &&
    compile new_mdm
sed 's/my-mdm/new-mdm/' config.json >new.json
program run new.json --plugin ./new_mdm.so --out new --quiet --jobs 1
ended 0 && ! grep -q '"failed"' new/records.jsonl
program run new.json --plugin ./new_mdm.so --out again --repeats 2 --quiet --jobs 1
grep '"solver":"new-mdm"' again/records.jsonl |
    grep -c '"outcome":"failed","reason":"not deterministic: run 2 of' >found
[ "$(cat found)" -eq 2 ] && ! grep '"clip-mdm"' again/records.jsonl | grep -q failed
check "repeats find a solver that is not deterministic, and its records are failed with that reason"
sum=$(sha256sum my_mdm.so | cut -c1-64)
tr -d ' \n\t' <run/run.json |
    grep -qF "\"plugins\":[{\"file\":\"./my_mdm.so\",\"sha256\":\"$sum\",\"solvers\":[\"my-mdm\"]}]"
check "run.json names file, SHA-256 and solvers"
program run config.json --plugin ./my_mdm.so --out run
ended 0 0 && grep -q "already complete" "$work/out"
check "the same plugin: the run is complete"
compile my_mdm -Wl,--defsym=changed=1
cp -r run again_changed && program run config.json --plugin ./my_mdm.so --out again_changed
ended 0 && grep -q 'records kept; run: [0-9]* of a plugin that has changed$' "$work/out" &&
    same_files run/records.jsonl again_changed/records.jsonl
check "a changed plugin repeats its jobs"
program run config.json --plugin ./my_mdm.so --plugin ./your_mdm.so --solvers clip-mdm --out one --quiet
program run config.json --plugin ./my_mdm.so --solvers clip-mdm --out one
ended 0 0 && grep -q "already complete" "$work/out" && ! grep -q plugins one/run.json
check "a plugin no solver is taken from is no part of the plan"
for verb in tables plot; do
    program $verb run
    if ! ended 0 0; then break; fi
done
ended 0 0
check "tables and plot read the folder without the plugin"
rm share/papers && mkdir share/papers && cp -r run printed && cat >share/papers/own.json <<'END'
{"schema": 1, "paper": "own", "datasets": ["twonorm"], "splits": {"default": 100}, "tables": [
  {"name": "own.table1", "caption": "Iterations", "source": "page 1",
   "columns": [{"key": "my-mdm", "title": "MDM", "solver": "my-mdm", "field": "iterations", "statistic": "mean"}],
   "rows": {"twonorm": {"my-mdm": {"mean": 1, "decimals": 0}}}}]}
END
sed 's/"name":/"tables": ["own.table1"], &/' run/config.json >printed/config.json
for verb in conform tables plot report; do
    program $verb printed
    if ! ended 2 1 || ! says 'columns[0].solver: unknown solver "my-mdm"' || ! says --plugin; then break; fi
    program $verb printed --plugin ./my_mdm.so
    if says my-mdm; then break; fi
done
[ "$verb" = report ] && ! says my-mdm
check "a paper that names a plugin's solver is read with --plugin only"
program merge --out merged run --plugin ./my_mdm.so
ended 2 1 && says "run: my-mdm is from another build of the plugin ./my_mdm.so" &&
    compile my_mdm -O2 -Wconversion -Wshadow -Wstrict-prototypes -Wmissing-prototypes &&
    program merge --out merged run --plugin ./my_mdm.so && ended 0 0 &&
    same_files run/records.jsonl merged/records.jsonl &&
    program run config.json --plugin ./my_mdm.so --out merged && grep -q "already complete" "$work/out"
check "merge wants the plugin of the run"
program replay run --plugin ./my_mdm.so
ended 0 0 && ! grep -q plugins "$work/out" && program replay run && ended 2 1 && says 'unknown solver "my-mdm"' &&
    cp my_mdm.so sound.so && compile my_mdm -Wl,--defsym=changed=1 && program replay run --plugin ./my_mdm.so &&
    ended 0 0 &&
    grep -q '^  plugins: was .*, is ' "$work/out" && mv sound.so my_mdm.so
check "replay wants it too, and tells another one"
for verb in "replay run" "merge --out never run"; do
    # shellcheck disable=SC2086 # words
    program $verb
    if ! ended 2 1 || ! says 'unknown solver "my-mdm"' || ! says 'is it in a plugin? give --plugin FILE'; then break; fi
done
ended 2 1 && says 'unknown solver "my-mdm"' && says 'is it in a plugin? give --plugin FILE'
check "replay and merge say which option a plugin needs"

# ---- rejected plugins ----
# refused SENTENCE TEXT: list with ./bad.so ends with status 2 and one line that begins with the file and contains TEXT
refused() {
    program list solvers --plugin ./bad.so
    ended 2 1 && says "hullbench: ./bad.so: " && says "$2"
    check "$1"
}

rm -f bad.so
program list solvers --plugin ./bad.so
ended 2 1 && says "./bad.so"
check "a plugin that is not there"
echo "no object" >bad.so
refused "a file that is no shared object" "file too short"
echo 'int nothing;' >bad.c && compile bad
refused "a shared object that is no plugin" "the symbol hullbench_plugin is missing"
cat >bad.c <<'EOF'
#include <unistd.h>
static void __attribute__((destructor)) leave(void)
{
    (void)!write(STDERR_FILENO, "unloaded\n", 9);
}
EOF
compile bad
program list solvers --plugin ./bad.so
ended 2 2 && [ "$(head -n 1 "$work/err")" = unloaded ] && says "the symbol hullbench_plugin is missing"
check "it is unloaded before the message"
program list solvers --plugin
ended 2
check "--plugin without a file"
program list solvers --plugin ./my_mdm.so --plugin ./my_mdm.so
ended 2 1 && says 'solver "my-mdm" already exists, from ./my_mdm.so'
check "the same plugin twice"

refused_with my_mdm solvers <<'END'
solver_my_mdm.name = "clip-mdm"@the name of a solver that is built in@solver "clip-mdm" already exists, built in
solver_my_mdm.name = "My MDM"@a name with other letters@solver name "My MDM"
solver_my_mdm.name = NULL@no name@solver name ""
solver_my_mdm.title = NULL@no title@member title is NULL
solver_my_mdm.reference = NULL@no reference@member reference is NULL
solver_my_mdm.state_size = NULL@no state_size@member state_size is NULL
solver_my_mdm.init = NULL@no init@member init is NULL
solver_my_mdm.select = NULL@no select@member select is NULL
solver_my_mdm.update = NULL@no update@member update is NULL
solver_my_mdm.gap = NULL@no gap@member gap is NULL
solver_my_mdm.alpha = NULL@no alpha@member alpha is NULL
solver_my_mdm.formulation = 77@an unknown formulation@formulation 77
solver_my_mdm.stops = 1u << 31@unknown stopping rules@stops 0x80000000 has bits of unknown
solver_my_mdm.stops = 0@no stopping rule@stops 0 names no stopping rule
solver_my_mdm.square_penalty = 1@a square penalty without C@needs the parameter C
solver_my_mdm.formulation = FORMULATION_C_SVM@a C-SVM without C@C-SVM dual needs the parameter C
static const void *none[] = {NULL}; self->solvers = (void *)none@a plugin without solvers@the plugin has neither solvers
self->abi = 999@another ABI@compiled with headers where the version of the plugin ABI is 999
self->layout[0] += 8@other sizes of what both share@compiled with headers where struct solver is
END
# altered SED SENTENCE TEXT: rejects the generated source after a change
altered() {
    rm -f bad.so
    sed "$1" my_mdm.c >bad.c && ! same_files bad.c my_mdm.c && compile bad -w
    refused "$2" "$3"
}
altered 's/hull_choose_pair/hull_choose_paris/; s/^struct my_mdm_state/struct hull_pair hull_choose_paris(struct '\
'hull *, int, struct progress *);\n&/' \
    "a function the program does not have" "undefined symbol: hull_choose_paris"
altered 's/row_low = oracle_row(oracle, low)/row_low = (oracle_reset(oracle), oracle_row(oracle, low))/' \
    "a plugin that would reset the counts" "undefined symbol: oracle_reset"
# pace-mdm takes the part "pace" of each step; at 1 it is my-mdm.
cat >parameters.txt <<'END'
static const struct parameter own = {.name = "pace", .meaning = "part of each step that is done",
    .min = 0, .min_is_open = 1, .max = 1, .scale = PARAMETER_LOG, .fallback = 1};
static const struct parameter looks = {.name = "looks", .meaning = "which class is looked at", .fallback = 1,
    .type = PARAMETER_CHOICE, .choices = (const char *const[]){"one", "both", NULL}};

END
awk '/^struct my_mdm_state/ { while ((getline line <"parameters.txt") > 0) print line } { print }' my_mdm.c |
    sed 's/PARAMETERS(&parameter_mu)/PARAMETERS(\&parameter_mu, \&own, \&looks)/
        s/my-mdm/pace-mdm/
        s/^    struct hull hull;.*/&\n    double pace;/
        s/^    arena_take(&arena, sizeof \*self);/&\n    self->pace = parameter_get(\&problem->parameters, \&own);/
        s/    double lambda = .*/    double most = hull_pair_max_step(\&self->hull, self->class, \&self->pair);\n'\
'    double lambda = self->pace * hull_step(self->pair.delta, length2, most);\n'\
'    if (lambda > 0) {\n'\
'        self->hull.simd->add_difference(self->hull.n_padded, lambda, row_low, row_high,\n'\
'                                        self->hull.products[class_index(self->class)]);\n'\
'        hull_move_pair(\&self->hull, self->class, \&self->pair, lambda);\n'\
'    }/' >pace_mdm.c
compile pace_mdm -O2
check "a plugin with two parameters of its own compiles without a warning"
refused_with pace_mdm solvers <<'END'
own.name = "mu"@a parameter with the name of a shared one@parameter "mu" is shared by solvers
own.name = "pace!"@a parameter's name with other letters@parameter name "pace!"
own.fallback = 2@a fallback outside the range@parameter "pace": the default (fallback)
static const char *one[] = {"one", NULL}; looks.choices = one@a choice of one word@"looks": a choice needs at least two
static const void *a[] = {&own, &looks, &own, NULL}; solver_my_mdm.parameters = (void *)a@a parameter twice@occurs twice
END

# ---- its own parameters ----
program list parameters --plugin ./pace_mdm.so
ended 0 0 && grep -q '^pace  *part of each step' "$work/out" &&
    grep -q 'above 0, at most 1; default 1; log' "$work/out" &&
    grep -A1 'one of one, both; default both' "$work/out" | grep -q 'read by pace-mdm$'
check "list parameters describes them and names the solver"
sed 's/"my-mdm"/{"name": "pace-mdm", "parameters": {"pace": [0.25, 1], "looks": "one"}}/; s/"two"/"pace"/' \
    config.json >pace.json
program run pace.json --plugin ./pace_mdm.so --out pace --quiet
ended 0 0 && [ "$(grep -c '"params":{"mu":0.05,"pace":0.25,"looks":"one"}' pace/records.jsonl)" = 2 ] &&
    grep '"pace":1,' pace/records.jsonl | sed 's/pace-mdm/clip-mdm/; s/,"pace":1,"looks":"one"//' >mine &&
    grep '"clip-mdm"' pace/records.jsonl | same_files mine /dev/stdin
check "a configuration sweeps one, and records name both"
if command -v python3 >/dev/null; then
    python3 -c 'import json
own = json.load(open("pace/run.json"))["parameters"]["pace-mdm"]
assert list(own) == ["mu", "pace", "looks"], own
assert own["pace"] == {"meaning": "part of each step that is done", "type": "real", "scale": "log",
                       "allowed": "above 0, at most 1", "above": 0, "max": 1, "default": 1}, own
assert own["looks"]["type"] == "choice" and own["looks"]["default"] == "both", own
assert own["looks"]["choices"] == ["one", "both"] and "max" not in own["looks"], own
assert "default" not in own["mu"], own' 2>"$work/err"
    check "run.json says what they mean"
else
    skip "run.json says what they mean" "python3 is not installed" python3
fi
program compare config.json --plugin ./my_mdm.so --plugin ./pace_mdm.so --against clip-mdm --against my-mdm \
    --solver 'pace-mdm[looks=one]' --sweep pace=0.25,0.5,1 --out swept --no-render
sed -n 's/.*"pace":\([^,]*\),"looks":"one".*/\1/p' swept/records.jsonl | sort -u | tr '\n' ' ' >paces
ended 0 0 && [ "$(wc -l <swept/records.jsonl)" -eq 10 ] && [ "$(cat paces)" = '0.25 0.5 1 ' ] &&
    [ "$(grep -c '^| pace-mdm\[looks=one,pace=' "$work/out")" -eq 6 ] &&
    [ "$(grep -c '^Of the 3 values of pace, ' "$work/out")" -eq 2 ] && grep -q '^0.25 ' swept/plots/compare-sweep.dat
check "compare sweeps a parameter of the plugin's own against two baselines"
program compare swept --against clip-mdm --solver 'pace-mdm[pace=*]' --quiet
ended 0 0 && [ "$(grep -c '^Of the 3 values of pace' "$work/out")" -eq 1 ]
check "of its folder without the plugin, too"
program compare pace.json --plugin ./pace_mdm.so --against clip-mdm --solver pace-mdm --sweep pace=0.5,2 --out never
ended 2 1 && says 'pace' && says 'at most 1' && [ ! -e never ]
check "a value outside of its range is refused"
# bad SED TEXT: rejected, with the place
bad() {
    sed "$1" pace.json >bad.json
    program run bad.json --plugin ./pace_mdm.so --out bad --quiet
    ended 2 1 && says_at bad.json ": solvers[1].parameters" && says "$2"
    check "refused: $2"
}
bad 's/0.25/0/' 'pace[0]: 0 is out of range; allowed: above 0, at most 1'
bad 's/\[0.25, 1\]/true/' 'pace: true is not a number'
bad 's/"one"/"two"/' 'looks: unknown value "two"'
bad 's/"pace":/"pase":/' 'unknown key "pase"; did you mean "pace"?'
bad 's/"looks": "one"/"C": 1/' 'unknown key "C"; allowed: mu'
sed 's/"mu": 0.05/"mu": 0.05, "pace": 0.5/; s/"pace": \[0.25, 1\], //' pace.json >general.json
program run general.json --plugin ./pace_mdm.so --out general --quiet
ended 0 0 && [ "$(grep -c '"pace":0.5' general/records.jsonl)" = 2 ]
check "a value for all solvers goes to the one that reads it"
program solve --solver pace-mdm --plugin ./pace_mdm.so --dataset twonorm --set mu=0.05 --set pace=0.5 \
    --set looks=one --kernel rbf,width=40
ended 0 && grep -q '"pace":0.5,"looks":"one"' "$work/out"
check "--set gives them"
program compare --against clip-mdm --solver 'pace-mdm[pace=0.5]' --plugin ./pace_mdm.so --out compared pace.json
ended 0 && grep -q '"pace":0.5' compared/records.jsonl
check "compare takes a setting of one"

# ---- exported names ----
# The functions that the installed headers declare, and those that the program exports. All exported ones are declared,
# and all declared ones are exported except the harness's own (creating a matrix or an oracle, setting counts).
cat >all.c <<'END'
#include <hullbench/solver.h>
END
# shellcheck disable=SC2046
${CC:-cc} -std=c11 -E $(pkg-config --cflags hullbench) all.c | awk '
    /^# / { ours = /hullbench/; next }
    ours && /^[a-z]/ && !/^static/ { text = ""; open = 1 } # declarations begin in the first column, bodies do not
    open { text = text $0 }
    open && /[;{]$/ { if (text ~ /\).*;$/ && text !~ /[{]/) { sub(/\(.*/, "", text); sub(/.*[ *]/, "", text);
        print text } open = 0 }
    ' | sort -u >declared
nm -D --defined-only "$hullbench" | awk '$2 == "T" { print $3 }' | grep -v '^_\(init\|fini\)$' | sort -u >exported
comm -13 declared exported >"$work/err"
[ "$(wc -l <exported)" -gt 60 ] && [ ! -s "$work/err" ]
check "the program exports only what the headers declare"
comm -23 declared exported |
    grep -vE '^(gram|patterns|points|sparse|kernel|kept_rows|simd|stopping_rules?)_|^parameters_equal$|'\
'^oracle_(create|free|reset|set_ridge|set_phase|operations|evaluations|counts|set_counts|predict|'\
'seconds|check_rows|checks_rows|expire_rows|kernel_fault|rows_written|row_address_in|gram)$' >"$work/err"
[ ! -s "$work/err" ]
check "and all that a solver may call (solvers/plugin.symbols)"
# ---- C++ ----
cat >cpp_mdm.cpp <<'END'
#include <hullbench/solver.h>

#include <algorithm>

/* MDM on reduced hulls, as clip-mdm. */
struct cpp_mdm {
    hull points;
    struct hull_pair pair; /* hull_pair is also a function */
    int label;
};

static size_t state_size(const problem *given)
{
    return hull_state_size(sizeof(cpp_mdm), 0, given->n);
}

static status init(void *state, const problem *given, oracle *values)
{
    auto *self = static_cast<cpp_mdm *>(state);
    arena place = {static_cast<char *>(state), 0};
    arena_take(&place, sizeof *self);
    return hull_start(&self->points, &place, given, parameter_get(&given->parameters, &parameter_mu), values);
}

static status select(void *state, progress *reported)
{
    auto *self = static_cast<cpp_mdm *>(state);
    self->pair = hull_choose_pair(&self->points, 0, reported);
    self->label = reported->updated_class;
    return STATUS_OK;
}

static status update(void *state, oracle *values)
{
    auto *self = static_cast<cpp_mdm *>(state);
    const size_t low = self->pair.low, high = self->pair.high;
    if (!(self->pair.delta > 0))
        return STATUS_STALLED;
    const double *row_low = oracle_row(values, low), *row_high = oracle_row(values, high);
    const double length2 = (row_low[low] - row_low[high]) + (row_high[high] - row_high[low]);
    return hull_step_pair(&self->points, self->label, &self->pair, std::max(length2, 0.0), row_low, row_high) > 0
               ? STATUS_OK
               : STATUS_STALLED;
}

static const parameter *const parameters[] = {&parameter_mu, nullptr};

static solver make()
{
    solver made = {};
    made.name = "cpp-mdm";
    made.title = "MDM on mu-reduced convex hulls, in C++";
    made.reference = "Lopez, Barbero and Dorronsoro 2011, Section 4.1";
    made.formulation = FORMULATION_NEAREST_POINTS;
    made.parameters = parameters;
    made.stops = HULL_STOPS;
    made.setup_cost.is_stated = made.setup_cost.n2 = 1;
    made.iteration_cost.is_stated = 1;
    made.iteration_cost.n = 2;
    made.is_monotone = made.ignores_tolerance = 1;
    made.state_size = state_size;
    made.init = init;
    made.select = select;
    made.update = update;
    made.gap = hull_gap_of_state;
    made.alpha = hull_alpha;
    return made;
}
static const solver cpp_mdm_solver = make();

HULLBENCH_PLUGIN(&cpp_mdm_solver)
END
if ! command -v g++ >/dev/null; then
    skip "a plugin in C++ has the counts of clip-mdm" "g++ is not installed" g++
else
    # shellcheck disable=SC2046 # several flags
    g++ -std=c++20 -O2 -ffp-contract=off -Wall -Wextra -Werror -fPIC -shared -o cpp_mdm.so cpp_mdm.cpp \
        $(pkg-config --cflags hullbench) >out 2>err &&
        [ "$(record cpp-mdm --plugin ./cpp_mdm.so)" = "$(record clip-mdm)" ] && [ -n "$(record clip-mdm)" ]
    check "a plugin in C++ has the counts of clip-mdm"
fi
finish
