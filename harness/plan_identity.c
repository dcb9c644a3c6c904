/* 64-bit FNV-1a over the parts, each with the zero byte at its end, so that no part can run into the next. */
#include "harness/plan_identity.h"

#include <string.h>

#include "harness/journal.h"

static uint64_t add_text(uint64_t hash, const char *text)
{
    return text ? journal_hash(hash, text, strlen(text) + 1) : journal_hash(hash, "", 1);
}

uint64_t plan_identity_hash(const struct plan_identity *identity)
{
    uint64_t hash = JOURNAL_HASH_START, shard[2] = {identity->shard, identity->shards};
    hash = add_text(hash, identity->version);
    hash = add_text(hash, identity->config);
    hash = add_text(hash, identity->solvers);
    hash = add_text(hash, identity->datasets);
    hash = add_text(hash, identity->splits);
    hash = journal_hash(hash, shard, sizeof shard);
    for (size_t f = 0; f < identity->n_files; f++)
        hash = add_text(hash, identity->sha256[f]);
    return hash;
}
