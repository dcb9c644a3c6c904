/* One hash shows that two plans differ; a hash for each part shows where. */
#include <unistd.h>
#include "harness/run/fingerprint.h"

#include <cjson/cJSON.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/run/journal.h"
#include "harness/support/file.h"

void fingerprint_program(char hash[65])
{
    *hash = '\0';
    /* The program that runs, even if its file has been replaced. */
    if (access("/proc/self/exe", F_OK) == 0)
        file_sha256("/proc/self/exe", hash, NULL);
}

int fingerprint_hash(const cJSON *json, const char *key, uint64_t *hash)
{
    const char *text = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(json, key));
    int is_hash = text && strlen(text) == 16 && strspn(text, "0123456789abcdef") == 16;
    *hash = is_hash ? (uint64_t)strtoull(text, NULL, 16) : 0;
    return is_hash;
}

size_t fingerprint_print(const struct fingerprint *fingerprint, char *text, size_t size)
{
    int length =
        snprintf(text, size,
                 "\"plan\":\"%016" PRIx64 "\",\"config\":\"%016" PRIx64 "\",\"options\":\"%016" PRIx64
                 "\",\"data\":\"%016" PRIx64 "\",\"program\":\"%s\"",
                 fingerprint->plan, fingerprint->config, fingerprint->options, fingerprint->data, fingerprint->program);
    return length > 0 ? (size_t)length : 0;
}

static void add(char words[FINGERPRINT_DIFF_SIZE], const char *word)
{
    size_t used = strlen(words);
    snprintf(words + used, FINGERPRINT_DIFF_SIZE - used, "%s%s", used ? ", " : "", word);
}

int fingerprint_differs(const struct fingerprint *now, const struct fingerprint *then,
                        char words[FINGERPRINT_DIFF_SIZE])
{
    *words = '\0';
    if (then->config && then->config != now->config)
        add(words, "another configuration");
    if (then->options && then->options != now->options)
        add(words, "other options");
    if (then->data && then->data != now->data)
        add(words, "other data or plugins");
    if (then->plan != now->plan && !*words)
        add(words, then->config ? "another version" : "another configuration, options, data or version");
    if (*then->program && *now->program && strcmp(then->program, now->program) != 0)
        add(words, "another build of the program");
    return *words != '\0';
}

/* 64-bit FNV-1a over the parts, each including its terminating zero byte, so that adjacent parts cannot be confused. */
static uint64_t add_text(uint64_t hash, const char *text)
{
    return text ? journal_hash(hash, text, strlen(text) + 1) : journal_hash(hash, "", 1);
}

static uint64_t add_options(uint64_t hash, const struct plan_fingerprint *plan)
{
    uint64_t shard[2] = {plan->shard, plan->shards};
    hash = add_text(hash, plan->solvers);
    hash = add_text(hash, plan->datasets);
    hash = add_text(hash, plan->splits);
    hash = journal_hash(hash, shard, sizeof shard);
    uint64_t repeats = plan->repeats; /* 0 adds nothing: same hash as in earlier versions */
    return repeats ? journal_hash(hash, &repeats, sizeof repeats) : hash;
}

static uint64_t add_files(uint64_t hash, const struct plan_fingerprint *plan)
{
    for (size_t f = 0; f < plan->n_files; f++)
        hash = add_text(hash, plan->sha256[f]);
    return hash;
}

uint64_t plan_fingerprint_hash(const struct plan_fingerprint *plan)
{
    uint64_t hash = add_text(JOURNAL_HASH_START, plan->version);
    hash = add_text(hash, plan->config);
    return add_files(add_options(hash, plan), plan);
}

void plan_fingerprint_parts(const struct plan_fingerprint *plan, struct fingerprint *parts)
{
    parts->plan = plan_fingerprint_hash(plan);
    parts->config = add_text(JOURNAL_HASH_START, plan->config);
    parts->options = add_options(JOURNAL_HASH_START, plan);
    parts->data = add_files(JOURNAL_HASH_START, plan);
}
