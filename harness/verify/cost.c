/* Evaluates the formula of struct kernel_cost (cost.h and solvers/solver.h). */
#include "harness/verify/cost.h"

#include <math.h>
#include <stdio.h>

#include "harness/verify/settings.h"

/* The terms of the formula that depend on the problem, except M. */
struct terms {
    uint64_t n, q, learned, point, rest, max_cycle;
};

static struct terms terms_of(const struct solver *solver, const struct problem *problem)
{
    double n = (double)problem->n, mu = setting_value(solver, problem, &parameter_mu, 1);
    double full = floor(1 / mu + 1e-9); /* 1 / (1 / 3) is 3, however it is rounded */
    double learned = floor(setting_value(solver, problem, &parameter_nu, 0) * n + 0.5);
    struct terms terms = {
        .n = problem->n,
        .q = (uint64_t)fmin(setting_value(solver, problem, &parameter_q, 0), n),
        .learned = (uint64_t)fmax(learned, 1),
        .point = (uint64_t)full,
        .rest = 1 - full * mu > 1e-9,
        .max_cycle = (uint64_t)fmin(2 * setting_value(solver, problem, &parameter_history, 0), n),
    };
    return terms;
}

static uint64_t formula(const struct kernel_cost *cost, const struct terms *terms, uint64_t cycle)
{
    uint64_t n = terms->n, k = terms->point, r = terms->rest;
    return cost->n2 * n * n + cost->n * n + cost->constant + cost->rows_q * terms->q * n +
           cost->rows_nu * terms->learned * n + cost->rows_point * (k + r) * n +
           cost->norms_point * (k * k + r * (k + 1)) + cost->rows_cycle * cycle * n +
           cost->values_cycle * cycle * (cycle + 1) / 2;
}

static int has_cycle(const struct kernel_cost *cost)
{
    return cost->rows_cycle || cost->values_cycle;
}

static int admits(const struct kernel_cost *cost, const struct terms *terms, uint64_t count)
{
    if (!has_cycle(cost)) {
        uint64_t stated = formula(cost, terms, 0);
        return cost->at_most ? count <= stated : count == stated;
    }
    for (uint64_t m = 1; m <= terms->max_cycle; m++)
        if (formula(cost, terms, m) == count)
            return 1;
    return 0;
}

int cost_admits(const struct kernel_cost *usual, const struct kernel_cost *further, const struct solver *solver,
                const struct problem *problem, uint64_t count)
{
    const struct terms terms = terms_of(solver, problem);
    if (admits(usual, &terms, count))
        return 1;
    for (; further && further->is_stated; further++)
        if (admits(further, &terms, count))
            return 1;
    return 0;
}

/* Appends to a text that ends at *used. */
#define APPEND(...)                                                            \
    do {                                                                       \
        if (*used < size)                                                      \
            *used += (size_t)snprintf(text + *used, size - *used, __VA_ARGS__); \
    } while (0)

static void append_term(unsigned factor, const char *name, size_t start, char *text, size_t size, size_t *used)
{
    if (!factor)
        return;
    if (*used > start)
        APPEND(" + ");
    if (factor > 1)
        APPEND("%u ", factor);
    APPEND("%s", name);
}

static void append_cost(const struct kernel_cost *cost, const struct terms *terms, char *text, size_t size,
                        size_t *used)
{
    if (*used > 0)
        APPEND(", or ");
    if (cost->at_most)
        APPEND("at most ");
    size_t start = *used;
    append_term(cost->n2, "N^2", start, text, size, used);
    append_term(cost->n, "N", start, text, size, used);
    append_term(cost->rows_q, "q N", start, text, size, used);
    append_term(cost->rows_nu, "nu N N", start, text, size, used);
    append_term(cost->rows_point, terms->rest ? "(K + 1) N" : "K N", start, text, size, used);
    append_term(cost->norms_point, terms->rest ? "(K^2 + K + 1)" : "K^2", start, text, size, used);
    append_term(cost->rows_cycle, "M N", start, text, size, used);
    append_term(cost->values_cycle, "M (M + 1) / 2", start, text, size, used);
    if (cost->constant || *used == start)
        APPEND("%s%u", *used > start ? " + " : "", cost->constant);
    if (has_cycle(cost))
        APPEND(" for an M up to %lu", (unsigned long)terms->max_cycle);
    else
        APPEND(" = %lu", (unsigned long)formula(cost, terms, 0));
}

void cost_describe(const struct kernel_cost *usual, const struct kernel_cost *further, const struct solver *solver,
                   const struct problem *problem, char *text, size_t size)
{
    const struct terms terms = terms_of(solver, problem);
    size_t used = 0;
    append_cost(usual, &terms, text, size, &used);
    for (; further && further->is_stated; further++)
        append_cost(further, &terms, text, size, &used);
}
