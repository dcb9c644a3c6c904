/*
 * The documents: every link leads to a file of the tree and to an existing heading, every page is reachable from
 * README.md, and every code block has a mark that states whether a test runs it (tests/docs/page_script.awk). md4c
 * parses the pages; ids of headings are formed as on GitHub.
 */
#include <ctype.h>
#include <glob.h>
#include <md4c.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "harness/support/file.h"
#include "solvers/registry.h"
#include "tests/scratch_folder.h"

enum { MAX_PATH = 1000 };

static struct pool *pool; /* of all lists */

struct page {
    char path[MAX_PATH], *text;
    struct string_list ids, links, faults;
    char heading[MAX_PATH];
    size_t length; /* of `heading` */
    int in_heading, in_code, is_marked, has_marks;
    const char *at; /* the last text that lies in the page itself, for line numbers */
};

struct pages {
    struct page *items;
    size_t count;
};

static size_t line_of(const struct page *page, const char *at)
{
    size_t line = 1;
    for (const char *c = page->text; c < at; c++)
        line += *c == '\n';
    return line;
}

/* ---- headings ---- */

/* Bytes of the punctuation or symbol at `text`, which GitHub omits from an id; 0 for anything else. */
static size_t left_out(const unsigned char *text)
{
    if (*text < 0x80)
        return !isalnum(*text) && *text != '-' && *text != '_' && *text != ' ';
    if (*text == 0xe2 && (text[1] == 0x80 || text[1] == 0x86 || text[1] == 0x88 || text[1] == 0x89))
        return 3; /* dashes, quotation marks, arrows, mathematical signs */
    return (*text == 0xc2 || (*text == 0xc3 && text[1] == 0x97)) ? 2 : 0;
}

static void add_id(struct page *page)
{
    char id[MAX_PATH];
    size_t length = 0, copies = 0;
    for (const unsigned char *at = (const unsigned char *)page->heading; *at;) {
        const size_t skipped = left_out(at);
        if (!skipped)
            id[length++] = (char)(*at == ' ' ? '-' : *at < 0x80 ? tolower(*at) : *at);
        at += skipped ? skipped : 1;
    }
    id[length] = '\0';
    for (size_t i = 0; i < page->ids.count; i++)
        copies += strcmp(page->ids.line[i], id) == 0;
    if (copies)
        string_list_push(pool, &page->ids, "%s-%zu", id, copies);
    else
        string_list_push(pool, &page->ids, "%s", id);
}

/* ---- one page ---- */

static int enter_block(MD_BLOCKTYPE type, void *detail, void *context)
{
    struct page *page = context;
    (void)detail;
    page->in_heading = type == MD_BLOCK_H;
    page->in_code = type == MD_BLOCK_CODE;
    if (type == MD_BLOCK_H)
        page->length = 0;
    if (type == MD_BLOCK_CODE && !page->is_marked)
        page->in_code = 2;
    if (type != MD_BLOCK_HTML && type != MD_BLOCK_LI && type != MD_BLOCK_UL && type != MD_BLOCK_OL)
        page->is_marked = 0;
    return 0;
}

static int leave_block(MD_BLOCKTYPE type, void *detail, void *context)
{
    struct page *page = context;
    (void)detail;
    if (type == MD_BLOCK_H) {
        page->heading[page->length] = '\0';
        add_id(page);
        page->in_heading = 0;
    }
    if (type == MD_BLOCK_CODE)
        page->in_code = 0;
    return 0;
}

static int enter_span(MD_SPANTYPE type, void *detail, void *context)
{
    struct page *page = context;
    const MD_ATTRIBUTE *target = type == MD_SPAN_A     ? &((MD_SPAN_A_DETAIL *)detail)->href
                                 : type == MD_SPAN_IMG ? &((MD_SPAN_IMG_DETAIL *)detail)->src
                                                       : NULL;
    if (target)
        string_list_push(pool, &page->links, "%.*s", (int)target->size, target->text);
    return 0;
}

static int leave_span(MD_SPANTYPE type, void *detail, void *context)
{
    (void)type, (void)detail, (void)context;
    return 0;
}

/* Whether the comment is a code-block mark. */
static int is_mark(const char *comment, size_t size)
{
    static const char *const marks[] = {"<!-- run",        "<!-- file ", "<!-- lines into ", "<!-- not run: ",
                                        "<!-- shown -->", "<!-- prints -->"};
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        if (size > strlen(marks[i]) - 1 && strncmp(comment, marks[i], strlen(marks[i])) == 0)
            return 1;
    return 0;
}

static int text(MD_TEXTTYPE type, const MD_CHAR *words, MD_SIZE size, void *context)
{
    struct page *page = context;
    if (words >= page->text && words < page->text + strlen(page->text))
        page->at = words;
    if (page->in_heading && page->length + size < sizeof page->heading) {
        memcpy(page->heading + page->length, words, size);
        page->length += size;
    }
    if (type == MD_TEXT_HTML && is_mark(words, size))
        page->is_marked = page->has_marks = 1;
    if (page->in_code == 2 && page->at == words) {
        string_list_push(pool, &page->faults, "%s:%zu: this block of code has no mark", page->path,
                         line_of(page, words));
        page->in_code = 1;
    }
    return 0;
}

static void read_page(const char *path, struct page *page)
{
    const MD_PARSER parser = {.flags = MD_FLAG_TABLES,
                              .enter_block = enter_block,
                              .leave_block = leave_block,
                              .enter_span = enter_span,
                              .leave_span = leave_span,
                              .text = text};
    *page = (struct page){0};
    snprintf(page->path, sizeof page->path, "%s", path);
    page->text = read_file(path, NULL);
    assert_int_equal(md_parse(page->text, (MD_SIZE)strlen(page->text), &parser, page), 0);
}

/* ---- all pages ---- */

static void read_pages(const char *root, struct pages *pages)
{
    static const char *const patterns[] = {"*.md", "docs/*.md", "docs/*/*.md", "datasets/*.md", "plots/*.md"};
    glob_t files = {0};
    for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++) {
        char pattern[MAX_PATH];
        snprintf(pattern, sizeof pattern, "%s%s", root, patterns[i]);
        glob(pattern, i ? GLOB_APPEND : 0, NULL, &files);
    }
    pages->items = calloc(files.gl_pathc, sizeof *pages->items);
    assert_non_null(pages->items);
    for (pages->count = 0; pages->count < files.gl_pathc; pages->count++)
        read_page(files.gl_pathv[pages->count], &pages->items[pages->count]);
    globfree(&files);
}

static void free_pages(struct pages *pages)
{
    for (size_t i = 0; i < pages->count; i++) {
        free(pages->items[i].text);
    }
    free(pages->items);
}

/* The path of a link in the page, without its anchor and with each "FOLDER/.." resolved. */
static void resolve(const struct page *page, const char *link, char *path)
{
    const char *slash = strrchr(page->path, '/');
    const size_t length = strcspn(link, "#");
    if (length == 0)
        snprintf(path, MAX_PATH, "%s", page->path);
    else
        snprintf(path, MAX_PATH, "%.*s%.*s", slash ? (int)(slash - page->path + 1) : 0, page->path, (int)length, link);
    for (char *up = strstr(path, "/../"); up; up = strstr(path, "/../")) {
        char *from = up;
        while (from > path && from[-1] != '/')
            from--;
        memmove(from, up + 4, strlen(up + 4) + 1);
    }
}

static struct page *page_at(const struct pages *pages, const char *path)
{
    for (size_t i = 0; i < pages->count; i++)
        if (strcmp(pages->items[i].path, path) == 0)
            return &pages->items[i];
    return NULL;
}

static int has_id(const struct page *page, const char *id)
{
    for (size_t i = 0; i < page->ids.count; i++)
        if (strcmp(page->ids.line[i], id) == 0)
            return 1;
    return 0;
}

static void check_link(const struct pages *pages, const struct page *page, const char *link, struct string_list *faults)
{
    char path[MAX_PATH];
    const char *anchor = strchr(link, '#');
    if (strstr(link, "://"))
        return;
    resolve(page, link, path);
    const struct page *target = page_at(pages, path);
    if (access(path, F_OK) != 0)
        string_list_push(pool, faults, "%s: %s: no such file", page->path, link);
    else if (anchor && (!target || !has_id(target, anchor + 1)))
        string_list_push(pool, faults, "%s: %s: no such heading", page->path, link);
}

static void check_links(const struct pages *pages, struct string_list *faults)
{
    for (size_t i = 0; i < pages->count; i++)
        for (size_t k = 0; k < pages->items[i].links.count; k++)
            check_link(pages, &pages->items[i], pages->items[i].links.line[k], faults);
}

/* Checks that links from README.md reach every page under docs/. */
static void check_reach(const struct pages *pages, const char *readme, struct string_list *faults)
{
    char *reached = calloc(pages->count, 1), path[MAX_PATH];
    int more = 1;
    assert_non_null(reached);
    reached[page_at(pages, readme) - pages->items] = 1;
    while (more) {
        more = 0;
        for (size_t i = 0; i < pages->count; i++)
            for (size_t k = 0; reached[i] && k < pages->items[i].links.count; k++) {
                resolve(&pages->items[i], pages->items[i].links.line[k], path);
                const struct page *target = page_at(pages, path);
                if (target && !reached[target - pages->items])
                    more = reached[target - pages->items] = 1;
            }
    }
    for (size_t i = 0; i < pages->count; i++)
        if (!reached[i])
            string_list_push(pool, faults, "%s: no link leads here", pages->items[i].path);
    free(reached);
}

static void fail_with(struct string_list *faults)
{
    for (size_t i = 0; i < faults->count; i++)
        print_error("%s\n", faults->line[i]);
    const size_t count = faults->count;
    assert_int_equal(count, 0);
}

/* ---- tests ---- */

static void every_link_leads_to_a_file_and_a_heading(void **state)
{
    struct pages pages;
    struct string_list faults = {0};
    (void)state;
    read_pages("", &pages);
    assert_true(pages.count > 60);
    check_links(&pages, &faults);
    free_pages(&pages);
    fail_with(&faults);
}

static void every_page_is_reached_from_the_readme(void **state)
{
    struct pages pages;
    struct string_list faults = {0};
    (void)state;
    read_pages("", &pages);
    check_reach(&pages, "README.md", &faults);
    free_pages(&pages);
    fail_with(&faults);
}

static void every_block_of_code_has_a_mark(void **state)
{
    struct pages pages;
    struct string_list faults = {0};
    (void)state;
    read_pages("", &pages);
    for (size_t i = 0; i < pages.count; i++)
        for (size_t k = 0; strncmp(pages.items[i].path, "docs/results/", 13) != 0 && k < pages.items[i].faults.count;
             k++)
            string_list_push(pool, &faults, "%s", pages.items[i].faults.line[k]);
    free_pages(&pages);
    fail_with(&faults);
}

/* Whether the reference counts name the solver. They contain every solver of the project. One still in development has
 * none; test_gate.sh names the command that adds them. */
static int has_counts(const char *counts, const char *name)
{
    char member[MAX_PATH];
    snprintf(member, sizeof member, "\"solver\":\"%s\"", name);
    return strstr(counts, member) != NULL;
}

/* docs/solvers.md lists each solver once, in a row that begins with a link to the page of its family. */
static void every_solver_with_counts_is_described_on_the_page_of_its_family(void **state)
{
    char *index = NULL, *counts = NULL, quoted[MAX_PATH], path[MAX_PATH];
    (void)state;
    index = read_file("docs/solvers.md", NULL);
    counts = read_file("baselines/ci.json", NULL);
    for (const struct solver *const *solver = solvers_all(); *solver; solver++) {
        const char *name = (*solver)->name;
        char *family = NULL;
        snprintf(quoted, sizeof quoted, "`%s`", name);
        const char *at = strstr(index, quoted);
        if (!at && !has_counts(counts, name))
            continue;
        if (!at)
            fail_msg("docs/solvers.md does not list %s; add it to the row of its family", name);
        assert_null(strstr(at + 1, quoted));
        while (at[-1] != '\n')
            at--;
        const char *link = strstr(at, "](") + 2;
        snprintf(path, sizeof path, "docs/%.*s", (int)strcspn(link, ")"), link);
        family = read_file(path, NULL);
        if (!strstr(family, name))
            fail_msg("%s does not describe %s", path, name);
        free(family);
    }
    free(counts);
    free(index);
}

static void broken_links_and_unmarked_blocks_are_found(void **state)
{
    static const char readme[] = "# Read me: 1 + 1\n\n[a](docs/a.md#second-part) [b](docs/b.md) [c](#read-me-1--1)\n\n"
                                 "[d](docs/a.md#third) [e](https://example.org/x)\n\n<!-- run -->\n\n    true\n";
    static const char a[] = "# A\n\n## Second part\n\n[up](../README.md)\n\nText\n\n    unmarked\n";
    struct pages pages;
    struct string_list faults = {0};
    char root[MAX_PATH / 2], path[MAX_PATH];
    (void)state;
    snprintf(root, sizeof root, "%s/", scratch_folder);
    snprintf(path, sizeof path, "%sdocs", root);
    folder_make(path);
    snprintf(path, sizeof path, "%sREADME.md", root);
    file_write(path, readme, strlen(readme));
    snprintf(path, sizeof path, "%sdocs/a.md", root);
    file_write(path, a, strlen(a));
    snprintf(path, sizeof path, "%sdocs/alone.md", root);
    file_write(path, a, strlen(a));
    read_pages(root, &pages);
    assert_int_equal(pages.count, 3);
    check_links(&pages, &faults);
    assert_int_equal(faults.count, 2);
    assert_non_null(strstr(faults.line[0], "docs/b.md: no such file"));
    assert_non_null(strstr(faults.line[1], "docs/a.md#third: no such heading"));
    snprintf(path, sizeof path, "%sREADME.md", root);
    check_reach(&pages, path, &faults);
    assert_int_equal(faults.count, 3);
    assert_non_null(strstr(faults.line[2], "docs/alone.md: no link leads here"));
    assert_int_equal(pages.items[0].faults.count, 0);
    assert_int_equal(pages.items[1].faults.count, 1);
    assert_non_null(strstr(pages.items[1].faults.line[0], "docs/a.md:9: "));
    free_pages(&pages);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_link_leads_to_a_file_and_a_heading),
        cmocka_unit_test(every_page_is_reached_from_the_readme),
        cmocka_unit_test(every_block_of_code_has_a_mark),
        cmocka_unit_test(every_solver_with_counts_is_described_on_the_page_of_its_family),
        cmocka_unit_test(broken_links_and_unmarked_blocks_are_found),
    };
    pool = pool_new();
    const int failed = cmocka_run_group_tests(tests, scratch_folder_make, scratch_folder_remove);
    pool_free(pool);
    return failed;
}
