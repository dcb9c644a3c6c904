/* Passes that several threads share: results have the bits of the routine that one thread runs, for any number of
 * threads, also if there are more of them than processors. */
#include <math.h>
#include <omp.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "solvers/kernel/helpers.h"
#include "solvers/kernel/shared_search.h"

/* As many threads help as the team has. */
int omp_get_num_procs(void)
{
    return 64;
}

enum { LONGEST = 70000, PASSES = 4, CASES = 6 };
static const int teams[] = {1, 2, 3, 8, 16};

static uint64_t state_of_draws;

static double draw(void)
{
    state_of_draws = state_of_draws * 6364136223846793005u + 1442695040888963407u;
    return (double)(state_of_draws >> 40) * 0x1p-23 - 1;
}

struct arrays {
    size_t n;
    double *p, *q, *d, *y;
    unsigned char *eligible[2];
};

/* In turn: any values; values with many ties; all alike; zeros of both signs; an empty set; infinite and missing
 * values. */
static void fill(struct arrays *arrays, size_t n, int which)
{
    const size_t padded = simd_padded(n);
    state_of_draws = n + (size_t)which;
    *arrays = (struct arrays){.n = padded, .p = simd_doubles(n), .q = simd_doubles(n), .d = simd_doubles(n),
                              .y = simd_doubles(n)};
    for (int s = 0; s < 2; s++)
        arrays->eligible[s] = calloc(simd_set_bytes(n), 1);
    for (size_t j = 0; j < n; j++) {
        const double any = draw();
        arrays->p[j] = which == 0 || which == 5 ? draw() : 0.25;
        arrays->q[j] = which == 0 || which == 5 ? draw() : 0.25;
        arrays->d[j] = which == 0 || which == 5 ? draw() : 0;
        arrays->y[j] = which == 1   ? round(3 * any)
                       : which == 2 ? 2
                       : which == 3 ? copysign(0, any)
                                    : any;
        if (which == 5 && any > 0.999)
            arrays->y[j] = any > 0.9995 ? INFINITY : (double)NAN;
        for (int s = 0; s < 2; s++)
            simd_set_put(arrays->eligible[s], j, which != 4 && draw() > (s ? 0.5 : -0.5));
    }
}

static void release(struct arrays *arrays)
{
    free(arrays->p), free(arrays->q), free(arrays->d), free(arrays->y);
    free(arrays->eligible[0]), free(arrays->eligible[1]);
}

/* All passes over the arrays, one after the other. */
struct passes {
    struct arrays arrays;
    const struct simd *simd;
    struct argminmax found[3];
    size_t second[2];
};

static struct second_index second_index_of(const struct arrays *arrays, const double *q)
{
    return (struct second_index){.eligible = arrays->eligible[1], .f = arrays->y, .row = arrays->p,
                                 .diagonal = arrays->q, .q = q, .f_first = -0.5, .diagonal_first = 1.5,
                                 .q_first = 0.125, .scale = 0.5, .hint = arrays->n / 3};
}

static void run_passes(void *context)
{
    struct passes *passes = context;
    struct arrays *a = &passes->arrays;
    const unsigned char *const *eligible = (const unsigned char *const *)a->eligible;
    for (int conjugate = 0; conjugate < 2; conjugate++) {
        const struct second_index second_index = second_index_of(a, conjugate ? a->d : NULL);
        passes->second[conjugate] = shared_select_second_index(passes->simd, a->n, &second_index);
    }
    passes->found[0] = shared_argminmax(passes->simd, a->n, eligible, a->y);
    passes->found[1] = shared_add_difference_argminmax(passes->simd, a->n, 0.5, a->p, a->q, eligible, a->y);
    passes->found[2] = shared_turn_argminmax(passes->simd, a->n, 0.75, -0.5, a->p, a->q, eligible, a->d, a->y);
}

/* The same by the routines themselves. */
static void run_alone(struct passes *passes)
{
    struct arrays *a = &passes->arrays;
    const struct simd *simd = passes->simd;
    const unsigned char *const *eligible = (const unsigned char *const *)a->eligible;
    for (int conjugate = 0; conjugate < 2; conjugate++) {
        const struct second_index second_index = second_index_of(a, conjugate ? a->d : NULL);
        passes->second[conjugate] = simd->select_second_index(a->n, &second_index);
    }
    simd->argminmax(a->n, eligible, a->y, &passes->found[0]);
    simd->add_difference_argminmax(a->n, 0.5, a->p, a->q, eligible, a->y, &passes->found[1]);
    simd->turn_argminmax(a->n, 0.75, -0.5, a->p, a->q, eligible, a->d, a->y, &passes->found[2]);
}

static void in_team(int threads, void (*work)(void *context), void *context)
{
#pragma omp parallel num_threads(threads)
#pragma omp single nowait
    helpers_with(work, context);
}

static void passes_have_the_bits_of_one_thread(void **state)
{
    static const size_t sizes[] = {1, 4095, 4096, 5000, 12345, LONGEST};
    (void)state;
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
        for (int which = 0; which < CASES; which++) {
            struct passes alone = {.simd = simd_select(k % 2 ? NULL : "generic")};
            fill(&alone.arrays, sizes[k], which);
            run_alone(&alone);
            for (size_t t = 0; t < sizeof teams / sizeof *teams; t++) {
                struct passes shared = {.simd = alone.simd};
                fill(&shared.arrays, sizes[k], which);
                in_team(teams[t], run_passes, &shared);
                const size_t bytes = alone.arrays.n * sizeof(double);
                assert_memory_equal(shared.found, alone.found, sizeof alone.found);
                assert_memory_equal(shared.second, alone.second, sizeof alone.second);
                assert_memory_equal(shared.arrays.y, alone.arrays.y, bytes);
                assert_memory_equal(shared.arrays.d, alone.arrays.d, bytes);
                release(&shared.arrays);
            }
            release(&alone.arrays);
        }
}

/* ---- parts ---- */

struct tally {
    const struct helpers_division *division;
    int times[LONGEST]; /* for each element */
    unsigned threads;   /* one bit per thread that took part */
    size_t parts, nested;
    int waits; /* each part waits for a second thread, for ten seconds at most */
};

static void count_nested(void *context, const struct helpers_part *part)
{
    (void)part;
    ++*(size_t *)context;
}

static void count_part(void *context, const struct helpers_part *part)
{
    struct tally *tally = context;
    const struct helpers_division *division = tally->division;
    const double started = omp_get_wtime();
    size_t nested = 0;
    unsigned now;
    assert_true(part->part < part->parts && part->first <= part->end && part->first % division->grain == 0);
    assert_true(part->end == division->size || part->end % division->grain == 0);
    for (size_t j = part->first; j < part->end; j++)
        tally->times[j]++;
    (void)helpers_run(division, count_nested, &nested); /* is not divided again */
#pragma omp atomic
    tally->nested += nested;
    do {
#pragma omp atomic capture
        now = tally->threads |= 1u << omp_get_thread_num();
    } while (tally->waits && (now & (now - 1)) == 0 && omp_get_wtime() < started + 10);
}

static void count_parts(void *context)
{
    struct tally *tally = context;
    tally->parts = helpers_run(tally->division, count_part, tally);
}

static void assert_each_once(const struct tally *tally)
{
    for (size_t j = 0; j < tally->division->size; j++)
        assert_int_equal(tally->times[j], 1);
    assert_int_equal(tally->nested, tally->parts);
}

static void each_element_belongs_to_one_part(void **state)
{
    static const struct helpers_division divisions[] = {
        {0, 8, 1, 1}, {1, 8, 1, 1}, {100, 8, 50, 1}, {1000, 64, 1, 16}, {LONGEST, 8, 1000, 2}, {LONGEST, 64, 40000, 2}};
    struct tally *tally = malloc(sizeof *tally);
    (void)state;
    for (size_t d = 0; d < sizeof divisions / sizeof *divisions; d++)
        for (size_t t = 0; t < sizeof teams / sizeof *teams; t++) {
            const size_t most = divisions[d].per_thread * (size_t)teams[t];
            memset(tally, 0, sizeof *tally);
            tally->division = &divisions[d];
            in_team(teams[t], count_parts, tally);
            assert_each_once(tally);
            assert_true(tally->parts <= HELPERS_MAX_PARTS && tally->parts <= most);
            if (teams[t] == 1 || divisions[d].size < 2 * divisions[d].min)
                assert_int_equal(tally->parts, 1);
            else
                assert_true(tally->parts * divisions[d].min <= divisions[d].size && tally->parts > 1);
        }
    free(tally);
}

static void an_idle_thread_takes_part(void **state)
{
    const struct helpers_division division = {LONGEST, 8, 1000, 1};
    struct tally *tally = calloc(1, sizeof *tally);
    (void)state;
    tally->division = &division;
    tally->waits = 1;
    in_team(2, count_parts, tally);
    assert_each_once(tally);
    assert_int_equal(tally->threads, 3);
    free(tally);
}

static void without_helpers_a_work_is_not_divided(void **state)
{
    const struct helpers_division division = {LONGEST, 8, 1, 1};
    struct tally *tally = calloc(1, sizeof *tally);
    (void)state;
    tally->division = &division;
#pragma omp parallel num_threads(2)
#pragma omp single nowait
    count_parts(tally);
    assert_each_once(tally);
    assert_int_equal(tally->parts, 1);
    free(tally);
}

/* Every thread of a team has its own work; those that end first help the others. */
static void several_works_of_one_team_do_not_mix(void **state)
{
    enum { WORKS = 12 };
    const struct helpers_division division = {LONGEST, 8, 1000, 2};
    struct tally *tallies = calloc(WORKS, sizeof *tallies);
    (void)state;
#pragma omp parallel for num_threads(4) schedule(dynamic, 1)
    for (int w = 0; w < WORKS; w++) {
        tallies[w].division = &division;
        helpers_with(count_parts, &tallies[w]);
    }
    for (int w = 0; w < WORKS; w++)
        assert_each_once(&tallies[w]);
    free(tallies);
}

static void count_many(void *context)
{
    struct tally *tally = context;
    for (int k = 0; k < 2000; k++)
        count_parts(tally);
}

static void more_threads_than_processors_neither_hang_nor_lose_parts(void **state)
{
    const struct helpers_division division = {4096, 8, 64, 1};
    struct tally *tally = calloc(1, sizeof *tally);
    (void)state;
    tally->division = &division;
    in_team(16, count_many, tally);
    for (size_t j = 0; j < division.size; j++)
        assert_int_equal(tally->times[j], 2000);
    free(tally);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(passes_have_the_bits_of_one_thread),
        cmocka_unit_test(each_element_belongs_to_one_part),
        cmocka_unit_test(an_idle_thread_takes_part),
        cmocka_unit_test(without_helpers_a_work_is_not_divided),
        cmocka_unit_test(several_works_of_one_team_do_not_mix),
        cmocka_unit_test(more_threads_than_processors_neither_hang_nor_lose_parts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
