/* Synthetic run folders, see plot_bench.h. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/base/die.h"
#include "harness/base/pool.h"
#include "harness/support/file.h"
#include "harness/figure/render.h"
#include "harness/support/resource.h"
#include "tests/plot_bench.h"
#include "tests/scratch_folder.h"

void bench_path(const struct bench *bench, const char *name, char path[256])
{
    snprintf(path, 256, "%s/%s", bench->folder, name);
}

int bench_set_up(void **state)
{
    struct bench *bench = calloc(1, sizeof *bench);
    char path[256];
    assert_non_null(scratch_folder_new(bench->folder, "hullbench-plot"));
    bench_path(bench, "records.jsonl", path);
    bench->records = fopen(path, "w");
    *state = bench;
    return bench->records == NULL;
}

int bench_tear_down(void **state)
{
    struct bench *bench = *state;
    char command[128];
    if (bench->records)
        fclose(bench->records);
    bench_report_free(&bench->report);
    snprintf(command, sizeof command, "rm -rf '%s'", bench->folder);
    int failed = system(command);
    free(bench);
    return failed;
}

void bench_write(const struct bench *bench, const char *name, const char *text)
{
    char path[256];
    bench_path(bench, name, path);
    file_write(path, text, strlen(text));
}

void bench_add(struct bench *bench, struct made made)
{
    fprintf(bench->records,
            "{\"schema\":1,\"config\":\"made\",\"dataset\":\"%s\",\"split\":%d,\"split_source\":\"%s\","
            "\"solver\":\"%s\",\"params\":{\"mu\":%.17g},\"kernel\":{\"type\":\"rbf\",\"width\":%.17g},"
            "\"stop\":{\"rule\":\"rch-gap\",\"tolerance\":1e-05},\"outcome\":\"%s\",\"iterations\":%.0f,"
            "\"kernel_operations\":{\"setup\":7777,\"iterations\":%.0f,\"predict\":1},\"kernel_evaluations\":1,"
            "\"support_vectors\":12,\"error_percent\":%.17g,\"objective\":1,\"duality_gap\":1e-6,"
            "\"kkt_violation\":1e-6,\"bias\":0,\"feasibility\":0,\"mu_effective\":0.1,\"rch_mu\":null}\n",
            made.dataset, made.split, made.source ? made.source : "official", made.solver, made.mu, made.width,
            made.outcome ? made.outcome : "converged", made.iterations, made.kernel_operations, made.error_percent);
}

struct drawing {
    const char *const *folders;
    size_t count;
    const struct plot_options *options;
    struct plot_report *report;
};

static void draw(void *data)
{
    const struct drawing *drawing = data;
    plot_folders(drawing->folders, drawing->count, drawing->options, drawing->report);
}

enum status bench_plot_folders(const char *const *folders, size_t count, const struct plot_options *options,
                               struct plot_report *report, struct error *error)
{
    struct drawing drawing = {folders, count, options, report};
    *report = (struct plot_report){.pool = report->pool ? report->pool : pool_new()};
    return attempt(draw, &drawing, error);
}

enum status bench_plot(const char *folder, const struct plot_options *options, struct plot_report *report,
                       struct error *error)
{
    return bench_plot_folders(&folder, 1, options, report, error);
}

void bench_report_free(struct plot_report *report)
{
    pool_free(report->pool);
    *report = (struct plot_report){0};
}

enum status bench_draw(struct bench *bench, const char *only, int no_render)
{
    struct plot_options options = {.only = only, .no_render = no_render};
    if (bench->records)
        fclose(bench->records);
    bench->records = NULL;
    bench_report_free(&bench->report);
    return bench_plot(bench->folder, &options, &bench->report, &bench->error);
}

void bench_assert_drawn(struct bench *bench, int no_render)
{
    enum status status = bench_draw(bench, NULL, no_render);
    if (status != STATUS_OK)
        fail_msg("%s", bench->error.message);
}

int bench_has_figure(const struct bench *bench, const char *name)
{
    char path[256], plots[128];
    snprintf(plots, sizeof plots, "plots/%s", name);
    bench_path(bench, plots, path);
    for (size_t i = 0; i < bench->report.figures.count; i++)
        if (strcmp(bench->report.figures.item[i], path) == 0)
            return 1;
    return 0;
}

char *bench_read(const struct bench *bench, const char *name)
{
    char path[256];
    bench_path(bench, name, path);
    return read_file(path, NULL);
}

const char *bench_row(const char *text, const char *block, const char *start)
{
    char lead[100];
    snprintf(lead, sizeof lead, "# %s\n", block);
    const char *at = strstr(text, lead), *end = at ? strstr(at, "\n\n") : NULL;
    if (!at)
        fail_msg("no block \"%s\"", block);
    for (; at && (!end || at < end); at = strchr(at, '\n') ? strchr(at, '\n') + 1 : NULL)
        if (strncmp(at, start, strlen(start)) == 0)
            return at;
    fail_msg("no row \"%s\" in block \"%s\"", start, block);
    return "";
}

int bench_has_gnuplot(void)
{
    return system("gnuplot --version >/dev/null 2>&1") == 0;
}

/* 13 data sets, 3 solvers, a few splits; spread by a fixed rule so that no two cells are equal. */
static const char *const all_datasets[] = {"waveform", "titanic",     "heart",   "diabetis", "breast-cancer",
                                           "thyroid",  "flare-solar", "splice",  "image",    "german",
                                           "banana",   "twonorm",     "ringnorm"};
static const char *const all_solvers[] = {"mu-gsk", "clip-mdm", "mu-mdm"};

void bench_add_comparison(struct bench *bench, const char *left_out)
{
    for (int d = 0; d < 13; d++)
        for (int split = 1; split <= 4 && strcmp(all_datasets[d], left_out) != 0; split++)
            for (int s = 0; s < 3; s++)
                bench_add(bench, (struct made){.dataset = all_datasets[d],
                                               .solver = all_solvers[s],
                                               .split = split,
                                               .source = d > 10   ? "generated"
                                                         : d == 7 ? "resampled"
                                                                  : "official",
                                               .outcome = d == 7 && s == 0 ? "iteration-limit" : "converged",
                                               .mu = 0.01 * (d + 1),
                                               .width = 10 + d,
                                               .error_percent = 2.0 * d + s + 0.5 * split * split,
                                               .iterations = 100 * (d + 1) * (s + 1) + 10 * split * split,
                                               .kernel_operations = 1000 * (d + 1) * (3 - s) + 100 * split});
}

void bench_share_with_paper(const struct bench *bench)
{
    char path[256], plots[256];
    struct pool *pool = pool_new();
    unsetenv("HULLBENCH_SHARE");
    const char *template = resource_find(pool, "plots/common.gp", STATUS_IO);
    *strrchr(template, '/') = '\0';
    bench_path(bench, "share/papers", path);
    folder_make(path);
    bench_path(bench, "share/plots", plots);
    assert_int_equal(symlink(template, plots), 0);
    pool_free(pool);
    bench_write(bench, "share/papers/made2000.json",
                "{\"paper\":\"made2000\",\"datasets\":[\"heart\",\"german\"],\"splits\":{\"default\":100},\"tables\":["
                "{\"name\":\"made2000.table1\",\"caption\":\"made\",\"source\":\"made\",\"columns\":["
                "{\"key\":\"clip\",\"title\":\"clip\",\"unit\":1000,\"statistic\":\"mean_sd\",\"solver\":\"clip-mdm\","
                "\"field\":\"iterations\"},"
                "{\"key\":\"again\",\"title\":\"again\",\"unit\":1000,\"statistic\":\"mean_sd\","
                "\"solver\":\"clip-mdm\",\"field\":\"iterations\",\"same_as\":\"clip\"}],\"rows\":{"
                "\"heart\":{\"clip\":{\"mean\":0.5,\"sd\":0.25,\"decimals\":2},"
                "\"again\":{\"mean\":0.5,\"sd\":0.25,\"decimals\":2}},"
                "\"german\":{\"clip\":{\"mean\":0.75,\"sd\":0.25,\"decimals\":2}}}}]}");
    bench_path(bench, "share", path);
    setenv("HULLBENCH_SHARE", path, 1);
}

void bench_add_close(struct bench *bench)
{
    static const char *const solvers[] = {"a", "b", "c"};
    for (int d = 0; d < 6; d++)
        for (int s = 0; s < 3; s++) {
            char name[16];
            snprintf(name, sizeof name, "set%d", d);
            bench_add(bench, (struct made){.dataset = name,
                                           .solver = solvers[s],
                                           .split = 1,
                                           .mu = 1,
                                           .width = 1,
                                           .error_percent = s == 2 ? 9 : 1 + (s != d % 2),
                                           .iterations = 5,
                                           .kernel_operations = 5});
        }
}

void bench_add_sweep(struct bench *bench, int n_widths)
{
    for (int split = 1; split <= 3; split++)
        for (int i = 0; i < 4; i++)
            for (int j = 0; j < n_widths; j++)
                bench_add(bench, (struct made){.dataset = "heart",
                                               .solver = "clip-mdm",
                                               .split = split,
                                               .outcome = i == 3 ? "iteration-limit" : "converged",
                                               .mu = 0.5 / (1 << i),
                                               .width = pow(10, j),
                                               .error_percent = 10 * i + j + split,
                                               .iterations = pow(10, 1 + i) + split - 2,
                                               .kernel_operations = 500});
}

void bench_add_trace(const struct bench *bench, const char *name, const char *solver, int rows)
{
    char path[256], relative[100];
    bench_path(bench, "traces", path);
    folder_make(path);
    snprintf(relative, sizeof relative, "traces/%s", name);
    bench_path(bench, relative, path);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fprintf(file, "# dataset heart\n# split 1\n# solver %s\n# params {\"mu\":0.1}\n", solver);
    fprintf(file, "iteration\tkernel_operations\tobjective\tgap\n");
    for (int k = 0; k < rows; k++) /* one high and one low point, and a last gap of zero */
        fprintf(file, "%d\t%d\t1\t%.17g\n", k, 100 + 340 * k,
                k == 700        ? 50.0
                : k == 1300     ? 1e-9
                : k == rows - 1 ? 0.0
                                : 1.0 / (1 + k));
    fclose(file);
}

/* Only the SVG: well-formed, if a checker is installed. */
static void check_svg(const char *path)
{
    static const char *const ground = "fill=\"#ffffff\"/>"; /* the background rectangle comes first */
    char command[600];
    size_t size;
    char *text = read_file(path, &size);
    const char *rectangle = strstr(text, "<rect ");
    assert_true(size > 4000 && size < 150000);
    assert_null(strstr(text, ".dat")); /* titles of single plots, which browsers show as tooltips, are no commands */
    assert_true(rectangle && strstr(rectangle, ground) && strstr(rectangle, ground) < strchr(rectangle, '\n'));
    assert_non_null(strstr(text, "font-family=\"'DejaVu Sans', Verdana, sans-serif\""));
    free(text);
    snprintf(command, sizeof command, "if command -v xmllint >/dev/null; then xmllint --noout '%s'; fi", path);
    assert_int_equal(system(command), 0);
}

static void check_start(const char *path, const char *start)
{
    char head[8] = "";
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    assert_int_equal(fread(head, 1, strlen(start), file), strlen(start));
    assert_memory_equal(head, start, strlen(start));
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    assert_true(ftell(file) > 4000); /* an empty frame is smaller */
    fclose(file);
}

void bench_check_figure(const char *run_folder, const char *name)
{
    char folder[256], path[300], said[PLOT_LINE_SIZE];
    struct error error = {STATUS_OK, ""};
    snprintf(folder, sizeof folder, "%s/plots", run_folder);
    if (plot_render(folder, name, said, &error) != STATUS_OK)
        fail_msg("%s", error.message);
    if (*said)
        fail_msg("%s: gnuplot said: %s", name, said);
    snprintf(path, sizeof path, "%s/%s.svg", folder, name);
    check_svg(path);
    snprintf(path, sizeof path, "%s/%s.png", folder, name);
    check_start(path, "\x89PNG");
    snprintf(path, sizeof path, "%s/%s.pdf", folder, name);
    check_start(path, "%PDF-");
}

void bench_check_pictures(const struct bench *bench)
{
    for (size_t i = 0; i < bench->report.figures.count; i++)
        bench_check_figure(bench->folder, strrchr(bench->report.figures.item[i], '/') + 1);
}
