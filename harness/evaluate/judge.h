/*
 * The judge recomputes everything a solver claims from the multipliers alone, in double precision. Its kernel values
 * are not counted.
 */
#ifndef HULLBENCH_JUDGE_H
#define HULLBENCH_JUDGE_H

#include "harness/evaluate/svm_gap.h"
#include "solvers/stopping_rule.h"

struct judgement {
    double objective;     /* hulls, minimum norm: 1/2 |W|^2; SVM duals: sum alpha - 1/2 |W|^2 */
    double norm2;         /* |W|^2, including the ridge of a square penalty */
    double duality_gap;   /* primal minus dual, >= 0 except for rounding; NAN if the parameters let W leave the reduced
                           * hull (parameters_may_leave_hull) and some multiplier is above 1/K */
    double gap_shortfall; /* how far constraint violations may move duality_gap below 0 */
    double class_gap[2];  /* hulls: the gap's parts for the classes +1 and -1, s W . W_s - s W . X^_s; else NAN */
    int single_point[2];  /* hulls: nonzero if the class's reduced hull is a single point, whose gap is 0; else 0 */
    double kkt_violation; /* largest violation of the optimality conditions, >= 0 */
    double feasibility;   /* largest constraint violation, >= 0; C-SVM, also without bias: relative to C; 2-SVM: to
                           * max(1, sum alpha) */
    double bias;          /* of the decision function W . x + b */
    double margin;        /* hulls: W . x + b at the nearest point of +1, minus that at the point of -1; else NAN */
    struct judged_plane {
        double bias, margin;
    } middle; /* hulls: for the plane in the middle of the margin, as in nu-SVC; else NAN */
    double rch_mu;        /* C-SVM: mu = 2C / rho, rho = |W|^2 + C sum xi (2011, eq. 19); else NAN */
    double mu_floor;      /* 1 / min(N+, N-), the smallest mu with nonempty reduced hulls */
    size_t support_vectors; /* number of multipliers above the threshold */
    struct svm_gap svm;   /* from svm_gap() under the rule svm-gap; else zeroed */
    /* Bounds on the differences of the values with these names from those with exact kernels and sums (rounding.h);
     * infinite if unknown. class_gap: for hulls only, else 0. */
    struct stopping_figures rounding;
};

/* Computes the products and judges. */
void judge(const struct judging *judging, struct judgement *judgement);

/* Judges again with products of about 100 bits (close_products.c), which leaves rounding errors of some units in the
 * last place. `judgement` holds the first one. A C-SVM's primal value may be that of a slightly scaled plane. Zero,
 * with the judgement unchanged, if there are no such products. with_svm_gap: also svm_gap(). */
int judge_closely(const struct judging *judging, int with_svm_gap, struct judgement *judgement);

/* Computes the products, with the coefficients y_i alpha_i as scratch. */
void products_with_patterns(const struct judging *judging);

/* Replaces bias and margin of a hull solution by those of the plane in the middle of the margin. */
void judgement_take_middle(struct judgement *judgement);

#endif
