/* See run_command.h. */
#include "harness/records/run_command.h"

#include <string.h>

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

void run_command_print_options(FILE *text, const struct run_info *info)
{
    const struct {
        const char *option, *value;
    } given[] = {{"solvers", info->solvers}, {"datasets", info->datasets}, {"splits", info->splits}};
    for (size_t i = 0; i < sizeof given / sizeof *given; i++)
        if (given[i].value) {
            fprintf(text, " --%s", given[i].option);
            shell_word_print(text, "", given[i].value);
        }
    if (info->shards > 1)
        fprintf(text, " --shard %zu/%zu", info->shard, info->shards);
    if (info->repeats)
        fprintf(text, " --repeats %zu", info->repeats);
    for (size_t p = 0; p < info->plugins.count; p++)
        if (info->plugins.item[p].file) {
            fputs(" --plugin", text);
            shell_word_print(text, "", info->plugins.item[p].file);
        }
}
