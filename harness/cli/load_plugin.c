/*
 * Loads a plugin: hashes and opens the file, looks up its one symbol, and checks the ABI before anything else.
 *
 * Reports a crash in a plugin. A signal handler may call write and little else (POSIX.1-2008, System Interfaces,
 * 2.4.3), and the memory may be damaged, so the line is assembled on the stack. After a stack overflow there is no
 * space for it, and no line.
 */

#include <dlfcn.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/cli/cli.h"
#include "harness/evaluate/running.h"
#include "harness/evaluate/stopping.h"
#include "harness/programs/program.h"
#include "solvers/plugin.h"

/* ---- crashes ---- */

enum { LINE_SIZE = 1024 };

static volatile sig_atomic_t resumes;

struct line {
    char text[LINE_SIZE];
    size_t length;
};

/* Adds texts up to a NULL. */
static void add_texts(struct line *line, const char *text, ...)
{
    va_list rest;
    va_start(rest, text);
    for (; text; text = va_arg(rest, const char *))
        while (*text && line->length + 1 < LINE_SIZE)
            line->text[line->length++] = *text++;
    va_end(rest);
}
#define add(line, ...) add_texts(line, __VA_ARGS__, (const char *)NULL)

static const char *name_of(int signal)
{
    return signal == SIGSEGV  ? "SIGSEGV"
           : signal == SIGBUS ? "SIGBUS"
           : signal == SIGFPE ? "SIGFPE"
           : signal == SIGILL ? "SIGILL"
                              : "SIGABRT";
}

/* Adds a part that may be at fault; the message cannot know which of several is. */
static void add_part(struct line *line, const char *what, const struct running_part *part)
{
    add(line, what, part->name, part->file ? " of plugin " : "", part->file ? part->file : "");
}

static void add_running(struct line *line, const struct running *running, const char *by)
{
    char digits[24] = "", *at = digits + sizeof digits - 1;
    add(line, "hullbench:");
    if (running->solver.name)
        add_part(line, " solver ", &running->solver);
    if (running->kernel.file)
        add_part(line, running->solver.name ? " with kernel " : " kernel ", &running->kernel);
    if (running->rule.file)
        add_part(line, " with stopping rule ", &running->rule);
    for (size_t number = running->split; number > 0; number /= 10)
        *--at = (char)('0' + number % 10);
    add(line, " ended the program by ", by, " on ", running->dataset, *at ? ", split " : "", at);
    if (running->solver.file)
        add(line, "; try: hullbench verify ", running->solver.name, " --plugin ", running->solver.file);
    add(line, resumes ? "; finished records are kept, and the same command resumes the run\n" : "\n");
}

/* Reports a plugin's part that runs on this thread; zero if there is none. */
static int tell(const char *by)
{
    const struct running *running = running_now();
    struct line line = {.length = 0};
    if (running->loading)
        add(&line, "hullbench: plugin ", running->loading, " ended the program by ", by,
            " while hullbench loaded it\n");
    else if (running->solver.file || running->kernel.file || running->rule.file)
        add_running(&line, running, by);
    if (write(STDERR_FILENO, line.text, line.length) < 0) {
        /* standard error is closed */
    }
    return line.length > 0;
}

int plugin_called_exit(void)
{
    return tell("a call to exit");
}

static void on_crash(int number)
{
    signal(number, SIG_DFL);
    (void)tell(name_of(number));
    raise(number);
}

void plugin_crash_may_resume(void)
{
    resumes = 1;
}

static void watch_crashes(void)
{
    static const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
    struct sigaction action = {.sa_handler = on_crash, .sa_flags = (int)SA_RESETHAND};
    sigemptyset(&action.sa_mask);
    for (size_t k = 0; k < sizeof signals / sizeof *signals; k++)
        sigaction(signals[k], &action, NULL);
}

/* ---- loading ---- */

static const unsigned layout[] = {HULLBENCH_LAYOUT(HULLBENCH_LAYOUT_NUMBER)};
static const char *const labels[] = {HULLBENCH_LAYOUT(HULLBENCH_LAYOUT_LABEL)};

static void check_equal(const char *file, const char *what, unsigned compiled, unsigned here)
{
    if (compiled != here)
        die(STATUS_BAD_INPUT,
            "%s: compiled with headers where %s is %u; in this program it is %u; compile it again with the headers of "
            "this program",
            file, what, compiled, here);
}

static void check_abi(const struct hullbench_plugin *plugin, const char *file)
{
    check_equal(file, "the version of the plugin ABI", plugin->abi, HULLBENCH_ABI);
    check_equal(file, "the number of layout numbers", plugin->layouts, HULLBENCH_LAYOUTS);
    for (unsigned i = 0; i < HULLBENCH_LAYOUTS; i++)
        check_equal(file, labels[i], plugin->layout[i], layout[i]);
    if (!(plugin->solvers && *plugin->solvers) && !(plugin->kernels && *plugin->kernels) &&
        !(plugin->stopping_rules && *plugin->stopping_rules))
        die(STATUS_BAD_INPUT, "%s: the plugin has neither solvers nor kernels nor stopping rules", file);
}

/* Registers everything that the plugin lists, or nothing. Rules come before solvers, which may refer to one. */
static enum status add_lists(const struct hullbench_plugin *plugin, const struct solver_origin *origin,
                             struct error *error)
{
    const char *built_in[STOP_RULES + 1] = {NULL};
    for (unsigned r = 0; r < STOP_RULES; r++)
        built_in[r] = stop_rule_name((enum stop_rule)r);
    enum status status = plugin->kernels ? kernel_families_add(plugin->kernels, origin, error) : STATUS_OK;
    if (status == STATUS_OK && plugin->stopping_rules)
        status = stopping_rules_add(plugin->stopping_rules, built_in, origin, error);
    if (status == STATUS_OK && plugin->solvers)
        status = solvers_add(plugin->solvers, origin, error);
    if (status != STATUS_OK) {
        kernel_families_remove(origin);
        stopping_rules_remove(origin);
    }
    return status;
}

/* The object, or the loader's message, which begins with the path if it is about the file. It is never closed. */
static const struct hullbench_plugin *open_plugin(const char *file)
{
    char *path = strchr(file, '/') ? xstrdup(file) : xasprintf("./%s", file);
    const struct running before = running_load(file);
    void *object = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    running_back(&before);
    const char *said = object ? NULL : dlerror();
    const size_t length = strlen(file);
    if (said && strncmp(said, file, length) == 0 && said[length] == ':')
        said += length + 1;
    if (!object)
        die(STATUS_BAD_INPUT, "%s: %s", file, said ? said + strspn(said, " ") : "cannot be loaded");
    const struct hullbench_plugin *plugin = dlsym(object, "hullbench_plugin");
    if (!plugin) {
        dlclose(object);
        die(STATUS_BAD_INPUT,
            "%s: not a plugin: the symbol hullbench_plugin is missing (HULLBENCH_PLUGIN defines it)", file);
    }
    free(path);
    return plugin;
}

void load_plugin(const char *file)
{
    struct solver_origin *origin = xcalloc(1, sizeof *origin);
    struct error error = {0};
    file_check_exists(file); /* a plugin requested by name must exist */
    file_sha256(file, origin->sha256, NULL);
    origin->file = xstrdup(file);
    if (program_is_declaration(file)) {
        program_load(origin);
        return;
    }
    watch_crashes();
    const struct hullbench_plugin *plugin = open_plugin(file);
    check_abi(plugin, file);
    const struct running before = running_load(file);
    const enum status status = add_lists(plugin, origin, &error);
    running_back(&before);
    die_unless_ok(status, &error);
    watch_crashes(); /* a constructor may have installed handlers */
}
