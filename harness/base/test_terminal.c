/* What a pseudo-terminal gets, and what a file. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include "harness/base/terminal.h"
#include "tests/pseudo_terminal.h"

enum { SIZE = 2000 };

/* A terminal of 30 columns; with the environment that a user has, but for the names that a test sets. */
struct bench {
    struct pseudo_terminal pair;
    FILE *terminal, *file;
    char text[SIZE];
};

static int open_bench(void **state)
{
    static struct bench bench;
    struct winsize size = {.ws_row = 24, .ws_col = 30};
    struct termios modes;
    if (pseudo_terminal_open(&bench.pair) != 0)
        return -1;
    const int slave = bench.pair.slave;
    bench.terminal = fdopen(slave, "w");
    bench.file = tmpfile();
    if (!bench.terminal || !bench.file || ioctl(slave, TIOCSWINSZ, &size) != 0 || tcgetattr(slave, &modes) != 0)
        return -1;
    modes.c_oflag &= ~(tcflag_t)OPOST; /* a newline stays one */
    tcsetattr(slave, TCSANOW, &modes);
    setenv("TERM", "xterm", 1);
    unsetenv("COLUMNS");
    unsetenv("NO_COLOR");
    *state = &bench;
    return 0;
}

static int close_bench(void **state)
{
    struct bench *bench = *state;
    fclose(bench->terminal);
    fclose(bench->file);
    close(bench->pair.master);
    return 0;
}

/* What the terminal got since the last call. */
static const char *shown(struct bench *bench)
{
    fflush(bench->terminal);
    return pseudo_terminal_shown(&bench->pair, bench->text, SIZE);
}

/* What the file got since the last call. */
static const char *written(struct bench *bench)
{
    rewind(bench->file);
    bench->text[fread(bench->text, 1, SIZE - 1, bench->file)] = '\0';
    rewind(bench->file);
    if (ftruncate(fileno(bench->file), 0) != 0)
        fail();
    return bench->text;
}

static void a_long_line_is_broken_between_words_and_goes_on_further_right(void **state)
{
    struct bench *bench = *state;
    static const char text[] = "  one two three four five six seven eight\nshort\n\nend";
    terminal_print(bench->terminal, text);
    assert_string_equal(shown(bench), "  one two three four five six\n      seven eight\nshort\n\nend");
    terminal_print(bench->terminal, "a-word-that-is-wider-than-thirty-columns and b\n");
    assert_string_equal(shown(bench), "a-word-that-is-wider-than-thirty-columns\n    and b\n");
    terminal_print(bench->terminal, "äöü äöü äöü äöü äöü äöü äöü äöü\n"); /* 31 columns */
    assert_string_equal(shown(bench), "äöü äöü äöü äöü äöü äöü äöü\n    äöü\n");
    terminal_print(bench->file, text);
    assert_string_equal(written(bench), text);
}

static void a_column_of_text_is_broken_for_files_too_and_stays_15_columns_wide(void **state)
{
    struct bench *bench = *state;
    static const char text[] = "äöü äöü äöü äöü äöü äöü äöü\nnot this line";
    fputs("-x  ", bench->terminal);
    terminal_print_column(bench->terminal, text, 4, 8); /* 26 columns, and 22 */
    assert_string_equal(shown(bench), "-x  äöü äöü äöü äöü äöü äöü\n        äöü\n");
    terminal_print_column(bench->terminal, text, 29, 29);
    assert_string_equal(shown(bench), "äöü äöü äöü äöü\n                             äöü äöü äöü\n");
    terminal_print_column(bench->file, text, 53, 2); /* 26 columns to column 79 */
    assert_string_equal(written(bench), "äöü äöü äöü äöü äöü äöü\n  äöü\n");
    terminal_print_column(bench->file, text, 52, 2);
    assert_string_equal(written(bench), "äöü äöü äöü äöü äöü äöü äöü\n");
}

/* 30 columns and 9 bytes of colours: neither broken nor cut. */
static void colours_take_no_columns(void **state)
{
    struct bench *bench = *state;
    static const char text[] = TERMINAL_BAD "123456789" TERMINAL_END " 123456789 123456789A";
    terminal_print(bench->terminal, text);
    assert_string_equal(shown(bench), text);
    terminal_print_cut(bench->terminal, text);
    assert_int_equal(strlen(shown(bench)), strlen(text) + 1);
    assert_int_equal(terminal_columns(text, strlen(text)), 30);
}

static void colours_need_a_terminal_that_has_them_and_no_NO_COLOR(void **state)
{
    struct bench *bench = *state;
    static const char text[] = TERMINAL_GOOD "fine" TERMINAL_END "\n";
    static const struct {
        const char *name, *value;
    } without[] = {{"NO_COLOR", "1"}, {"TERM", "dumb"}, {"TERM", ""}, {"TERM", NULL}};
    terminal_print(bench->terminal, text);
    assert_string_equal(shown(bench), text);
    setenv("NO_COLOR", "", 1); /* as if it were not set */
    terminal_print(bench->terminal, text);
    assert_string_equal(shown(bench), text);
    terminal_print(bench->file, text);
    assert_string_equal(written(bench), "fine\n");
    for (size_t i = 0; i < sizeof without / sizeof *without; i++) {
        setenv("TERM", "xterm", 1);
        unsetenv("NO_COLOR");
        if (without[i].value)
            setenv(without[i].name, without[i].value, 1);
        else
            unsetenv(without[i].name);
        terminal_print(bench->terminal, text);
        assert_string_equal(shown(bench), "fine\n");
        assert_int_equal(terminal_has_control(bench->terminal), strcmp(without[i].name, "NO_COLOR") == 0);
    }
}

static void the_width_is_that_of_COLUMNS_or_of_the_system(void **state)
{
    struct bench *bench = *state;
    assert_int_equal(terminal_width(bench->terminal), 30);
    assert_int_equal(terminal_width(bench->file), 0);
    setenv("COLUMNS", "100", 1);
    assert_int_equal(terminal_width(bench->terminal), 100);
    assert_int_equal(terminal_width(bench->file), 0);
    setenv("COLUMNS", "many", 1);
    assert_int_equal(terminal_width(bench->terminal), 30);
    setenv("COLUMNS", "3", 1);
    assert_int_equal(terminal_width(bench->terminal), 30);
    struct winsize unknown = {0};
    ioctl(bench->pair.master, TIOCSWINSZ, &unknown);
    assert_int_equal(terminal_width(bench->terminal), 80);
}

static void a_cut_line_ends_in_no_part_of_a_number(void **state)
{
    struct bench *bench = *state;
    static const char number[] = "moved solver set 12  123456789012345",
                      word[] = "moved solver set 12  kernel_operations";
    terminal_print_cut(bench->terminal, number);
    assert_string_equal(shown(bench), "moved solver set 12  …\n");
    terminal_print_cut(bench->terminal, word);
    assert_string_equal(shown(bench), "moved solver set 12  kernel_o…\n");
    terminal_print_cut(bench->terminal, "short");
    assert_string_equal(shown(bench), "short\n");
    terminal_print_cut(bench->file, number);
    assert_string_equal(written(bench), "moved solver set 12  123456789012345\n");
}

static void a_long_command_stays_one_for_the_shell(void **state)
{
    struct bench *bench = *state;
    static const char command[] = "hullbench check 'a --b' --baseline 'c -d.json' -m WHY";
    terminal_print_command(bench->terminal, "Next: ", command);
    assert_string_equal(shown(bench), "Next: hullbench check 'a --b' \\\n    --baseline 'c -d.json' \\\n    -m WHY\n");
    terminal_print_command(bench->terminal, "Next: ", "ls -l");
    assert_string_equal(shown(bench), "Next: ls -l\n");
    terminal_print_command(bench->file, "Next: ", command);
    assert_string_equal(written(bench), "Next: hullbench check 'a --b' --baseline 'c -d.json' -m WHY\n");
}

/* The last column stays free, since some terminals begin a line after it. */
static void the_line_at_the_bottom_is_cut_drawn_again_and_cleared(void **state)
{
    struct bench *bench = *state;
    const int usual = dup(STDERR_FILENO);
    char text[SIZE];
    fflush(stderr);
    assert_true(usual >= 0 && dup2(fileno(bench->terminal), STDERR_FILENO) >= 0);
    terminal_clear(); /* nothing is shown */
    terminal_show("1/2");
    terminal_show("123456789 123456789 12345678äöü");
    terminal_clear();
    terminal_clear();
    snprintf(text, sizeof text, "%s", shown(bench));
    assert_true(dup2(usual, STDERR_FILENO) >= 0);
    close(usual);
    assert_string_equal(text, "\r1/2\033[K\r123456789 123456789 12345678ä\033[K\r\033[K");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_long_line_is_broken_between_words_and_goes_on_further_right, open_bench,
                                        close_bench),
        cmocka_unit_test_setup_teardown(a_column_of_text_is_broken_for_files_too_and_stays_15_columns_wide, open_bench,
                                        close_bench),
        cmocka_unit_test_setup_teardown(colours_take_no_columns, open_bench, close_bench),
        cmocka_unit_test_setup_teardown(colours_need_a_terminal_that_has_them_and_no_NO_COLOR, open_bench, close_bench),
        cmocka_unit_test_setup_teardown(the_width_is_that_of_COLUMNS_or_of_the_system, open_bench, close_bench),
        cmocka_unit_test_setup_teardown(a_cut_line_ends_in_no_part_of_a_number, open_bench, close_bench),
        cmocka_unit_test_setup_teardown(a_long_command_stays_one_for_the_shell, open_bench, close_bench),
        cmocka_unit_test_setup_teardown(the_line_at_the_bottom_is_cut_drawn_again_and_cleared, open_bench, close_bench),
    };
    return cmocka_run_group_tests_name("terminal", tests, NULL, NULL);
}
