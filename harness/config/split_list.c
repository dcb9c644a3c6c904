/* Lists of split numbers: "1-10,20". */
#include <ctype.h>
#include <stdlib.h>

#include "harness/config/config.h"

enum { MAX_SPLIT = 100000 };

static int read_number(const char **at, size_t *number)
{
    if (!isdigit((unsigned char)**at))
        return 0;
    char *end;
    unsigned long read = strtoul(*at, &end, 10);
    *at = end;
    *number = read;
    return read >= 1 && read <= MAX_SPLIT;
}

static enum status mark(const char *text, const struct json_path *place, unsigned char *wanted, struct error *error)
{
    const char *at = text;
    for (;;) {
        size_t first, last;
        int good = read_number(&at, &first);
        last = first;
        if (good && *at == '-') {
            at++;
            good = read_number(&at, &last) && last >= first;
        }
        if (!good || (*at != ',' && *at != '\0'))
            return json_error(place, error, "\"%.40s\" is not a list of split numbers; allowed: numbers from 1 to %d, "
                                            "such as \"1-10,20\"", text, MAX_SPLIT);
        for (size_t s = first; s <= last; s++)
            wanted[s] = 1;
        if (*at++ == '\0')
            return STATUS_OK;
    }
}

enum status split_list_parse(const char *text, const struct json_path *place, size_t **list, size_t *count,
                             struct error *error)
{
    *list = NULL;
    *count = 0;
    unsigned char *wanted = calloc(MAX_SPLIT + 1, 1);
    size_t *found = malloc((MAX_SPLIT + 1) * sizeof *found);
    enum status status = wanted && found ? mark(text, place, wanted, error)
                                         : error_set(error, STATUS_NO_MEMORY, "out of memory for a list of splits");
    if (status == STATUS_OK) {
        for (size_t s = 1; s <= MAX_SPLIT; s++)
            if (wanted[s])
                found[(*count)++] = s;
        *list = found;
        found = NULL;
    }
    free(wanted);
    free(found);
    return status;
}
