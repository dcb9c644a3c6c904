/* Checks the prose of docs/deviations.md against the deviations that conform reads. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/papers/paper.h"
#include "harness/support/file.h"
#include "tests/paper_trial.h"
#include "tests/scratch_folder.h"

enum { PAPERS_MAX = 100 };
static int n_papers;
static const struct deviations *papers[PAPERS_MAX]; /* their deviations */
static char *page;

/* Reads every papers/NAME.json, and NAME.deviations.json if it exists. */
static int read_all(void **state)
{
    (void)state;
    glob_t found;
    if (glob("papers/*.json", 0, NULL, &found) != 0)
        return -1;
    for (size_t i = 0; i < found.gl_pathc && n_papers < PAPERS_MAX; i++) {
        if (strstr(found.gl_pathv[i], ".deviations.json"))
            continue;
        papers[n_papers] = deviations_read(trial_pool(), paper_read(trial_pool(), found.gl_pathv[i]));
        n_papers++;
    }
    globfree(&found);
    page = read_file("docs/deviations.md", NULL);
    return n_papers ? 0 : -1;
}

static int free_all(void **state)
{
    (void)state;
    free(page);
    return 0;
}

/* The deviation that explains the id, or NULL; counts all that do. */
static const struct deviation *explaining(const char *id, int *count)
{
    const struct deviation *found = NULL;
    *count = 0;
    for (int p = 0; p < n_papers; p++)
        for (size_t d = 0; d < papers[p]->list.count; d++)
            for (size_t i = 0; i < papers[p]->list.item[d].explains.count; i++)
                if (strcmp(papers[p]->list.item[d].explains.item[i], id) == 0) {
                    found = &papers[p]->list.item[d];
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
    for (int p = 0; p < n_papers; p++)
        for (size_t d = 0; d < papers[p]->list.count; d++) {
            const struct deviation *deviation = &papers[p]->list.item[d];
            char *section = section_of(deviation->section), quoted[256];
            if (!section)
                fail_msg("docs/deviations.md has no section \"%s\"", deviation->section);
            for (size_t i = 0; i < deviation->explains.count; i++) {
                int count;
                snprintf(quoted, sizeof quoted, "`%s`", deviation->explains.item[i]);
                if (!strstr(section, quoted))
                    fail_msg("section \"%s\" lacks %s", deviation->section, quoted);
                explaining(deviation->explains.item[i], &count);
                assert_int_equal(count, 1);
            }
            free(section);
            for (size_t other = 0; other < d; other++)
                assert_string_not_equal(papers[p]->list.item[other].id, deviation->id);
        }
}

/* The text after the next code span behind `at`, or NULL: its content in `span`, a line break as a space. Behind a
 * heading, its text in `heading`. */
static const char *next_span(const char *at, char *heading, char *span, size_t size)
{
    for (int begins = at == page || at[-1] == '\n'; *at && *at != '`'; begins = *at++ == '\n')
        if (begins && *at == '#')
            snprintf(heading, size, "%.*s", (int)strcspn(at + strspn(at, "# "), "\n"), at + strspn(at, "# "));
    const char *end = *at ? strchr(at + 1, '`') : NULL;
    if (!end)
        return NULL;
    snprintf(span, size, "%.*s", (int)(end - at - 1), at + 1);
    for (char *c = span; *c; c++)
        *c = *c == '\n' ? ' ' : *c;
    return end + 1;
}

static void a_code_span_may_go_over_two_lines(void **state)
{
    (void)state;
    static const char *const expected[] = {"a b", "c.table1/d", "e", "f"};
    char text[] = "# First\n`a\nb` and `c.table1/d`\n## Next `e`\n`f`, `open\n";
    char heading[64] = "", span[64], *kept = page;
    const char *at = page = text;
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        at = next_span(at, heading, span, sizeof span);
        assert_non_null(at);
        assert_string_equal(span, expected[i]);
    }
    assert_string_equal(heading, "Next `e`");
    assert_null(next_span(at, heading, span, sizeof span));
    page = kept;
}

static void each_id_of_the_page_is_explained_by_its_section(void **state)
{
    (void)state;
    char heading[256] = "", id[256];
    size_t ids = 0, listed = 0;
    for (const char *at = page; (at = next_span(at, heading, id, sizeof id));) {
        if (!strstr(id, ".claims/") && !strstr(id, ".table"))
            continue;
        int count;
        const struct deviation *deviation = explaining(id, &count);
        if (!deviation || strcmp(deviation->section, heading) != 0)
            fail_msg("no deviation with section \"%s\" explains `%s`", heading, id);
        ids++;
    }
    for (int p = 0; p < n_papers; p++)
        for (size_t d = 0; d < papers[p]->list.count; d++)
            listed += papers[p]->list.item[d].explains.count;
    assert_true(listed > 0 && ids >= listed);
}

static void the_configurations_that_show_a_deviation_are_there(void **state)
{
    (void)state;
    for (int p = 0; p < n_papers; p++)
        for (size_t d = 0; d < papers[p]->list.count; d++)
            for (size_t i = 0; i < papers[p]->list.item[d].configurations.count; i++) {
                char path[256];
                snprintf(path, sizeof path, "configs/%s.json", papers[p]->list.item[d].configurations.item[i]);
                if (access(path, R_OK) != 0)
                    fail_msg("%s: there is no %s", papers[p]->list.item[d].id, path);
            }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_a_deviation_explains_stands_in_its_section),
        cmocka_unit_test(the_configurations_that_show_a_deviation_are_there),
        cmocka_unit_test(a_code_span_may_go_over_two_lines),
        cmocka_unit_test(each_id_of_the_page_is_explained_by_its_section),
    };
    return cmocka_run_group_tests_name("deviations", tests, read_all, free_all);
}
