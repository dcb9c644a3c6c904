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

/* Reads "7" or "1-10" and moves to the comma after it, or to the end. */
static int read_range(const char **at, size_t max, size_t *first, size_t *last)
{
    int good = read_number(at, max, first);
    *last = *first;
    if (good && **at == '-') {
        ++*at;
        good = read_number(at, max, last) && *last >= *first;
    }
    return good && (**at == ',' || **at == '\0');
}

static enum status mark(const char *text, const char *noun, size_t max, const struct json_path *place,
                        unsigned char *wanted, struct error *error)
{
    const char *at = text;
    do {
        size_t first, last;
        if (!read_range(&at, max, &first, &last))
            return json_error(place, error, "\"%.40s\" is not a list of %s numbers; allowed: numbers from 1 to %zu, "
                                            "such as \"1-10,20\"", text, noun, max);
        for (size_t s = first; s <= last; s++)
            wanted[s] = 1;
    } while (*at++ != '\0');
    return STATUS_OK;
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

int config_has_split(const char *list, size_t split)
{
    size_t first, last;
    do {
        if (!read_range(&list, MAX_SPLIT, &first, &last))
            return 0;
        if (split >= first && split <= last)
            return 1;
    } while (*list++ != '\0');
    return 0;
}

enum status split_list_parse(const char *text, const struct json_path *place, size_t **list, size_t *count,
                             struct error *error)
{
    return number_list_parse(text, "split", MAX_SPLIT, place, list, count, error);
}
