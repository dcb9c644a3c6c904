/*
 * Solvers, kernels and stopping rules in a shared object, which `--plugin FILE` loads. The object defines one constant,
 * hullbench_plugin, which lists its contents. It links with no library: the loading program provides the functions of
 * these headers. Its solvers fulfil the same contract as built-in ones and are stopped, counted and judged in the same
 * way.
 *
 *     #include <hullbench/solver.h>
 *     static const struct solver mine = {.name = "mine", ...};
 *     HULLBENCH_PLUGIN(&mine);
 *
 * or, with kernels (kernel_family.h) and stopping rules (stopping_rule.h), where any list may be omitted,
 *
 *     HULLBENCH_PLUGIN_OF(.solvers = HULLBENCH_SOLVERS(&mine), .kernels = HULLBENCH_KERNELS(&laplace),
 *                         .stopping_rules = HULLBENCH_STOPPING_RULES(&relative_gap));
 */
#ifndef HULLBENCH_PLUGIN_H
#define HULLBENCH_PLUGIN_H

#ifdef __cplusplus /* standard headers come before extern "C" */
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
extern "C" {
#endif

#include "solvers/arena.h"
#include "solvers/cycle.h"
#include "solvers/decomposition/box.h"
#include "solvers/decomposition/pair_smo.h"
#include "solvers/hull/hull.h"
#include "solvers/hull/smallest.h"
#include "solvers/multiplicative/nonnegative.h"
#include "solvers/norm/min_norm.h"
#include "solvers/solver.h"
#include "solvers/stopping_rule.h"

#ifdef __cplusplus
}
#endif

/* Incremented whenever plugins must be recompiled: a member moves or changes its meaning, a function is removed or
 * changes its arguments. Sizes are compared as well, in case the number was not incremented. */
#define HULLBENCH_ABI 7

/* Numbers that must be equal in plugin and program, with labels for the message. */
#define HULLBENCH_LAYOUT(X)                             \
    X("struct solver", sizeof(struct solver))           \
    X("struct kernel_cost", sizeof(struct kernel_cost)) \
    X("struct problem", sizeof(struct problem))         \
    X("struct progress", sizeof(struct progress))       \
    X("struct simd", sizeof(struct simd))               \
    X("struct arena", sizeof(struct arena))             \
    X("struct hull_point", sizeof(struct hull_point))   \
    X("struct points", sizeof(struct points))           \
    X("struct kernel", sizeof(struct kernel))           \
    X("struct kernel_family", sizeof(struct kernel_family)) \
    X("struct stopping_rule", sizeof(struct stopping_rule)) \
    X("struct stopping_look", sizeof(struct stopping_look)) \
    X("struct stopping_figures", sizeof(struct stopping_figures)) \
    X("struct stopping_claim", sizeof(struct stopping_claim)) \
    X("struct cycle", sizeof(struct cycle))             \
    X("struct hull", sizeof(struct hull))               \
    X("struct hull_pair", sizeof(struct hull_pair))     \
    X("struct box", sizeof(struct box))                 \
    X("struct box_pair", sizeof(struct box_pair))       \
    X("struct pair_smo", sizeof(struct pair_smo))       \
    X("struct min_norm", sizeof(struct min_norm))       \
    X("struct nonnegative", sizeof(struct nonnegative)) \
    X("struct error", sizeof(struct error))             \
    X("enum formulation", FORMULATION_COUNT)            \
    X("enum stop_rule", STOP_RULES)                     \
    X("struct parameter", sizeof(struct parameter))

#define HULLBENCH_LAYOUT_NUMBER(label, number) (unsigned)(number),
#define HULLBENCH_LAYOUT_LABEL(label, number) label,
#define HULLBENCH_LAYOUT_ONE(label, number) +1
enum { HULLBENCH_LAYOUTS = 0 HULLBENCH_LAYOUT(HULLBENCH_LAYOUT_ONE) };

struct hullbench_plugin {
    unsigned abi;     /* HULLBENCH_ABI of the headers it was compiled with; the first member in every version */
    unsigned layouts; /* how many layout numbers follow */
    unsigned layout[HULLBENCH_LAYOUTS];
    /* NULL-terminated lists of constants that must live as long as the object; NULL: none. At least one list is
     * needed. */
    const struct solver *const *solvers;
    const struct kernel_family *const *kernels;
    const struct stopping_rule *const *stopping_rules;
};

/* The lists, from addresses. */
#define HULLBENCH_SOLVERS(...) ((const struct solver *const[]){__VA_ARGS__, NULL})
#define HULLBENCH_KERNELS(...) ((const struct kernel_family *const[]){__VA_ARGS__, NULL})
#define HULLBENCH_STOPPING_RULES(...) ((const struct stopping_rule *const[]){__VA_ARGS__, NULL})

/* Defines the plugin with these lists, given as designated initialisers. */
#define HULLBENCH_PLUGIN_OF(...)                                                                     \
    extern const struct hullbench_plugin hullbench_plugin __attribute__((visibility("default")));    \
    const struct hullbench_plugin hullbench_plugin = {                                               \
        .abi = HULLBENCH_ABI,                                                                        \
        .layouts = HULLBENCH_LAYOUTS,                                                                \
        .layout = {HULLBENCH_LAYOUT(HULLBENCH_LAYOUT_NUMBER)},                                       \
        __VA_ARGS__}

/* Defines the plugin with the solvers at these addresses. */
#ifndef __cplusplus
#define HULLBENCH_PLUGIN(...) HULLBENCH_PLUGIN_OF(.solvers = HULLBENCH_SOLVERS(__VA_ARGS__))
#else /* C++ has no compound literals that last: lists are arrays there, also those of parameters */
#define HULLBENCH_PLUGIN(...)                                                           \
    static const struct solver *const hullbench_plugin_solvers[] = {__VA_ARGS__, NULL}; \
    extern "C" {                                                                        \
    HULLBENCH_PLUGIN_OF(.solvers = hullbench_plugin_solvers, .kernels = NULL, .stopping_rules = NULL); \
    }
#endif

#endif
