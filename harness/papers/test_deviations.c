/* Checks the prose of docs/deviations.md against the deviations that conform reads. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <cjson/cJSON.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/papers/paper.h"
#include "harness/support/file.h"
#include "tests/scratch_folder.h"

enum { PAPERS_MAX = 100 };
static int n_papers;
static struct paper *papers[PAPERS_MAX];
static cJSON *deviations[PAPERS_MAX]; /* NULL: no deviations */
static char *page;

/* Reads every papers/NAME.json, and NAME.deviations.json if it exists. */
static int read_all(void **state)
{
    (void)state;
    glob_t found;
    if (glob("papers/*.json", 0, NULL, &found) != 0)
        return -1;
    for (size_t i = 0; i < found.gl_pathc && n_papers < PAPERS_MAX; i++) {
        struct error error = {0};
        if (strstr(found.gl_pathv[i], ".deviations.json"))
            continue;
        if (paper_read(found.gl_pathv[i], &papers[n_papers], &error) != STATUS_OK ||
            deviations_read(papers[n_papers], &deviations[n_papers], &error) != STATUS_OK)
            fail_msg("%s", error.message);
        n_papers++;
    }
    globfree(&found);
    page = read_file("docs/deviations.md", NULL);
    return n_papers ? 0 : -1;
}

static int free_all(void **state)
{
    (void)state;
    for (int p = 0; p < n_papers; p++) {
        cJSON_Delete(deviations[p]);
        paper_free(papers[p]);
    }
    free(page);
    return 0;
}

static const char *text_at(const cJSON *json, const char *key)
{
    return cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(json, key));
}

/* The deviation that explains the id, or NULL; counts all that do. */
static const cJSON *explaining(const char *id, int *count)
{
    const cJSON *found = NULL, *deviation = NULL, *explained = NULL;
    *count = 0;
    for (int p = 0; p < n_papers; p++)
        cJSON_ArrayForEach (deviation, cJSON_GetObjectItemCaseSensitive(deviations[p], "deviations"))
            cJSON_ArrayForEach (explained, cJSON_GetObjectItemCaseSensitive(deviation, "explains"))
                if (strcmp(explained->valuestring, id) == 0) {
                    found = deviation;
                    ++*count;
                }
    return found;
}

/* The text from the heading to the next one; NULL unless exactly one heading has that name. */
static char *section_of(const char *heading)
{
    char *found = NULL;
    for (const char *line = page; line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL) {
        size_t marks = strspn(line, "#"), length = strlen(heading);
        if (!marks || line[marks] != ' ' || strncmp(line + marks + 1, heading, length) != 0 ||
            line[marks + 1 + length] != '\n')
            continue;
        const char *text = line + marks + 1 + length, *end = strstr(text, "\n#");
        assert_null(found);
        found = strndup(text, end ? (size_t)(end - text) : strlen(text));
    }
    return found;
}

static void what_a_deviation_explains_stands_in_its_section(void **state)
{
    (void)state;
    const cJSON *deviation = NULL, *explained = NULL, *other = NULL;
    for (int p = 0; p < n_papers; p++) {
        const cJSON *list = cJSON_GetObjectItemCaseSensitive(deviations[p], "deviations");
        cJSON_ArrayForEach (deviation, list) {
            char *section = section_of(text_at(deviation, "section")), quoted[256];
            if (!section)
                fail_msg("docs/deviations.md has no section \"%s\"", text_at(deviation, "section"));
            cJSON_ArrayForEach (explained, cJSON_GetObjectItemCaseSensitive(deviation, "explains")) {
                int count;
                snprintf(quoted, sizeof quoted, "`%s`", explained->valuestring);
                if (!strstr(section, quoted))
                    fail_msg("section \"%s\" lacks %s", text_at(deviation, "section"), quoted);
                explaining(explained->valuestring, &count);
                assert_int_equal(count, 1);
            }
            free(section);
            for (other = list->child; other != deviation; other = other->next)
                assert_string_not_equal(text_at(other, "id"), text_at(deviation, "id"));
        }
    }
}

static void each_id_of_the_page_is_explained_by_its_section(void **state)
{
    (void)state;
    char heading[256] = "", id[256];
    size_t ids = 0;
    for (char *line = strtok(page, "\n"); line; line = strtok(NULL, "\n")) {
        if (*line == '#')
            snprintf(heading, sizeof heading, "%s", line + strspn(line, "# "));
        for (const char *at = strchr(line, '`'); at; at = strchr(at, '`')) {
            size_t length = strcspn(++at, "`");
            snprintf(id, sizeof id, "%.*s", (int)length, at);
            at += length + 1;
            if (!strstr(id, ".claims/") && !strstr(id, ".table"))
                continue;
            int count;
            const cJSON *deviation = explaining(id, &count);
            if (!deviation || strcmp(text_at(deviation, "section"), heading) != 0)
                fail_msg("no deviation with section \"%s\" explains `%s`", heading, id);
            ids++;
        }
    }
    size_t listed = 0;
    const cJSON *deviation = NULL;
    for (int p = 0; p < n_papers; p++)
        cJSON_ArrayForEach (deviation, cJSON_GetObjectItemCaseSensitive(deviations[p], "deviations"))
            listed += (size_t)cJSON_GetArraySize(cJSON_GetObjectItemCaseSensitive(deviation, "explains"));
    assert_true(listed > 0 && ids >= listed);
}

static void the_configurations_that_show_a_deviation_are_there(void **state)
{
    (void)state;
    const cJSON *deviation = NULL, *name = NULL;
    for (int p = 0; p < n_papers; p++)
        cJSON_ArrayForEach (deviation, cJSON_GetObjectItemCaseSensitive(deviations[p], "deviations"))
            cJSON_ArrayForEach (name, cJSON_GetObjectItemCaseSensitive(deviation, "configurations")) {
                char path[256];
                snprintf(path, sizeof path, "configs/%s.json", name->valuestring);
                if (access(path, R_OK) != 0)
                    fail_msg("%s: there is no %s", text_at(deviation, "id"), path);
            }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_a_deviation_explains_stands_in_its_section),
        cmocka_unit_test(the_configurations_that_show_a_deviation_are_there),
        cmocka_unit_test(each_id_of_the_page_is_explained_by_its_section), /* cuts the page into lines */
    };
    return cmocka_run_group_tests_name("deviations", tests, read_all, free_all);
}
