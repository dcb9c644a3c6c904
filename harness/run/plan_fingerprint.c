/* 64-bit FNV-1a over the parts, each with the zero byte at its end, so that no part can run into the next. */
#include "harness/run/plan_fingerprint.h"

#include <string.h>

#include "harness/run/journal.h"

static uint64_t add_text(uint64_t hash, const char *text)
{
    return text ? journal_hash(hash, text, strlen(text) + 1) : journal_hash(hash, "", 1);
}

static uint64_t add_options(uint64_t hash, const struct plan_fingerprint *identity)
{
    uint64_t shard[2] = {identity->shard, identity->shards};
    hash = add_text(hash, identity->solvers);
    hash = add_text(hash, identity->datasets);
    hash = add_text(hash, identity->splits);
    return journal_hash(hash, shard, sizeof shard);
}

static uint64_t add_files(uint64_t hash, const struct plan_fingerprint *identity)
{
    for (size_t f = 0; f < identity->n_files; f++)
        hash = add_text(hash, identity->sha256[f]);
    return hash;
}

uint64_t plan_fingerprint_hash(const struct plan_fingerprint *identity)
{
    uint64_t hash = add_text(JOURNAL_HASH_START, identity->version);
    hash = add_text(hash, identity->config);
    return add_files(add_options(hash, identity), identity);
}

void plan_fingerprint_parts(const struct plan_fingerprint *identity, struct fingerprint *parts)
{
    parts->plan = plan_fingerprint_hash(identity);
    parts->config = add_text(JOURNAL_HASH_START, identity->config);
    parts->options = add_options(JOURNAL_HASH_START, identity);
    parts->data = add_files(JOURNAL_HASH_START, identity);
}
