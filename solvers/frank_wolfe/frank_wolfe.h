/*
 * What the Frank-Wolfe solvers of nearest points of (mu-reduced) hulls share: vertices, directions and steps.
 *
 * They minimise 1/2 |W|^2, W = W+ - W-, over W+ and W- in the mu-reduced hulls of the classes (solvers/hull/hull.h), in
 * the multipliers alpha: for each class the polytope {0 <= alpha <= mu, sum alpha = 1}. Its vertices have K = floor(1 /
 * mu) multipliers of mu and one of sigma = 1 - K mu. Of class s, with v_j = s W . X_j, two vertices matter:
 *
 *     F   the vertex with the smallest v = s W . F: the extreme point of the reduced hull
 *     A   the vertex with the largest v in the smallest face that holds alpha. In this face, multipliers at 0 and at mu
 *         stay there; so A has weight mu wherever alpha has, and the rest of its weight on the free patterns, those
 *         with 0 < alpha < mu, with the largest v
 *
 * and three directions d for alpha, each with a gap -d . gradient = -sum d_j v_j >= 0 and a largest step:
 *
 *     toward  d = F - alpha      gap g = s W . W_s - v_F     largest step 1
 *     away    d = alpha - A      gap a = v_A - s W . W_s     until a multiplier meets a bound
 *     pair    d = F - A          gap g + a                   until a multiplier meets a bound
 *
 * The away vertex of the smallest face is that of Guelat and Marcotte (1986); Garber and Meshi (2016) take the pair of
 * it and F ("decomposition-invariant"). Lacoste-Julien and Jaggi (2015) take A among the vertices of which the iterate
 * is kept as a convex combination. On whole hulls, mu = 1, both are the same: a vertex is a pattern, alpha is its only
 * combination, F = X_L, A = X_U, and the largest steps are alpha_U / (1 - alpha_U) and alpha_U. On reduced hulls the
 * face needs no list of vertices, and its A is at least as good as that of any list.
 *
 * An away direction whose largest step t is 1 or more has no larger gap than the one toward F: that step ends in a
 * point B of the face, alpha = (B + t A) / (1 + t), so g >= s W . W_s - v_B = t (v_A - v_B) / (1 + t) = t a >= a. Only
 * rounding could choose it, and its step would multiply rounding errors by 1 + t; so it is never chosen.
 *
 * Products with all patterns are kept, so finding vertices and gaps asks for no kernel values. A step asks for the rows
 * of the patterns whose weights make the direction: (K + 1) N kernel operations for F or A (K N where sigma = 0), and
 * for a pair N for each pattern in which F and A differ. |d|^2 comes from these rows.
 */
#ifndef HULLBENCH_FRANK_WOLFE_H
#define HULLBENCH_FRANK_WOLFE_H

#include "solvers/hull/hull.h"

enum fw_kind { FW_TOWARD, FW_AWAY, FW_PAIR };

struct fw_vertex {
    size_t *indices; /* n; what `point` borrows */
    struct hull_point point;
    double value; /* s W . Z */
};

/* d of a class. */
struct fw_direction {
    enum fw_kind kind;
    size_t *indices, count; /* patterns with d_j not 0 */
    double gap, max_step;
    double *row; /* d . X_j; n_padded */
};

/* What begins the state of these solvers. Arrays of two are by class index. */
struct frank_wolfe {
    struct hull hull;
    int moves_both;                      /* parameter `classes` */
    struct fw_vertex toward[2], away[2]; /* F and A */
    int has_away[2];                     /* 0: rounding has left fewer free patterns than A needs */
    double gap[2];                       /* g */
    struct fw_direction direction[2];
    double *coefficient; /* n: d_j of both classes, 0 where a direction has no index */
    double *weights;     /* n */
    size_t *free;        /* n */
    int moves[2];        /* the classes that the next update moves */
};

enum fw_classes { FW_ONE_CLASS, FW_BOTH_CLASSES };
extern const struct parameter parameter_classes;

/* state_size of a solver whose state is `head` bytes and begins with a struct frank_wolfe. */
size_t fw_state_size(size_t head, const struct problem *problem);
/* Lays out that state and starts at the barycentres. */
enum status fw_start(struct frank_wolfe *fw, size_t head, const struct problem *problem, struct oracle *oracle);
/* Finds F, A and g of both classes; fills objective and gaps of *progress. */
void fw_find_vertices(struct frank_wolfe *fw, struct progress *progress);
/* Makes that direction the class's: indices, coefficients, gap and largest step. Where the class has no A, a pair is
 * the direction toward F, and away is empty. An empty direction has the gap 0 and bounds no step. Returns the gap. */
double fw_set_direction(struct frank_wolfe *fw, int c, enum fw_kind kind);
/* Chooses what moves, by the gaps of the directions set: the class with the larger gap, class -1 on a tie, or, with
 * `moves_both`, each class whose gap is above 0. Fills delta and updated_class of *progress. */
void fw_choose_classes(struct frank_wolfe *fw, struct progress *progress);
/* Moves the classes that move by the step that minimises |W|, one length for all; the products of their directions are
 * in `row`. STATUS_STALLED when it is 0. */
enum status fw_move(struct frank_wolfe *fw);
/* Asks for those products and moves: the update of a state that select has chosen directions and classes for. */
enum status fw_update(void *frank_wolfe, struct oracle *oracle);

#endif
