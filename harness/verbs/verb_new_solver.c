/* hullbench new-solver: creates the first files of a solver, a kernel or a stopping rule from docs/templates. */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "harness/cli/cli.h"
#include "harness/evaluate/stopping.h"
#include "harness/support/file.h"
#include "harness/support/json_reader.h"
#include "harness/support/resource.h"
#include "solvers/registry.h"

struct new_solver_arguments {
    struct cli_arguments common;
    const char *formulation;
    int plugin, kernel, stopping_rule;
};

/* The kinds of files to create. */
struct kind {
    const char *formulation; /* of a solver; also a condition in template lines */
    const char *thing;       /* "solver", "kernel" or "stopping rule" */
    const char *group;       /* another such condition; "" for none */
    const char *source, *test, *plugin_test; /* templates; test NULL: available only as a plugin */
    const char *folder;      /* in the source tree */
    const char *known;       /* the solver whose optimum the test compares with */
};

#define TEMPLATE(name) "docs/templates/" name
#define SOLVER_TESTS TEMPLATE("test.c.in"), TEMPLATE("test.sh.in")

static const struct kind kernel_kind = {
    NULL, "kernel", "", TEMPLATE("kernel.c.in"), NULL, TEMPLATE("test_kernel.sh.in"), "", ""};
static const struct kind rule_kind = {
    NULL, "stopping rule", "", TEMPLATE("stopping_rule.c.in"), NULL, TEMPLATE("test_stopping_rule.sh.in"), "", ""};

/* For solvers, the first is the default. "relaxed" ones have an additional parameter, relaxation. */
static const struct kind formulations[] = {
    {"nearest-points", "solver", "", TEMPLATE("solver.c.in"), SOLVER_TESTS, "solvers/hull/", "clip-mdm"},
    {"c-svm", "solver", "relaxed", TEMPLATE("solver_svm.c.in"), SOLVER_TESTS, "solvers/decomposition/", "1-smo"},
    {"2-svm", "solver", "relaxed", TEMPLATE("solver_svm.c.in"), SOLVER_TESTS, "solvers/decomposition/", "2-smo"},
    {"minimum-norm", "solver", "relaxed", TEMPLATE("solver_minimum_norm.c.in"), SOLVER_TESTS, "solvers/norm/",
     "unary-mdm"},
    {"no-bias", "solver", "relaxed", TEMPLATE("solver_no_bias.c.in"), SOLVER_TESTS, "solvers/multiplicative/",
     "kernel-adatron-soft"},
    {"no-bias-hard-margin", "solver", "relaxed", TEMPLATE("solver_no_bias.c.in"), SOLVER_TESTS,
     "solvers/multiplicative/", "kernel-adatron"},
};
enum { FORMULATIONS = sizeof formulations / sizeof *formulations };

/* The values filled into the templates. */
struct new_solver {
    const struct kind *kind;
    const char *name;
    char ident[64], known_ident[64]; /* the names as parts of identifiers: - becomes _ */
    int plugin;
};

/* Nonzero if one of the words before `end`, separated by commas, applies. */
static int holds(const char *words, const char *end, const struct new_solver *solver)
{
    const struct kind *kind = solver->kind;
    const char *const facts[] = {solver->plugin ? "plugin" : "tree", kind->formulation ? kind->formulation : "",
                                 kind->group};
    while (words < end) {
        size_t length = strcspn(words, ",:");
        for (size_t i = 0; i < sizeof facts / sizeof *facts; i++)
            if (strlen(facts[i]) == length && strncmp(facts[i], words, length) == 0)
                return 1;
        words += length + 1;
    }
    return 0;
}

/* Writes a line of a template. @WORD,WORD: at its start, possibly repeated, keeps the line only if one of the words
 * applies: tree, plugin, a formulation. Names in capitals between @ are replaced by values. */
static void write_line(FILE *out, const char *line, const char *end, const struct new_solver *solver)
{
    const struct {
        const char *word, *text;
    } known[] = {{"@NAME@", solver->name},
                 {"@IDENT@", solver->ident},
                 {"@KNOWN@", solver->kind->known},
                 {"@KNOWN_IDENT@", solver->known_ident}};
    while (*line == '@') {
        size_t length = 1 + strspn(line + 1, "abcdefghijklmnopqrstuvwxyz0123456789-,");
        if (length == 1 || line[length] != ':')
            break;
        if (!holds(line + 1, line + length, solver))
            return;
        line += length + 1;
    }
    while (line < end) {
        size_t w = 0;
        while (w < sizeof known / sizeof *known && strncmp(line, known[w].word, strlen(known[w].word)) != 0)
            w++;
        if (w < sizeof known / sizeof *known) {
            fputs(known[w].text, out);
            line += strlen(known[w].word);
        } else
            putc(*line++, out);
    }
    putc('\n', out);
}

static void fill_in(const char *template, const char *path, const struct new_solver *solver)
{
    struct pool *pool = pool_new();
    struct outfile out;
    const char *text = resource_read(pool, template, STATUS_NOT_FOUND);
    outfile_open(&out, path);
    for (const char *line = text, *end; *line && (end = strchr(line, '\n')); line = end + 1)
        write_line(out.stream, line, end, solver);
    outfile_commit(&out);
    pool_free(pool);
}

static int is_there(const struct kind *kind, const char *name)
{
    return kind == &kernel_kind ? kernel_family_find(name) != NULL
           : kind == &rule_kind ? stop_rule_find(name) != STOP_RULES
                                : solver_find(name) != NULL;
}

static void check_name(const struct kind *kind, const char *name)
{
    if (!solver_name_is_fit(name) || !islower((unsigned char)*name))
        die(STATUS_BAD_INPUT, "\"%s\" is not a name for a %s; allowed: at most %d of a-z, 0-9 and -, a letter first",
            name, kind->thing, MAX_SOLVER_NAME);
    if (strcmp(name, "simd") == 0 || strcmp(name, "simd-search") == 0 || strncmp(name, "test-", 5) == 0)
        die(STATUS_BAD_INPUT, "\"%s\" is not a name for a %s: the build uses a file of that name for another purpose",
            name, kind->thing);
    if (is_there(kind, name))
        die(STATUS_BAD_INPUT, "%s \"%s\" already exists", kind->thing, name);
}

static void check_absent(const char *path)
{
    struct stat about;
    if (lstat(path, &about) == 0)
        die(STATUS_BAD_INPUT, "%s: already exists; it is not overwritten", path);
    if (errno != ENOENT)
        die(STATUS_BAD_INPUT, "%s: %s", path, strerror(errno));
}

static void say_next(const struct new_solver *solver, const char *source, const char *test)
{
    printf("%s\n%s\n", source, test);
    if (solver->kind == &kernel_kind)
        printf("Next: sh %s, then hullbench run --plugin ./%s.so with \"type\": \"%s\" in the kernel of a "
               "configuration.\n",
               test, solver->ident, solver->name);
    else if (solver->kind == &rule_kind)
        printf("Next: sh %s, then hullbench run --plugin ./%s.so with \"rule\": \"%s\" in the stop of a "
               "configuration.\n",
               test, solver->ident, solver->name);
    else if (solver->plugin)
        printf("Next: sh %s, hullbench verify %s --plugin ./%s.so, then hullbench run --plugin ./%s.so with \"%s\" in "
               "the solvers of a configuration.\n",
               test, solver->name, solver->ident, solver->ident, solver->name);
    else
        printf("Next: add the line X(%s) to the list in solvers/registry.c, then run make and make test.\n",
               solver->ident);
}

static void make_files(const struct new_solver *solver)
{
    char source[128], test[128];
    const struct kind *kind = solver->kind;
    const char *folder = solver->plugin ? "" : kind->folder;
    struct stat about;
    snprintf(source, sizeof source, "%s%s.c", folder, solver->ident);
    snprintf(test, sizeof test, "%stest_%s.%s", folder, solver->ident, solver->plugin ? "sh" : "c");
    check_name(kind, solver->name);
    if (!solver->plugin && (stat("solvers/registry.c", &about) != 0 || stat(folder, &about) != 0))
        die(STATUS_BAD_INPUT, "solvers/registry.c: no such file; change to the top folder of the source tree, or give "
                              "--plugin");
    check_absent(source);
    check_absent(test);
    fill_in(kind->source, source, solver);
    fill_in(solver->plugin ? kind->plugin_test : kind->test, test, solver);
    say_next(solver, source, test);
}

static const struct kind *find_kind(const struct new_solver_arguments *arguments)
{
    const char *names[FORMULATIONS + 1] = {NULL};
    const struct json_path place = {.file = "--formulation"};
    if (arguments->kernel || arguments->stopping_rule)
        return arguments->kernel ? &kernel_kind : &rule_kind;
    for (size_t f = 0; f < FORMULATIONS; f++) {
        names[f] = formulations[f].formulation;
        if (!arguments->formulation || strcmp(arguments->formulation, names[f]) == 0)
            return &formulations[f];
    }
    json_die_unknown(&place, "problem", arguments->formulation, names);
}

static void set_ident(char *ident, size_t size, const char *name)
{
    snprintf(ident, size, "%s", name);
    for (; *ident; ident++)
        *ident = *ident == '-' ? '_' : *ident;
}

static void check(void *context)
{
    const struct new_solver_arguments *given = context;
    if (given->kernel + given->stopping_rule + (given->formulation != NULL) > 1)
        cli_refuse("expected only one of --formulation, --kernel and --stopping-rule");
}

#define ARGUMENTS struct new_solver_arguments
static const struct cli_option options[] = {
    {"formulation", 'f', "PROBLEM",
     "Formulation that the solver solves: nearest-points (default), c-svm, 2-svm, minimum-norm, no-bias, "
     "no-bias-hard-margin", AT(formulation)},
    {"plugin", 'p', NULL, "Write a plugin (a shared library for the option --plugin) into the current folder, "
                          "outside the source tree", AT(plugin)},
    {"kernel", 'k', NULL, "Write a kernel, as a plugin", AT(kernel)},
    {"stopping-rule", 's', NULL, "Write a stopping rule, as a plugin", AT(stopping_rule)},
    {0},
};

static int work(void *context)
{
    const struct new_solver_arguments *arguments = context;
    struct new_solver solver = {.kind = find_kind(arguments),
                                .name = arguments->common.words[0],
                                .plugin = arguments->plugin || arguments->kernel || arguments->stopping_rule};
    set_ident(solver.ident, sizeof solver.ident, solver.name);
    set_ident(solver.known_ident, sizeof solver.known_ident, solver.kind->known);
    make_files(&solver);
    return EXIT_OK;
}

const struct cli_verb verb_new_solver = {
    .name = "new-solver", .title = "write source and test of a new solver",
    .usage = "NAME",
    .doc = "Writes the source of a new solver and its test, for you to change. The generated source is complete, "
           "commented and passes its test: MDM on reduced hulls or for the minimum norm, SMO for SVM duals with a "
           "bias, coordinate ascent for duals without a bias. The files go into solvers/ of the source tree that is "
           "the current folder or, with --plugin, into the current folder itself. --kernel and --stopping-rule write "
           "a kernel or a stopping rule instead, always as a plugin.",
    .options = options, .min_words = 1, .max_words = 1, .words = "expected a name, such as turn-mdm",
    .size = sizeof(struct new_solver_arguments), .check = check, .work = work,
};
