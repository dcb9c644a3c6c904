#include "harness/plot/trace_lines.h"
#include "harness/base/memory.h"
#include "harness/base/pool.h"

#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>

int plot_trace_fits(const struct plot_request *request, const struct run_trace *trace, const char *dataset,
                    size_t split)
{
    const cJSON *series = cJSON_GetObjectItemCaseSensitive(request->entry, "series");
    const struct record_filter filter = {.entry = request->entry};
    return strcmp(trace->dataset, dataset) == 0 && (split == 0 || trace->split == split) &&
           entry_names(request->entry, "solvers", "solver", trace->solver) &&
           (!series || (trace->record && record_matches(trace->record, &filter)));
}

const char *plot_trace_name(const struct plot_data *data, const struct run_trace *trace, char *label, size_t size)
{
    return plot_series_name(data, trace->solver, data->choice ? trace->record : NULL, label, size);
}

static int same_text(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

static int same_line(const struct run_trace *a, const struct run_trace *b)
{
    int same = strcmp(a->solver, b->solver) == 0;
    for (int i = 0; i < TRACE_SETTINGS; i++)
        same &= same_text(a->settings[i], b->settings[i]);
    return same;
}

/* Adds the trace to its line, or to a new line; `room` is enough for all traces. */
static void add_trace(struct pool *pool, struct plot_trace_lines *lines, const struct run_trace *trace, size_t room)
{
    size_t at = 0;
    while (at < lines->n && !same_line(lines->items[at].traces[0], trace))
        at++;
    if (at == PLOT_TRACE_LINES) {
        lines->left_out++;
        return;
    }
    struct plot_trace_line *line = &lines->items[at];
    if (at == lines->n) {
        line->traces = pool_array(pool, room, sizeof *line->traces);
        lines->n++;
    }
    line->traces[line->n++] = trace;
}

/* Prints ", mu = 0.1" for the members of an object that differ in another line of the solver. */
static void print_differing(const struct plot_data *data, FILE *stream, const struct plot_trace_lines *lines, size_t at,
                            int object)
{
    const struct run_trace *mine = lines->items[at].traces[0];
    const struct record *record = data->choice ? mine->record : NULL;
    const cJSON *value;
    cJSON_ArrayForEach (value, mine->objects[object]) {
        int differs = 0;
        for (size_t i = 0; i < lines->n; i++) {
            const struct run_trace *other = lines->items[i].traces[0];
            differs |=
                strcmp(other->solver, mine->solver) == 0 && other->settings[object] &&
                !cJSON_Compare(value, cJSON_GetObjectItemCaseSensitive(other->objects[object], value->string), 1);
        }
        char *printed = cJSON_IsString(value) ? NULL : cJSON_PrintUnformatted(value);
        if (differs && !(record && plot_name_covers(data, record, value->string)))
            fprintf(stream, ", %s = %s", plot_setting_label(value->string),
                    printed ? printed : cJSON_GetStringValue(value));
        cJSON_free(printed);
    }
}

static void name_line(struct pool *pool, const struct plot_data *data, struct plot_trace_lines *lines, size_t at)
{
    char solver[200];
    size_t size = 0;
    FILE *stream = xopen_text(&lines->items[at].label, &size);
    fputs(plot_trace_name(data, lines->items[at].traces[0], solver, sizeof solver), stream);
    for (int object = 0; object < TRACE_SETTINGS; object++)
        print_differing(data, stream, lines, at, object);
    xclose_text(stream);
    pool_keep(pool, free, lines->items[at].label);
}

size_t plot_traces_choose(const struct plot_request *request, const struct run_traces *traces, const char *dataset,
                          size_t split, const struct run_trace **found, size_t max)
{
    size_t n = 0;
    for (size_t s = 0; s < request->data->solvers.count; s++)
        for (size_t i = 0; i < traces->n && n < max; i++) {
            const struct run_trace *trace = &traces->items[i];
            if (trace->n > 0 && strcmp(trace->solver, request->data->solvers.names[s]) == 0 &&
                plot_trace_fits(request, trace, dataset, split))
                found[n++] = trace;
        }
    return n;
}

struct plot_trace_lines plot_trace_lines_take(const struct plot_request *request, const struct run_traces *traces,
                                              const char *dataset, size_t split)
{
    const struct run_trace **found = pool_array(request->pool, traces->n, sizeof *found);
    size_t n = plot_traces_choose(request, traces, dataset, split, found, traces->n);
    struct plot_trace_lines lines = {0};
    for (size_t i = 0; i < n; i++)
        add_trace(request->pool, &lines, found[i], n);
    for (size_t i = 0; i < lines.n; i++)
        name_line(request->pool, request->data, &lines, i);
    return lines;
}
