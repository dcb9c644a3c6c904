/* Hashes say that two things differ; which of them does is told by a hash for each. */
#include "harness/run/fingerprint.h"

#include <cjson/cJSON.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/support/file.h"
#include "harness/support/sha256.h"

enum status fingerprint_program(char hash[65], struct error *error)
{
    char *bytes = NULL;
    size_t size;
    *hash = '\0';
    enum status status = file_read("/proc/self/exe", &bytes, &size, error);
    if (status == STATUS_OK)
        sha256_hex(bytes, size, hash);
    free(bytes);
    return status == STATUS_NOT_FOUND ? STATUS_OK : status;
}

size_t fingerprint_print(const struct fingerprint *identity, char *text, size_t size)
{
    int length = snprintf(text, size,
                          "\"plan\":\"%016" PRIx64 "\",\"config\":\"%016" PRIx64 "\",\"options\":\"%016" PRIx64
                          "\",\"data\":\"%016" PRIx64 "\",\"program\":\"%s\"",
                          identity->plan, identity->config, identity->options, identity->data, identity->program);
    return length > 0 ? (size_t)length : 0;
}

static int is_other(uint64_t ours, const char *theirs)
{
    char text[24];
    snprintf(text, sizeof text, "%016" PRIx64, ours);
    return theirs && strcmp(theirs, text) != 0;
}

static void add(char words[FINGERPRINT_DIFF_SIZE], const char *word)
{
    size_t used = strlen(words);
    snprintf(words + used, FINGERPRINT_DIFF_SIZE - used, "%s%s", used ? ", " : "", word);
}

static int part_differs(uint64_t ours, const cJSON *parts, const char *key)
{
    return is_other(ours, cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(parts, key)));
}

int fingerprint_differs(const struct fingerprint *identity, const char *plan, const cJSON *parts, const char *program,
                     char words[FINGERPRINT_DIFF_SIZE])
{
    *words = '\0';
    if (part_differs(identity->config, parts, "config"))
        add(words, "another configuration");
    if (part_differs(identity->options, parts, "options"))
        add(words, "other options");
    if (part_differs(identity->data, parts, "data"))
        add(words, "other data or plugins");
    if (is_other(identity->plan, plan) && !*words)
        add(words, cJSON_HasObjectItem(parts, "config") ? "another version"
                                                       : "another configuration, options, data or version");
    if (program && *program && *identity->program && strcmp(program, identity->program) != 0)
        add(words, "another build of the program");
    return *words != '\0';
}
