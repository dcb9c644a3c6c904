/* See run_command.h. */
#include "harness/records/run_command.h"

#include <cjson/cJSON.h>
#include <string.h>

static const cJSON *member(const cJSON *object, const char *key)
{
    return cJSON_GetObjectItemCaseSensitive(object, key);
}

static double number_of(const cJSON *object, const char *key)
{
    return cJSON_GetNumberValue(member(object, key));
}

void shell_word_print(FILE *text, const char *before, const char *word)
{
    static const char harmless[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./,=+:";
    if (*word && word[strspn(word, harmless)] == '\0') {
        fprintf(text, " %s%s", before, word);
        return;
    }
    fprintf(text, " '%s", before);
    for (; *word; word++)
        if (*word == '\'')
            fputs("'\\''", text);
        else if (*word == '\n')
            fputs("\n    ", text); /* stays inside the block of code */
        else
            fputc(*word, text);
    fputs("'", text);
}

void run_command_print_options(FILE *text, const cJSON *info)
{
    static const char *const options[] = {"solvers", "datasets", "splits"};
    const cJSON *restricted = member(info, "restricted_to"), *item = NULL;
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        const char *value = cJSON_GetStringValue(member(restricted, options[i]));
        if (value) {
            fprintf(text, " --%s", options[i]);
            shell_word_print(text, "", value);
        }
    }
    if (cJSON_IsNumber(member(restricted, "shard")) && cJSON_IsNumber(member(restricted, "shards")))
        fprintf(text, " --shard %.0f/%.0f", number_of(restricted, "shard"), number_of(restricted, "shards"));
    if (cJSON_IsNumber(member(restricted, "repeats")))
        fprintf(text, " --repeats %.0f", number_of(restricted, "repeats"));
    cJSON_ArrayForEach (item, member(info, "plugins")) {
        const char *file = cJSON_GetStringValue(member(item, "file"));
        if (file) {
            fputs(" --plugin", text);
            shell_word_print(text, "", file);
        }
    }
}
