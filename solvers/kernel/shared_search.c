/* Passes over all elements that several threads share, see shared_search.h. */
#include "solvers/kernel/shared_search.h"

#include "solvers/kernel/helpers.h"

enum {
    MIN_PART = 1 << 11, /* elements of a part: below, handing it over takes as long as the part */
    GRAIN = 64 /* elements whose bits in a set are whole bytes, and which a search visits together */
};

struct pass {
    const struct simd *simd;
    size_t n;
    enum { SEARCH, ADD_DIFFERENCE, TURN } update;
    double keep, a;
    const double *p, *q;
    const unsigned char *const *eligible;
    double *d, *y;
    const double *searched;
    struct argminmax *found; /* one for each part */
};

/* The elements from `first` to `end`. */
static void search(const struct pass *pass, size_t first, size_t end, struct argminmax *found)
{
    const unsigned char *const eligible[] = {pass->eligible[0] + first / 8, pass->eligible[1] + first / 8};
    if (pass->update == TURN)
        pass->simd->turn_argminmax(end - first, pass->keep, pass->a, pass->p + first, pass->q + first, eligible,
                                   pass->d + first, pass->y + first, found);
    else if (pass->update == ADD_DIFFERENCE)
        pass->simd->add_difference_argminmax(end - first, pass->a, pass->p + first, pass->q + first, eligible,
                                             pass->y + first, found);
    else
        pass->simd->argminmax(end - first, eligible, pass->searched + first, found);
    found->min_at += first; /* an empty set gives an infinity, which counts only in the first part */
    found->max_at += first;
}

static void search_part(void *context, const struct helpers_part *part)
{
    const struct pass *pass = context;
    search(pass, part->first, part->end, &pass->found[part->part]);
}

static struct argminmax share(struct pass *pass)
{
    struct argminmax found[HELPERS_MAX_PARTS];
    found[0] = (struct argminmax){0}; /* for a reader that does not know of the first part */
    pass->found = found;
    const size_t parts = helpers_run(&(struct helpers_division){pass->n, GRAIN, MIN_PART, 1}, search_part, pass);
    for (size_t part = 1; part < parts; part++) {
        if (found[part].min < found->min) {
            found->min = found[part].min;
            found->min_at = found[part].min_at;
        }
        if (found[part].max > found->max) {
            found->max = found[part].max;
            found->max_at = found[part].max_at;
        }
    }
    return *found;
}

struct argminmax shared_argminmax(const struct simd *simd, size_t n, const unsigned char *const *eligible,
                                  const double *y)
{
    struct pass pass = {.simd = simd, .n = n, .update = SEARCH, .eligible = eligible, .searched = y};
    return share(&pass);
}

struct argminmax shared_add_difference_argminmax(const struct simd *simd, size_t n, double a, const double *p,
                                                 const double *q, const unsigned char *const *eligible, double *y)
{
    struct pass pass = {
        .simd = simd, .n = n, .update = ADD_DIFFERENCE, .a = a, .p = p, .q = q, .eligible = eligible, .y = y};
    return share(&pass);
}

struct argminmax shared_turn_argminmax(const struct simd *simd, size_t n, double keep, double a, const double *p,
                                       const double *q, const unsigned char *const *eligible, double *d, double *y)
{
    struct pass pass = {.simd = simd, .n = n, .update = TURN, .keep = keep, .a = a,
                        .p = p, .q = q, .eligible = eligible, .d = d, .y = y};
    return share(&pass);
}

struct choice {
    const struct simd *simd;
    const struct second_index *second_index;
    size_t found[HELPERS_MAX_PARTS];
};

static void choose_in_part(void *context, const struct helpers_part *part)
{
    struct choice *choice = context;
    struct second_index second_index = *choice->second_index;
    second_index.first = part->first;
    choice->found[part->part] = choice->simd->select_second_index(part->end, &second_index);
}

size_t shared_select_second_index(const struct simd *simd, size_t n, const struct second_index *second_index)
{
    struct choice choice;
    choice.simd = simd;
    choice.second_index = second_index;
    const size_t parts = helpers_run(&(struct helpers_division){n, GRAIN, MIN_PART, 1}, choose_in_part, &choice);
    size_t best = choice.found[0];
    double max = parts > 1 ? second_index_gain(second_index, best) : 0;
    for (size_t part = 1; part < parts; part++) {
        const size_t at = choice.found[part];
        const double gain = second_index_gain(second_index, at);
        if (gain > max || (gain == max && gain > 0 && at < best)) {
            max = gain;
            best = at;
        }
    }
    return best;
}
