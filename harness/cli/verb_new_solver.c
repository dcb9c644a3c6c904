/* hullbench new-solver: the starting files of a solver, made from docs/templates. */
#include <argp.h>
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "harness/cli/cli.h"
#include "harness/support/file.h"
#include "harness/support/resource.h"
#include "solvers/registry.h"

struct new_solver_arguments {
    const char *name;
    int plugin;
};

static const struct argp_option options[] = {
    {"plugin", 'p', NULL, 0, "A shared object for --plugin, outside the source tree", 0},
    {0},
};

static error_t parse_option(int key, char *text, struct argp_state *state)
{
    struct new_solver_arguments *words = state->input;
    switch (key) {
    case 'p':
        words->plugin = 1;
        return 0;
    case ARGP_KEY_ARG:
        if (words->name)
            argp_error(state, "one name is expected; \"%s\" is too many", text);
        words->name = text;
        return 0;
    case ARGP_KEY_END:
        if (!words->name)
            argp_error(state, "the solver's name is expected, such as turn-mdm");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* The name as part of an identifier: - becomes _. */
static void identifier(const char *name, char *out, size_t size)
{
    snprintf(out, size, "%s", name);
    for (char *at = out; *at; at++)
        *at = *at == '-' ? '_' : *at;
}

/* A line of a template: @tree: and @plugin: at its start keep it in that form; @NAME@ and @IDENT@ are filled in. */
static void write_line(FILE *out, const char *line, size_t length, const struct new_solver_arguments *words,
                       const char *ident)
{
    static const char *const forms[] = {"@tree:", "@plugin:"};
    for (int form = 0; form < 2; form++) {
        size_t mark = strlen(forms[form]);
        if (length < mark || strncmp(line, forms[form], mark) != 0)
            continue;
        if (form != words->plugin)
            return;
        line += mark, length -= mark;
    }
    while (length) {
        if (strncmp(line, "@NAME@", 6) == 0) {
            fputs(words->name, out);
            line += 6, length -= 6;
        } else if (strncmp(line, "@IDENT@", 7) == 0) {
            fputs(ident, out);
            line += 7, length -= 7;
        } else {
            putc(*line++, out);
            length--;
        }
    }
    putc('\n', out);
}

static enum status fill_in(const char *template, const char *path, const struct new_solver_arguments *words,
                           struct error *error)
{
    char ident[64], *text = NULL, *source = NULL;
    struct outfile out;
    identifier(words->name, ident, sizeof ident);
    enum status status = resource_find(template, &source, error);
    if (status == STATUS_OK)
        status = file_read(source, &text, NULL, error);
    free(source);
    if (status == STATUS_OK)
        status = outfile_open(&out, path, error);
    if (status == STATUS_OK) {
        for (const char *line = text, *end; *line && (end = strchr(line, '\n')); line = end + 1)
            write_line(out.stream, line, (size_t)(end - line), words, ident);
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

static void say_next(const struct new_solver_arguments *words, const char *ident, const char *source, const char *test)
{
    printf("%s\n%s\n", source, test);
    if (words->plugin)
        printf("Next: sh %s, then hullbench run --plugin ./%s.so with \"%s\" among the solvers of a configuration.\n",
               test, ident, words->name);
    else
        printf("Next: the line X(%s) in the list of solvers/registry.c, then make, and make test.\n", ident);
}

static enum status make_files(const struct new_solver_arguments *words, struct error *error)
{
    char ident[64], source[128], test[128];
    const char *folder = words->plugin ? "" : "solvers/hull/";
    struct stat about;
    identifier(words->name, ident, sizeof ident);
    snprintf(source, sizeof source, "%s%s.c", folder, ident);
    snprintf(test, sizeof test, "%stest_%s.%s", folder, ident, words->plugin ? "sh" : "c");
    enum status status = check_name(words->name, error);
    if (status == STATUS_OK && !words->plugin &&
        (stat("solvers/registry.c", &about) != 0 || stat("solvers/hull", &about) != 0))
        status = error_set(error, STATUS_BAD_INPUT,
                           "solvers/registry.c: not here; go to the top of the source tree, or give --plugin");
    if (status == STATUS_OK)
        status = check_absent(source, error);
    if (status == STATUS_OK)
        status = check_absent(test, error);
    if (status == STATUS_OK)
        status = fill_in("docs/templates/solver.c.in", source, words, error);
    if (status == STATUS_OK)
        status = fill_in(words->plugin ? "docs/templates/test.sh.in" : "docs/templates/test.c.in", test, words, error);
    if (status == STATUS_OK)
        say_next(words, ident, source, test);
    return status;
}

int verb_new_solver(int argc, char **argv)
{
    static const struct argp argp = {
        options, parse_option, "NAME",
        "Writes the source of a new solver and its test, complete and commented: MDM on reduced hulls, to be changed. "
        "Into solvers/hull of the source tree one is in or, with --plugin, into this folder.",
        NULL, NULL, NULL};
    struct new_solver_arguments words = {0};
    struct error error = {0};
    cli_parse(&argp, argc, argv, &words);
    return make_files(&words, &error) == STATUS_OK ? EXIT_OK : cli_fail(&error);
}
