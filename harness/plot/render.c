/*
 * A figure's pictures. gnuplot is started directly, not through a shell, with the user's own start-up files switched
 * off: they must not change a figure. What it writes into an SVG as title and description is replaced by the figure's
 * heading and caption, for readers who do not see it.
 */
#define _GNU_SOURCE /* posix_spawn_file_actions_addchdir_np */
#include "harness/plot/render.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/file.h"

extern char **environ;

const char *const plot_pictures[PLOT_PICTURES] = {".svg", ".png", ".pdf"};

/* Starts gnuplot with both its outputs in the pipe; returns 0 or an errno. */
static int start_gnuplot(const char *folder, const char *name, int write_end, pid_t *child)
{
    char program[] = "gnuplot", plain[] = "-d"; /* -d: no start-up files */
    size_t length = strlen(name) + sizeof ".gp";
    char *script = malloc(length);
    posix_spawn_file_actions_t actions;
    if (!script || posix_spawn_file_actions_init(&actions) != 0) {
        free(script);
        return ENOMEM;
    }
    snprintf(script, length, "%s.gp", name);
    char *arguments[] = {program, plain, script, NULL};
    int reason = posix_spawn_file_actions_addchdir_np(&actions, folder);
    if (!reason)
        reason = posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    if (!reason)
        reason = posix_spawn_file_actions_adddup2(&actions, write_end, STDOUT_FILENO);
    if (!reason)
        reason = posix_spawn_file_actions_adddup2(&actions, write_end, STDERR_FILENO);
    if (!reason)
        reason = posix_spawnp(child, program, &actions, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    free(script);
    return reason;
}

/* Keeps the first size - 1 bytes and drains the rest, so that gnuplot never waits on a full pipe. */
static void drain(int read_end, char *said, size_t size)
{
    char block[512];
    size_t used = 0;
    for (;;) {
        ssize_t got = read(read_end, block, sizeof block);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            break;
        size_t keep = (size_t)got < size - 1 - used ? (size_t)got : size - 1 - used;
        memcpy(said + used, block, keep);
        used += keep;
    }
    said[used] = '\0';
}

/* gnuplot quotes the offending line over several lines; an error message has one. */
static void one_line(const char *said, char *line, size_t size)
{
    size_t used = 0;
    for (; *said && used + 1 < size; said++) {
        char c = isspace((unsigned char)*said) ? ' ' : *said;
        if (c != ' ' || (used > 0 && line[used - 1] != ' '))
            line[used++] = c;
    }
    line[used] = '\0';
}

/* Prints the string that the program assigns to the variable, as XML text with its lines joined. */
static void print_assigned(FILE *stream, const char *program, const char *variable)
{
    char lead[40];
    snprintf(lead, sizeof lead, "\n%s = \"", variable);
    const char *at = strstr(program, lead);
    for (at = at ? at + strlen(lead) : ""; *at && *at != '"' && *at != '\n'; at++) {
        if (*at == '\\' && at[1])
            at++;
        if (*at == 'n' && at[-1] == '\\')
            fputc(' ', stream);
        else if (*at == '&' || *at == '<' || *at == '>')
            fprintf(stream, "&#%d;", *at);
        else
            fputc(*at, stream);
    }
}

static enum status write_described(const char *path, const char *svg, const char *program, struct error *error)
{
    static const char title[] = "<title>", end_of_description[] = "</desc>";
    struct outfile out;
    const char *from = strstr(svg, title), *to = from ? strstr(from, end_of_description) : NULL;
    if (!to) /* another gnuplot, whose files have no such words: as well */
        return STATUS_OK;
    enum status status = outfile_open(&out, path, error);
    if (status != STATUS_OK)
        return status;
    fwrite(svg, 1, (size_t)(from - svg) + strlen(title), out.stream);
    print_assigned(out.stream, program, "heading");
    fputs("</title>\n<desc>", out.stream);
    print_assigned(out.stream, program, "caption");
    fputs(to, out.stream);
    return outfile_commit(&out, error);
}

static enum status describe_svg(const char *folder, const char *name, struct error *error)
{
    char path[PATH_MAX], *program = NULL, *svg = NULL;
    snprintf(path, sizeof path, "%s/%s.gp", folder, name);
    enum status status = file_read(path, &program, NULL, error);
    snprintf(path, sizeof path, "%s/%s.svg", folder, name);
    if (status == STATUS_OK)
        status = file_read(path, &svg, NULL, error);
    if (status == STATUS_OK)
        status = write_described(path, svg, program, error);
    free(program);
    free(svg);
    return status;
}

enum status plot_render(const char *folder, const char *name, char *said, size_t size, struct error *error)
{
    int ends[2], how = 0;
    pid_t child = 0;
    char line[400];
    said[0] = '\0';
    if (pipe(ends) != 0)
        return error_set(error, STATUS_IO, "%s/%s.gp: no pipe for gnuplot: %s", folder, name, strerror(errno));
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    int reason = start_gnuplot(folder, name, ends[1], &child);
    close(ends[1]);
    if (reason == ENOENT && access(folder, X_OK) == 0) {
        close(ends[0]);
        return error_set(error, STATUS_NOT_FOUND,
                         "gnuplot is not installed (Debian package gnuplot-nox); %s/%s.gp and .dat are written", folder,
                         name);
    }
    if (reason) {
        close(ends[0]);
        return error_set(error, STATUS_IO, "%s/%s.gp: gnuplot cannot be started: %s", folder, name, strerror(reason));
    }
    drain(ends[0], said, size);
    close(ends[0]);
    while (waitpid(child, &how, 0) < 0 && errno == EINTR)
        ;
    if (WIFEXITED(how) && WEXITSTATUS(how) == 0)
        return describe_svg(folder, name, error);
    one_line(said, line, sizeof line);
    return error_set(error, STATUS_IO, "%s/%s.gp: gnuplot failed: %s", folder, name, *line ? line : "no message");
}
