#!/bin/sh
# Kernels and stopping rules from shared objects: they agree with built-in ones of the same formula, for every storage
# form of the samples; configurations, run.json, resuming, replaying, merging; all errors.
# shellcheck source=tests/tap.sh
. "$(dirname -- "$0")/../tap.sh"

install_headers

# The built-in polynomial and rbf with the same operations, in both forms; the exponential is the C library's.
cat >kernels.c <<'END'
#include <math.h>

#include <hullbench/solver.h>

static const struct parameter width = {.name = "width", .meaning = "scale of the distance", .min = 0, .min_is_open = 1,
    .max = HUGE_VAL, .fallback = NAN};
static const struct parameter shift = {
    .name = "shift", .meaning = "added to the product", .min = -HUGE_VAL, .max = HUGE_VAL, .fallback = 1};

static double laplace_value(double distance2, const double *values)
{
    return exp(-sqrt(distance2) / values[0]);
}
static const struct kernel_family laplace = {.name = "laplace", .meaning = "exp(-|x - z| / width)",
    .type = KERNEL_OF_PLUGIN, .parameters = PARAMETERS(&width), .is_semidefinite = 1, .of_distance = laplace_value};

static double rbf_value(double distance2, const double *values)
{
    return exp(-distance2 / values[0]);
}
static const struct kernel_family rbf = {.name = "my-rbf", .meaning = "exp(-|x - z|^2 / width)",
    .type = KERNEL_OF_PLUGIN, .parameters = PARAMETERS(&width), .is_semidefinite = 1, .of_distance = rbf_value};

static double samples_value(const double *x, const double *z, size_t dims, const double *values)
{
    double sum = 0;
    for (size_t d = 0; d < dims; d++)
        sum += (x[d] - z[d]) * (x[d] - z[d]);
    return rbf_value(sum, values);
}
static const struct kernel_family samples = {.name = "samples-rbf", .meaning = "exp(-|x - z|^2 / width)",
    .type = KERNEL_OF_PLUGIN, .parameters = PARAMETERS(&width), .is_semidefinite = 1, .of_samples = samples_value};

static double square_value(double product, const double *values)
{
    double base = product + values[0];
    return base * base;
}
static const struct kernel_family square = {.name = "square", .meaning = "(x.z + shift)^2", .type = KERNEL_OF_PLUGIN,
    .parameters = PARAMETERS(&shift), .is_semidefinite = 1, .of_inner_product = square_value};

static double tanh_value(double product, const double *values)
{
    return tanh(0.05 * product - values[0]);
}
static const struct kernel_family sigmoid = {.name = "sigmoid", .meaning = "tanh(0.05 x.z - shift), not semidefinite",
    .type = KERNEL_OF_PLUGIN, .parameters = PARAMETERS(&shift), .of_inner_product = tanh_value};

HULLBENCH_PLUGIN_OF(.kernels = HULLBENCH_KERNELS(&laplace, &rbf, &samples, &square, &sigmoid));
END
compile kernels -O2 -Wconversion -Wshadow
check "a plugin with kernels alone compiles without a warning"

# record KERNEL [WORDS]: the record of clip-mdm without its kernel
record() {
    kernel=$1
    shift
    "$hullbench" solve --plugin ./kernels.so --dataset twonorm --set mu=0.05 --solver clip-mdm --kernel "$kernel" "$@" \
        2>"$work/err" | sed 's/"kernel":{[^}]*}//'
}

program list kernels --plugin ./kernels.so
ended 0 0 && grep -q '^laplace  *exp' "$work/out" && grep -q '^ *width: scale of the distance; above 0' "$work/out" &&
    grep -q ' from ./kernels.so$' "$work/out"
check "list kernels has them, their parameters and their file"
program solve --plugin ./kernels.so --dataset twonorm --set mu=0.05 --solver clip-mdm --kernel laplace,width=4
ended 0 0 && grep -qF '"kernel":{"type":"laplace","width":4}' "$work/out" && grep -q '"outcome":"converged"' "$work/out"
check "solve runs on a Laplace kernel, and its record has name and width"
record square >base && record square,shift=3 >shifted && record polynomial,degree=2 | same_files base - &&
    record polynomial,degree=2,offset=3 | same_files shifted - && ! same_files base shifted
check "a kernel with the operations of the built-in polynomial gives its record, bit by bit"
record my-rbf,width=40 >other && record samples-rbf,width=40 >samples && same_files other samples
check "one of samples gives what one of distances gives, bit by bit"
# The exponentials of the C library and of the loops may differ in the last digit, and so may all sums of them.
record rbf,width=40 >one && awk '
    { n = split($0, part, /[,:{}]+/); for (i = 1; i <= n; i++) text[NR, i] = part[i]; fields[NR] = n }
    END {
        if (NR != 2 || fields[1] != fields[2]) exit 1
        for (i = 1; i <= fields[1]; i++) {
            a = text[1, i]; b = text[2, i]
            if (a == b) { same++; continue }
            if (a !~ /^[-0-9.e]+$/) exit 1
            difference = a > b ? a - b : b - a
            if (difference > 1e-12) exit 1
        }
        exit same < 30
    }' one /dev/stdin <other && sed 's/.*"iterations":\([0-9]*\),"kernel_op.*/\1/' one other | uniq | wc -l | grep -qx 1
check "one of the formula of rbf takes as many iterations, and its figures agree with rbf's to 1e-12"
record laplace,width=4 >wide && for lanes in generic avx2 avx512; do
    HULLBENCH_LANES=$lanes
    export HULLBENCH_LANES
    if record laplace,width=4 >narrow && [ -s narrow ] && ! same_files wide narrow; then break; fi
    if record samples-rbf,width=40 >narrow && [ -s narrow ] && ! same_files samples narrow; then break; fi
    lanes=
done
unset HULLBENCH_LANES
[ -z "$lanes" ] && [ -s wide ]
check "the bytes are those of all vector widths"
for kernel in laplace,width=4 samples-rbf,width=40; do
    record "$kernel" --raw >whole
    record "$kernel" --raw -m 0.1 >rows
    if ! same_files whole rows; then break; fi
done
same_files whole rows
check "and those of a matrix that does not fit, computed row by row"
for kernel in my-rbf samples-rbf; do
    cat >families.json <<END
{"name": "families", "datasets": ["titanic"], "splits": "1", "standardise": "full-set",
 "kernel": {"type": "$kernel", "width": 40}, "parameters": {"C": 1}, "gram_megabytes": 0.05,
 "solvers": ["1-smo", "packed-smo", {"name": "gilbert", "stop": {"rule": "delta", "tolerance": 1e-3}},
 {"name": "munk-soft", "stop": {"rule": "delta", "tolerance": 1e-3}}],
 "stop": {"rule": "kkt", "tolerance": 1e-3}, "budget": {"iterations": 300}}
END
    program run families.json --plugin ./kernels.so --out "families-$kernel" --quiet
    sed 's/"kernel":{[^}]*}//' "families-$kernel/records.jsonl" >"$kernel"
done
[ "$(wc -l <my-rbf)" -eq 4 ] && same_files my-rbf samples-rbf
check "other families of solvers, one that leaves out patterns among them, see the same values"
record sigmoid | grep -q '"outcome":"\(failed\|stalled\|converged\|iteration-limit\)"'
check "a kernel that is not positive semidefinite runs"

# ---- configurations ----
cat >config.json <<'END'
{"name": "kernels", "datasets": ["twonorm", "ringnorm"], "splits": "1-2", "standardise": "full-set",
 "kernel": {"type": "laplace", "width": [2, 4, {"x": 1}]}, "parameters": {"mu": 0.05},
 "solvers": ["clip-mdm", "mdm"], "stop": {"rule": "rch-gap", "tolerance": 1e-3}, "budget": {"iterations": 2000}}
END
program run config.json --plugin ./kernels.so --out run --quiet
ended 2 1 && says 'kernel.width[2]: '
check "a bad value of a kernel's parameter is named with its place"
sed -i 's/, {"x": 1}//' config.json
program run config.json --plugin ./kernels.so --out run --quiet --jobs 2
ended 0 0 && [ "$(wc -l <run/records.jsonl)" -eq 16 ] && [ "$(grep -c '"width":4}' run/records.jsonl)" -eq 8 ]
check "run sweeps it"
program run config.json --plugin ./kernels.so --out single --quiet --jobs 1
ended 0 0 && same_files run/records.jsonl single/records.jsonl
check "with the same bytes from one thread"
sum=$(sha256sum kernels.so | cut -c1-64)
tr -d ' \n\t' <run/run.json |
    grep -qF "\"plugins\":[{\"file\":\"./kernels.so\",\"sha256\":\"$sum\",\"solvers\":[],\"kernels\":[\"laplace\"]}]"
check "run.json names the plugin and the kernel that was taken from it"
tr -d '\n\t' <run/run.json | tr -s ' ' | grep -q '"kernel_parameters": *{ *"width": *{ *"meaning": *"scale of the dist'
check "and says what the kernel's parameters mean"
program run config.json --plugin ./kernels.so --out run
ended 0 0 && grep -q "already complete" "$work/out"
check "the same plugin: the run is complete"
cp kernels.so sound.so && compile kernels -DCHANGED -O1
program run config.json --plugin ./kernels.so --out run
if cmp -s kernels.so sound.so; then skip "a changed plugin is another run" "the compiler makes the same file"; else
    ended 2 1 && says "contains a finished run of other data or plugins;"
    check "a changed plugin is another run"
    program merge --out merged run --plugin ./kernels.so
    ended 2 1 && says "run: laplace is from another build of the plugin ./kernels.so"
    check "which merge does not take either"
fi
mv sound.so kernels.so
program replay run --plugin ./kernels.so
ended 0 0
check "replay computes the same records"
program replay run
ended 2 1 && says 'unknown kernel type "laplace"' && says 'give --plugin FILE'
check "and asks for the plugin without it"
for verb in tables plot; do
    program $verb run
    if ! ended 0 0; then break; fi
done
ended 0 0
check "tables and plot read the folder without the plugin"
printf '%s\n' '1 1:1' '1 1:2' '-1 1:-1' '-1 1:-3' >four.txt
program solve --plugin ./kernels.so --solver clip-mdm --data four.txt --set mu=1 --kernel laplace,width=2 four.model
[ "$status" -eq 2 ] && says 'cannot describe the kernel "laplace"' && [ ! -e four.model ]
check "no model file is written: LIBSVM's format cannot hold the kernel"
program solve --plugin ./kernels.so --dataset twonorm --set mu=0.05 --solver clip-mdm --kernel laplac,width=2
ended 2 1 && says 'did you mean "laplace"?'
check "a misspelt kernel of a plugin is found"

# ---- docs/plugins.md ----
awk -f "$root/tests/docs/page_script.awk" "$root/docs/plugins.md" >steps.sh
mkdir page && (cd page && exec sh -e ../steps.sh) >"$work/out" 2>"$work/err"
status=$?
ended 0 0 && grep -q '^laplace ' "$work/out" && grep -q '^relative-gap ' "$work/out" &&
    [ "$(grep -c '"outcome":"converged","iterations"' "$work/out")" -eq 2 ] &&
    grep -q '"rule":"relative-gap"' "$work/out"
check "docs/plugins.md: its files compile, and its commands run as they stand"

# ---- false declarations of a kernel ----
# The plugin has the fault that the environment names.
sed '1i\
#include <stdlib.h>
/^static double samples_value/i\
static int fault;\
static __attribute__((constructor)) void choose(void)\
{\
    fault = atoi(getenv("FAULT"));\
}
s/^    return rbf_value(sum, values);/    if (fault == 1)\n        return rbf_value(sum, values) + 1e-9 * x[0];\
    if (fault == 2)\n        return sum;\n    if (fault == 3)\n        return sum > 0 ? 1 \/ (sum - sum) : 1;\n&/' \
    kernels.c >bad.c && compile bad -w
check "kernels with false declarations compile"
# wrong FAULT SENTENCE TEXT: a run with this fault ends with status 2 and one line that contains TEXT
wrong() {
    export FAULT="$1"
    program solve --plugin ./bad.so --dataset twonorm --set mu=0.05 --solver clip-mdm --kernel samples-rbf,width=4
    ended 2 1 && says 'kernel "samples-rbf"' && says "$3"
    check "$2"
}
wrong 1 "a kernel that is not symmetric" "is not symmetric: of training samples"
wrong 2 "one that is not positive semidefinite, and says so" "is not positive semidefinite, as it says"
wrong 3 "one with values that are not finite" "the value of training samples"

refused_with kernels kernels <<'END'
laplace.name = "rbf"@the name of a kernel that is built in@kernel "rbf" already exists, built in
laplace.name = "my-rbf"@a name twice@kernel "my-rbf" already exists, from ./bad.so
laplace.name = "La place"@a name with other letters@kernel name "La place"
laplace.name = NULL@no name@kernel name ""
laplace.meaning = NULL@no meaning@kernel "laplace": member meaning is NULL
laplace.of_distance = NULL@no function@kernel "laplace": expected exactly one of the members
laplace.of_inner_product = laplace_value@two functions@kernel "laplace": expected exactly one of the members
laplace.roundings = -1@roundings below 0@kernel "laplace": members roundings
laplace.type = 0@no type@kernel "laplace": member type
width.name = "mu"@a parameter with the name of a solver's@kernel "laplace": parameter "mu" is shared by solvers
width.name = "type"@or of a member of records@kernel "laplace": parameter "type"
width.name = "selection"@nor of a parameter of one solver alone@parameter "selection" belongs to a solver
width.type = PARAMETER_CHOICE@a parameter that is not sound@parameter "width": a choice needs at least two words
static const void *two[] = {&width, &width, NULL}; laplace.parameters = (void *)two@a parameter twice@"width" occurs
self->kernels = NULL@a plugin of nothing@the plugin has neither solvers nor kernels nor stopping rules
END

# ---- stopping rules ----
cat >rules.c <<'END'
#include <hullbench/solver.h>

/* gap-sum-w2 of nearest points */
static int sum_met(const struct stopping_look *look, void *memory)
{
    (void)memory;
    return stopping_gap(look, 1) + stopping_gap(look, -1) <= look->tolerance * look->progress->norm2;
}
static void sum_recheck(const struct stopping_figures *figures, const struct stopping_figures *rounding,
                        double tolerance, struct stopping_claim *claim)
{
    claim->name = "the duality gap";
    claim->figure = figures->class_gap[0] + figures->class_gap[1];
    claim->rounding = rounding->class_gap[0] + rounding->class_gap[1];
    claim->limit = tolerance * figures->norm2;
}
static const struct stopping_rule sum = {.name = "my-gap-sum", .text = "the sum of both gaps <= eps |W|^2",
    .formulations = 1u << FORMULATION_NEAREST_POINTS, .is_relative = 1, .needs_no_choice = 1, .met = sum_met,
    .recheck = sum_recheck};

/* kkt, and no recheck */
static int kkt_met(const struct stopping_look *look, void *memory)
{
    (void)memory;
    return look->progress->delta <= look->tolerance;
}
static const struct stopping_rule kkt = {.name = "my-kkt", .text = "Delta <= eps",
    .formulations = 1u << FORMULATION_C_SVM | 1u << FORMULATION_SQUARE_SVM, .met = kkt_met};

/* dual-change, with a memory: the objective before, and how often it has been seen */
struct change {
    double objective;
    unsigned long looks;
};
static int change_met(const struct stopping_look *look, void *memory)
{
    struct change *change = memory;
    double before = change->objective, now = look->progress->objective;
    change->objective = now;
    if (change->looks++ != look->iteration) /* looks and updates go together */
        return 1;
    double difference = now > before ? now - before : before - now;
    return look->iteration > 0 && difference <= look->tolerance * (before > 0 ? before : -before);
}
static const struct stopping_rule change = {.name = "my-change", .text = "|D - D'| <= eps |D|",
    .formulations = STOPPING_ALL_FORMULATIONS, .needs_values = 1, .memory_size = sizeof(struct change),
    .met = change_met};

/* for one solver alone */
static const char *const only[] = {"gilbert", NULL};
static const struct stopping_rule named = {.name = "my-own", .text = "Delta <= eps",
    .formulations = 1u << FORMULATION_MINIMUM_NORM, .solvers = only, .met = kkt_met};

HULLBENCH_PLUGIN_OF(.stopping_rules = HULLBENCH_STOPPING_RULES(&sum, &kkt, &change, &named));
END
compile rules -O2 -Wconversion -Wshadow
check "a plugin with stopping rules alone compiles without a warning"
program list stops --plugin ./rules.so
ended 0 0 && grep -q '^my-gap-sum  *the sum of both gaps' "$work/out" && grep -q ' from ./rules.so$' "$work/out"
check "list stops has them and their file"

# as_built_in OWN RULE RUNS: both end this number of runs at the same iteration, with the same record, which converges
as_built_in() {
    for rule in "$1" "$2"; do
        grep "\"rule\":\"$rule\"" rules/records.jsonl |
            sed "s/\"rule\":\"$rule\"//; s/\"reason\":\"not rechecked[^,]*,//; s/\"config\":\"[^\"]*\",//" \
                >"$rule"
    done
    same_files "$1" "$2" && [ "$(grep -c '"outcome":"converged"' "$1")" -eq "$3" ]
}
while read -r solver own rule tolerance; do
    for rule in "$own" "$rule"; do
        echo "{\"name\": \"$solver\", \"stop\": {\"rule\": \"$rule\", \"tolerance\": $tolerance}},"
    done
done <<'END' >solvers
clip-mdm my-gap-sum gap-sum-w2 1e-3
mdm my-gap-sum gap-sum-w2 1e-2
1-smo my-kkt kkt 1e-3
2-smo my-kkt kkt 1e-3
mdm my-change dual-change 1e-4
1-smo my-change dual-change 1e-4
END
cat >rules.json <<END
{"name": "rules", "datasets": ["twonorm"], "splits": "1", "standardise": "full-set",
 "kernel": {"type": "rbf", "width": 40}, "parameters": {"mu": 0.05, "C": 1}, "solvers": [$(sed '$s/,$//' solvers)]}
END
program run rules.json --plugin ./rules.so --out rules --quiet
sum=$(sha256sum rules.so | cut -c1-64)
tr -d ' \n\t' <rules/run.json | grep -qF "\"plugins\":[{\"file\":\"./rules.so\",\"sha256\":\"$sum\",\"solvers\":[],\
\"stops\":[\"my-gap-sum\",\"my-kkt\",\"my-change\"]}]"
check "run.json names a plugin once, with all that is taken from it"
as_built_in my-gap-sum gap-sum-w2 2
check "a rule with the formula of gap-sum-w2 gives its records"
as_built_in my-kkt kkt 2
check "one with that of kkt gives its records, of built-in solvers that know nothing of it"
as_built_in my-change dual-change 2
check "one that remembers the last objective gives the records of dual-change"
program solve --plugin ./rules.so --dataset twonorm --solver 1-smo --set C=1 --stop my-kkt -e 1e-3
ended 0 0 &&
    grep -q '"outcome":"converged","reason":"not rechecked: the plugin of the stopping rule ."my-kkt."' "$work/out"
check "a record says that a rule without a function for it was not rechecked"
program solve --plugin ./rules.so --dataset twonorm --solver clip-mdm --set mu=0.05 --stop my-gap-sum -e 1e-3
ended 0 0 && grep -q '"stop":{"rule":"my-gap-sum","tolerance":0.001},"outcome":"converged","iterations"' "$work/out"
check "and nothing of the sort where there is one"
sed 's/look->tolerance \* look/1000 * &/; s/change->objective = now;/&\n    change[1].objective = now;/' rules.c \
    >wild.c && compile wild -w
program solve --plugin ./wild.so --dataset twonorm --solver clip-mdm --set mu=0.05 --stop my-gap-sum -e 1e-5
ended 0 && grep -q '"outcome":"stalled","reason":"the duality gap, recomputed from the multipliers, is ' "$work/out"
check "a rule that is met too early is found out by its recheck"
program solve --plugin ./wild.so --dataset twonorm --solver 1-smo --set C=1 --stop my-change -e 1e-4
grep -q '"outcome":"failed","reason":"the stopping rule ."my-change." wrote outside its memory of 16 bytes"' "$work/out"
check "a rule that writes outside its memory is named, and the run has failed"
program solve --plugin ./rules.so --dataset twonorm --solver 1-smo --set C=1 --stop my-gap-sum
ended 2 1 && says 'stopping rule "my-gap-sum" does not apply to solver "1-smo"' && says "kkt-relaxed" && says "my-kkt"
check "a rule that does not fit the solver's formulation is refused, and those that do are named"
program solve --plugin ./rules.so --dataset twonorm --solver unary-mdm --set C=1 --stop my-own
ended 2 1 && says 'does not apply to solver "unary-mdm"' && program solve --plugin ./rules.so --dataset twonorm \
    --solver gilbert --set C=1 --kernel rbf,width=40 --stop my-own -e 1e-2 && grep -q '"rule":"my-own"' "$work/out"
check "and so is a rule for another solver"
program solve --plugin ./rules.so --dataset twonorm --solver 1-smo --set C=1 --stop my-kt
ended 2 1 && says 'did you mean "my-kkt"?'
check "a misspelt rule of a plugin is found"
cat >stops.json <<'END'
{"name": "stops", "datasets": ["twonorm"], "splits": "1-2", "standardise": "full-set", "kernel": {"type": "rbf",
 "width": 40}, "parameters": {"mu": 0.05}, "solvers": ["clip-mdm", "mdm", "cycle-clip-mdm"],
 "stop": {"rule": "my-gap-sum", "tolerance": [1e-2, 1e-3]}}
END
program run stops.json --plugin ./rules.so --out stops --quiet
ended 0 0 && [ "$(grep -c '"rule":"my-gap-sum","tolerance":0.01}' stops/records.jsonl)" -eq 6 ] &&
    tr -d ' \n\t' <stops/run.json | grep -qF "\"sha256\":\"$sum\",\"solvers\":[],\"stops\":[\"my-gap-sum\"]}]"
check "a configuration names it, with several tolerances, and run.json the plugin"
program replay stops --plugin ./rules.so
ended 0 0 && program replay stops && ended 2 1 && says 'unknown stopping rule "my-gap-sum"' && says 'give --plugin FILE'
check "replay wants the plugin"

refused_with rules stops <<'END'
kkt.name = "kkt"@the name of a rule that is built in@stopping rule "kkt" already exists, built in
kkt.name = "my-change"@a rule's name twice@stopping rule "my-change" already exists, from ./bad.so
kkt.name = "My"@a rule's name with other letters@stopping rule name "My"
kkt.text = NULL@a rule without text@stopping rule "my-kkt": member text is NULL
change.met = NULL@one without a function@stopping rule "my-change": member met is NULL
kkt.formulations = 0@one for no formulation@stopping rule "my-kkt": member formulations is 0
kkt.formulations += 1u << 30@or for one that does not exist@"my-kkt": member formulations has bits of unknown
only[0] = NULL@an empty list of solvers@stopping rule "my-own": member solvers is an empty
change.memory_size = (size_t)-1@a memory that cannot be@stopping rule "my-change": member memory_size
END
program list stops --plugin ./rules.so --plugin ./rules.so
ended 2 1 && says 'stopping rule "my-gap-sum" already exists, from ./rules.so'
check "the same rules twice"
# A crash is reported with its place, even in built-in solvers. (128 plus the number of the signal.)
cat >crash.c <<'END'
#include <hullbench/solver.h>

static double value(double product, const double *values)
{
    (void)values;
    return *(volatile int *)8 + product;
}
static const struct kernel_family kernel = {.name = "fragile", .meaning = "a crash", .type = KERNEL_OF_PLUGIN,
    .of_inner_product = value};
static int met(const struct stopping_look *look, void *memory)
{
    (void)memory;
    return look->iteration < 3 ? 0 : *(volatile int *)8;
}
static const struct stopping_rule rule = {.name = "fragile", .text = "a crash",
    .formulations = STOPPING_ALL_FORMULATIONS, .met = met};
HULLBENCH_PLUGIN_OF(.kernels = HULLBENCH_KERNELS(&kernel), .stopping_rules = HULLBENCH_STOPPING_RULES(&rule));
END
compile crash -w
program solve --plugin ./crash.so --dataset twonorm --solver mdm --kernel fragile 2>/dev/null
[ "$status" -eq 139 ] && says 'hullbench: kernel fragile of plugin ./crash.so ended the program by SIGSEGV on twonorm'
check "a kernel that crashes is named"
program solve --plugin ./crash.so --dataset twonorm --solver mdm --stop fragile 2>/dev/null
[ "$status" -eq 139 ] &&
    says 'hullbench: solver mdm with stopping rule fragile of plugin ./crash.so ended the program by SIGSEGV on twonorm'
check "so is a stopping rule"
# A plugin whose last list is rejected leaves nothing of its first ones behind.
sed '/^HULLBENCH_PLUGIN/d' kernels.c >bad.c &&
    sed 's/"my-kkt"/"kkt"/; s/^HULLBENCH_PLUGIN_OF(/&.kernels = HULLBENCH_KERNELS(\&laplace, \&square), /' \
    rules.c >>bad.c && compile bad -w
program list kernels --plugin ./bad.so --plugin ./kernels.so
ended 2 1 && says './bad.so: stopping rule "kkt" already exists'
check "lists are taken all or none"
finish
