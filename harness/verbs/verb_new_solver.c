/* hullbench new-solver: the starting files of a solver, made from docs/templates. */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "harness/cli/cli.h"
#include "harness/cli/options.h"
#include "harness/support/file.h"
#include "harness/support/resource.h"
#include "solvers/registry.h"

struct new_solver_arguments {
    struct cli_arguments common;
    int plugin;
};

/* What the templates are filled in with. */
struct new_solver {
    const char *name;
    char ident[64]; /* the name as part of an identifier: - becomes _ */
    int plugin;
};

/* A line of a template: @tree: and @plugin: at its start keep it in that form; @NAME@ and @IDENT@ are filled in. */
static void write_line(FILE *out, const char *line, const char *end, const struct new_solver *solver)
{
    static const char *const forms[] = {"@tree:", "@plugin:"};
    for (int form = 0; form < 2; form++)
        if (strncmp(line, forms[form], strlen(forms[form])) == 0) {
            if (form != solver->plugin)
                return;
            line += strlen(forms[form]);
        }
    while (line < end) {
        const int is_name = strncmp(line, "@NAME@", 6) == 0, is_ident = strncmp(line, "@IDENT@", 7) == 0;
        if (is_name || is_ident)
            fputs(is_name ? solver->name : solver->ident, out);
        else
            putc(*line, out);
        line += is_name ? 6 : is_ident ? 7 : 1;
    }
    putc('\n', out);
}

static enum status fill_in(const char *template, const char *path, const struct new_solver *solver,
                           struct error *error)
{
    char *text = NULL, *source = NULL;
    struct outfile out;
    enum status status = resource_find(template, &source, error);
    if (status == STATUS_OK)
        status = file_read(source, &text, NULL, error);
    free(source);
    if (status == STATUS_OK)
        status = outfile_open(&out, path, error);
    if (status == STATUS_OK) {
        for (const char *line = text, *end; *line && (end = strchr(line, '\n')); line = end + 1)
            write_line(out.stream, line, end, solver);
        status = outfile_commit(&out, error);
    }
    free(text);
    return status;
}

static enum status check_name(const char *name, struct error *error)
{
    if (!solver_name_is_fit(name) || !islower((unsigned char)*name))
        return error_set(error, STATUS_BAD_INPUT,
                         "\"%s\" is no name for a solver; allowed: at most %d of a-z, 0-9 and -, a letter "
                         "first",
                         name, MAX_SOLVER_NAME);
    if (strcmp(name, "simd") == 0 || strcmp(name, "simd-search") == 0 || strncmp(name, "test-", 5) == 0)
        return error_set(error, STATUS_BAD_INPUT,
                         "\"%s\" is no name for a solver: the build takes a file of that name for something else",
                         name);
    if (solver_find(name))
        return error_set(error, STATUS_BAD_INPUT, "a solver \"%s\" is there already", name);
    return STATUS_OK;
}

static enum status check_absent(const char *path, struct error *error)
{
    struct stat about;
    if (lstat(path, &about) == 0)
        return error_set(error, STATUS_BAD_INPUT, "%s: is there already and is left as it is", path);
    return errno == ENOENT ? STATUS_OK : error_set(error, STATUS_BAD_INPUT, "%s: %s", path, strerror(errno));
}

static void say_next(const struct new_solver *solver, const char *source, const char *test)
{
    printf("%s\n%s\n", source, test);
    if (solver->plugin)
        printf("Next: sh %s, then hullbench run --plugin ./%s.so with \"%s\" among the solvers of a configuration.\n",
               test, solver->ident, solver->name);
    else
        printf("Next: the line X(%s) in the list of solvers/registry.c, then make, and make test.\n", solver->ident);
}

static enum status make_files(const struct new_solver *solver, struct error *error)
{
    char source[128], test[128];
    const char *folder = solver->plugin ? "" : "solvers/hull/";
    struct stat about;
    snprintf(source, sizeof source, "%s%s.c", folder, solver->ident);
    snprintf(test, sizeof test, "%stest_%s.%s", folder, solver->ident, solver->plugin ? "sh" : "c");
    enum status status = check_name(solver->name, error);
    if (status == STATUS_OK && !solver->plugin &&
        (stat("solvers/registry.c", &about) != 0 || stat("solvers/hull", &about) != 0))
        status = error_set(error, STATUS_BAD_INPUT,
                           "solvers/registry.c: not here; go to the top of the source tree, or give --plugin");
    if (status == STATUS_OK)
        status = check_absent(source, error);
    if (status == STATUS_OK)
        status = check_absent(test, error);
    if (status == STATUS_OK)
        status = fill_in("docs/templates/solver.c.in", source, solver, error);
    if (status == STATUS_OK)
        status =
            fill_in(solver->plugin ? "docs/templates/test.sh.in" : "docs/templates/test.c.in", test, solver, error);
    if (status == STATUS_OK)
        say_next(solver, source, test);
    return status;
}

int verb_new_solver(int argc, char **argv)
{
    static const struct cli_option options[] = {
        {"plugin", 'p', NULL, "A shared object for --plugin, outside the source tree", 0,
         offsetof(struct new_solver_arguments, plugin), NULL},
        {0},
    };
    static const struct cli_verb verb = {
        "NAME",
        "Writes the source of a new solver and its test, complete and commented: MDM on reduced hulls, to be changed. "
        "Into solvers/hull of the source tree one is in or, with --plugin, into this folder.",
        options, 0, 1, 1, "the solver's name is expected, such as turn-mdm", NULL};
    struct new_solver_arguments arguments = {.plugin = 0};
    struct error error = {0};
    cli_parse(&verb, argc, argv, &arguments);
    struct new_solver solver = {.name = arguments.common.words[0], .plugin = arguments.plugin};
    snprintf(solver.ident, sizeof solver.ident, "%s", solver.name);
    for (char *at = solver.ident; *at; at++)
        *at = *at == '-' ? '_' : *at;
    return make_files(&solver, &error) == STATUS_OK ? EXIT_OK : cli_fail(&error);
}
