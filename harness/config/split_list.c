/* Lists of numbers, such as those of splits: "1-10,20". */
#include <ctype.h>
#include <stdlib.h>

#include "harness/base/memory.h"
#include "harness/base/pool.h"
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

size_t *number_list_parse(struct pool *pool, const char *text, size_t max, size_t *count)
{
    unsigned char *wanted = xcalloc(max + 1, 1);
    const char *at = text;
    size_t first, last, *list = NULL;
    int is_list;
    *count = 0;
    do {
        is_list = read_range(&at, max, &first, &last);
        for (size_t s = first; is_list && s <= last; s++) {
            *count += !wanted[s];
            wanted[s] = 1;
        }
    } while (is_list && *at++ != '\0');
    if (is_list) {
        list = pool_array(pool, *count, sizeof *list);
        for (size_t s = 1, n = 0; s <= max; s++)
            if (wanted[s])
                list[n++] = s;
    }
    free(wanted);
    return list;
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

size_t *split_list_parse(struct pool *pool, const char *text, size_t *count)
{
    return number_list_parse(pool, text, MAX_SPLIT, count);
}

size_t *split_list_read(struct pool *pool, const char *text, const struct json_path *place, size_t *count)
{
    size_t *list = split_list_parse(pool, text, count);
    if (!list)
        json_die(place, "\"%.40s\" is not a list of split numbers; allowed: numbers from 1 to %d, such as \"1-10,20\"",
                 text, MAX_SPLIT);
    return list;
}
