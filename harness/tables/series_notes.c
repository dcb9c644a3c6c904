/* See series_notes.h. */
#include "harness/tables/series_notes.h"

#include "harness/base/json_writer.h"

void series_notes_add(const struct series_set *set, struct table_files *files)
{
    if (set->gaps)
        text_table_footnote(&files->text, "%s: %s.",
                            set->n_left_out ? "Problems that not all of these solvers ran are left out"
                                            : "The solvers did not all run the same problems",
                            set->gaps);
    if (set->budgets)
        text_table_footnote(&files->text, "Beyond its budget, a solver was not given the chance to go on: %s.",
                            set->budgets);
    if (set->gaps)
        json_put_text(files->json, "gaps", set->gaps);
    if (set->gaps)
        json_put_number(files->json, "left_out", (double)set->n_left_out);
    if (set->budgets)
        json_put_text(files->json, "budgets", set->budgets);
}

void series_notes_warn(const struct series_set *set, const char *kind, const char *name, const struct table_log *log)
{
    if (set->budgets && log->warned)
        fprintf(log->warned, "hullbench: table %s%s is not written, because the solvers cannot be compared: %s\n", kind,
                name, set->budgets);
}
