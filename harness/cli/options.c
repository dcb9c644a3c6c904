/* Parses options by a table (cli.h). A long name's key is its row beyond all characters. */
#include "harness/cli/cli.h"

#include <assert.h>
#include <ctype.h>
#include <getopt.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/json_writer.h"
#include "harness/base/terminal.h"
#include "harness/support/json_reader.h"
#include "solvers/unknown_name.h"

enum { KEY_FIRST = 256, MAX_ROWS = 64, HELP_INDENT = 29, USAGE_INDENT = 11 };

/* The options of a verb: its own and those of all verbs. */
struct rows {
    const struct cli_verb *verb;
    size_t count;
    const struct cli_option *row[MAX_ROWS];
};

static const char *verb_name; /* "hullbench VERB" */

void cli_refuse_text(const char *message)
{
    cli_print_error(verb_name, message);
    exit(EXIT_BAD_USE);
}

/* ---- help ---- */

static void print_row(const struct cli_option *option)
{
    int column = option->letter ? printf("  -%c%s", option->letter, option->name ? ", " : "") : printf("      ");
    if (option->name)
        column += printf("--%s%s", option->name, option->argument ? "=" : "");
    else if (option->argument)
        column += printf(" ");
    column += printf("%s", option->argument ? option->argument : "");
    column = column < HELP_INDENT ? column + printf("%*s", HELP_INDENT - column, "")
                                  : printf("\n%*s", HELP_INDENT, "") - 1;
    terminal_print_column(stdout, option->help, (size_t)column, HELP_INDENT);
}

static _Noreturn void print_help(const struct rows *rows)
{
    const char *form = rows->verb->usage, *doc = rows->verb->doc, *after = strchr(doc, '\n');
    for (const char *lead = "Usage: "; *form; lead = "  or:  ") {
        const size_t length = strcspn(form, "\n");
        const int column = printf("%s%s [OPTION...] ", lead, verb_name);
        terminal_print_column(stdout, form, (size_t)column, USAGE_INDENT);
        form += form[length] ? length + 1 : length;
    }
    terminal_print_column(stdout, doc, 0, 0);
    puts("");
    for (size_t i = 0; i < rows->count; i++)
        if (!rows->row[i]->name && !rows->row[i]->letter)
            printf("\n %s\n", rows->row[i]->help);
        else if (rows->row[i]->help)
            print_row(rows->row[i]);
    if (after) {
        puts("");
        terminal_print_column(stdout, after + 1, 0, 0);
    }
    exit(cli_flushed(EXIT_OK));
}

/* ---- values ---- */

int cli_flushed(int status)
{
    if (fflush(stdout) == 0 && !ferror(stdout))
        return status;
    fputs("hullbench: standard output: cannot be written\n", stderr);
    return EXIT_SYSTEM;
}

size_t cli_count(const char *option, const char *text, double low, double high)
{
    char *end;
    const unsigned long number = strtoul(text, &end, 10);
    if (!isdigit((unsigned char)*text) || *end || (double)number < low || (double)number > high)
        cli_refuse("%s: \"%s\" is not a whole number from %.0f to %.0f", option, text, low, high);
    return number;
}

/* Which of the words, separated by ", ", the text is, from 1. */
static int choice(struct pool *pool, const struct cli_option *option, const char *name, const char *text)
{
    struct cli_list words = {NULL, 0, 0};
    for (const char *at = option->allowed; *at; at += strspn(at, ", ")) {
        const size_t length = strcspn(at, ",");
        *pool_push(pool, &words) = pool_strndup(pool, at, length);
        if (strcmp(words.item[words.count - 1], text) == 0)
            return (int)words.count;
        at += length;
    }
    *pool_push(pool, &words) = NULL;
    if (option->instead)
        cli_refuse("%s: \"%s\" is not supported; %s", name, text, option->instead);
    cli_refuse("%s: %s", name, unknown_name_text("value", text, words.item, message_room(), MESSAGE_ROOM));
}

static double real(const char *name, const char *text, double low, double high)
{
    char *end;
    const double number = strtod(text, &end);
    if (end > text && !*end && number >= low && number <= high)
        return number;
    if (high < CLI_NO_LIMIT)
        cli_refuse("%s: \"%s\" is not a number from %g to %g", name, text, low, high);
    cli_refuse("%s: \"%s\" is not a number from %g", name, text, low);
}

/* The member of a text that is given once. */
static void take_text(struct pool *pool, const struct cli_option *option, const char *name, const char *text,
                      const char **value)
{
    char *end = NULL;
    if (*value)
        cli_refuse("%s is given twice, with \"%s\" and \"%s\"; give it once", name, *value, text);
    if (option->kind == CLI_NUMBER && (strtod(text, &end), end == text || *end))
        cli_refuse("%s: \"%s\" is not a number", name, text);
    if (option->allowed)
        (void)choice(pool, option, name, text);
    *value = text;
}

static void take_pair(struct pool *pool, const char *name, const char *pair, size_t length, cJSON *object)
{
    char *copy = pool_strndup(pool, pair, length), *equals = strchr(copy, '=');
    if (!equals || equals == copy || !equals[1])
        cli_refuse("%s: \"%.*s\" is not NAME=VALUE", name, (int)length, pair);
    *equals = '\0';
    json_set_word(object, copy, equals + 1);
}

static cJSON *object_of(struct pool *pool, const char *name, const char *text)
{
    cJSON *object = json_keep(pool, json_new_object());
    const size_t type = strcspn(text, ",");
    json_set_word(object, "type", pool_strndup(pool, text, type));
    for (const char *at = text + type; *at; at += strcspn(at, ","))
        if (*++at && *at != ',')
            take_pair(pool, name, at, strcspn(at, ","), object);
    return object;
}

static void take_numbers(struct pool *pool, const char *name, const char *text, size_t high,
                         struct cli_numbers *numbers)
{
    numbers->item = number_list_parse(pool, text, high, &numbers->count);
    if (!numbers->item)
        cli_refuse("%s: \"%.40s\" is not a list of numbers; allowed: numbers from 1 to %zu, such as \"1-10,20\"", name,
                   text, high);
}

static void take_shard(const char *name, const char *text, size_t high, struct run_options *run)
{
    char end;
    if (sscanf(text, "%7zu/%7zu%c", &run->shard, &run->shards, &end) != 2 || text[strspn(text, "0123456789/")] ||
        run->shard == 0 || run->shard > run->shards || run->shards > high)
        cli_refuse("%s: \"%s\" is not K/N with 1 <= K <= N <= %zu", name, text, high);
}

static const struct cli_option help_option = {"help", .help = "Print this help", .kind = CLI_HELP};
static const struct cli_option plugin_option = {
    "plugin", 0, "FILE",
    "Load the solvers, kernels and stopping rules of the plugin FILE (a shared library, or a program's declaration in "
    "JSON); may be repeated",
    .kind = CLI_PLUGIN};

/* "--NAME", or "-X" of an option that is only a letter. */
static const char *shown_name(struct pool *pool, const struct cli_option *option)
{
    return option->name ? pool_printf(pool, "--%s", option->name) : pool_printf(pool, "-%c", option->letter);
}

static void take(const struct cli_option *option, void *arguments, char *text)
{
    struct pool *pool = ((struct cli_arguments *)arguments)->pool;
    void *member = (char *)arguments + option->member;
    const char *name = shown_name(pool, option), **names = member; /* with CLI_NAMES */
    if (option->kind == CLI_PLUGIN)
        load_plugin(text);
    else if (option->kind == CLI_CHOICE)
        *(int *)member = choice(pool, option, name, text);
    else if (option->kind == CLI_COUNT)
        *(size_t *)member = cli_count(name, text, option->low, option->high);
    else if (option->kind == CLI_REAL)
        *(double *)member = real(name, text, option->low, option->high);
    else if (option->kind == CLI_LIST)
        *pool_push(pool, (struct cli_list *)member) = text;
    else if (option->kind == CLI_NAMES)
        *names = *names ? pool_printf(pool, "%s,%s", *names, text) : text;
    else if (option->kind == CLI_PAIRS && option->allowed)
        json_set_word(*(cJSON **)member, option->allowed, text);
    else if (option->kind == CLI_PAIRS)
        take_pair(pool, name, text, strlen(text), *(cJSON **)member);
    else if (option->kind == CLI_OBJECT)
        *(cJSON **)member = object_of(pool, name, text);
    else if (option->kind == CLI_NUMBERS)
        take_numbers(pool, name, text, (size_t)option->high, member);
    else if (option->kind == CLI_SHARD)
        take_shard(name, text, (size_t)option->high, member);
    else if (option->kind == CLI_OUTPUT)
        take_text(pool, option, name, text, &((struct cli_output *)member)->name.path);
    else if (option->argument)
        take_text(pool, option, name, text, member);
    else
        *(int *)member = 1;
}

/* ---- parsing ---- */

/* Takes all options; getopt_long moves the operands behind them, and prints an error in the syntax. */
static void take_options(const struct rows *rows, int argc, char **argv, void *arguments)
{
    const struct cli_option *of_letter[UCHAR_MAX + 1] = {NULL};
    struct option names[MAX_ROWS + 1] = {{0}};
    char letters[2 * MAX_ROWS + 1] = "";
    size_t n_names = 0, n_letters = 0;
    for (size_t i = 0; i < rows->count; i++) {
        const struct cli_option *option = rows->row[i];
        if (option->name)
            names[n_names++] = (struct option){option->name, option->argument ? required_argument : no_argument, NULL,
                                               KEY_FIRST + (int)i};
        if (option->letter) {
            of_letter[option->letter] = option;
            letters[n_letters++] = (char)option->letter;
            if (option->argument)
                letters[n_letters++] = ':';
        }
    }
    optind = 0; /* begin with another command line */
    for (int key; (key = getopt_long(argc, argv, letters, names, NULL)) != -1;) {
        if (key == '?') {
            fprintf(stderr, "Try `%s --help' for more information.\n", verb_name);
            exit(EXIT_BAD_USE);
        }
        const struct cli_option *option = key < KEY_FIRST ? of_letter[key] : rows->row[key - KEY_FIRST];
        if (option->kind == CLI_HELP)
            print_help(rows);
        take(option, arguments, optarg);
    }
}

void cli_parse(const struct cli_verb *verb, int argc, char **argv, void *arguments)
{
    struct cli_arguments *common = arguments;
    struct rows rows = {verb, 0, {NULL}};
    for (const struct cli_option *option = verb->options; option->name || option->letter || option->help; option++) {
        void *member = (char *)arguments + option->member;
        assert(rows.count + 2 < MAX_ROWS);
        rows.row[rows.count++] = option;
        if (option->kind == CLI_PAIRS && !*(cJSON **)member)
            *(cJSON **)member = json_keep(common->pool, json_new_object());
        if (option->kind == CLI_OUTPUT) {
            ((struct cli_output *)member)->name.option = shown_name(common->pool, option);
            *pool_push(common->pool, &common->outputs) = member;
        }
    }
    if (verb->plugins)
        rows.row[rows.count++] = &plugin_option;
    rows.row[rows.count++] = &help_option;
    verb_name = argv[0];
    take_options(&rows, argc, argv, arguments);
    common->words = (const char *const *)argv + optind;
    common->n_words = (size_t)(argc - optind);
    if (verb->of_folders && common->n_words == 0)
        cli_refuse("expected at least one run folder");
    if (verb->max_words && common->n_words > verb->max_words)
        cli_refuse("%s; \"%s\" is one argument too many", verb->words, common->words[verb->max_words]);
    if (common->n_words < verb->min_words)
        cli_refuse("%s", verb->words);
    if (verb->check)
        verb->check(arguments);
}

int cli_run(const struct cli_verb *verb, int argc, char **argv)
{
    struct pool *pool = pool_new();
    struct cli_arguments *arguments = pool_alloc(pool, verb->size);
    if (verb->defaults)
        memcpy(arguments, verb->defaults, verb->size);
    arguments->pool = pool;
    cli_parse(verb, argc, argv, arguments);
    for (size_t i = 0; i < arguments->n_words && verb->of_folders; i++)
        cli_check_input(arguments, "the run", arguments->words[i]);
    if (verb->of_folders)
        cli_outputs_open(arguments);
    const int status = verb->work(arguments);
    cli_outputs_commit(arguments);
    if (verb->of_folders)
        cli_print_partial(arguments->words, arguments->n_words);
    pool_free(pool);
    return status;
}

void cli_check_out(void *arguments)
{
    const struct cli_arguments *given = arguments;
    if (!given->run.out && !given->dry_run)
        cli_refuse("expected --out DIR");
}
