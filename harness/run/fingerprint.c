/* One hash shows that two plans differ; a hash for each part shows where. */
#include "harness/run/fingerprint.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "harness/run/run_info.h"
#include "harness/support/file.h"

uint64_t fnv(uint64_t hash, const void *bytes, size_t size)
{
    const unsigned char *byte = bytes;
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ byte[i]) * UINT64_C(0x100000001b3);
    return hash;
}

/* Each part includes its terminating zero byte, so that adjacent parts cannot be confused. */
static uint64_t add_text(uint64_t hash, const char *text)
{
    return text ? fnv(hash, text, strlen(text) + 1) : fnv(hash, "", 1);
}

static uint64_t add_options(uint64_t hash, const struct run_info *info)
{
    const uint64_t shard[2] = {info->shards ? info->shard : 1, info->shards ? info->shards : 1};
    const uint64_t repeats = info->repeats;
    hash = add_text(hash, info->solvers);
    hash = add_text(hash, info->datasets);
    hash = add_text(hash, info->splits);
    hash = fnv(hash, shard, sizeof shard);
    return repeats ? fnv(hash, &repeats, sizeof repeats) : hash; /* 0 adds nothing: same hash as in earlier versions */
}

/* The data sets in the configuration's order, then the plugins in the solvers' order. */
static uint64_t add_files(uint64_t hash, const struct run_info *info)
{
    for (size_t d = 0; d < info->data.count; d++)
        hash = add_text(hash, info->data.item[d].sha256);
    for (size_t p = 0; p < info->plugins.count; p++)
        hash = add_text(hash, info->plugins.item[p].sha256);
    return hash;
}

struct fingerprint fingerprint_of(const struct run_info *info, const char *config)
{
    const uint64_t start = add_text(add_text(FNV_START, info->version), config);
    return (struct fingerprint){.plan = add_files(add_options(start, info), info),
                                .config = add_text(FNV_START, config),
                                .options = add_options(FNV_START, info),
                                .data = add_files(FNV_START, info)};
}

const char *fingerprint_program(void)
{
    static char hash[65];
    /* The program that runs, even if its file has been replaced. */
    if (!*hash && access("/proc/self/exe", F_OK) == 0)
        file_sha256("/proc/self/exe", hash, NULL);
    return *hash ? hash : NULL;
}

int fingerprint_differs(const struct fingerprint *now, const struct fingerprint *then,
                        char words[FINGERPRINT_DIFF_SIZE])
{
    const int parts_differ[] = {then->config && then->config != now->config,
                                then->options && then->options != now->options,
                                then->data && then->data != now->data};
    const int any = parts_differ[0] || parts_differ[1] || parts_differ[2], whole = then->plan != now->plan && !any;
    const struct {
        int differs;
        const char *what;
    } all[] = {{parts_differ[0], "another configuration"},
               {parts_differ[1], "other options"},
               {parts_differ[2], "other data or plugins"},
               {whole, then->config ? "another version" : "another configuration, options, data or version"},
               {then->program && now->program && strcmp(then->program, now->program) != 0,
                "another build of the program"}};
    size_t used = 0;
    *words = '\0';
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (all[i].differs)
            used += (size_t)snprintf(words + used, FINGERPRINT_DIFF_SIZE - used, "%s%s", used ? ", " : "", all[i].what);
    return used > 0;
}
