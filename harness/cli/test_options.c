/* Command lines are parsed, refused and explained by a table. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/base/json_writer.h"
#include "harness/cli/cli.h"
#include "tests/all_tests.h"

struct given {
    struct cli_arguments common;
    const char *text, *letter;
    int loud, hidden;
    size_t split;
    double margin;
    struct cli_list list;
    cJSON *pairs, *object;
    struct cli_numbers numbers;
    struct cli_output output;
};

#define ARGUMENTS struct given
static const struct cli_option options[] = {
    OPTION_QUIET("Print nothing"),
    OPTION_JOBS,
    {.help = "Heading of others:"},
    {"long", 0, "TEXT", "A text that is long enough to be continued on a second line of the help",
     AT(text)},
    {"loud", 0, NULL, "Print everything", AT(loud)},
    {"split", 0, "N", "A count", COUNT_AT(split, 2, 9)},
    {"margin", 0, "PERCENT", "A number", REAL_AT(margin, 0.5, CLI_NO_LIMIT)},
    {"list", 0, "A", "May be repeated", LIST_AT(list)},
    {NULL, 'x', "0|1", "Only a letter", AT(letter)},
    {"pair", 0, "NAME=VALUE", NULL, PAIRS_AT(pairs)},
    {NULL, 'c', "C", NULL, PAIRS_AT(pairs), .allowed = "C"},
    {"object", 0, "TYPE[,NAME=VALUE...]", NULL, AT(object), .kind = CLI_OBJECT},
    {"numbers", 0, "LIST", NULL, AT(numbers), .kind = CLI_NUMBERS, .high = 30},
    {"shard", 0, "K/N", NULL, COMMON_AT(run), .kind = CLI_SHARD, .high = 100},
    {"output", 0, "FILE", NULL, OUTPUT_AT(output)},
    OPTION_PROBABILITIES,
    {"hidden", 0, NULL, NULL, AT(hidden)},
    {0},
};
static const struct cli_verb verb = {
    .usage = "FILE\n[OTHER...]",
    .doc = "Does something.\nNotes after the options.",
    .options = options,
    .plugins = 1,
    .max_words = 2,
    .words = "expected a file",
};

/* Splits the words at spaces, parses them and writes what they mean. */
static void parse(const char *words, char *log)
{
    static char text[200];
    char name[] = "tool verb", *argv[20] = {name}, *rest = NULL;
    struct given given = {.common.pool = pool_new()};
    int argc = 1;
    strcpy(text, words);
    for (char *word = strtok_r(text, " ", &rest); word; word = strtok_r(NULL, " ", &rest))
        argv[argc++] = word;
    cli_parse(&verb, argc, argv, &given);
    log += sprintf(log, "%s%s%s", given.common.quiet ? "q" : "", given.loud ? "l" : "", given.hidden ? "h" : "");
    log += sprintf(log, " %zu %zu %g", given.common.run.threads, given.split, given.margin);
    log += sprintf(log, " %s %s", given.text ? given.text : "", given.letter ? given.letter : "");
    for (size_t i = 0; i < given.list.count; i++)
        log += sprintf(log, " %s", given.list.item[i]);
    for (size_t i = 0; i < given.numbers.count; i++)
        log += sprintf(log, " %zu", given.numbers.item[i]);
    if (given.common.run.shards)
        log += sprintf(log, " %zu of %zu", given.common.run.shard, given.common.run.shards);
    if (given.output.name.path)
        log += sprintf(log, " %s %s", given.output.name.option, given.output.name.path);
    for (cJSON *const *json = (cJSON *[]){given.pairs, given.object, NULL}; *json; json++) {
        char *line = json_line(*json);
        log += strcmp(line, "{}") == 0 ? 0 : sprintf(log, " %s", line);
        free(line);
    }
    for (size_t i = 0; i < given.common.n_words; i++)
        log += sprintf(log, "[%s]", given.common.words[i]);
    pool_free(given.common.pool);
}

static void command_lines_are_parsed(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"", " 0 0 0  "},
        {"a", " 0 0 0  [a]"},
        {"a -q b", "q 0 0 0  [a][b]"},
        {"-j 3", " 3 0 0  "},
        {"-j3", " 3 0 0  "},
        {"-qj3 --jobs 4", "q 4 0 0  "},
        {"--lon=1 --lou --q", "ql 0 0 0 1 "},
        {"--hidden -x 1 --split 2 --margin .5", "h 0 2 0.5  1"},
        {"--list a b --list=c", " 0 0 0   a c[b]"},
        {"-- -q --loud", " 0 0 0  [-q][--loud]"},
        {"- -x -", " 0 0 0  -[-]"},
        {"-x -- a", " 0 0 0  --[a]"},
        {"--long=", " 0 0 0  "},
        {"--pair a=1 --pair=b=x -c 2", " 0 0 0   {\"a\":1,\"b\":\"x\",\"C\":2}"},
        {"--object rbf,width=3 a", " 0 0 0   {\"type\":\"rbf\",\"width\":3}[a]"},
        {"--numbers 3,1-2,30", " 0 0 0   1 2 3 30"},
        {"--shard 2/3", " 0 0 0   2 of 3"},
        {"--output t.csv -b 0", " 0 0 0   --output t.csv"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char log[400];
        parse(cases[i][0], log);
        assert_string_equal(log, cases[i][1]);
    }
}

/* Parses in a child; its output and errors become `text`. Returns its exit status. */
static int parse_in_child(const char *words, char *text, size_t size)
{
    int ends[2], how;
    size_t used = 0;
    ssize_t got;
    assert_int_equal(pipe(ends), 0);
    fflush(NULL);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        char log[400];
        dup2(ends[1], STDOUT_FILENO);
        dup2(ends[1], STDERR_FILENO);
        parse(words, log);
        _exit(99);
    }
    close(ends[1]);
    while (used + 1 < size && (got = read(ends[0], text + used, size - 1 - used)) > 0)
        used += (size_t)got;
    text[used] = '\0';
    close(ends[0]);
    assert_int_equal(waitpid(child, &how, 0), child);
    return WIFEXITED(how) ? WEXITSTATUS(how) : -1;
}

static void bad_use_is_reported_and_ends_the_program(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"--none", "unrecognized option '--none'\nTry `tool verb --help'"},
        {"--none=3", "unrecognized option '--none=3'\nTry"},
        {"--lo", "option '--lo' is ambiguous; possibilities: '--long' '--loud'\nTry"},
        {"--lo=1", "option '--lo=1' is ambiguous; possibilities: '--long' '--loud'\nTry"},
        {"--quiet=1", "option '--quiet' doesn't allow an argument\nTry"},
        {"a --jo", "option '--jobs' requires an argument\nTry"},
        {"-z", "invalid option -- 'z'\nTry"},
        {"-qj", "option requires an argument -- 'j'\nTry"},
        {"--jobs 4097", "--jobs: \"4097\" is not a whole number from 1 to 4096\n"},
        {"--split 1", "--split: \"1\" is not a whole number from 2 to 9\n"},
        {"--split 3x", "--split: \"3x\" is not a whole number from 2 to 9\n"},
        {"--margin 0.4", "--margin: \"0.4\" is not a number from 0.5\n"},
        {"--margin nan", "--margin: \"nan\" is not a number from 0.5\n"},
        {"--long a --long b", "--long is given twice, with \"a\" and \"b\"; give it once\n"},
        {"-x 0 -x 1", "-x is given twice, with \"0\" and \"1\"; give it once\n"},
        {"--pair mu", "--pair: \"mu\" is not NAME=VALUE\n"},
        {"--object rbf,mu", "--object: \"mu\" is not NAME=VALUE\n"},
        {"--numbers 1,31", "--numbers: \"1,31\" is not a list of numbers; allowed: numbers from 1 to 30"},
        {"--shard 0/3", "--shard: \"0/3\" is not K/N with 1 <= K <= N <= 100\n"},
        {"--shard 4/3", "--shard: \"4/3\" is not K/N"},
        {"--shard 1/101", "--shard: \"1/101\" is not K/N"},
        {"--shard 1/+3", "--shard: \"1/+3\" is not K/N"},
        {"-b 1", "-b: \"1\" is not supported; hullbench does not estimate probabilities"},
        {"a b c", "expected a file; \"c\" is one argument too many\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[1000], expected[200];
        assert_int_equal(parse_in_child(cases[i][0], text, sizeof text), 2);
        snprintf(expected, sizeof expected, "tool verb: %s", cases[i][1]);
        assert_int_equal(strncmp(text, expected, strlen(expected)), 0);
    }
}

static void help_names_every_option_that_is_not_hidden(void **state)
{
    (void)state;
    static const char *const parts[] = {
        "Usage: tool verb [OPTION...] FILE\n  or:  tool verb [OPTION...] [OTHER...]\nDoes something.\n\n",
        "\n  -q, --quiet                Print nothing\n", "\n  -j, --jobs=N               Number",
        "\n Heading of others:\n",
        "\n      --long=TEXT            A text that is long enough to be continued on a\n       ",
        "\n                             second line of the help\n", "\n  -x 0|1                     Only a letter\n",
        "\n      --plugin=FILE ", "\n      --help ", "\n\nNotes after the options.\n"};
    char text[4000];
    assert_int_equal(parse_in_child("--help", text, sizeof text), 0);
    assert_null(strstr(text, "hidden"));
    for (size_t p = 0; p < sizeof parts / sizeof *parts; p++)
        assert_non_null(strstr(text, parts[p]));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(command_lines_are_parsed),
        cmocka_unit_test(bad_use_is_reported_and_ends_the_program),
        cmocka_unit_test(help_names_every_option_that_is_not_hidden),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
