/* Lists of numbers, such as those of splits: "1-10,20". */
#include <ctype.h>
#include <stdlib.h>

#include "harness/config/config.h"

enum { MAX_SPLIT = 100000 };

static int read_number(const char **at, size_t max, size_t *number)
{
    if (!isdigit((unsigned char)**at))
        return 0;
    char *end;
    unsigned long read = strtoul(*at, &end, 10);
    *at = end;
    *number = read;
    return read >= 1 && read <= max;
}

static enum status mark(const char *text, const char *noun, size_t max, const struct json_path *place,
                        unsigned char *wanted, struct error *error)
{
    const char *at = text;
    for (;;) {
        size_t first, last;
        int good = read_number(&at, max, &first);
        last = first;
        if (good && *at == '-') {
            at++;
            good = read_number(&at, max, &last) && last >= first;
        }
        if (!good || (*at != ',' && *at != '\0'))
            return json_error(place, error, "\"%.40s\" is not a list of %s numbers; allowed: numbers from 1 to %zu, "
                                            "such as \"1-10,20\"", text, noun, max);
        for (size_t s = first; s <= last; s++)
            wanted[s] = 1;
        if (*at++ == '\0')
            return STATUS_OK;
    }
}

enum status number_list_parse(const char *text, const char *noun, size_t max, const struct json_path *place,
                              size_t **list, size_t *count, struct error *error)
{
    *list = NULL;
    *count = 0;
    unsigned char *wanted = calloc(max + 1, 1);
    size_t *found = malloc((max + 1) * sizeof *found);
    enum status status = wanted && found ? mark(text, noun, max, place, wanted, error)
                                         : error_set(error, STATUS_NO_MEMORY, "out of memory for a list of numbers");
    if (status == STATUS_OK) {
        for (size_t s = 1; s <= max; s++)
            if (wanted[s])
                found[(*count)++] = s;
        *list = found;
        found = NULL;
    }
    free(wanted);
    free(found);
    return status;
}

enum status split_list_parse(const char *text, const struct json_path *place, size_t **list, size_t *count,
                             struct error *error)
{
    return number_list_parse(text, "split", MAX_SPLIT, place, list, count, error);
}
