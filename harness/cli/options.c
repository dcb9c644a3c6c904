/* Parses options by a table (options.h). A row's key is its letter, or its index beyond all characters. */
#include "harness/cli/options.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/cli/cli.h"
#include "harness/cli/crash.h"
#include "harness/evaluate/load_plugin.h"
#include "harness/program/memory.h"
#include "harness/support/platform.h"

enum { KEY_FIRST = 256, KEY_PLUGIN = 0x7000 };

struct parsing {
    const struct cli_verb *verb;
    void *arguments;
    int *given; /* per row: nonzero once the option was given */
};

static int key_of(const struct cli_option *options, size_t row)
{
    return options[row].letter ? options[row].letter : KEY_FIRST + (int)row;
}

static int is_header(const struct cli_option *option)
{
    return !option->name && !option->letter;
}

static size_t count_rows(const struct cli_option *options)
{
    size_t count = 0;
    while (options && (!is_header(&options[count]) || options[count].help))
        count++;
    return count;
}

static void take_words(const struct parsing *parsing, struct parse_state *state)
{
    const struct cli_verb *verb = parsing->verb;
    struct cli_arguments *arguments = parsing->arguments;
    arguments->words = (const char *const *)state->argv + state->next;
    arguments->n_words = (size_t)(state->argc - state->next);
    if (arguments->n_words > verb->max_words)
        cli_refuse(state, "%s; \"%s\" is one argument too many", verb->words, arguments->words[verb->max_words]);
}

static void take_option(const struct parsing *parsing, int key, char *text, struct parse_state *state)
{
    const struct cli_option *option = parsing->verb->options;
    size_t row = 0;
    while (is_header(&option[row]) || key_of(option, row) != key)
        row++;
    void *member = (char *)parsing->arguments + option[row].member;
    if (option[row].take)
        option[row].take(parsing->arguments, text, state);
    else if (option[row].argument && parsing->given[row]++)
        cli_refuse(state, "%s%s is given twice, with \"%s\" and \"%s\"; give it once", option[row].name ? "--" : "-",
                   option[row].name ? option[row].name : (const char[]){(char)option[row].letter, '\0'},
                   *(const char **)member, text);
    else if (option[row].argument)
        *(const char **)member = text;
    else
        *(int *)member = 1;
}

/* Loads a plugin as soon as it is parsed, so that later options know its solvers. */
static void take_plugin(const char *text)
{
    struct error error = {0};
    crash_watch();
    if (load_plugin(text, &error) != STATUS_OK)
        exit(cli_fail(&error));
    crash_watch(); /* a constructor may have installed handlers */
}

static void take(void *context, int key, char *text, struct parse_state *state)
{
    const struct parsing *parsing = context;
    const struct cli_verb *verb = parsing->verb;
    switch (key) {
    case PLATFORM_OPERANDS: /* all options have been parsed, wherever they were */
        take_words(parsing, state);
        break;
    case PLATFORM_END:
        if (((const struct cli_arguments *)parsing->arguments)->n_words < verb->min_words)
            cli_refuse(state, "%s", verb->words);
        if (verb->check)
            verb->check(parsing->arguments, state);
        break;
    case KEY_PLUGIN:
        take_plugin(text);
        break;
    default:
        take_option(parsing, key, text, state);
    }
}

void cli_parse(const struct cli_verb *verb, int argc, char **argv, void *arguments)
{
    static const struct platform_option plugin_options[] = {
        {"plugin", KEY_PLUGIN, "FILE",
         "Load the solvers, kernels and stopping rules of the plugin FILE (a shared library); may be repeated", 0},
        {0}};
    const size_t rows = count_rows(verb->options);
    struct platform_option *options = xcalloc(rows + 1, sizeof *options);
    const struct platform_syntax syntax = {verb->usage,   verb->doc, options, verb->plugins ? plugin_options : NULL,
                                           EXIT_BAD_USE, take};
    struct parsing parsing = {verb, arguments, xcalloc(rows + 1, sizeof(int))};
    for (size_t i = 0; i < rows; i++) {
        const struct cli_option *from = &verb->options[i];
        options[i] = (struct platform_option){from->name, is_header(from) ? 0 : key_of(verb->options, i),
                                              from->argument, from->help, from->group};
    }
    const int failed = platform_parse(&syntax, argc, argv, &parsing);
    free(options);
    free(parsing.given);
    if (!failed)
        return;
    fprintf(stderr, "%s: the arguments: %s\n", argv[0], strerror(failed));
    exit(EXIT_SYSTEM);
}

void cli_refuse(const struct parse_state *state, const char *format, ...)
{
    char message[sizeof((struct error *)0)->message];
    va_list rest;
    va_start(rest, format);
    vsnprintf(message, sizeof message, format, rest);
    va_end(rest);
    cli_print_error(state->name, message);
    exit(EXIT_BAD_USE);
}

size_t cli_number(const char *text, size_t max)
{
    char *end;
    if (!isdigit((unsigned char)*text))
        return 0;
    unsigned long number = strtoul(text, &end, 10);
    return *end == '\0' && number <= max ? number : 0;
}

void cli_take_jobs(void *arguments, char *text, struct parse_state *state)
{
    struct cli_arguments *given = arguments;
    given->run.threads = (unsigned)cli_number(text, 4096);
    if (given->run.threads == 0)
        cli_refuse(state, "--jobs: \"%s\" is not a whole number from 1 to 4096", text);
}

void cli_take_repeats(void *arguments, char *text, struct parse_state *state)
{
    struct cli_arguments *given = arguments;
    given->run.repeats = cli_number(text, MAX_REPEATS);
    if (given->run.repeats == 0)
        cli_refuse(state, "--repeats: \"%s\" is not a whole number from 1 to %d", text, MAX_REPEATS);
}

void cli_take_probabilities(void *arguments, char *text, struct parse_state *state)
{
    (void)arguments;
    if (strcmp(text, "0") != 0)
        cli_refuse(state, "-b %s: hullbench does not estimate probabilities; use svm-train and svm-predict of LIBSVM",
                   text);
}

void cli_check_out(void *arguments, struct parse_state *state)
{
    const struct cli_arguments *given = arguments;
    if (!given->run.out && !given->dry_run)
        cli_refuse(state, "expected --out DIR");
}
