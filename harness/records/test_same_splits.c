/* Folders with different patterns in splits of the same number are refused, and the message has both values. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <cjson/cJSON.h>
#include <string.h>

#include "harness/base/die.h"
#include "harness/records/run_folder.h"

#define RUN(sha, counts) "{\"data\":[{\"dataset\":\"p\",\"sha256\":\"" sha "\"," counts "}]}"
#define CONFIG(members) "{\"tables\":[\"toy.m\"]," members "}"

static void check(void *runs)
{
    run_folders_check_splits(runs);
}

/* The message about two folders, x and y, with these files; "" for none. run.json may be NULL. */
static const char *meeting(const char *const *configs, const char *const *infos)
{
    static struct error error;
    struct run_folder folders[2];
    const struct run_folders runs = {folders, 2};
    error = (struct error){0};
    for (int i = 0; i < 2; i++) {
        folders[i] = (struct run_folder){
            .pool = pool_new(), .path = i ? "y" : "x", .config = cJSON_Parse(configs[i])};
        assert_non_null(folders[i].config);
        folders[i].info = infos[i] ? cJSON_Parse(infos[i]) : NULL;
        folders[i].tables = cJSON_GetObjectItem(folders[i].config, "tables");
    }
    enum status status = attempt(check, (void *)(uintptr_t)&runs, &error);
    assert_int_equal(status, error.message[0] ? STATUS_BAD_INPUT : STATUS_OK);
    for (int i = 0; i < 2; i++) {
        cJSON_Delete(folders[i].config);
        cJSON_Delete(folders[i].info);
        pool_free(folders[i].pool);
    }
    return error.message;
}

static void folders_with_other_splits_are_not_paired(void **state)
{
    (void)state;
    static const struct {
        const char *config[2], *run[2], *says[2]; /* NULL: no message */
    } cases[] = {
        {{CONFIG("\"seed\":1"), CONFIG("\"seed\":2")},
         {RUN("a", "\"official\":3,\"resampled\":3"), RUN("a", "\"resampled\":6")},
         {"x has seed 1 and ", "y has 2: their splits of p"}},
        {{CONFIG("\"seed\":1"), CONFIG("\"title\":\"the seed is 1\"")}, /* the default seed */
         {RUN("a", "\"resampled\":6"), RUN("a", "\"resampled\":6")},
         {NULL, NULL}},
        {{CONFIG("\"seed\":1"), CONFIG("\"seed\":2")}, /* no drawn splits are shared */
         {RUN("a", "\"official\":6"), RUN("b", "\"official\":3,\"resampled\":3")},
         {NULL, NULL}},
        {{CONFIG("\"seed\":1"), CONFIG("\"seed\":2")}, {RUN("a", "\"resampled\":6"), "{\"data\":[]}"}, {NULL, NULL}},
        {{CONFIG("\"seed\":1"), CONFIG("\"seed\":2")}, {RUN("a", "\"resampled\":6"), NULL}, {NULL, NULL}},
        {{CONFIG("\"seed\":1"), "{\"tables\":[\"other.m\"],\"seed\":2}"},
         {RUN("a", "\"resampled\":6"), RUN("a", "\"resampled\":6")},
         {NULL, NULL}}, /* another paper */
        {{CONFIG("\"seed\":1"), CONFIG("\"seed\":1")},
         {RUN("aa", "\"generated\":6"), RUN("ab", "\"generated\":6")},
         {"SHA-256 \"aa\"", "\"ab\""}},
        {{CONFIG("\"standardise\":\"none\""), CONFIG("\"standardise\":\"full-set\"")},
         {RUN("a", "\"fold\":6"), RUN("a", "\"fold\":6")},
         {"standardise \"none\"", "\"full-set\""}},
        {{CONFIG("\"standardise\":\"training\""), CONFIG("\"title\":\"t\"")}, /* the default of the user's files */
         {RUN("a", "\"fold\":6"), RUN("a", "\"fold\":6")},
         {NULL, NULL}},
        {{CONFIG("\"splits\":{\"folds\":5}"), CONFIG("\"splits\":{\"repeats\":2}")},
         {RUN("a", "\"fold\":6"), RUN("a", "\"fold\":6")},
         {"splits.folds 5", "has 10"}},
        {{CONFIG("\"splits\":{\"folds\":10}"), CONFIG("\"splits\":{\"repeats\":2}")},
         {RUN("a", "\"fold\":6"), RUN("a", "\"fold\":6")},
         {NULL, NULL}},
        {{CONFIG("\"splits\":{\"stratified\":true}"), CONFIG("\"splits\":{\"stratified\":false}")},
         {RUN("a", "\"fold\":6"), RUN("a", "\"fold\":6")},
         {"splits.stratified true", "has false"}},
        {{CONFIG("\"datasets\":[\"q\",{\"name\":\"p\",\"n_train\":9}]"), CONFIG("\"datasets\":[{\"name\":\"p\"}]")},
         {RUN("a", "\"resampled\":6"), RUN("a", "\"resampled\":6")},
         {"n_train 9", "not given"}},
        {{CONFIG("\"datasets\":[\"q\",{\"name\":\"p\",\"file\":\"f\"}]"),
          CONFIG("\"datasets\":[{\"name\":\"p\"}],\"seed\":2")},
         {RUN("a", "\"official\":6"), RUN("b", "\"official\":6")},
         {"SHA-256 \"a\"", "\"b\""}}, /* a user's file of splits */
        {{CONFIG("\"datasets\":[{\"name\":\"p\",\"file\":\"f\"}],\"seed\":1"),
          CONFIG("\"datasets\":[\"p\"],\"seed\":2")},
         {RUN("a", "\"official\":6"), RUN("a", "\"official\":6")},
         {NULL, NULL}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *said = meeting(cases[i].config, cases[i].run);
        for (int k = 0; k < 2; k++)
            if (cases[i].says[k] ? !strstr(said, cases[i].says[k]) : *said != '\0')
                fail_msg("case %zu: \"%s\" instead of %s", i, said, cases[i].says[k] ? cases[i].says[k] : "nothing");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(folders_with_other_splits_are_not_paired)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
