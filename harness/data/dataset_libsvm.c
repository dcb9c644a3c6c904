/*
 * LIBSVM (SVM-light) format. A line is
 *     label index:value index:value ... [# comment]
 * with indices from 0 or 1, ascending within the line; omitted features are 0. Nonzero values are stored in compressed
 * rows as they are read, since an index 0 and the number of features are only known at the end of the file.
 */
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/data/dataset_text.h"
#include "harness/support/decimal.h"

/* Scans "index:value" at `at`: a blank or the end of the line must follow, and the index must be at least *next and
 * below INT_MAX. Returns the position after it, or NULL. */
static inline const char *feature_scan(const struct text_reader *text, const char *at, size_t next, size_t *index,
                                       double *value)
{
    const char *digit = at, *end;
    size_t number = 0;
    for (; *digit >= '0' && *digit <= '9'; digit++)
        number = number < INT_MAX ? 10 * number + (size_t)(*digit - '0') : number;
    if (digit == at || *digit != ':' || number < next || number >= INT_MAX)
        return NULL;
    *index = number;
    *value = decimal_parse(digit + 1, &end);
    if (end == digit + 1 || !(*end == '\0' || text->is_blank[(unsigned char)*end]))
        return NULL;
    return fabs(*value) <= DATASET_LARGEST ? end : NULL;
}

/* Reports the error in a word that feature_scan rejected. */
static _Noreturn void feature_refuse(const struct text_reader *text, const char *word, size_t next)
{
    const char *colon = strchr(word, ':');
    double value;
    if (!colon || colon == word || word[strspn(word, "0123456789")] != ':')
        text_reader_die(text, word, "\"%s\" is not index:value; the index must be a whole number from 0",
                        text_shown(word));
    if (!number_parse(colon + 1, &value))
        text_reader_die(text, colon + 1, "\"%s\" is not index:value; the value must be a number up to %g in size",
                        text_shown(word), DATASET_LARGEST);
    unsigned long index = strtoul(word, NULL, 10); /* saturates if there are too many digits */
    if (index >= INT_MAX)
        text_reader_die(text, word, "index of \"%s\" is out of range; allowed: below %d", text_shown(word), INT_MAX);
    text_reader_die(text, word, "index %lu follows %zu; indices must increase", index, next - 1);
}

void table_read_features(struct text_reader *text, struct labelled_table *table)
{
    size_t next = 0, index = 0;
    const char *last = NULL;
    for (char *at = text->rest;; last = at, at = text->rest) {
        double value;
        while (text->is_blank[(unsigned char)*at])
            at++;
        if (!*at)
            break;
        const char *end = feature_scan(text, at, next, &index, &value);
        text->rest = at;
        if (!end)
            feature_refuse(text, text_reader_word(text), next);
        text->rest += end - at;
        table->has_zero |= index == 0;
        next = index + 1;
        table_add_value(table, index, value, text);
    }
    if (last && index > table->largest) {
        table->largest = index;
        table->largest_at = text_reader_place(text, last);
    }
}

void table_read_libsvm(struct text_reader *text, const struct table_form *form, struct label_set *labels,
                       struct labelled_table *table)
{
    const size_t begin = table->rows;
    char *word;
    double ignored;
    while ((word = text_reader_line(text))) {
        const struct text_place at = text_reader_place(text, word);
        const char *colon = strchr(word, ':');
        if (form->has_no_labels && colon) /* the first feature */
            text_reader_unread_word(text, word);
        else if (!number_parse(word, &ignored))
            text_reader_die(text, word, "label \"%s\" is not a number%s", text_shown(word),
                            colon ? "; predict --no-labels reads rows without labels" : "");
        const unsigned char which = form->has_no_labels ? 0 : labels_add(labels, word, at);
        table_read_features(text, table);
        table_end_row(table, which);
    }
    if (table->rows == begin)
        die(STATUS_BAD_INPUT, "%s:1:1: no rows", text->path);
}
