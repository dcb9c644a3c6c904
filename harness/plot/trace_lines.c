/* Lines of traces, see trace_lines.h. */
#include "harness/plot/trace_lines.h"
#include "harness/support/text_stream.h"

#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>

int plot_trace_fits(const struct plot_request *request, const struct plot_trace *trace, const char *dataset,
                    size_t split)
{
    return strcmp(trace->dataset, dataset) == 0 && (split == 0 || trace->split == split) &&
           plot_entry_names(request->entry, "solvers", "solver", trace->solver);
}

static int same_text(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

static int same_line(const struct plot_trace *a, const struct plot_trace *b)
{
    return strcmp(a->solver, b->solver) == 0 && same_text(a->params, b->params) && same_text(a->kernel, b->kernel) &&
           same_text(a->stop, b->stop);
}

/* Adds the trace to its line, or a line with it; `room` is for all traces there are. Zero when memory runs out. */
static int add_trace(struct plot_trace_lines *lines, const struct plot_trace *trace, size_t room)
{
    size_t at = 0;
    while (at < lines->n && !same_line(lines->items[at].traces[0], trace))
        at++;
    if (at == PLOT_TRACE_LINES) {
        lines->left_out++;
        return 1;
    }
    struct plot_trace_line *line = &lines->items[at];
    if (at == lines->n) {
        line->traces = malloc(room * sizeof *line->traces);
        if (!line->traces)
            return 0;
        lines->n++;
    }
    line->traces[line->n++] = trace;
    return 1;
}

/* Prints ", mu = 0.1" for the members of the object that another line of the solver has otherwise. */
static void print_differing(FILE *stream, const struct plot_trace_lines *lines, size_t at,
                            const char *(*object_of)(const struct plot_trace *))
{
    const struct plot_trace *mine = lines->items[at].traces[0];
    cJSON *object = object_of(mine) ? cJSON_Parse(object_of(mine)) : NULL;
    const cJSON *value;
    cJSON_ArrayForEach (value, object) {
        int differs = 0;
        for (size_t i = 0; i < lines->n; i++) {
            const struct plot_trace *other = lines->items[i].traces[0];
            if (strcmp(other->solver, mine->solver) != 0 || !object_of(other))
                continue;
            cJSON *theirs = cJSON_Parse(object_of(other));
            differs |= !cJSON_Compare(value, cJSON_GetObjectItemCaseSensitive(theirs, value->string), 1);
            cJSON_Delete(theirs);
        }
        char *printed = cJSON_IsString(value) ? NULL : cJSON_PrintUnformatted(value);
        if (differs)
            fprintf(stream, ", %s = %s", plot_setting_label(value->string),
                    printed ? printed : cJSON_GetStringValue(value));
        cJSON_free(printed);
    }
    cJSON_Delete(object);
}

static const char *params_of(const struct plot_trace *trace)
{
    return trace->params;
}

static const char *kernel_of(const struct plot_trace *trace)
{
    return trace->kernel;
}

static const char *stop_of(const struct plot_trace *trace)
{
    return trace->stop;
}

/* Zero when memory runs out. */
static int name_line(struct plot_trace_lines *lines, size_t at)
{
    char solver[200];
    size_t size = 0;
    FILE *stream = text_stream_open(&lines->items[at].label, &size);
    if (!stream)
        return 0;
    fputs(plot_solver_label(lines->items[at].traces[0]->solver, solver, sizeof solver), stream);
    print_differing(stream, lines, at, params_of);
    print_differing(stream, lines, at, kernel_of);
    print_differing(stream, lines, at, stop_of);
    return text_stream_close(stream, &lines->items[at].label);
}

enum status plot_trace_lines_take(const struct plot_request *request, const struct plot_traces *traces,
                                  const char *dataset, size_t split, struct plot_trace_lines *lines,
                                  struct error *error)
{
    int complete = 1;
    memset(lines, 0, sizeof *lines);
    for (size_t s = 0; s < request->data->n_solvers; s++)
        for (size_t i = 0; complete && i < traces->n; i++) {
            const struct plot_trace *trace = &traces->items[i];
            if (trace->n > 0 && strcmp(trace->solver, request->data->solvers[s]) == 0 &&
                plot_trace_fits(request, trace, dataset, split))
                complete = add_trace(lines, trace, traces->n);
        }
    for (size_t i = 0; complete && i < lines->n; i++)
        complete = name_line(lines, i);
    return complete ? STATUS_OK : error_set(error, STATUS_NO_MEMORY, "figure %s: out of memory", request->name);
}

void plot_trace_lines_free(struct plot_trace_lines *lines)
{
    for (size_t i = 0; i < lines->n; i++) {
        free(lines->items[i].label);
        free(lines->items[i].traces);
    }
    memset(lines, 0, sizeof *lines);
}
