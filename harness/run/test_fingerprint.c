/* The hash of a plan is FNV-1a over its parts, and depends on every part. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "harness/run/run_info.h"

static struct run_info_data data[] = {{.sha256 = "aa"}, {.sha256 = "bb"}};
static const struct run_info usual = {.version = "1.0", .solvers = "a,b", .splits = "1-2", .shard = 1, .shards = 3,
                                      .data = {data, 2, 2}};

static uint64_t add(uint64_t hash, const void *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ ((const unsigned char *)bytes)[i]) * 1099511628211u;
    return hash;
}

static void the_hash_is_that_of_the_parts_in_their_order(void **state)
{
    (void)state;
    uint64_t hash = UINT64_C(14695981039346656037), shard[2] = {1, 3};
    hash = add(hash, "1.0\0{}\0a,b\0\0001-2", 16);
    hash = add(hash, shard, sizeof shard);
    hash = add(hash, "aa\0bb", 6);
    assert_true(fingerprint_of(&usual, "{}").plan == hash);
}

static void every_part_counts(void **state)
{
    (void)state;
    struct run_info_data other_data[] = {{.sha256 = "aa"}, {.sha256 = "bc"}};
    struct run_info others[] = {usual, usual, usual, usual, usual, usual, usual, usual, usual};
    others[0].version = "1.1";
    others[1].data.item = other_data;
    others[2].solvers = NULL;
    others[3].datasets = "a,b"; /* the same text, for another option */
    others[3].solvers = NULL;
    others[4].splits = "1";
    others[5].shard = 2;
    others[6].shards = 4;
    others[7].data.count = 1;
    others[8].repeats = 5;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        assert_true(fingerprint_of(&others[i], "{}").plan != fingerprint_of(&usual, "{}").plan);
    assert_true(fingerprint_of(&usual, "{ }").plan != fingerprint_of(&usual, "{}").plan);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_hash_is_that_of_the_parts_in_their_order),
        cmocka_unit_test(every_part_counts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
