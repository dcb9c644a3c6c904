/*
 * Shared by the Frank-Wolfe solvers for nearest points of (mu-reduced) hulls: vertices, directions and steps.
 *
 * They minimise 1/2 |W|^2, W = W+ - W-, where W+ and W- are points of the mu-reduced hulls of the classes
 * (solvers/hull/hull.h), in terms of the multipliers alpha: for each class the polytope {0 <= alpha <= mu,
 * sum alpha = 1}. Its vertices have K = floor(1 / mu) multipliers of mu and one of sigma = 1 - K mu. For class s, with
 * v_j = s W . X_j, two vertices are used:
 *
 *     F   the vertex with the smallest v = s W . F: the extreme point of the reduced hull
 *     A   the vertex with the largest v in the smallest face that contains alpha. In this face, multipliers at 0 and
 *         at mu are fixed. So A has weight mu wherever alpha has, and the rest of its weight on the free patterns
 *         (0 < alpha < mu) with the largest v
 *
 * There are three directions d for alpha, each with a gap -d . gradient = -sum d_j v_j >= 0 and a largest step:
 *
 *     toward  d = F - alpha      gap g = s W . W_s - v_F     largest step 1
 *     away    d = alpha - A      gap a = v_A - s W . W_s     until a multiplier meets a bound
 *     pair    d = F - A          gap g + a                   until a multiplier meets a bound
 *
 * The away vertex of the smallest face is that of Guelat and Marcotte (1986); Garber and Meshi (2016) use the pair of
 * it and F ("decomposition-invariant"). Lacoste-Julien and Jaggi (2015) take A from the vertices whose convex
 * combination represents the iterate. If one class moves on full hulls, mu = 1, both are the same: a vertex is a
 * pattern, alpha is its only combination, F = X_L, A = X_U, and the largest steps are alpha_U / (1 - alpha_U) and
 * alpha_U. If both classes move, a vertex of the product is a pair of patterns, alpha has many combinations, and the
 * two differ even on full hulls. The face needs no list of vertices, and its A is at least as good as that of any list.
 *
 * An away direction whose largest step t is at least 1 has no larger gap than the one toward F. That step ends in a
 * point B of the face, alpha = (B + t A) / (1 + t), so g >= s W . W_s - v_B = t (v_A - v_B) / (1 + t) = t a >= a. Only
 * rounding could choose it, and its step would multiply rounding errors by 1 + t, so it is never chosen, and no step
 * away is longer than 1.
 *
 * Products with all patterns are kept, so finding vertices and gaps requests no kernel values. A step requests the rows
 * of the patterns whose weights define the direction: (K + 1) N kernel operations for F or A (K N if sigma = 0), and
 * for a pair N for each pattern in which F and A differ. |d|^2 is computed from these rows.
 */
#ifndef HULLBENCH_FRANK_WOLFE_H
#define HULLBENCH_FRANK_WOLFE_H

#include "solvers/hull/hull.h"

enum fw_kind { FW_TOWARD, FW_AWAY, FW_PAIR };

struct fw_vertex {
    size_t *indices; /* n; borrowed by `point` */
    struct hull_point point;
    double value; /* s W . Z */
};

/* The direction d of a class. */
struct fw_direction {
    enum fw_kind kind;
    size_t *indices, count; /* patterns with nonzero d_j */
    double gap, max_step;
    double *row; /* d . X_j; n_padded */
};

/* The beginning of the state of these solvers. Arrays of two are indexed by class. */
struct frank_wolfe {
    struct hull hull;
    int moves_both;                      /* parameter `classes` */
    struct fw_vertex toward[2], away[2]; /* F and A */
    int has_away[2];                     /* 0: because of rounding, fewer patterns are free than A needs */
    double gap[2];                       /* g */
    struct fw_direction direction[2];
    double *coefficient; /* n: d_j of both classes, 0 for patterns that are not in a direction */
    double *weights;     /* n */
    size_t *free;        /* n */
    int moves[2];        /* the classes that the next update moves */
};

enum fw_classes { FW_ONE_CLASS, FW_BOTH_CLASSES };
extern const struct parameter parameter_classes;

/* state_size of a solver whose state is `head` bytes long and begins with a struct frank_wolfe. */
size_t fw_state_size(size_t head, const struct problem *problem);
/* Lays out such a state and starts at the barycentres. */
enum status fw_start(struct frank_wolfe *fw, size_t head, const struct problem *problem, struct oracle *oracle);
/* Finds F, A and g of both classes; fills in objective and gaps of *progress. */
void fw_find_vertices(struct frank_wolfe *fw, struct progress *progress);
/* Sets the direction of the class: indices, coefficients, gap and largest step. Returns the gap. If the class has no
 * A, a pair becomes the direction toward F, and away is empty. An empty direction has gap 0 and does not limit the
 * step. */
double fw_set_direction(struct frank_wolfe *fw, int c, enum fw_kind kind);
/* Chooses the classes to move by the gaps of their directions: the class with the larger gap, class -1 on a tie; with
 * `moves_both`, each class whose gap is positive. Fills in delta and updated_class of *progress. */
void fw_choose_classes(struct frank_wolfe *fw, struct progress *progress);
/* Moves the chosen classes by the common step that minimises |W|; `row` holds the products of their directions.
 * STATUS_STALLED if the step is 0. */
enum status fw_move(struct frank_wolfe *fw);
/* The update after select has chosen directions and classes: requests those products and moves. */
enum status fw_update(void *frank_wolfe, struct oracle *oracle);

#endif
