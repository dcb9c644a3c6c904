/* The end of the program, or of an attempt, after an error. */
#include "harness/base/die.h"

#include <omp.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <unistd.h>

#include "harness/base/platform.h"
#include "harness/base/terminal.h"

/* An attempt under way. */
struct attempt {
    jmp_buf back;
    struct cleanup *noted; /* before it began */
    struct attempt *outer;
};

static _Thread_local struct attempt *innermost;
static _Thread_local struct cleanup *cleanups;
static _Thread_local struct error failure;

void cleanup_note(struct cleanup *cleanup, void (*undo)(void *data), void *data)
{
    *cleanup = (struct cleanup){undo, data, &cleanups, cleanups};
    if (cleanups)
        cleanups->at = &cleanup->outer;
    cleanups = cleanup;
}

void cleanup_cancel(struct cleanup *cleanup)
{
    if (!cleanup->at)
        return;
    *cleanup->at = cleanup->outer;
    if (cleanup->outer)
        cleanup->outer->at = cleanup->at;
    cleanup->at = NULL;
}

static void clean_to(const struct cleanup *noted)
{
    while (cleanups != noted) {
        struct cleanup *latest = cleanups;
        cleanup_cancel(latest);
        latest->undo(latest->data); /* may free the struct */
    }
}

static enum exit_status exit_status_of(enum status status)
{
    return status == STATUS_BAD_INPUT ? EXIT_BAD_USE : status == STATUS_NOT_FOUND ? EXIT_NO_DATA : EXIT_SYSTEM;
}

static _Noreturn void end(void)
{
    if (innermost) {
        clean_to(innermost->noted); /* while the frames that hold the cleanups live */
        longjmp(innermost->back, 1);
    }
    const int has_colour = terminal_has_colour(stderr);
    terminal_clear();
    fprintf(stderr, "%shullbench:%s %s\n", has_colour ? TERMINAL_BAD : "", has_colour ? TERMINAL_END : "",
            failure.message[0] ? failure.message : status_text(failure.status));
    if (omp_in_parallel() || !platform_is_first_thread())
        _exit((int)exit_status_of(failure.status));
    clean_to(NULL);
    exit((int)exit_status_of(failure.status));
}

void die(enum status status, const char *format, ...)
{
    char message[sizeof failure.message];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    error_set(&failure, status, "%s", message);
    end();
}

void die_of(const struct error *error)
{
    failure = *error;
    end();
}

void die_unless_ok(enum status status, const struct error *error)
{
    if (status != STATUS_OK)
        die_of(error);
}

char *message_room(void)
{
    static _Thread_local char rooms[8][MESSAGE_ROOM];
    static _Thread_local size_t next;
    return rooms[next++ % (sizeof rooms / sizeof *rooms)];
}

const char *message_text(const char *format, ...)
{
    char *text = message_room();
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, MESSAGE_ROOM, format, arguments);
    va_end(arguments);
    return text;
}

enum status attempt(void (*work)(void *data), void *data, struct error *caught)
{
    struct attempt here = {.noted = cleanups, .outer = innermost};
    innermost = &here;
    const int has_failed = setjmp(here.back) != 0;
    if (!has_failed)
        work(data);
    innermost = here.outer;
    if (!has_failed)
        return STATUS_OK;
    if (caught)
        *caught = failure;
    return failure.status;
}

enum status attempt_on_file(void (*work)(void *data), void *data, struct error *caught)
{
    struct error found;
    const enum status status = attempt(work, data, &found);
    if (status == STATUS_NO_MEMORY || status == STATUS_IO)
        die_of(&found);
    if (status != STATUS_OK && caught)
        *caught = found;
    return status;
}
