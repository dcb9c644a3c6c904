/* Problems and series, see rivals.h. */
#include "harness/compare/series_set.h"
#include "harness/support/text_stream.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const of_the_problem[] = {"kernel", "width", "degree", "scale", "offset", "mu", "C", "stop",
                                             "tolerance"};

static int is_of_the_problem(const char *setting)
{
    for (size_t i = 0; i < sizeof of_the_problem / sizeof *of_the_problem; i++)
        if (strcmp(of_the_problem[i], setting) == 0)
            return 1;
    return 0;
}

/* Whether all settings of a on one side of that divide are those of b. */
static int settings_agree(const struct plot_record *a, const struct plot_record *b, int problem)
{
    for (size_t i = 0; i < a->n_settings; i++) {
        if (is_of_the_problem(a->settings[i].name) != problem)
            continue;
        const struct plot_setting *other = plot_setting_find(b, a->settings[i].name);
        if (!other || strcmp(a->settings[i].text, other->text) != 0)
            return 0;
    }
    return 1;
}

static int same_problem(const struct plot_record *a, const struct plot_record *b)
{
    return a->dataset == b->dataset && a->split == b->split && settings_agree(a, b, 1) && settings_agree(b, a, 1);
}

static int same_series(const struct plot_record *a, const struct plot_record *b)
{
    return a->solver == b->solver && settings_agree(a, b, 0) && settings_agree(b, a, 0);
}

static char *label_of(const struct series_set *rivals, const struct plot_record *record)
{
    char *text = NULL, solver[200];
    size_t size = 0;
    FILE *stream = text_stream_open(&text, &size);
    if (!stream)
        return NULL;
    fputs(plot_solver_label(record->solver, solver, sizeof solver), stream);
    for (size_t i = 0; i < record->n_settings; i++) {
        const struct plot_setting *setting = &record->settings[i];
        int differs = 0;
        for (size_t j = 0; j < rivals->n && !is_of_the_problem(setting->name); j++) {
            const struct plot_setting *other = plot_setting_find(rivals->records[j], setting->name);
            differs |= rivals->records[j]->solver == record->solver && other && strcmp(other->text, setting->text) != 0;
        }
        if (differs)
            fprintf(stream, ", %s = %s", plot_setting_label(setting->name), setting->text);
    }
    text_stream_close(stream, &text);
    return text;
}

static void number_problem(struct series_set *rivals, size_t i)
{
    size_t p = 0;
    while (p < rivals->n_problems && !same_problem(rivals->records[rivals->first_of[p]], rivals->records[i]))
        p++;
    if (p == rivals->n_problems)
        rivals->first_of[rivals->n_problems++] = i;
    rivals->problem_of[i] = p;
}

/* Zero when memory runs out. */
static int number_series(struct series_set *rivals, size_t i)
{
    size_t s = 0;
    while (s < i && !same_series(rivals->records[s], rivals->records[i]))
        s++;
    rivals->series_of[i] = s < i ? rivals->series_of[s] : rivals->n_series;
    if (s < i)
        return 1;
    if (rivals->n_series == MAX_SERIES) {
        rivals->too_many = 1;
        return 1;
    }
    rivals->labels[rivals->n_series] = label_of(rivals, rivals->records[i]);
    return rivals->labels[rivals->n_series++] != NULL;
}

static enum status no_memory(const struct series_set *rivals, struct error *error)
{
    return error_set(error, STATUS_NO_MEMORY, "comparison of %zu records: out of memory", rivals->n);
}

enum status series_set_read(const struct plot_data *data, const cJSON *entry, struct series_set *rivals, struct error *error)
{
    memset(rivals, 0, sizeof *rivals);
    enum status status = plot_select(data, entry, NULL, NULL, &rivals->records, &rivals->n, error);
    if (status != STATUS_OK)
        return status;
    rivals->series_of = malloc((rivals->n + 1) * sizeof *rivals->series_of);
    rivals->problem_of = malloc((rivals->n + 1) * sizeof *rivals->problem_of);
    rivals->first_of = malloc((rivals->n + 1) * sizeof *rivals->first_of);
    if (!rivals->series_of || !rivals->problem_of || !rivals->first_of)
        return no_memory(rivals, error);
    for (size_t i = 0; i < rivals->n && !rivals->too_many; i++) {
        number_problem(rivals, i);
        if (!number_series(rivals, i))
            return no_memory(rivals, error);
    }
    rivals->cost = malloc((rivals->n_series * rivals->n_problems + 1) * sizeof *rivals->cost);
    return rivals->cost ? STATUS_OK : no_memory(rivals, error);
}

void series_set_free(struct series_set *rivals)
{
    if (!rivals)
        return;
    for (size_t s = 0; s < rivals->n_series; s++)
        free(rivals->labels[s]);
    free(rivals->records);
    free(rivals->series_of);
    free(rivals->problem_of);
    free(rivals->first_of);
    free(rivals->cost);
    memset(rivals, 0, sizeof *rivals);
}

void rivals_fill_costs(struct series_set *rivals, enum plot_field field)
{
    for (size_t k = 0; k < rivals->n_series * rivals->n_problems; k++)
        rivals->cost[k] = INFINITY;
    for (size_t i = 0; i < rivals->n; i++) {
        const struct plot_record *record = rivals->records[i];
        if (!record->at_limit && !record->stalled && !record->failed && isfinite(record->field[field]))
            rivals->cost[rivals->series_of[i] * rivals->n_problems + rivals->problem_of[i]] = record->field[field];
    }
}
