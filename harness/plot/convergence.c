/*
 * Convergence along the run, from DIR/traces: the duality gap and f - f*, each against iterations and against kernel
 * operations, with logarithmic axes. f is the objective as minimised and f* the lowest final value of any run of the
 * same problem. f - f* is shown down to that run's gap, below which the minimum is unknown (run_traces.h).
 *
 * For one split every line is a thinned trace: iterations are divided into bins of equal logarithmic width, and each
 * bin keeps the points with the smallest and the largest gap, so that oscillations stay visible. The last point is
 * always kept. Points that a logarithmic axis cannot show (iteration 0, a gap that is not positive) are omitted.
 *
 * For several splits a line is the median of step functions, in a band between their quartiles. With s_k(x) the value
 * of the last point of trace k at or before x, the rows hold the quartiles over k of s_k(x_i) at x_i = a (b / a)^(i /
 * (m - 1)), i = 0 .. m - 1, a and b the smallest positive and the largest position of all traces. If a trace has no
 * value at x (no point yet, or no gap at the point), the row omits that quantity instead of using fewer splits.
 */
#include <cjson/cJSON.h>
#include <math.h>
#include <string.h>

#include "harness/plot/kinds.h"
#include "harness/base/pool.h"
#include "harness/records/run_traces.h"
#include "harness/support/decimal.h"

/* Bins for all lines of one split together, so that twelve make no larger picture than four, and for one line; rows of
 * a line over splits for at most six lines, and for more. */
enum { MAX_LINES = 12, BINS = 1000, BINS_A_LINE = 250, FEW_LINES = 6, MAX_ROWS = 60, ROWS = 40 };

/* A line: a solver with its parameters, kernel and stopping rule. */
struct trace_line {
    const char *label; /* the solver, and the settings that differ from its other lines */
    size_t n;
    const struct run_trace **traces; /* one per split */
};

struct trace_lines {
    size_t n, left_out; /* left_out: traces beyond MAX_LINES lines */
    struct trace_line items[MAX_LINES];
};

struct convergence {
    const struct plot_request *request;
    size_t split; /* 0: over all that have traces */
    struct trace_lines lines;
    double *values; /* a place for each trace */
    int has_gap, has_excess; /* in what is drawn */
};

/* ---- lines ---- */

/* Whether another line of the solver has another value of this member of an object, or lacks it. */
static int differs(const struct trace_lines *lines, const struct run_trace *mine, int object, const cJSON *value)
{
    for (size_t i = 0; i < lines->n; i++) {
        const struct run_trace *other = lines->items[i].traces[0];
        if (strcmp(other->solver, mine->solver) == 0 && other->settings[object] &&
            !cJSON_Compare(value, json_member(other->objects[object], value->string), 1))
            return 1;
    }
    return 0;
}

static void name_line(const struct run_view *data, struct trace_lines *lines, size_t at)
{
    const struct run_trace *mine = lines->items[at].traces[0];
    const cJSON *value = NULL;
    const char *label = plot_series_name(data, mine->solver, mine->record);
    for (int object = 0; object < SETTING_GROUPS; object++)
        cJSON_ArrayForEach (value, mine->objects[object]) {
            char *printed = cJSON_IsString(value) ? NULL : cJSON_PrintUnformatted(value);
            if (differs(lines, mine, object, value))
                label = plot_label_add(data, mine->record, label, value->string,
                                       printed ? printed : value->valuestring);
            cJSON_free(printed);
        }
    lines->items[at].label = label;
}

/* ---- points ---- */

static double shown_gap(const struct run_trace *trace, size_t point)
{
    double gap = trace->points[point].gap;
    return gap > 0 && isfinite(gap) ? gap : (double)NAN;
}

static double shown_excess(const struct run_trace *trace, size_t point)
{
    double excess = run_trace_excess(trace, point);
    return excess > trace->floor && isfinite(excess) ? excess : (double)NAN;
}

static int is_shown(const struct run_trace *trace, size_t point)
{
    const struct run_trace_point *at = &trace->points[point];
    return at->iteration > 0 && at->kernel_operations > 0 &&
           !(isnan(shown_gap(trace, point)) && isnan(shown_excess(trace, point)));
}

/* The first point that can be shown; the trace's number of points without one. */
static size_t first_shown(const struct run_trace *trace)
{
    size_t first = 0;
    while (first < trace->n && !is_shown(trace, first))
        first++;
    return first;
}

/* The lines of the data set, and of the split unless it is 0, that the request's entry selects; of one split those with
 * a point to show. */
static struct trace_lines trace_lines_take(const struct plot_request *request, size_t split)
{
    const size_t max = request->traces->n;
    const struct run_trace **found = pool_array(request->pool, max, sizeof *found);
    const size_t n = plot_traces_choose(request, split, found, max);
    struct name_order keys = {.pool = request->pool}; /* solver and settings */
    struct trace_lines lines = {0};
    for (size_t i = 0; i < n; i++) {
        const char *const *settings = found[i]->settings;
        if (split && first_shown(found[i]) == found[i]->n)
            continue;
        const size_t at = name_order_add(&keys, pool_printf(request->pool, "%s\n%s\n%s\n%s", found[i]->solver,
                                                            settings[0] ? settings[0] : "",
                                                            settings[1] ? settings[1] : "",
                                                            settings[2] ? settings[2] : ""));
        if (at >= MAX_LINES) {
            lines.left_out++;
            continue;
        }
        struct trace_line *line = &lines.items[at];
        if (at == lines.n) {
            line->traces = pool_array(request->pool, n, sizeof *line->traces);
            lines.n++;
        }
        line->traces[line->n++] = found[i];
    }
    for (size_t i = 0; i < lines.n; i++)
        name_line(request->data, &lines, i);
    return lines;
}

/* Counts the line's runs that were stopped at a limit or stalled. */
static size_t count_unfinished(const struct trace_line *line)
{
    size_t n = 0;
    for (size_t t = 0; t < line->n; t++) {
        const struct record *record = line->traces[t]->record;
        n += record && (record->at_limit || record->stalled);
    }
    return n;
}

/* ---- one split ---- */

static double bin_of(const struct run_trace_point *point, double first, double width)
{
    return width > 0 ? floor(round_to_12_digits((log(point->iteration) - first) / width)) : 0;
}

/* Prints the points of the bin [from, end) that are kept: its extremes, and the trace's last point. */
static void print_bin(struct convergence *figure, const struct run_trace *trace, size_t from, size_t end, size_t last,
                      size_t unfinished, FILE *dat)
{
    size_t low = from, high = from;
    for (size_t i = from; i < end; i++) {
        double gap = shown_gap(trace, i);
        low = gap < shown_gap(trace, low) || isnan(shown_gap(trace, low)) ? i : low;
        high = gap > shown_gap(trace, high) || isnan(shown_gap(trace, high)) ? i : high;
    }
    for (size_t i = from; i < end; i++) {
        const double gap = shown_gap(trace, i), excess = shown_excess(trace, i);
        if ((i != low && i != high && i != last) || !is_shown(trace, i))
            continue;
        plot_numbers(dat, (const double[]){trace->points[i].iteration, trace->points[i].kernel_operations, gap, excess},
                     4, "");
        fprintf(dat, " %zu\n", i == last ? unfinished : 0);
        figure->has_gap |= !isnan(gap);
        figure->has_excess |= !isnan(excess);
    }
}

static void print_thinned(struct convergence *figure, const struct trace_line *line, FILE *dat)
{
    const struct run_trace *trace = line->traces[0];
    const size_t unfinished = count_unfinished(line), start = first_shown(trace);
    size_t last = trace->n;
    while (last > start && !is_shown(trace, last - 1))
        last--;
    if (start == last)
        return;
    size_t share = BINS / figure->lines.n, bins = share < BINS_A_LINE ? share : BINS_A_LINE;
    double first = log(trace->points[start].iteration);
    double width = (log(trace->points[last - 1].iteration) - first) / (double)bins;
    for (size_t from = start, end; from < last; from = end) {
        double bin = bin_of(&trace->points[from], first, width);
        for (end = from + 1; end < last && bin_of(&trace->points[end], first, width) <= bin;)
            end++;
        print_bin(figure, trace, from, end, last - 1, unfinished, dat);
    }
}

/* ---- over splits ---- */

static double place_of(const struct run_trace_point *point, int operations)
{
    return operations ? point->kernel_operations : point->iteration;
}

/* The smallest positive and the largest position in all traces; returns 0 if there is none. */
static int find_ends(const struct trace_line *line, int operations, double *first, double *last)
{
    *first = HUGE_VAL;
    *last = 0;
    for (size_t k = 0; k < line->n; k++)
        for (size_t i = 0; i < line->traces[k]->n; i++) {
            double place = place_of(&line->traces[k]->points[i], operations);
            if (place > 0)
                *first = fmin(*first, place);
            *last = fmax(*last, place);
        }
    return *first <= *last;
}

/* The index of the last point at or before `at`; the trace's number of points if there is none. */
static size_t point_before(const struct run_trace *trace, int operations, double at)
{
    size_t low = 0, high = trace->n; /* points before low are at or before `at`, those from high on are after it */
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (place_of(&trace->points[middle], operations) <= at)
            low = middle + 1;
        else
            high = middle;
    }
    return low > 0 ? low - 1 : trace->n;
}

/* The quartiles over the splits at a place, of the gap or the excess. All three are NAN if a trace has no value; one
 * that is not above every floor is NAN, too. */
static void take_quartiles(const struct convergence *figure, const struct trace_line *line, int operations,
                           double at, int of_excess, double to[3])
{
    double floor = 0;
    size_t known = 0;
    for (size_t k = 0; k < line->n; k++) {
        const struct run_trace *trace = line->traces[k];
        const size_t point = point_before(trace, operations, at);
        double value = (double)NAN;
        if (point < trace->n)
            value = of_excess ? run_trace_excess(trace, point) : trace->points[point].gap;
        figure->values[k] = value;
        known += isnan(value) ? 0 : 1;
        floor = of_excess ? fmax(floor, trace->floor) : floor;
    }
    const struct summary spread = summary_of(figure->values, known == line->n ? known : 0);
    const double found[3] = {spread.low_quartile, spread.median, spread.high_quartile};
    for (int q = 0; q < 3; q++)
        to[q] = found[q] > floor ? found[q] : (double)NAN;
}

/* Prints the block of a line over splits, against iterations or kernel operations. */
static void print_over_splits(struct convergence *figure, const struct trace_line *line, int operations, FILE *dat)
{
    enum { COLUMNS = 8 };
    double rows[MAX_ROWS][COLUMNS], first, last;
    const size_t most = figure->lines.n > FEW_LINES ? ROWS : MAX_ROWS;
    size_t shown = 0, n = find_ends(line, operations, &first, &last) ? (first < last ? most : 1) : 0;
    for (size_t i = 0; i < n; i++) {
        double *row = rows[shown], part = (double)i / (double)(most - 1);
        row[0] = i == 0 ? first : i + 1 == n ? last : round_to_12_digits(first * pow(last / first, part));
        take_quartiles(figure, line, operations, row[0], 0, row + 1);
        take_quartiles(figure, line, operations, row[0], 1, row + 4);
        row[7] = 0;
        shown += isnan(row[3]) && isnan(row[6]) ? 0 : 1;
    }
    if (shown > 0)
        rows[shown - 1][7] = (double)count_unfinished(line);
    for (size_t i = 0; i < shown; i++) {
        plot_numbers(dat, rows[i], COLUMNS, "\n");
        figure->has_gap |= !isnan(rows[i][3]);
        figure->has_excess |= !isnan(rows[i][6]);
    }
    if (shown == 0)
        plot_empty_block(dat, COLUMNS);
}

static void print_lines(struct convergence *figure, FILE *dat)
{
    fputs(figure->split ? "# iteration kernel_operations gap excess at_limit\n"
                        : "# iteration|kernel_operations gap_quartile_1 gap_median gap_quartile_3 "
                          "excess_quartile_1 excess_median excess_quartile_3 at_limit\n",
          dat);
    for (size_t i = 0; i < figure->lines.n; i++) {
        const struct trace_line *line = &figure->lines.items[i];
        if (figure->split) {
            fprintf(dat, "%s# %s\n", i ? "\n\n" : "", line->label);
            print_thinned(figure, line, dat);
        }
        for (int operations = 0; operations < 2 && !figure->split; operations++) {
            fprintf(dat, "%s# %s: %s\n", i || operations ? "\n\n" : "", line->label,
                    operations ? "kernel operations" : "iterations");
            print_over_splits(figure, line, operations, dat);
        }
    }
}

/* Lists solvers that stopped before the first point that a logarithmic axis can show. */
static void list_empty(const struct convergence *figure, FILE *caption)
{
    size_t found = 0;
    for (size_t i = 0; i < figure->request->traces->n; i++) {
        const struct run_trace *trace = &figure->request->traces->items[i];
        if (first_shown(trace) == trace->n && plot_trace_fits(figure->request, trace, figure->split))
            fprintf(caption, "%s%s (split %zu)",
                    found++ ? ", " : "Ended before the first point that the axes can show: ",
                    plot_series_name(figure->request->data, trace->solver, trace->record), trace->split);
    }
    if (found)
        fputs(". ", caption);
}

/* The records of the splits that have traces; *n_splits is the number of these splits. */
static struct records traced_records(const struct convergence *figure, size_t *n_splits)
{
    const struct plot_request *request = figure->request;
    struct pool *pool = request->pool;
    struct records records = plot_select(pool, request->data, request->entry, request->dataset);
    struct name_order splits = {.pool = pool};
    size_t kept = 0;
    for (size_t i = 0; i < figure->lines.n; i++)
        for (size_t t = 0; t < figure->lines.items[i].n; t++)
            name_order_add(&splits, pool_printf(pool, "%zu", figure->lines.items[i].traces[t]->split));
    for (size_t i = 0; i < records.count; i++)
        if (name_order_find(&splits, pool_printf(pool, "%zu", records.items[i]->split)) < splits.count)
            records.items[kept++] = records.items[i];
    records.count = kept;
    *n_splits = splits.count;
    return records;
}

static void describe(const struct convergence *figure, struct plot_figure *to)
{
    FILE *caption = to->caption;
    size_t n_splits;
    struct records records = traced_records(figure, &n_splits);
    fprintf(to->heading, "Convergence: %s, ", figure->request->dataset);
    if (figure->split)
        fprintf(to->heading, "split %zu", figure->split);
    else
        fprintf(to->heading, "%zu splits", n_splits);
    if (!figure->split)
        fputs(
            "Lines: median over the splits; bands: quartiles. A run that has ended keeps its last values; a line ends "
            "with its last run. ",
            caption);
    if (figure->has_excess)
        fputs(
            "f: the objective to be minimised; f*: the lowest final objective of the traced runs of the same problem "
            "(split, μ or C, kernel). f − f* is shown down to the duality gap of that run. ",
            caption);
    plot_ringed(&records, "Rings", caption);
    plot_origin(caption, figure->request->data, &records);
    if (figure->lines.left_out)
        fprintf(caption, "Not shown: %zu further traces. ", figure->lines.left_out);
}

static void draw(struct convergence *figure)
{
    static const char *const panels[] = {"duality gap against iterations", "duality gap against kernel operations",
                                         "objective against iterations", "objective against kernel operations"};
    struct plot_figure to;
    const char *labels[MAX_LINES], *number = pool_printf(figure->request->pool, "%zu", figure->split);
    int one_figure = cJSON_HasObjectItem(figure->request->entry, "dataset");
    plot_figure_open(&to, "convergence", figure->request->name, one_figure ? NULL : figure->request->dataset,
                     one_figure || figure->split == 0 ? NULL : number);
    print_lines(figure, to.dat);
    for (size_t i = 0; i < figure->lines.n; i++)
        labels[i] = figure->lines.items[i].label;
    plot_figure_series(&to, labels, figure->lines.n);
    plot_figure_panels(&to, panels + (figure->has_gap ? 0 : 2), 2 * (size_t)(figure->has_gap + figure->has_excess));
    plot_figure_number(&to, "over_splits", figure->split == 0);
    describe(figure, &to);
    list_empty(figure, to.caption);
    plot_finish(figure->request->run, &to);
}

/* The split to draw for a data set: the entry's; the only one with traces; or 0 for all of several. *found: whether
 * there is any. */
static size_t split_of(const struct plot_request *request, int *found)
{
    const size_t wanted = plot_entry_number(request, "split");
    size_t split = 0;
    *found = 0;
    for (size_t i = 0; i < request->traces->n; i++) {
        const struct run_trace *trace = &request->traces->items[i];
        if (!plot_trace_fits(request, trace, 0))
            continue;
        split = *found && trace->split != split ? 0 : trace->split;
        if (*found && split == 0)
            break;
        *found = 1;
    }
    return wanted ? wanted : split;
}

void plot_convergence(const struct plot_request *request)
{
    int found;
    struct convergence figure = {.request = request, .split = split_of(request, &found)};
    if (!found)
        return;
    figure.values = pool_array(request->pool, request->traces->n, sizeof *figure.values);
    figure.lines = trace_lines_take(request, figure.split);
    if (figure.lines.n > 0)
        draw(&figure);
    else
        plot_note(request, "no trace of %s has a point that the axes can show", request->dataset);
}
