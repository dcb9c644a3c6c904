/*
 * The judge: recomputes from the multipliers alone what a solver claims. One place, double precision, kernel values not
 * counted.
 */
#ifndef HULLBENCH_JUDGE_H
#define HULLBENCH_JUDGE_H

#include "harness/evaluate/svm_gap.h"

/* How far figures may be from those of exact kernel values and exact sums (rounding.h); infinite where that is not
 * known. */
struct judged_rounding {
    double objective, norm2, duality_gap, class_gap[2], kkt_violation;
};

struct judgement {
    double objective;     /* hulls, minimum norm: 1/2 |W|^2; SVM duals: sum alpha - 1/2 |W|^2 */
    double norm2;         /* |W|^2, the ridge of a square penalty in it */
    double duality_gap;   /* primal less dual, >= 0 but for rounding; NAN where the parameters let W leave the
                             reduced hull (parameters_may_leave_hull) and some multiplier is above 1/K */
    double gap_shortfall; /* how far below 0 the constraints' violation may take duality_gap */
    double class_gap[2];  /* hulls: its parts of the classes +1 and -1, s W . W_s - s W . X^_s; else NAN */
    int single_point[2];  /* hulls: nonzero where the class's reduced hull is one point, whose gap is 0; else 0 */
    double kkt_violation; /* largest violation of the optimality conditions, >= 0 */
    double feasibility;   /* largest violation of a constraint, >= 0; C-SVM, also without bias: relative to C; 2-SVM: to
                             max(1, sum alpha) */
    double bias;          /* of the decision W . x + b */
    double margin;        /* hulls: W . x + b on the plane through the nearest point of +1, and less it on that of -1;
                             else NAN */
    struct judged_plane {
        double bias, margin;
    } middle; /* hulls: of the plane in the middle of the margin, which is nu-SVC's; else NAN */
    double rch_mu;        /* C-SVM: mu = 2C / rho, rho = |W|^2 + C sum xi (2011, eq. 19); else NAN */
    double mu_floor;      /* 1 / min(N+, N-), the least mu with nonempty reduced hulls */
    size_t support_vectors; /* multipliers above the threshold */
    struct svm_gap svm;   /* under the rule svm-gap, by svm_gap(); else zeroed */
    struct judged_rounding rounding; /* of the figures of the same names; class_gap: hulls alone, else 0 */
};

/* alpha: n multipliers; mu or C from problem->parameters; gram set to the problem's kernel. products: n_padded doubles,
 * lanes-aligned, gets W . X_j. scratch: n doubles. */
void judge(const struct problem *problem, enum formulation formulation, struct gram *gram, const double *alpha,
           double support_threshold, double *products, double *scratch, struct judgement *judgement);

/* f_j = W . X_j, n_padded doubles; coefficient: n doubles of scratch. */
void products_with_patterns(const struct problem *problem, struct gram *gram, const double *alpha, double *coefficient,
                            double *f);

/* Takes the plane in the middle of the margin for that of a solution of hulls: its bias and margin. */
void judgement_take_middle(struct judgement *judgement);

#endif
