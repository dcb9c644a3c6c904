/*
 * Problem (3.1.6) in signed terms, e_i = y_i d_i: minimise sum F_i e_i over sum e = 0, -1 <= e <= 1, e_i >= 0 outside
 * I_low, e_i <= 0 outside I_up, q of them not 0. By Lemma 2 with these restrictions: +1 for the q/2 smallest F of I_up,
 * -1 for the q/2 largest of I_low, ties to the lowest index. A variable of both sides that is wanted on both is taken
 * for the first. One that is part of no violating pair is left out, so the set may be smaller than q.
 *
 * With new_variables = n < q, only n variables enter in an iteration, n/2 on each side, chosen among those outside the
 * set; each stays for q/n iterations (whole part) and then leaves. That is SVM-Light's option -n against zig-zagging.
 *
 * The most violating pair is in every set: both of its patterns either stayed or are the first of their sides to enter
 * (or one is the first of the other side). The optimum over the set is thus no worse than the step of 1-SMO, and since,
 * but for rounding, each iteration lowers the objective, no point comes again: zig-zagging is slow, but it is no cycle.
 */
#include "solvers/decomposition/working_set.h"

#include "solvers/hull/smallest.h"

const struct parameter parameter_new_variables = {
    .name = "new_variables",
    .meaning = "most variables that enter the working set in an iteration, even; 0: q",
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

/* Those that have been in long enough leave. */
static void grow_older(struct working_set *set)
{
    for (size_t k = 0; k < set->count; k++) {
        size_t *age = &set->age[set->members[k]];
        *age = *age > 0 && *age < set->stay ? *age + 1 : 0;
    }
}

/* Up to `enter` / 2 variables enter from one side: the smallest of direction * F among those that violate with the
 * worst of the other side. */
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
