/*
 * Shared by all nearest-point solvers: a point W = W+ - W- with W+ and W- in the mu-reduced convex hulls
 * C_mu = { sum alpha_j X_j : sum alpha_j = 1, 0 <= alpha_j <= mu } of the two classes (mu = 1: the convex hulls). It is
 * represented by its multipliers and by the inner products D_j = W+ . X_j and E_j = W- . X_j with every pattern (Lopez,
 * Barbero and Dorronsoro 2011, Section 2.1).
 *
 * The sign s of the class unifies both classes: with v_j = s W . X_j, an update prefers small v where it adds weight
 * and large v where it removes weight.
 */
#ifndef HULLBENCH_HULL_H
#define HULLBENCH_HULL_H

#include "solvers/arena.h"
#include "solvers/solver.h"

/* Index of a class in arrays of two: 0 for +1, 1 for -1. */
static inline int class_index(int label)
{
    return label < 0;
}

/* A = W+ . W+, B = W- . W-, C = W+ . W- (Section 2.1) */
struct hull_norms {
    double a, b, c;
};

/* L and U of a class, eqs. (7) and (13): L = argmin v_j over alpha_j < mu, U = argmax v_j over alpha_j > 0;
 * delta = v_U - v_L. If either set is empty, as in a class of one sample, delta is 0 and L = U = 0, which need not be a
 * pattern of the class. So L and U are valid only if delta > 0 or both sets are known to be nonempty. */
struct hull_pair {
    size_t low, high;
    double delta;
};

/* Scratch of the search for extreme points. It is not part of the point that a hull holds, so functions that do not
 * change the hull may write it. */
struct hull_search {
    double *value;         /* v_j of the class searched last; n_padded */
    size_t *order, *found; /* members of a class that may belong to its extreme point; n, and n_padded + SIMD_LANES */
    double *key;           /* the v of the members in `order`; n_padded + SIMD_LANES */
    struct {
        int is_set;
        double threshold,
            margin;         /* candidates have v <= threshold = largest needed v of the last search + margin */
    } window[2];            /* by class */
    size_t *vertex[2];      /* the last extreme point that hull_gap found in each class: the patterns of weight mu,
                             * then the last one */
    size_t vertex_count[2]; /* their number; 0 before one is found */
};

struct hull {
    size_t n, n_padded;
    const struct simd *simd;
    const signed char *y;
    double mu;
    size_t n_full_weights;  /* K = floor(1 / mu) */
    double rest_weight;     /* sigma = 1 - K mu */
    size_t left_at_mu[2];   /* inactive patterns of weight mu (part.h), which count towards the K */
    size_t *members[2];     /* patterns of each class, ascending */
    size_t count[2];
    double *weights[2]; /* alpha of the class's patterns, 0 elsewhere; n_padded. If pairs are used, set only by
                         * hull_set_weight and hull_move_pair */
    double *products[2];    /* D and E: products[0][j] = W+ . X_j, products[1][j] = W- . X_j; n_padded; */
    int is_joined;          /* or, if this is nonzero, W . X_j and 0 */
    unsigned char *class_set[2]; /* sets (simd.h): the patterns of a class */
    unsigned char
        *eligible[4]; /* in class +1, alpha < mu and alpha > 0; in class -1, alpha > 0 and alpha < mu */
    struct hull_search *search;
    struct hull_pair pair[2]; /* L and U of each class */
    int has_pairs;            /* nonzero if the last step has stored them */
    struct hull_norms norms;  /* A, B and C, as last summed or updated since then */
    enum {
        NORMS_STALE,
        NORMS_LENGTH, /* only |W|^2, as A, updated by the steps */
        NORMS_UPDATED,
        NORMS_EXACT
    } norms_state; /* UPDATED is valid unless the hull was changed otherwise; EXACT: summed since the last step */
    double largest_norm2;     /* largest |X_j|^2; for callers that update |W|^2 */
    double tolerance;         /* of the stopping rule */
};

/* Places the arrays (or measures them) for n patterns. */
void hull_layout(struct hull *hull, struct arena *arena, size_t n);
/* state_size for a solver whose state begins with a struct hull, is `head` bytes long and has `rows` more arrays of
 * n_padded doubles. SIZE_MAX if too large. */
size_t hull_state_size(size_t head, size_t rows, size_t n);

enum selection { SELECTION_EXTREME, SELECTION_FREE };
extern const struct parameter parameter_selection; /* of mu-mdm */
enum class_choice { CLASS_LARGEST_DELTA, CLASS_OF_LOW, CLASS_OF_HIGH };
extern const struct parameter parameter_class; /* of ch-mdm */

/* mu, or 1 for a solver of unreduced hulls, which does not read it. */
static inline double hull_mu(const struct problem *problem)
{
    return solver_reads(problem->solver, &parameter_mu) ? parameter_get(&problem->parameters, &parameter_mu) : 1;
}
/* Lays out the arrays in `block` and starts at the barycentres: alpha_j = 1/N+ or 1/N- (Section 5). Requests every row
 * once. STATUS_BAD_INPUT if mu N+ < 1 or mu N- < 1: the reduced hull is empty. */
enum status hull_start(struct hull *hull, struct arena *arena, const struct problem *problem, double mu,
                       struct oracle *oracle);

/* The same, starting at the first 1/mu patterns of each class, rounded up, with equal weights. Requests their rows. */
enum status hull_start_at_few(struct hull *hull, struct arena *arena, const struct problem *problem, double mu,
                              struct oracle *oracle);

/* The same for full hulls (mu = 1), starting at the first pattern of each class (Lopez 2008, Algorithm 1 with the start
 * of Section 5.2). Requests two rows. */
enum status hull_start_at_first_pair(struct hull *hull, struct arena *arena, const struct problem *problem,
                                     struct oracle *oracle);

/* From now on the hull holds only W . X_j = D_j - E_j, which suffices for directions that move both classes. It then
 * reports A - C and B - C as A and B, with C = 0. */
void hull_join(struct hull *hull);

/* W . X_j = D_j - E_j */
static inline double hull_projection(const struct hull *hull, size_t j)
{
    return hull->products[0][j] - hull->products[1][j];
}

/* A, B and C, recomputed from the multipliers. */
struct hull_norms hull_norms(const struct hull *hull);
/* |W|^2 = A - 2C + B */
double hull_norm2(const struct hull_norms *norms);
/* s W . W_s: the v of the class's hull point itself. */
double hull_own_value(const struct hull_norms *norms, int label);
/* Fills in objective and norm2. */
void hull_fill_progress(const struct hull_norms *norms, struct progress *progress);

/* The extreme point X^ of the class's reduced hull with the smallest v = s W . X^ (Section 3): weight mu on the K
 * patterns with the smallest v_j and sigma on the next. `indices` (n) receives its patterns and is borrowed by the
 * result. *value receives s W . X^. */
struct hull_point hull_extreme_point(const struct hull *hull, int label, size_t *indices, double *value);
/* Z . X for a hull point Z, where x holds the products of X with the patterns. */
double hull_along(const struct hull_point *point, const double *x);
/* W_s' = (1 - lambda) W_s + lambda Z for class index c; `row` holds the products of Z with the patterns. The caller
 * must recompute pairs and sums. */
void hull_blend(struct hull *hull, int c, const struct hull_point *point, const double *row, double lambda);
/* s W . W_s - s W . X^_s >= 0 (left side of the stopping rule of Section 5). For class 0, the sum over both, which is
 * the duality gap |W|^2 - (W . X^+ - W . X^-) of problems (2) and (15). */
double hull_gap(const struct hull *hull, int label);

/* A lower bound on hull_gap, from hull->norms. `floor` is a lower bound known to the caller, correct up to rounding. It
 * is used if it exceeds the limit of the stopping rule; otherwise the bound is the gap of the extreme point that
 * hull_gap last found. */
double hull_gap_bound(const struct hull *hull, int label, double floor);

struct hull_pair hull_pair(const struct hull *hull, int label);
/* Finds the pairs of both classes by `eligible` and stores them in hull->pair. Does nothing if the last step has stored
 * them. */
void hull_find_pairs(struct hull *hull);
/* Stores the pairs: of[c] has the extremes of D - E over class c, the minimum where it may gain y alpha, the maximum
 * where it may lose some. */
void hull_take_extremes(struct hull *hull, const struct argminmax *of);
/* The pair of the class with the larger delta; on a tie, of class +1 if `ties_to_positive`, else of class -1. Fills in
 * *progress, including the class, for an update of that pair alone. */
struct hull_pair hull_choose_pair(struct hull *hull, int ties_to_positive, struct progress *progress);
/* Fills in *progress for an update of that pair of the class alone. */
void hull_fill_for_pair(struct hull *hull, int label, const struct hull_pair *pair, struct progress *progress);
/* Moves along the pair, whose rows are given, by eq. (14), then finds the pairs. Returns the step; 0 if no step is
 * possible. length2 is the divisor of the step, |X_L - X_U|^2 for the minimum along the pair. */
double hull_step_pair(struct hull *hull, int label, const struct hull_pair *pair, double length2, const double *row_low,
                      const double *row_high);
/* Sets the multiplier of pattern i and its bits in `eligible`. Pairs and sums must then be recomputed. */
void hull_set_weight(struct hull *hull, size_t i, double weight);
/* The largest step that keeps alpha_L <= mu and alpha_U >= 0. */
double hull_pair_max_step(const struct hull *hull, int label, const struct hull_pair *pair);
/* alpha_L += step, alpha_U -= step, exactly to a bound if the step is the distance to it. Otherwise like
 * hull_set_weight. */
void hull_move_pair(struct hull *hull, int label, const struct hull_pair *pair, double step);

/* A faster hull_set_weight if the multiplier stays between the bounds; for callers that recompute pairs and sums
 * themselves. */
static inline void hull_move_weight(struct hull *hull, size_t i, double moved)
{
    double *alpha = &hull->weights[class_index(hull->y[i])][i];
    if (*alpha > 0 && *alpha < hull->mu && moved > 0 && moved < hull->mu)
        *alpha = moved;
    else
        hull_set_weight(hull, i, moved);
}
/* The largest step >= 0 within the bounds along a direction that moves many multipliers: alpha_i += step w_i for the
 * `count` patterns in `indices`. */
double hull_max_step_along(const struct hull *hull, const size_t *indices, const double *weights, size_t count);
/* Performs the step. A multiplier that reaches its bound is put exactly on it. The caller updates D and E; otherwise
 * like hull_set_weight. */
void hull_move_along(struct hull *hull, const size_t *indices, const double *weights, size_t count, double step);
/* W . X_j += step products[j] in a joined hull, then finds the pairs; norm2: |W|^2 after the step. */
void hull_move_products(struct hull *hull, double step, const double *products, double norm2);

/* Copies the multipliers out. */
void hull_alpha(const void *hull, double *alpha);
double hull_gap_of_state(const void *state, int label);

/* min(delta / norm2, max_step), or max_step if the direction has no length up to rounding. */
double hull_step(double delta, double norm2, double max_step);

#define HULL_STOPS (1u << STOP_RCH_GAP | 1u << STOP_RCH_GAP_BOTH | 1u << STOP_DELTA | 1u << STOP_DELTA_NORM2 | \
                    1u << STOP_DELTA_2NORM2 | 1u << STOP_GAP_SUM_NORM2 | 1u << STOP_GAP_MAX_NORM2 |          \
                    1u << STOP_DUAL_CHANGE | 1u << STOP_ITERATIONS)

/* The members shared by every solver whose state begins with a struct hull. */
#define HULL_SOLVER_STOPPED_BY(rules)                                                           \
    .formulation = FORMULATION_NEAREST_POINTS, .stops = (rules), .gap = hull_gap_of_state, \
    .alpha = hull_alpha
#define HULL_SOLVER HULL_SOLVER_STOPPED_BY(HULL_STOPS)

#endif
