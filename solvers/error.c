/* Status texts and error messages. */
#include "solvers/error.h"

#include <stdarg.h>
#include <stdio.h>

#include "solvers/visible_text.h"

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
    char message[sizeof error->message];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments); /* may quote error->message */
    va_end(arguments);
    error->status = status;
    visible_text(message, error->message, sizeof error->message); /* quotes of files are foreign text */
    return status;
}
