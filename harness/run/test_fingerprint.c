/* The hash of a plan is FNV-1a over its parts, and depends on every part. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "harness/run/fingerprint.h"

static const char *const data[] = {"aa", "bb"};
static const struct plan_fingerprint usual = {"1.0", "{}", "a,b", NULL, "1-2", 1, 3, data, 2, 0};

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
    assert_true(plan_fingerprint_hash(&usual) == hash);
}

static void every_part_counts(void **state)
{
    (void)state;
    static const char *const other_data[] = {"aa", "bc"};
    struct plan_fingerprint others[] = {usual, usual, usual, usual, usual, usual, usual, usual, usual, usual};
    others[0].version = "1.1";
    others[1].config = "{ }";
    others[2].solvers = NULL;
    others[3].datasets = "a,b"; /* the same text, for another option */
    others[3].solvers = NULL;
    others[4].splits = "1";
    others[5].shard = 2;
    others[6].shards = 4;
    others[7].sha256 = other_data;
    others[8].n_files = 1;
    others[9].repeats = 5;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        assert_true(plan_fingerprint_hash(&others[i]) != plan_fingerprint_hash(&usual));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_hash_is_that_of_the_parts_in_their_order),
        cmocka_unit_test(every_part_counts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
