/*
 * Problem (3.1.6) in signed terms, e_i = y_i d_i: minimise sum F_i e_i subject to sum e = 0, -1 <= e <= 1, e_i >= 0
 * outside I_low, e_i <= 0 outside I_up, and q nonzero e_i. By Lemma 2 with these restrictions, the solution is +1 for
 * the q/2 smallest F of I_up and -1 for the q/2 largest of I_low, ties to the lowest index. A variable selected on both
 * sides is used for the first. A variable that belongs to no violating pair is omitted, so the set may be smaller than
 * q.
 *
 * With new_variables = n < q, only n variables enter per iteration, n/2 on each side, chosen among those outside the
 * set. Each stays for q/n iterations (integer part) and then leaves. This is SVM-Light's option -n against zig-zagging.
 *
 * The most violating pair is in every set: each of its patterns either stayed or is the first of its side to enter (or
 * one is the first of the other side). So the optimum over the set is at least as good as the step of 1-SMO. Since,
 * except for rounding, each iteration lowers the objective, no point recurs: zig-zagging is slow, but it is not a
 * cycle.
 */
#include "solvers/decomposition/working_set.h"

#include "solvers/hull/smallest.h"

const struct parameter parameter_new_variables = {
    .name = "new_variables",
    .meaning = "largest number of variables that enter the working set in an iteration, even; 0: q",
    .type = PARAMETER_INTEGER, .min = 0, .max = 4096, .multiple_of = 2, .fallback = 0, .at_most = &parameter_q};

void working_set_layout(struct working_set *set, struct arena *arena, const struct problem *problem)
{
    size_t q = (size_t)parameter_get(&problem->parameters, &parameter_q);
    size_t enter = (size_t)parameter_get(&problem->parameters, &parameter_new_variables);
    set->max_members = q;
    set->enter = enter > 0 && enter < q ? enter : q;
    set->stay = q / set->enter;
    set->members = arena_take(arena, (q < problem->n ? q : problem->n) * sizeof *set->members);
    set->age = arena_take(arena, problem->n * sizeof *set->age);
    set->order = arena_take(arena, problem->n * sizeof *set->order);
    set->value = arena_doubles(arena, problem->n);
}

/* Removes the variables that have been in the set long enough. */
static void grow_older(struct working_set *set)
{
    for (size_t k = 0; k < set->count; k++) {
        size_t *age = &set->age[set->members[k]];
        *age = *age > 0 && *age < set->stay ? *age + 1 : 0;
    }
}

/* Adds up to `enter` / 2 variables from one side: the smallest of direction * F among those that violate with the worst
 * of the other side. */
static void enter_from(struct working_set *set, const struct box *box, const size_t *active, size_t count,
                       int direction, double other)
{
    size_t candidates = 0, wanted = set->enter / 2;
    for (size_t k = 0; k < count; k++) {
        size_t i = active[k];
        int may = direction > 0 ? box_may_grow(box, i) : box_may_shrink(box, i);
        if (!may || set->age[i] > 0 || !(direction * box->f[i] < direction * other))
            continue;
        set->order[candidates++] = i;
        set->value[i] = direction * box->f[i];
    }
    if (wanted > candidates)
        wanted = candidates;
    if (wanted > 0 && wanted < candidates)
        smallest_partition(set->order, candidates, wanted, set->value);
    for (size_t k = 0; k < wanted; k++)
        set->age[set->order[k]] = 1;
}

static void take_pair(struct working_set *set, const struct box_pair *worst)
{
    set->members[0] = worst->up < worst->low ? worst->up : worst->low;
    set->members[1] = worst->up < worst->low ? worst->low : worst->up;
    set->count = 2;
}

void working_set_choose(struct working_set *set, const struct box *box, const size_t *active, size_t count,
                        const struct box_pair *worst)
{
    if (set->max_members == 2) {
        take_pair(set, worst);
        return;
    }
    grow_older(set);
    enter_from(set, box, active, count, 1, worst->f_low);
    enter_from(set, box, active, count, -1, worst->f_up);
    set->count = 0;
    for (size_t k = 0; k < count; k++)
        if (set->age[active[k]] > 0)
            set->members[set->count++] = active[k];
}
