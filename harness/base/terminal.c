/* Text for a terminal (terminal.h). */
#include "harness/base/terminal.h"

#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "harness/base/platform.h"
#include "harness/base/pool.h"

enum { LEAST_WIDTH = 20, USUAL_WIDTH = 80, TEXT_WIDTH = 79, LEAST_ROOM = 15, LATER_INDENT = 4 };

/* ---- what the terminal can do ---- */

size_t terminal_width(FILE *stream)
{
    const char *columns = getenv("COLUMNS");
    if (!isatty(fileno(stream)))
        return 0;
    const long chosen = columns ? strtol(columns, NULL, 10) : 0;
    const size_t width = chosen >= LEAST_WIDTH ? (size_t)chosen : platform_terminal_columns(fileno(stream));
    return width >= LEAST_WIDTH ? width : USUAL_WIDTH;
}

int terminal_has_control(FILE *stream)
{
    const char *type = getenv("TERM");
    return isatty(fileno(stream)) && type && *type && strcmp(type, "dumb") != 0;
}

int terminal_has_colour(FILE *stream)
{
    const char *no_colour = getenv("NO_COLOR");
    return terminal_has_control(stream) && !(no_colour && *no_colour);
}

/* ---- texts ---- */

/* The bytes of a colour that the text begins with, ESC [ ... m; else 0. */
static size_t colour_of(const char *text)
{
    return text[0] == '\033' && text[1] == '[' ? strcspn(text, "m") + 1 : 0;
}

size_t terminal_columns(const char *text, size_t bytes)
{
    size_t count = 0;
    for (size_t i = 0, colour; i < bytes; i += colour ? colour : 1) {
        colour = colour_of(text + i);
        count += !colour && ((unsigned char)text[i] & 0xc0) != 0x80; /* continuation bytes of UTF-8 are 10xxxxxx */
    }
    return count;
}

size_t terminal_line_of(const char *text, size_t width, const char **next)
{
    size_t fits = strspn(text, " ");
    fits += strcspn(text + fits, " \n");
    for (size_t end = fits; text[end] == ' ';) {
        end += strspn(text + end, " ");
        end += strcspn(text + end, " \n");
        if (terminal_columns(text, end) > width)
            break;
        fits = end;
    }
    const char *rest = text + fits + strspn(text + fits, " ");
    *next = *rest == '\n' ? rest + 1 : *rest ? rest : NULL;
    return fits;
}

static void put(FILE *stream, const char *text, size_t bytes, int has_colour)
{
    for (size_t i = 0, colour; i < bytes; i += colour ? colour : 1) {
        colour = colour_of(text + i);
        if (!colour || has_colour)
            fwrite(text + i, 1, colour ? colour : 1, stream);
    }
}

/* Prints a text up to its line end: the first line begins at `column`, those that it is broken into at `indent`. */
static void print_line(FILE *stream, const char *text, size_t width, size_t column, size_t indent)
{
    const char *end = text + strcspn(text, "\n"), *next = NULL;
    for (const char *at = text; at && at < end; at = next, column = indent) {
        if (at > text)
            fprintf(stream, "\n%*s", (int)indent, "");
        const size_t bytes = terminal_line_of(at, width > column + LEAST_ROOM ? width - column : LEAST_ROOM, &next);
        put(stream, at, bytes, terminal_has_colour(stream));
    }
}

void terminal_print(FILE *stream, const char *text)
{
    const size_t width = terminal_width(stream);
    for (size_t bytes; *text; text += bytes + (text[bytes] == '\n')) {
        bytes = strcspn(text, "\n");
        print_line(stream, text, width ? width : SIZE_MAX, 0, strspn(text, " ") + LATER_INDENT);
        fputs(text[bytes] ? "\n" : "", stream);
    }
}

void terminal_print_column(FILE *stream, const char *text, size_t column, size_t indent)
{
    const size_t width = terminal_width(stream);
    print_line(stream, text, width && width < TEXT_WIDTH ? width : TEXT_WIDTH, column, indent);
    fputc('\n', stream);
}

void terminal_printf(FILE *stream, const char *format, ...)
{
    struct pool *pool = pool_new();
    va_list arguments;
    va_start(arguments, format);
    terminal_print(stream, pool_vprintf(pool, format, arguments));
    va_end(arguments);
    pool_free(pool);
}

/* The bytes of the first columns. */
static size_t bytes_of(const char *text, size_t columns)
{
    size_t bytes = strlen(text);
    while (terminal_columns(text, bytes) > columns)
        bytes--;
    return bytes;
}

void terminal_print_cut(FILE *stream, const char *line)
{
    const size_t width = terminal_width(stream);
    const int is_cut = width && terminal_columns(line, strlen(line)) > width;
    size_t bytes = is_cut ? bytes_of(line, width - 1) : strlen(line), word = bytes;
    while (is_cut && word > 0 && line[word - 1] != ' ')
        word--;
    if (is_cut && strchr("+-0123456789", line[word]))
        bytes = word;
    put(stream, line, bytes, terminal_has_colour(stream));
    fputs(is_cut ? "…\n" : "\n", stream);
}

void terminal_print_command(FILE *stream, const char *lead, const char *command)
{
    const size_t width = terminal_width(stream),
                 needed = terminal_columns(lead, strlen(lead)) + terminal_columns(command, strlen(command));
    const int is_long = width && needed > width;
    int is_quoted = 0;
    fputs(lead, stream);
    for (const char *at = command; *at; at++) {
        is_quoted ^= *at == '\'';
        if (is_long && !is_quoted && at[0] == ' ' && at[1] == '-')
            fprintf(stream, " \\\n%*s", LATER_INDENT, "");
        else
            fputc(*at, stream);
    }
    fputc('\n', stream);
}

/* ---- the line at the bottom ---- */

static pthread_mutex_t drawing = PTHREAD_MUTEX_INITIALIZER;
static volatile sig_atomic_t is_shown;

static void write_all(const char *text, size_t size)
{
    for (ssize_t wrote; size > 0 && (wrote = write(STDERR_FILENO, text, size)) > 0; size -= (size_t)wrote)
        text += wrote;
}

void terminal_show(const char *line)
{
    static const char begin[] = "\r", end[] = "\033[K";
    const size_t width = terminal_width(stderr);
    const size_t bytes = width ? bytes_of(line, width - 1) : strlen(line); /* a full line makes the next begin below */
    pthread_mutex_lock(&drawing);
    write_all(begin, sizeof begin - 1);
    write_all(line, bytes);
    write_all(end, sizeof end - 1);
    is_shown = 1;
    pthread_mutex_unlock(&drawing);
}

/* The lock is not awaited for ever, since the copy of a process may have it from a thread that it lacks. */
void terminal_clear(void)
{
    static const char clear[] = "\r\033[K";
    const struct timespec pause = {.tv_nsec = 1000000};
    int is_locked = 0;
    if (!is_shown)
        return;
    for (int turn = 0; turn < 50 && !is_locked; turn++) {
        is_locked = pthread_mutex_trylock(&drawing) == 0;
        if (!is_locked)
            nanosleep(&pause, NULL);
    }
    if (is_shown)
        write_all(clear, sizeof clear - 1);
    is_shown = 0;
    if (is_locked)
        pthread_mutex_unlock(&drawing);
}
