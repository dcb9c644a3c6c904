/*
 * A terminal: lines that fit its width, a few colours, and one line of progress at the bottom. A stream that is no
 * terminal gets the same text in whole lines and without colours, so that files and pipes lose nothing.
 */
#ifndef HULLBENCH_TERMINAL_H
#define HULLBENCH_TERMINAL_H

#include <stddef.h>
#include <stdio.h>

/* The columns of the terminal that the stream writes to: $COLUMNS if that is at least 20, else what the system says, or
 * 80. 0: the stream is no terminal. */
size_t terminal_width(FILE *stream);

/* Colours (ECMA-48, SGR) around a part of a text for terminal_print. */
#define TERMINAL_BAD "\033[31m"
#define TERMINAL_GOOD "\033[32m"
#define TERMINAL_DOUBT "\033[33m"
#define TERMINAL_STRONG "\033[1m"
#define TERMINAL_END "\033[0m"

/* Whether it is a terminal that understands control sequences: $TERM is set, and not "dumb". And whether it also gets
 * colours: $NO_COLOR is not set, or empty (no-color.org). */
int terminal_has_control(FILE *stream);
int terminal_has_colour(FILE *stream);

/* The columns that the first `bytes` of a text take: characters without those of colours. */
size_t terminal_columns(const char *text, size_t bytes);
/* The bytes of the first line of a text, at most `width` columns if it can be broken at a blank; *next is the rest,
 * NULL at the end. */
size_t terminal_line_of(const char *text, size_t width, const char **next);

/* Prints lines. A terminal gets those that are too long in parts, of which the later ones are indented by 4 more. */
void terminal_print(FILE *stream, const char *text);
void terminal_printf(FILE *stream, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Prints a text up to its line end, and a line end, at whatever it is printed to in lines of at most 79 columns, fewer
 * on a narrower terminal: the first begins at `column`, where the stream is, the others at `indent`. */
void terminal_print_column(FILE *stream, const char *text, size_t column, size_t indent);
/* Prints one line and its end. A terminal gets what fits, without a part of a number, and "…" if that is not all. */
void terminal_print_cut(FILE *stream, const char *line);
/* Prints a command of the shell and its end after `lead`. A terminal for which the line is too long gets a line for
 * each option; all of them together are the command. */
void terminal_print_command(FILE *stream, const char *lead, const char *command);

/* Shows the line at the bottom of the terminal that is standard error, cut to its width, until the next one or
 * terminal_clear, which an error that ends the program calls as well. Any thread may call both. */
void terminal_show(const char *line);
void terminal_clear(void);

/* ---- how far a long work is, for that line ---- */

/* Times are by clock_now. */
struct work_progress {
    const char *what;   /* is at work, such as "banana 3, mu-gsk"; of several, the one that began first; NULL: none */
    double since;       /* when it began */
    double started;     /* when the work began */
    size_t done, total; /* items of the work; done includes those of earlier starts; total 0: unknown */
    const char *unit;   /* of them, such as "MB"; NULL: they are counted */
    double left;        /* estimated seconds from now on; negative: unknown */
};

/* Is called when an item begins or ends; NULL: the work has ended. The text of the struct is the caller's. Calls do not
 * overlap. */
typedef void progress_report(void *context, const struct work_progress *progress);

#endif
