/*
 * Reads DIR/traces: "# key value" comments, the header, then one row of numbers per line (docs/formats.md). A problem
 * is a data set and split with a formulation, its parameters and a kernel. The minimum f* of its objective is unknown,
 * but the lowest final value f of a run and that run's duality gap bound it: f - gap <= f* <= f.
 */
#include "harness/records/run_traces.h"

#include <stdlib.h>
#include <string.h>

#include "harness/records/run_folder.h"
#include "harness/records/same_problem.h"
#include "harness/run/file_hashes.h"

static const char usual_header[] = "iteration\tkernel_operations\tobjective\tgap";
static const char plane_header[] = "iteration\tkernel_operations\tobjective\tgap\tw1\tw2";

/* Reads a "# key value" line. */
static void take_comment(struct run_trace *trace, char *line)
{
    char *key = line + 1 + strspn(line + 1, " \t"), *value = key + strcspn(key, " \t");
    struct run_trace_pattern *pattern = &trace->patterns[trace->n_patterns];
    if (*value)
        *value++ = '\0';
    value += strspn(value, " \t");
    for (int i = 0; i < SETTING_GROUPS; i++)
        if (strcmp(key, setting_groups[i]) == 0)
            trace->settings[i] = value;
    if (strcmp(key, "dataset") == 0)
        trace->dataset = value;
    else if (strcmp(key, "solver") == 0)
        trace->solver = value;
    else if (strcmp(key, "split") == 0)
        trace->split = strtoul(value, NULL, 10);
    else if (strcmp(key, "pattern") == 0)
        trace->n_patterns += sscanf(value, "%lf %lf %lf", &pattern->y, &pattern->x[0], &pattern->x[1]) == 3;
}

/* Reads the numbers of a row, which may be "nan"; 0 if they are not as many as the header has columns. */
static int take_row(struct run_trace *trace, const char *line)
{
    double numbers[6] = {0};
    for (int i = 0; i < (trace->plane ? 6 : 4); i++) {
        char *end = NULL;
        numbers[i] = strtod(line, &end);
        if (end == line)
            return 0;
        line = end;
    }
    if (*line)
        return 0;
    trace->points[trace->n++] =
        (struct run_trace_point){numbers[0], numbers[1], numbers[3], {numbers[4], numbers[5]}, numbers[2]};
    return 1;
}

static void take_lines(const char *path, struct run_trace *trace)
{
    int header = 0;
    size_t number = 0;
    for (char *line = trace->text, *next; *line; line = next) {
        size_t length = strcspn(line, "\n");
        next = line + length + (line[length] == '\n');
        line[length] = '\0';
        number++;
        if (*line == '#')
            take_comment(trace, line);
        else if (!header && *line) {
            trace->plane = strcmp(line, plane_header) == 0;
            header = trace->plane || strcmp(line, usual_header) == 0 ? 1 : -1;
        } else if (*line && header == 1 && !take_row(trace, line))
            die(STATUS_BAD_INPUT, "%s:%zu: \"%.40s\" is not a row of %s numbers", path, number, line,
                trace->plane ? "six" : "four");
        if (header < 0)
            die(STATUS_BAD_INPUT,
                "%s:%zu: expected a header with iteration, kernel_operations, objective, gap and optionally w1, w2, "
                "separated by tabs",
                path, number);
    }
}

static void name_problem(struct pool *pool, struct run_trace *trace)
{
    const struct solver *solver = solver_find(trace->solver);
    int falls = !solver || solver->formulation == FORMULATION_NEAREST_POINTS ||
                solver->formulation == FORMULATION_MINIMUM_NORM;
    trace->sign = falls ? 1 : -1;
    const char *formulation = pool_printf(pool, "%s%s", solver ? formulation_name(solver->formulation) : trace->solver,
                                          solver && solver->square_penalty ? " with a square penalty" : "");
    trace->problem = problem_name(pool, trace->dataset, trace->split, formulation, trace->settings[GROUP_KERNEL],
                                  trace->objects[GROUP_PARAMS]);
}

static void trace_read(struct pool *pool, const struct run_folder *folder, const char *path, struct run_trace *trace,
                       const cJSON **last)
{
    size_t lines = 1, size = 0;
    char hex[65];
    file_check_regular(path);
    trace->text = file_read(pool, path, &size);
    sha256_hex(trace->text, size, hex);
    file_hash_check(folder->info, folder->path, pool_printf(pool, "traces/%s", trace->name), hex, last);
    for (const char *at = trace->text; *at; at++)
        lines += *at == '\n';
    trace->points = pool_array(pool, lines, sizeof *trace->points);
    trace->patterns = pool_array(pool, lines, sizeof *trace->patterns);
    take_lines(path, trace);
    if (!trace->dataset || !trace->solver || trace->split == 0)
        die(STATUS_BAD_INPUT, "%s: expected comments # dataset, # split (from 1) and # solver", path);
    for (int i = 0; i < SETTING_GROUPS; i++) {
        struct json_fault fault;
        trace->objects[i] = trace->settings[i] ? json_parse_pooled(pool, trace->settings[i], &fault) : NULL;
        if (trace->settings[i] && !trace->objects[i])
            die(STATUS_BAD_INPUT, "%s: a comment is not valid JSON: %s: %s", path, fault.why, trace->settings[i]);
    }
    name_problem(pool, trace);
}

/* Sets best and floor of every trace from all of its problem. Without a gap, the objective's precision is the floor. */
static void find_best(struct run_traces *traces)
{
    struct pool *pool = pool_new();
    struct name_order problems = {.pool = pool};
    struct run_trace *best = pool_array(pool, traces->n, sizeof *best); /* of each problem: only best and floor */
    for (size_t i = 0; i < traces->n; i++) {
        const struct run_trace *trace = &traces->items[i];
        const size_t known = problems.count, p = name_order_add(&problems, trace->problem);
        if (p == known)
            best[p].best = HUGE_VAL;
        if (trace->n == 0)
            continue;
        const struct run_trace_point *end = &trace->points[trace->n - 1];
        if (!(trace->sign * end->objective < best[p].best))
            continue;
        best[p].best = trace->sign * end->objective;
        best[p].floor = end->gap > 0 ? end->gap : 1e-9 * fabs(best[p].best);
    }
    for (size_t i = 0; i < traces->n; i++) {
        const struct run_trace *of = &best[name_order_find(&problems, traces->items[i].problem)];
        traces->items[i].best = of->best;
        traces->items[i].floor = of->floor;
    }
    pool_free(pool);
}

int run_trace_is_of(const struct run_trace *trace, const struct record *record)
{
    const cJSON *const wanted[SETTING_GROUPS] = {
        [GROUP_PARAMS] = record->params, [GROUP_KERNEL] = record->kernel, [GROUP_STOP] = record->stop};
    int same = trace->split == record->split && strcmp(trace->dataset, record->dataset) == 0 &&
               strcmp(trace->solver, record->solver) == 0;
    for (int i = 0; i < SETTING_GROUPS && same; i++)
        same = !trace->settings[i] || cJSON_Compare(trace->objects[i], wanted[i], 1);
    return same;
}

const struct run_trace *run_trace_of(const struct run_traces *traces, const struct record *record)
{
    return traces->of_record[record - traces->folder->file.all];
}

static void link_to(struct run_traces *traces, struct run_trace *trace, const struct record *record)
{
    const struct run_trace **of = &traces->of_record[record - traces->folder->file.all];
    trace->is_ambiguous = trace->record != NULL;
    trace->record = trace->record ? trace->record : record;
    *of = *of || trace->n == 0 ? *of : trace;
}

/* The place of the trace's record among the keys, if it has all settings as the program writes them; else the count. */
static size_t find_by_text(const struct run_trace *trace, const struct name_order *keys)
{
    const char *const *settings = trace->settings;
    if (!settings[GROUP_PARAMS] || !settings[GROUP_KERNEL] || !settings[GROUP_STOP])
        return keys->count;
    char *key = measurement_key(trace->dataset, trace->split, trace->solver, settings[GROUP_PARAMS],
                                settings[GROUP_KERNEL], settings[GROUP_STOP]);
    const size_t found = name_order_find(keys, key);
    free(key);
    return found;
}

/* Finds the records of the traces. A trace that shares its text with no record is compared with all. */
static void link_records(struct run_traces *traces)
{
    struct pool *pool = pool_new();
    const struct record_file *file = &traces->folder->file;
    const size_t n = traces->n > 0 ? file->n_all : 0;
    struct name_order keys = {.pool = pool}; /* of all records; repeated ones have the place of the first */
    const struct record **kept = pool_array(pool, n, sizeof *kept);
    size_t *place = pool_array(pool, n, sizeof *place);
    for (size_t i = 0; i < n; i++)
        place[i] = name_order_take(&keys, record_key(&file->all[i]));
    for (size_t i = 0; i < file->records.count && n > 0; i++)
        kept[place[file->records.items[i] - file->all]] = file->records.items[i];
    for (size_t t = 0; t < traces->n; t++) {
        struct run_trace *trace = &traces->items[t];
        const size_t found = find_by_text(trace, &keys);
        if (found < keys.count && kept[found])
            link_to(traces, trace, kept[found]);
        for (size_t i = 0; i < file->records.count && found == keys.count; i++)
            if (run_trace_is_of(trace, file->records.items[i]))
                link_to(traces, trace, file->records.items[i]);
    }
    pool_free(pool);
}

static int by_dataset(const void *left, const void *right)
{
    const struct run_trace *a = left, *b = right;
    const int order = strcmp(a->dataset, b->dataset);
    return order ? order : strcmp(a->name, b->name);
}

double run_trace_excess(const struct run_trace *trace, size_t point)
{
    return trace->sign * trace->points[point].objective - trace->best;
}

static int is_trace(const char *name)
{
    const size_t length = strlen(name);
    return length > 4 && strcmp(name + length - 4, ".tsv") == 0;
}

struct run_traces *run_traces_read(struct pool *pool, const struct run_folder *run)
{
    const cJSON *last = NULL;
    struct run_traces *traces = pool_alloc(pool, sizeof *traces);
    const char *folder = pool_printf(pool, "%s/traces", run->path);
    const struct string_list found = folder_list(pool, folder, is_trace, STATUS_BAD_INPUT);
    file_hashes_check_present(run->info, run->path);
    traces->folder = run;
    traces->items = pool_array(pool, found.count, sizeof *traces->items);
    traces->of_record = pool_array(pool, run->file.n_all, sizeof *traces->of_record);
    for (size_t i = 0; i < found.count; i++) {
        traces->items[traces->n].name = found.line[i];
        trace_read(pool, run, pool_printf(pool, "%s/%s", folder, found.line[i]), &traces->items[traces->n++], &last);
    }
    qsort(traces->items, traces->n, sizeof *traces->items, by_dataset);
    find_best(traces);
    link_records(traces);
    return traces;
}
