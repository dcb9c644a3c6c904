/* See file_name.h. */
#include "harness/run/file_name.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/pool.h"
#include "harness/support/sha256.h"

static const char kept[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-+";

enum { MAX_BYTES = 230, HASH_DIGITS = 16 };

/* The parts without an end; malloc'ed. */
static char *join(const char *const *parts)
{
    char *name = NULL;
    size_t size = 0;
    FILE *stream = xopen_text(&name, &size);
    for (size_t i = 0; parts[i]; i++) {
        fputs(i ? "-" : "", stream);
        for (const char *at = parts[i]; *at; at++)
            if (strchr(kept, *at) && (i || at > parts[i] || !strchr(".-", *at)))
                fputc(*at, stream);
            else
                fprintf(stream, "=%02X", (unsigned char)*at);
    }
    xclose_text(stream);
    return name;
}

char *file_name_join(const char *before, const char *const *parts, const char *after)
{
    char *name = join(parts), hex[65], end[HASH_DIGITS + 3] = "";
    const size_t length = strlen(name);
    if (length > MAX_BYTES) { /* "==" is in no other name */
        sha256_hex(name, length, hex);
        snprintf(end, sizeof end, "==%.*s", (int)HASH_DIGITS, hex);
    }
    char *path =
        xasprintf("%s%.*s%s%s", before, (int)(*end ? MAX_BYTES - sizeof end + 1 : length), name, end, after);
    free(name);
    return path;
}
