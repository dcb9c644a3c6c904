/* Values that all dense solvers report, see dense.h. */
#include "solvers/dense/dense.h"

void dense_fill_progress(struct hull *hull, struct progress *progress)
{
    hull->norms = hull_norms(hull);
    hull->norms_state = NORMS_EXACT;
    hull_fill_progress(&hull->norms, progress);
    for (int c = 0; c < 2; c++)
        progress->class_gap[c] = hull_gap(hull, c ? -1 : 1);
    progress->delta = progress->class_gap[0] + progress->class_gap[1];
    progress->updated_class = 0;
}
