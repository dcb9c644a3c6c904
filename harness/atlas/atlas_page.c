/*
 * The interactive page: the template plots/atlas.html with style, script and data embedded, so that it is a single file
 * that loads nothing. Its content security policy allows only the script with the given SHA-256.
 */
#include <stdlib.h>
#include <string.h>

#include "harness/atlas/atlas_output.h"
#include "harness/support/file.h"
#include "harness/support/resource.h"
#include "harness/support/sha256.h"

enum { TEMPLATE, STYLE, SCRIPT, PARTS };
static const char *const files[PARTS] = {"plots/atlas.html", "plots/atlas.css", "plots/atlas.js"};

/* Writes JSON into a script element, which would end at "</". In JSON "<" occurs only in strings. */
static void put_json(FILE *stream, const char *json)
{
    for (; *json; json++)
        if (*json == '<')
            fputs("\\u003c", stream);
        else
            fputc(*json, stream);
}

/* Prints the template with its @WORD@ placeholders replaced. The script's hash covers its element's text, which begins
 * with the template's newline. */
static void put_page(struct pool *pool, FILE *stream, char *const part[PARTS], const char *json)
{
    char *script = pool_printf(pool, "\n%s", part[SCRIPT]), hash[45];
    const struct {
        const char *word, *text; /* NULL: the data */
    } words[] = {{"@HASH@", hash}, {"@STYLE@", part[STYLE]}, {"@SCRIPT@", part[SCRIPT]}, {"@DATA@", NULL}};
    enum { WORDS = sizeof words / sizeof *words };
    sha256_base64(script, strlen(script), hash);
    for (const char *at = part[TEMPLATE]; *at;) {
        size_t w = 0;
        while (w < WORDS && strncmp(at, words[w].word, strlen(words[w].word)) != 0)
            w++;
        if (w == WORDS) {
            fputc(*at++, stream);
            continue;
        }
        if (words[w].text)
            fputs(words[w].text, stream);
        else
            put_json(stream, json);
        at += strlen(words[w].word);
    }
}

void atlas_page_write(struct pool *pool, const char *json, const char *folder)
{
    char *part[PARTS];
    struct outfile out;
    for (size_t p = 0; p < PARTS; p++)
        part[p] = resource_read(pool, files[p], STATUS_NOT_FOUND);
    outfile_open(&out, pool_printf(pool, "%s/atlas.html", folder));
    put_page(pool, out.stream, part, json);
    outfile_commit(&out);
}
