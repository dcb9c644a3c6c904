/* hullbench new-solver: creates the first files of a solver, a kernel or a stopping rule from docs/templates. */
#include <ctype.h>
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/cli/cli.h"
#include "harness/evaluate/stopping.h"
#include "harness/support/resource.h"
#include "solvers/registry.h"

struct new_solver_arguments {
    struct cli_arguments common;
    int plugin, kernel, stopping_rule;
    int formulation; /* of formulations[], from 1; 0: the first */
    int language;    /* of languages[], from 1; 0: C */
};

#define TEMPLATE(name) "docs/templates/" name

/* A file, called BEFORE IDENT AFTER. */
struct file {
    const char *template, *before, *after; /* template NULL: none */
};
enum { FILES = 4 };

/* The kinds of files to create; of a list of files, the last is the test. */
struct kind {
    const char *formulation; /* of a solver; also a condition in template lines */
    const char *thing;       /* "solver", "kernel" or "stopping rule" */
    const char *group;       /* another such condition; "" for none */
    struct file plugin[FILES], tree[FILES]; /* no tree: available only as a plugin */
    const char *folder;      /* in the source tree */
    const char *known;       /* the solver whose optimum the test compares with */
    const char *next;        /* what to do next; a template */
};

#define NEXT_OF_PART(key, object)                                                                                   \
    "Next: sh @TEST@, then hullbench run --plugin ./@IDENT@.so with \"" key "\": \"@NAME@\" in the " object " of a " \
    "configuration.\n"

static const struct kind kernel_kind = {
    .thing = "kernel", .group = "", .known = "", .next = NEXT_OF_PART("type", "kernel"),
    .plugin = {{TEMPLATE("kernel.c.in"), "", ".c"}, {TEMPLATE("test_kernel.sh.in"), "test_", ".sh"}}};
static const struct kind rule_kind = {
    .thing = "stopping rule", .group = "", .known = "", .next = NEXT_OF_PART("rule", "stop"),
    .plugin = {{TEMPLATE("stopping_rule.c.in"), "", ".c"}, {TEMPLATE("test_stopping_rule.sh.in"), "test_", ".sh"}}};

#define SOLVER(formulation, group, source, folder, known)                                                   \
    {formulation, "solver", group,                                                                          \
     {{TEMPLATE(source), "", ".c"}, {TEMPLATE("test.sh.in"), "test_", ".sh"}},                              \
     {{TEMPLATE(source), folder, ".c"}, {TEMPLATE("test.c.in"), folder "test_", ".c"}}, folder, known,      \
     "@plugin:Next: sh @TEST@, hullbench verify @NAME@ --plugin ./@IDENT@.so, then hullbench run --plugin " \
     "./@IDENT@.so with \"@NAME@\" in the solvers of a configuration.\n"                                    \
     "@tree:Next: add the line X(@IDENT@) to the list in solvers/registry.c, then run make and make test.\n"}

/* For solvers, the first is the default. "relaxed" ones have an additional parameter, relaxation. */
#define FORMULATIONS "nearest-points, c-svm, 2-svm, minimum-norm, no-bias, no-bias-hard-margin"
static const struct kind formulations[] = {
    SOLVER("nearest-points", "", "solver.c.in", "solvers/hull/", "clip-mdm"),
    SOLVER("c-svm", "relaxed", "solver_svm.c.in", "solvers/decomposition/", "1-smo"),
    SOLVER("2-svm", "relaxed", "solver_svm.c.in", "solvers/decomposition/", "2-smo"),
    SOLVER("minimum-norm", "relaxed", "solver_minimum_norm.c.in", "solvers/norm/", "unary-mdm"),
    SOLVER("no-bias", "relaxed", "solver_no_bias.c.in", "solvers/multiplicative/", "kernel-adatron-soft"),
    SOLVER("no-bias-hard-margin", "relaxed", "solver_no_bias.c.in", "solvers/multiplicative/", "kernel-adatron"),
};

/* Solvers that are programs; the names are conditions in template lines. */
#define LANGUAGES "python, r, octave, julia, c"
#define LANGUAGE(name, ending)                                                                        \
    {name, {{TEMPLATE("program.json.in"), "", ".json"}, {TEMPLATE("program" ending ".in"), "", ending}, \
            {TEMPLATE("program_run.json.in"), "", "_run.json"}, {TEMPLATE("program_test.sh.in"), "test_", ".sh"}}}
static const struct language {
    const char *name;
    struct file files[FILES];
} languages[] = {LANGUAGE("python", ".py"), LANGUAGE("r", ".R"), LANGUAGE("octave", ".m"), LANGUAGE("julia", ".jl"),
                 {NULL, {{NULL, NULL, NULL}}}};
static const char next_of_program[] =
    "Next: sh @TEST@, then hullbench run --plugin ./@IDENT@.json @IDENT@_run.json --out results, and hullbench "
    "compare results --plugin ./@IDENT@.json --against @KNOWN@ --solver @NAME@.\n";

/* The values filled into the templates. */
struct new_solver {
    struct pool *pool;
    const struct kind *kind;
    const struct language *language; /* NULL: C */
    int plugin;
    const char *name, *test;
    char ident[64], known_ident[64]; /* the names as parts of identifiers: - becomes _ */
};

/* Nonzero if one of the words before `end`, separated by commas, applies. */
static int holds(const char *words, const char *end, const struct new_solver *solver)
{
    const struct kind *kind = solver->kind;
    const char *const facts[] = {solver->language ? solver->language->name : solver->plugin ? "plugin" : "tree",
                                 kind->formulation ? kind->formulation : "", kind->group};
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
                 {"@KNOWN_IDENT@", solver->known_ident},
                 {"@TEST@", solver->test}};
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

static void write_text(FILE *out, const char *text, const struct new_solver *solver)
{
    for (const char *line = text, *end; *line && (end = strchr(line, '\n')); line = end + 1)
        write_line(out, line, end, solver);
}

static void fill_in(const char *template, const char *path, const struct new_solver *solver)
{
    struct outfile out;
    const char *text = resource_read(solver->pool, template, STATUS_NOT_FOUND);
    outfile_open(&out, path);
    write_text(out.stream, text, solver);
    outfile_commit(&out);
}

static void check_name(const struct kind *kind, const char *name)
{
    if (!solver_name_is_fit(name) || !islower((unsigned char)*name))
        die(STATUS_BAD_INPUT, "\"%s\" is not a name for a %s; allowed: at most %d of a-z, 0-9 and -, a letter first",
            name, kind->thing, MAX_SOLVER_NAME);
    if (strcmp(name, "simd") == 0 || strcmp(name, "simd-search") == 0 || strncmp(name, "test-", 5) == 0)
        die(STATUS_BAD_INPUT, "\"%s\" is not a name for a %s: the build uses a file of that name for another purpose",
            name, kind->thing);
    if (kind == &kernel_kind ? kernel_family_find(name) != NULL
        : kind == &rule_kind ? stop_rule_find(name) != STOP_RULES
                             : solver_find(name) != NULL)
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

static void make(struct new_solver *solver, const struct file files[FILES])
{
    const char *path[FILES], *folder = solver->kind->folder;
    size_t count = 0;
    check_name(solver->kind, solver->name);
    if (files == solver->kind->tree && (access("solvers/registry.c", F_OK) != 0 || access(folder, F_OK) != 0))
        die(STATUS_BAD_INPUT, "solvers/registry.c: no such file; change to the top folder of the source tree, or give "
                              "--plugin");
    for (; count < FILES && files[count].template; count++) {
        path[count] = pool_printf(solver->pool, "%s%s%s", files[count].before, solver->ident, files[count].after);
        check_absent(path[count]);
    }
    solver->test = path[count - 1];
    for (size_t f = 0; f < count; f++) {
        fill_in(files[f].template, path[f], solver);
        printf("%s\n", path[f]);
    }
    write_text(stdout, solver->language ? next_of_program : solver->kind->next, solver);
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
    if (given->kernel + given->stopping_rule + (given->formulation != 0) > 1)
        cli_refuse("expected only one of --formulation, --kernel and --stopping-rule");
    if (given->language && languages[given->language - 1].name &&
        (given->kernel || given->stopping_rule || given->formulation))
        cli_refuse("--language %s writes a solver for nearest points; --formulation, --kernel and --stopping-rule are "
                   "for C", languages[given->language - 1].name);
}

#define ARGUMENTS struct new_solver_arguments
static const struct cli_option options[] = {
    {"formulation", 'f', "PROBLEM",
     "Formulation that the solver solves: nearest-points (default), c-svm, 2-svm, minimum-norm, no-bias, "
     "no-bias-hard-margin", CHOICE_AT(formulation, FORMULATIONS)},
    {"language", 'l', "LANGUAGE", "Write a program in python, r, octave or julia with its declaration, a configuration "
                                  "and a test into the current folder; c (default) writes C",
     CHOICE_AT(language, LANGUAGES)},
    {"plugin", 'p', NULL, "Write a plugin (a shared library for the option --plugin) into the current folder, "
                          "outside the source tree", AT(plugin)},
    {"kernel", 'k', NULL, "Write a kernel, as a plugin", AT(kernel)},
    {"stopping-rule", 's', NULL, "Write a stopping rule, as a plugin", AT(stopping_rule)},
    {0},
};

static int work(void *context)
{
    const struct new_solver_arguments *arguments = context;
    struct new_solver solver = {.pool = arguments->common.pool,
                                .kind = arguments->kernel          ? &kernel_kind
                                        : arguments->stopping_rule ? &rule_kind
                                        : arguments->formulation   ? &formulations[arguments->formulation - 1]
                                                                   : formulations,
                                .name = arguments->common.words[0],
                                .plugin = arguments->plugin || arguments->kernel || arguments->stopping_rule};
    set_ident(solver.ident, sizeof solver.ident, solver.name);
    set_ident(solver.known_ident, sizeof solver.known_ident, solver.kind->known);
    if (arguments->language && languages[arguments->language - 1].name)
        solver.language = &languages[arguments->language - 1];
    make(&solver, solver.language ? solver.language->files : solver.plugin ? solver.kind->plugin : solver.kind->tree);
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
