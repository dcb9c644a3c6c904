/*
 * Reports a crash in a plugin. A signal handler may call write and little else (POSIX.1-2008, System Interfaces,
 * 2.4.3), and the memory may be damaged, so the line is assembled on the stack. After a stack overflow there is no
 * space for it, and no line.
 */
#include "harness/cli/crash.h"

#include <signal.h>
#include <unistd.h>

#include "harness/evaluate/running.h"

enum { LINE_SIZE = 1024 };

static volatile sig_atomic_t resumes;

struct line {
    char text[LINE_SIZE];
    size_t length;
};

static void add(struct line *line, const char *text)
{
    while (*text && line->length + 1 < LINE_SIZE)
        line->text[line->length++] = *text++;
}

static void add_number(struct line *line, size_t number)
{
    char digits[24];
    size_t at = sizeof digits - 1;
    digits[at] = '\0';
    do
        digits[--at] = (char)('0' + number % 10);
    while (number /= 10);
    add(line, digits + at);
}

static const char *name_of(int signal)
{
    switch (signal) {
    case SIGSEGV:
        return "SIGSEGV";
    case SIGBUS:
        return "SIGBUS";
    case SIGFPE:
        return "SIGFPE";
    case SIGILL:
        return "SIGILL";
    default:
        return "SIGABRT";
    }
}

/* Adds a part that may be at fault; the message cannot know which of several is. */
static void add_part(struct line *line, const char *what, const struct running_part *part, int is_shown)
{
    if (!is_shown)
        return;
    add(line, what);
    add(line, part->name);
    if (part->file) {
        add(line, " of plugin ");
        add(line, part->file);
    }
}

static void add_loading(struct line *line, const struct running *running, const char *by)
{
    add(line, "hullbench: plugin ");
    add(line, running->loading);
    add(line, " ended the program by ");
    add(line, by);
    add(line, " while hullbench loaded it\n");
}

static void add_running(struct line *line, const struct running *running, const char *by)
{
    add(line, "hullbench:");
    add_part(line, " solver ", &running->solver, running->solver.name != NULL);
    add_part(line, running->solver.name ? " with kernel " : " kernel ", &running->kernel,
             running->kernel.file != NULL);
    add_part(line, " with stopping rule ", &running->rule, running->rule.file != NULL);
    add(line, " ended the program by ");
    add(line, by);
    add(line, " on ");
    add(line, running->dataset);
    if (running->split) {
        add(line, ", split ");
        add_number(line, running->split);
    }
    if (running->solver.file) {
        add(line, "; try: hullbench verify ");
        add(line, running->solver.name);
        add(line, " --plugin ");
        add(line, running->solver.file);
    }
    add(line, resumes ? "; finished records are kept, and the same command resumes the run\n" : "\n");
}

/* Reports a plugin's part that runs on this thread; zero if there is none. */
static int tell(const char *by)
{
    const struct running *running = running_now();
    struct line line = {.length = 0};
    if (running->loading)
        add_loading(&line, running, by);
    else if (running->solver.file || running->kernel.file || running->rule.file)
        add_running(&line, running, by);
    if (write(STDERR_FILENO, line.text, line.length) < 0) {
        /* standard error is closed */
    }
    return line.length > 0;
}

int crash_is_exit_of_plugin(void)
{
    return tell("a call to exit");
}

static void on_crash(int number)
{
    signal(number, SIG_DFL);
    (void)tell(name_of(number));
    raise(number);
}

void crash_may_resume(void)
{
    resumes = 1;
}

void crash_watch(void)
{
    static const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
    struct sigaction action = {.sa_handler = on_crash, .sa_flags = (int)SA_RESETHAND};
    sigemptyset(&action.sa_mask);
    for (size_t k = 0; k < sizeof signals / sizeof *signals; k++)
        sigaction(signals[k], &action, NULL);
}
