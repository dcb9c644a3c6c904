/*
 * A figure's pictures. gnuplot is started directly, not through a shell, and without the user's start-up files, which
 * must not change a figure. It writes to names that it takes from the program, follows links there, and may be killed.
 * It therefore works in a new folder, from which complete pictures are moved to their place.
 */
#include "harness/figure/render.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/support/file.h"
#include "harness/base/platform.h"
#include "solvers/visible_text.h"

const char *const plot_pictures[PLOT_PICTURES] = {".svg", ".png", ".pdf"};

/* Starts gnuplot in a folder inside that of its program and data, with stdout and stderr in the file; returns 0 or an
 * errno. */
static int start_gnuplot(struct pool *pool, const char *folder, const char *name, int output, pid_t *child)
{
    char program[] = "gnuplot", plain[] = "-d"; /* -d: no start-up files */
    char first[] = "-e", data[] = "set loadpath '..'";
    if (setenv("LC_ALL", "C.UTF-8", 1) != 0) /* its UTF-8 needs such a locale, and its figures must not differ */
        return errno;
    char *arguments[] = {program, plain, first, data, pool_printf(pool, "../%s.gp", name), NULL};
    return platform_start(folder, arguments, output, child);
}

/* Reduces gnuplot's output to one line, as visible_text shows it: gnuplot quotes the offending line over several. A
 * line that does not fit ends after a whole word, with "...". */
static void one_line(const char *gnuplot_output, char line[PLOT_LINE_SIZE])
{
    static const char more[] = " ...";
    char *words = xstrdup(gnuplot_output), *to = words;
    for (const char *at = gnuplot_output; *at; at++)
        if (!isspace((unsigned char)*at))
            *to++ = *at;
        else if (to > words && to[-1] != ' ')
            *to++ = ' ';
    *to = '\0';
    size_t end = strlen(visible_text(words, line, PLOT_LINE_SIZE));
    free(words);
    if (end + VISIBLE_SIZE <= PLOT_LINE_SIZE)
        return;
    for (end = PLOT_LINE_SIZE - sizeof more; end > 0 && line[end] != ' ';)
        end--;
    strcpy(line + end, more);
}

/* Moves a complete picture, once it is on the disk; replaces an earlier one. */
static void move_picture(struct pool *pool, const char *from, const char *folder, const char *name)
{
    const char *source = pool_printf(pool, "%s/%s", from, name), *target = pool_printf(pool, "%s/%s", folder, name);
    const int file = open(source, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    named_path_check(target);
    if (file < 0 || fsync(file) != 0 || rename(source, target) != 0)
        die(STATUS_IO, "%s: cannot be written: %s", target, strerror(errno));
    close(file);
}

static int is_visible(const char *name)
{
    return *name != '.';
}

static void move_pictures(const char *from, const char *folder)
{
    struct pool *pool = pool_new();
    const struct string_list names = folder_list(pool, from, is_visible, STATUS_IO);
    for (size_t i = 0; i < names.count; i++)
        move_picture(pool, from, folder, names.line[i]);
    pool_free(pool);
    file_sync_name(from);
}

/* The same as render, with the pictures in the folder `drawn` inside `folder`. */
static void draw(const char *folder, const char *name, const char *drawn, char line[PLOT_LINE_SIZE])
{
    int how = 0;
    pid_t child = 0;
    struct pool *pool = pool_new();
    const char *path = pool_printf(pool, "%s/.output", drawn);
    const int output = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    int reason = output < 0 ? errno : start_gnuplot(pool, drawn, name, output, &child);
    if (output >= 0)
        close(output);
    if (reason == ENOENT && access(drawn, X_OK) == 0)
        die(STATUS_NOT_FOUND, "gnuplot is not installed (Debian package gnuplot-nox); %s/%s.gp and .dat are written",
            folder, name);
    if (reason)
        die(STATUS_IO, "%s/%s.gp: cannot start gnuplot: %s", folder, name, strerror(reason));
    while (waitpid(child, &how, 0) < 0 && errno == EINTR)
        ;
    size_t size = 0;
    one_line(file_read(pool, path, &size), line);
    pool_free(pool);
    if (WIFSIGNALED(how))
        die(STATUS_IO, "%s/%s.gp: gnuplot was ended by signal %d (%s)%s%s", folder, name, WTERMSIG(how),
            strsignal(WTERMSIG(how)), *line ? ": " : "", line);
    if (!WIFEXITED(how) || WEXITSTATUS(how) != 0)
        die(STATUS_IO, "%s/%s.gp: gnuplot failed: %s", folder, name, *line ? line : "no message");
}

struct picture {
    const char *folder, *name;
    char *line;
};

static void render(void *data)
{
    const struct picture *picture = data;
    struct temporary_folder drawn;
    named_path_check(picture->folder);
    temporary_folder_make(&drawn, picture->folder);
    draw(picture->folder, picture->name, drawn.path, picture->line);
    move_pictures(drawn.path, picture->folder);
    temporary_folder_remove(&drawn);
}

enum status plot_render(const char *folder, const char *name, char line[PLOT_LINE_SIZE], struct error *error)
{
    char unread[PLOT_LINE_SIZE];
    struct picture picture = {folder, name, line ? line : unread};
    *picture.line = '\0';
    return attempt(render, &picture, error);
}

void figure_sink_put(struct figure_sink *sink, struct plot_figure *figure, const char *folder)
{
    struct error error;
    plot_figure_write(figure, folder, &figure_style_screen);
    if (!sink->no_render && plot_render(folder, figure->name, NULL, &error) != STATUS_OK && !sink->cause.status)
        sink->cause = error;
    pool_free(figure->pool);
}

void figure_sink_end(const struct figure_sink *sink)
{
    if (sink->cause.status)
        die(STATUS_IO, "pictures were not drawn; all other output is complete: %.900s", sink->cause.message);
}
