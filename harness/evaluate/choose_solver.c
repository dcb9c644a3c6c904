/* Which solver `--solver auto` takes. */
#include "harness/evaluate/choose_solver.h"

struct solver_choice choose_solver(const struct problem_shape *shape)
{
    if (shape->is_nu_svc)
        return (struct solver_choice){"clip-mdm", "the nu-SVC is solved as nearest points of reduced hulls"};
    if (shape->without_shrinking)
        return (struct solver_choice){"second-order-smo", "it does not shrink"};
    return (struct solver_choice){"packed-second-order-smo", "it was near the fastest in most measurements"};
}
