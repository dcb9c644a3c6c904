/* Status texts and error messages. */
#include "solvers/error.h"

#include <stdarg.h>
#include <stdio.h>

static const char *const texts[] = {
    [STATUS_OK] = "fine",
    [STATUS_BAD_INPUT] = "bad input",
    [STATUS_NOT_FOUND] = "not found",
    [STATUS_NO_MEMORY] = "out of memory",
    [STATUS_IO] = "input or output failed",
    [STATUS_INTERRUPTED] = "interrupted",
    [STATUS_STALLED] = "no admissible update left",
};
_Static_assert(sizeof texts / sizeof *texts == STATUS_COUNT, "one text per status");

const char *status_text(enum status status)
{
    return (unsigned)status < STATUS_COUNT ? texts[status] : "unknown status";
}

enum status error_set(struct error *error, enum status status, const char *format, ...)
{
    if (!error)
        return status;
    error->status = status;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error->message, sizeof error->message, format, arguments);
    va_end(arguments);
    for (char *at = error->message; *at; at++)
        if ((unsigned char)*at < ' ')
            *at = ' '; /* words in a file may contain newlines; a message is one line */
    return status;
}
