/* The nearest points of the mu-reduced hulls of two classes, and the plane between them:
 *     cc nearest.c $(pkg-config --cflags --libs hullbench) -o nearest */
#include <hullbench/hullbench.h>
#include <stdio.h>

int main(void)
{
    static const double x[] = {0, 0, 1, 2, 2, 1, 3, 0, 4, 4, 5, 3, 3, 5, 2, 2.5}; /* eight patterns of two features */
    static const int y[] = {1, 1, 1, 1, -1, -1, -1, -1};
    const double z[] = {1, 1, 4, 3};
    struct hullbench_problem problem = {.n = 8, .dims = 2, .x = x, .y = y, .solver = "clip-mdm", .parameters = "mu=0.5",
                                        .stop = "rch-gap-both", .tolerance = 1e-9};
    struct hullbench_result result;
    double alpha[8], decision[2];
    char message[256];
    enum hullbench_status status = hullbench_train(&problem, alpha, &result, message, sizeof message);
    if (status == HULLBENCH_OK)
        status = hullbench_decide(&problem, alpha, result.bias, 2, z, decision, message, sizeof message);
    if (status != HULLBENCH_OK) {
        fprintf(stderr, "%s\n", message);
        return status;
    }
    printf("%s after %d iterations, 1/2 |W|^2 = %.6f, gap %.0e\n", result.outcome, (int)result.iterations,
           result.objective, result.duality_gap);
    for (int i = 0; i < 8; i++)
        printf("alpha[%d] = %.4f\n", i, alpha[i]);
    printf("(1, 1) is %+d, (4, 3) is %+d\n", decision[0] < 0 ? -1 : 1, decision[1] < 0 ? -1 : 1);
    return 0;
}
