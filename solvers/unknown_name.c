/* A close match has an edit distance of at most a third of the word, or contains it. */
#include "solvers/unknown_name.h"

#include <stdio.h>
#include <string.h>

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

static char lower(char letter)
{
    return letter >= 'A' && letter <= 'Z' ? (char)(letter - 'A' + 'a') : letter;
}

/* Levenshtein distance, without regard to case, of two words of fewer than 64 letters; 64 for longer ones. */
static size_t edit_distance(const char *a, const char *b)
{
    size_t row[64], n = strlen(a), m = strlen(b);
    if (m >= 64 || n >= 64)
        return 64;
    for (size_t j = 0; j <= m; j++)
        row[j] = j;
    for (size_t i = 1; i <= n; i++) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= m; j++) {
            size_t above = row[j];
            row[j] = smaller(smaller(above, row[j - 1]) + 1, diagonal + (lower(a[i - 1]) != lower(b[j - 1])));
            diagonal = above;
        }
    }
    return row[m];
}

/* How far a name is from the word: for a close one its distance, or CONTAINS, else NOT_CLOSE. */
enum { CONTAINS = 22, NOT_CLOSE }; /* 22: above a third of 64 */
static size_t rank_of(const char *word, const char *name)
{
    const size_t distance = *word ? edit_distance(word, name) : 64;
    if (distance <= (strlen(name) + 2) / 3)
        return distance;
    return *word && strstr(name, word) ? CONTAINS : NOT_CLOSE;
}

/* Appends `between` and the name only if both fit; returns whether they did. */
static int add_name(char *list, size_t size, const char *between, const char *name)
{
    const size_t used = strlen(list);
    if (used + strlen(between) + strlen(name) >= size)
        return 0;
    snprintf(list + used, size - used, "%s%s", between, name);
    return 1;
}

const char *unknown_name_text(const char *what, const char *word, const char *const *allowed, char *text, size_t size)
{
    char list[580] = "", close[120] = "", more[40] = "";
    size_t left_out = 0;
    for (size_t rank = 0; rank <= NOT_CLOSE; rank++)
        for (const char *const *at = allowed; *at; at++) {
            if (rank_of(word, *at) != rank)
                continue;
            if (rank < NOT_CLOSE)
                add_name(close, sizeof close, *close ? "\" or \"" : "; did you mean \"", *at);
            left_out += !add_name(list, sizeof list, *list ? ", " : "", *at);
        }
    if (left_out)
        snprintf(more, sizeof more, " and %zu more", left_out);
    snprintf(text, size, "unknown %s \"%.40s\"%s%s; allowed: %s%s", what, word, close, *close ? "\"?" : "", list, more);
    return text;
}
