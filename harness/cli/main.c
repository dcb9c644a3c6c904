/* hullbench: runs a verb with its arguments. */
#include <fcntl.h>
#include <gsl/gsl_errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/cli/cli.h"
#include "harness/base/platform.h"
#include "solvers/unknown_name.h"
#include "solvers/visible_text.h"

static const struct cli_verb *const verbs[] = {
    &verb_run, &verb_list, &verb_solve, &verb_predict, &verb_judge, &verb_tables, &verb_conform,
    &verb_compare, &verb_atlas, &verb_plot, &verb_check, &verb_trend, &verb_replay, &verb_bundle, &verb_merge,
    &verb_tune, &verb_new_solver, &verb_verify, &verb_report, &verb_export,
};
enum { VERBS = sizeof verbs / sizeof *verbs };

static void usage(FILE *stream)
{
    fputs("Usage: hullbench VERB [OPTION...]\n"
          "Benchmarks support vector and nearest-point solvers by iterations and counted\nkernel operations.\n"
          "\n",
          stream);
    for (size_t v = 0; v < VERBS; v++)
        fprintf(stream, "  %-10s %s\n", verbs[v]->name, verbs[v]->title);
    fputs("\n"
          "`hullbench VERB --help` lists the options of a verb.\n"
          "Exit status: 0 success, 1 a check found a difference, 2 wrong usage or bad\n"
          "input, 3 nothing was measured, 4 system error (out of memory, a file cannot be\nwritten).\n",
          stream);
}

static int program(int argc, char **argv)
{
    if (argc < 2) {
        usage(stderr);
        return EXIT_BAD_USE;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 || strcmp(argv[1], "help") == 0) {
        usage(stdout);
        return cli_flushed(EXIT_OK);
    }
    if (strcmp(argv[1], "--version") == 0 || strcmp(argv[1], "-V") == 0) {
        puts("hullbench " HULLBENCH_VERSION);
        return cli_flushed(EXIT_OK);
    }
    for (size_t v = 0; v < VERBS; v++) {
        if (strcmp(argv[1], verbs[v]->name) != 0)
            continue;
        char name[32];
        snprintf(name, sizeof name, "hullbench %s", argv[1]);
        argv[1] = name;
        return cli_flushed(cli_run(verbs[v], argc - 1, argv + 1));
    }
    const char *names[VERBS + 1] = {NULL};
    for (size_t v = 0; v < VERBS; v++)
        names[v] = verbs[v]->name;
    die(STATUS_BAD_INPUT, "%s", unknown_name_text("verb", argv[1], names, message_room(), MESSAGE_ROOM));
}

/* If standard output is closed, a newly opened file would get its number, and printed text would go into it. An
 * unwritable descriptor takes the number, so that printing fails as before. */
static void occupy_closed_streams(void)
{
    for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; stream++)
        if (fcntl(stream, F_GETFD) < 0 && open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY) < 0)
            _exit(EXIT_SYSTEM);
}

/* libgomp exits if it cannot create threads, with the status that means "a difference was found" here. A plugin may
 * exit with a status that means success. */
static void end_of_a_library(int status, void *own)
{
    if (*(const int *)own)
        return;
    if (status != EXIT_SYSTEM && plugin_called_exit()) /* EXIT_SYSTEM: out of memory has been reported */
        _exit(EXIT_BAD_USE);
    if (status == EXIT_FAILURE)
        _exit(EXIT_SYSTEM);
}

/* Links in the words of the command line, and in the values of options, are followed. A word with a control character
 * could act on the terminal that a message or a file with it is shown on. */
static void note_words(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        const char *word = argv[i], *value = strncmp(word, "--", 2) == 0 ? strchr(word, '=') : NULL;
        if (text_has_control(word, "\t\n\r"))
            die(STATUS_BAD_INPUT, "argument %d contains a control character: \"%.200s\"", i, word);
        named_path_add(value ? value + 1 : word[0] == '-' && word[1] ? word + 2 : word);
    }
}

int main(int argc, char **argv)
{
    int own = 0; /* set once main() returns normally */
    occupy_closed_streams();
    gsl_set_error_handler_off();
    signal(SIGXFSZ, SIG_IGN); /* write() then fails, and the error is reported */
    platform_on_exit(end_of_a_library, &own);
    note_words(argc, argv);
    const int status = program(argc, argv);
    own = 1;
    exit(status);
}
