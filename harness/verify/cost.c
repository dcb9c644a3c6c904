/* Evaluates the formula of struct kernel_cost (solvers/solver.h). */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "harness/verify/trace_solver.h"

/* The sizes in the formula that depend on the problem, except M. */
struct sizes {
    uint64_t n, q, learned, point, rest, max_cycle;
};

static struct sizes sizes_of(const struct solver *solver, const struct problem *problem)
{
    double n = (double)problem->n, mu = setting_value(solver, problem, &parameter_mu, 1);
    double full = floor(1 / mu + 1e-9); /* 1 / (1 / 3) is 3, however it is rounded */
    double learned = floor(setting_value(solver, problem, &parameter_nu, 0) * n + 0.5);
    return (struct sizes){
        .n = problem->n,
        .q = (uint64_t)fmin(setting_value(solver, problem, &parameter_q, 0), n),
        .learned = (uint64_t)fmax(learned, 1),
        .point = (uint64_t)full,
        .rest = 1 - full * mu > 1e-9,
        .max_cycle = (uint64_t)fmin(2 * setting_value(solver, problem, &parameter_history, 0), n),
    };
}

struct term {
    unsigned factor;
    const char *name;
    uint64_t count;
};
enum { TERMS = 8 };

/* The terms with a cycle of M = m patterns, without the constant. */
static void list_terms(const struct kernel_cost *cost, const struct sizes *sizes, uint64_t m, struct term terms[TERMS])
{
    const uint64_t n = sizes->n, k = sizes->point, r = sizes->rest;
    const struct term all[TERMS] = {
        {cost->n2, "N^2", n * n},
        {cost->n, "N", n},
        {cost->rows_q, "q N", sizes->q * n},
        {cost->rows_nu, "nu N N", sizes->learned * n},
        {cost->rows_point, r ? "(K + 1) N" : "K N", (k + r) * n},
        {cost->norms_point, r ? "(K^2 + K + 1)" : "K^2", k * k + r * (k + 1)},
        {cost->rows_cycle, "M N", m * n},
        {cost->values_cycle, "M (M + 1) / 2", m * (m + 1) / 2},
    };
    memcpy(terms, all, sizeof all);
}

static uint64_t formula(const struct kernel_cost *cost, const struct sizes *sizes, uint64_t m)
{
    struct term terms[TERMS];
    uint64_t sum = cost->constant;
    list_terms(cost, sizes, m, terms);
    for (size_t t = 0; t < TERMS; t++)
        sum += terms[t].factor * terms[t].count;
    return sum;
}

static int has_cycle(const struct kernel_cost *cost)
{
    return cost->rows_cycle || cost->values_cycle;
}

static int admits(const struct kernel_cost *cost, const struct sizes *sizes, uint64_t count)
{
    const uint64_t stated = formula(cost, sizes, 0);
    if (!has_cycle(cost))
        return cost->at_most ? count <= stated : count == stated;
    for (uint64_t m = 1; m <= sizes->max_cycle; m++)
        if (formula(cost, sizes, m) == count)
            return 1;
    return 0;
}

int cost_admits(const struct kernel_cost *usual, const struct kernel_cost *further, const struct solver *solver,
                const struct problem *problem, uint64_t count)
{
    const struct sizes sizes = sizes_of(solver, problem);
    int is_one = admits(usual, &sizes, count);
    for (; further && further->is_stated && !is_one; further++)
        is_one = admits(further, &sizes, count);
    return is_one;
}

static void print_cost(const struct kernel_cost *cost, const struct sizes *sizes, FILE *stream)
{
    struct term terms[TERMS];
    const char *plus = "";
    list_terms(cost, sizes, 0, terms);
    fputs(cost->at_most ? "at most " : "", stream);
    for (size_t t = 0; t < TERMS; t++) {
        if (!terms[t].factor)
            continue;
        fputs(plus, stream);
        if (terms[t].factor > 1)
            fprintf(stream, "%u ", terms[t].factor);
        fputs(terms[t].name, stream);
        plus = " + ";
    }
    if (cost->constant || !*plus)
        fprintf(stream, "%s%u", plus, cost->constant);
    if (has_cycle(cost))
        fprintf(stream, " for an M up to %lu", (unsigned long)sizes->max_cycle);
    else
        fprintf(stream, " = %lu", (unsigned long)formula(cost, sizes, 0));
}

void cost_describe(const struct kernel_cost *usual, const struct kernel_cost *further, const struct solver *solver,
                   const struct problem *problem, char *text, size_t size)
{
    const struct sizes sizes = sizes_of(solver, problem);
    FILE *stream = fmemopen(text, size, "w");
    text[0] = text[size - 1] = '\0';
    if (!stream)
        return;
    print_cost(usual, &sizes, stream);
    for (; further && further->is_stated; further++) {
        fputs(", or ", stream);
        print_cost(further, &sizes, stream);
    }
    fclose(stream);
}
