/*
 * Joint rejections. If the experiments are the same, the paper's splits and ours are draws from one population, of
 * which our records are a sample. Each round of the bootstrap draws, for each data set and with replacement, as many of
 * our splits as the paper has and as many as we have. One draw of splits serves all cells of the data set, in all
 * tables, so that cells that fail together also fail together in the round. Each cell gets the mean and standard
 * deviation of both draws, the paper's rounded as printed, and is tested as in harness/papers/verdict.h. With N(r) the
 * rejections of round r of R and N those observed,
 *     expected = mean N(r),    p = (1 + #{r: N(r) >= N}) / (R + 1)           (Davison and Hinkley 1997, 4.2.3).
 * This assumes that splits are independent draws and that data sets are independent of each other. The test of two
 * standard deviations allows for heavy tails only through our kurtosis. The rounds draw from our values themselves, so
 * `expected` allows for more.
 *
 * Values printed for one split. Take the n splits for which we have all of a row's cells. If the printed split is drawn
 * as ours are, the printed values are one more of n + 1 exchangeable vectors. Each vector's score is the sum over the
 * cells of its mid-ranks among all n + 1, divided by n + 1. Values within a unit of the last printed digit tie, since a
 * value may have been cut off rather than rounded. Rows are independent data sets, so under the null hypothesis the sum
 * of scores over the rows is that of vectors drawn at random from each. p is the share of such sums that are as far
 * from the middle as the printed one, from PLACE_ROUNDS draws.
 *
 * Independent facts. k cells of a data set with correlations r_ij over the splits count as
 *     k^2 / sum_ij r_ij^2,
 * the participation ratio (sum l)^2 / sum l^2 of the eigenvalues l of their correlation matrix: k if all r_ij are 0,
 * and 1 if all are 1. r^2 over n splits is too large by (1 - r^2) / (n - 2) on average, which is subtracted.
 */
#include "harness/papers/reproduction.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/pool.h"
#include "harness/records/coverage.h"
#include "harness/records/plan_order.h"
#include "harness/records/same_problem.h"

enum { ROUNDS = 1999, PLACE_ROUNDS = 99999, SEED = 1 };
enum { MIN_SPLITS = 8 }; /* with fewer, the sample does not represent its population */
static const double joint_level = 0.01;
const double joint_same = 0.98;

int joint_places_differ(const struct joint_place *places)
{
    return places->cells > 0 && places->p_value < joint_level;
}

static int is_testable(const struct reproduction_cell *cell)
{
    return cell->counted && !cell->synthetic && !cell->same_split && cell->agreement.verdict != VERDICT_MISSING &&
           cell->column->statistic != STATISTIC_MINIMUM;
}

/* ---- the rows of a data set ---- */

/* One cell with our value on each split of the data set, NaN if it has none. */
struct joint_cell {
    const struct reproduction_cell *cell;
    size_t table;
    double *values;
    struct sd_limits limits;
};

/* All cells of a data set, and the splits that at least one cell has. */
struct joint_set {
    struct joint_cell *cells;
    size_t n_cells;
    const struct record **splits;
    size_t n_splits, most_printed; /* the largest number of splits printed for a cell */
    size_t *drawn;                 /* capacity n_splits + most_printed */
};

static int compare_records(const void *a, const void *b)
{
    return compare_training_sets(*(const struct record *const *)a, *(const struct record *const *)b);
}

static void list_splits(struct pool *pool, struct joint_set *set)
{
    struct records all = {.pool = pool};
    for (size_t i = 0; i < set->n_cells; i++)
        for (size_t k = 0; k < set->cells[i].cell->sample.n; k++)
            records_add(&all, set->cells[i].cell->sample.records[k]);
    records_sort_by_training_set(&all);
    for (size_t i = 0; i < all.count; i++)
        if (i == 0 || compare_training_sets(all.items[set->n_splits - 1], all.items[i]) != 0)
            all.items[set->n_splits++] = all.items[i];
    set->splits = all.items;
}

static void place_values(struct pool *pool, const struct joint_set *set, struct joint_cell *cell)
{
    const struct sample *sample = &cell->cell->sample;
    cell->values = pool_array(pool, set->n_splits + 1, sizeof *cell->values);
    for (size_t i = 0; i < set->n_splits; i++)
        cell->values[i] = (double)NAN;
    for (size_t k = 0; k < sample->n; k++) {
        const struct record **place =
            bsearch(&sample->records[k], set->splits, set->n_splits, sizeof *set->splits, compare_records);
        cell->values[place - set->splits] = sample->values[k];
    }
}

/* The cells of the data set that are printed for min_printed to max_printed splits. */
static struct joint_set set_of(struct pool *pool, struct reproduction *const *comparisons, size_t count,
                               const char *dataset, size_t min_printed, size_t max_printed)
{
    struct joint_set set = {0};
    size_t capacity = 0;
    for (size_t t = 0; t < count; t++)
        for (size_t i = 0; i < comparisons[t]->n_cells; i++) {
            const struct reproduction_cell *cell = &comparisons[t]->cells[i];
            const char *row = comparisons[t]->rows[i / comparisons[t]->table->n_columns].dataset;
            if (strcmp(row, dataset) != 0 || !is_testable(cell) || cell->printed->n < min_printed ||
                cell->printed->n > max_printed)
                continue;
            set.cells = pool_grow(pool, set.cells, set.n_cells, &capacity, sizeof *set.cells);
            set.cells[set.n_cells++] = (struct joint_cell){.cell = cell, .table = t};
            set.most_printed = cell->printed->n > set.most_printed ? cell->printed->n : set.most_printed;
        }
    list_splits(pool, &set);
    for (size_t i = 0; i < set.n_cells; i++)
        place_values(pool, &set, &set.cells[i]);
    set.drawn = pool_array(pool, set.n_splits + set.most_printed + 1, sizeof *set.drawn);
    return set;
}

/* The data sets of all tables, each once. */
static struct name_order datasets_of(struct pool *pool, struct reproduction *const *comparisons, size_t count)
{
    struct name_order datasets = {.pool = pool};
    for (size_t t = 0; t < count; t++)
        for (size_t i = 0; i < comparisons[t]->table->n_rows; i++)
            name_order_add(&datasets, comparisons[t]->rows[i].dataset);
    return datasets;
}

/* ---- rejections ---- */

/* Mean and standard deviation over those of the `count` drawn splits that the cell has. */
static struct summary summary_drawn(const struct joint_cell *cell, const size_t *drawn, size_t count)
{
    struct summary summary = {.sd = (double)NAN, .kurtosis = cell->cell->measured.kurtosis};
    double origin = 0, sum = 0, squares = 0;
    for (size_t i = 0; i < count; i++) {
        const double value = cell->values[drawn[i]];
        if (isnan(value))
            continue;
        if (summary.n++ == 0)
            origin = value; /* makes the sd of equal values exactly 0 */
        sum += value - origin;
        squares += (value - origin) * (value - origin);
    }
    const double n = (double)summary.n;
    if (summary.n > 0)
        summary.mean = origin + sum / n;
    if (summary.n > 1)
        summary.sd = sqrt(fmax(0, squares - sum * sum / n) / (n - 1));
    return summary;
}

static double rounded(double x, int decimals)
{
    const double unit = pow(10, decimals);
    return nearbyint(x * unit) / unit;
}

/* The results of all rounds for a table or a paper. */
struct tally {
    size_t *means, *sds; /* rejections in each round */
};

static void try_cell(const struct joint_set *set, struct joint_cell *cell, size_t round, struct tally *tallies,
                     size_t all)
{
    struct printed printed = *cell->cell->printed;
    const struct summary theirs = summary_drawn(cell, set->drawn + set->n_splits, printed.n);
    const struct summary ours = summary_drawn(cell, set->drawn, set->n_splits);
    if (theirs.n < 2 || ours.n < 2)
        return;
    printed.mean = rounded(theirs.mean, printed.decimals);
    printed.n = theirs.n;
    const double scale = printed_sd_scale(&printed);
    if (!isnan(printed.sd))
        printed.sd = scale * rounded(theirs.sd / scale, printed.sd_decimals);
    const int rejected = verdict_mean_is_rejected(&printed, &ours);
    const int differs = verdict_sd(&printed, &ours, &cell->limits) == SD_DIFFERS;
    tallies[cell->table].means[round] += rejected != 0;
    tallies[cell->table].sds[round] += differs != 0;
    tallies[all].means[round] += rejected != 0;
    tallies[all].sds[round] += differs != 0;
}

static void resample(struct joint_set *set, gsl_rng *generator, struct tally *tallies, size_t all)
{
    for (size_t round = 0; round < ROUNDS; round++) {
        for (size_t i = 0; i < set->n_splits + set->most_printed; i++)
            set->drawn[i] = (size_t)gsl_rng_uniform_int(generator, set->n_splits);
        for (size_t i = 0; i < set->n_cells; i++)
            try_cell(set, &set->cells[i], round, tallies, all);
    }
}

static void settle_count(const size_t *rounds, struct joint_count *count)
{
    size_t as_many = 0, sum = 0;
    for (size_t r = 0; r < ROUNDS; r++) {
        as_many += rounds[r] >= count->outside;
        sum += rounds[r];
    }
    count->expected = (double)sum / ROUNDS;
    count->p_value = count->cells ? (double)(1 + as_many) / (ROUNDS + 1) : (double)NAN;
}

static void count_observed(const struct reproduction_cell *cell, struct joint *joint)
{
    const struct agreement *agreement = &cell->agreement;
    joint->means.cells++;
    joint->means.outside += agreement->verdict == VERDICT_NEAR || agreement->verdict == VERDICT_DIFFERS;
    joint->sds.cells += agreement->sds_agree != SD_UNDECIDABLE;
    joint->sds.outside += agreement->sds_agree == SD_DIFFERS;
}

static void test_counts(struct pool *pool, struct reproduction *const *comparisons, size_t count,
                        struct joint *tables, struct joint *all)
{
    gsl_rng *generator = random_numbers(pool, SEED);
    struct tally *tallies = pool_array(pool, count + 1, sizeof *tallies);
    for (size_t t = 0; t <= count; t++)
        tallies[t] = (struct tally){pool_array(pool, ROUNDS, sizeof(size_t)), pool_array(pool, ROUNDS, sizeof(size_t))};
    const struct name_order datasets = datasets_of(pool, comparisons, count);
    for (size_t d = 0; d < datasets.count; d++) {
        struct joint_set set = set_of(pool, comparisons, count, datasets.names[d], 2, SIZE_MAX);
        for (size_t k = 0; k < set.n_cells && set.n_splits >= MIN_SPLITS; k++) {
            count_observed(set.cells[k].cell, &tables[set.cells[k].table]);
            count_observed(set.cells[k].cell, all);
        }
        if (set.n_splits >= MIN_SPLITS)
            resample(&set, generator, tallies, count);
    }
    for (size_t t = 0; t <= count; t++) {
        struct joint *joint = t < count ? &tables[t] : all;
        settle_count(tallies[t].means, &joint->means);
        settle_count(tallies[t].sds, &joint->sds);
    }
}

/* ---- values printed for one split ---- */

/* The scores of a row: scores[0] is the printed vector's; n of ours follow. */
struct place_row {
    double *scores;
    size_t n;
};

/* The mid-rank of vector i among all `count`, less the middle rank, divided by `count`. */
static double centred_rank(const double *values, size_t count, size_t i, double unit)
{
    double below = 0;
    for (size_t k = 0; k < count; k++)
        if (k != i)
            below += fabs(values[k] - values[i]) <= unit ? 0.5 : values[k] < values[i];
    return (below - 0.5 * (double)(count - 1)) / (double)count;
}

/* Computes the scores; adds the row's cells and the centred rank of its printed values to *places. */
static struct place_row scores_of(struct pool *pool, const struct joint_set *set, struct joint_place *places)
{
    struct place_row row = {pool_array(pool, set->n_splits + 1, sizeof *row.scores), 0};
    double *values = pool_array(pool, set->n_splits + 1, sizeof *values);
    for (size_t c = 0; c < set->n_cells; c++) {
        const struct printed *printed = set->cells[c].cell->printed;
        const double unit = pow(10, -printed->decimals) * (1 + 1e-9);
        size_t count = 1;
        values[0] = printed->mean;
        for (size_t i = 0; i < set->n_splits; i++) {
            int has_all = 1;
            for (size_t k = 0; k < set->n_cells; k++)
                has_all = has_all && !isnan(set->cells[k].values[i]);
            if (has_all)
                values[count++] = set->cells[c].values[i];
        }
        row.n = count - 1;
        for (size_t i = 0; i < count; i++)
            row.scores[i] += centred_rank(values, count, i, unit);
    }
    if (row.n == 0)
        return row;
    places->share += row.scores[0] * (double)(row.n + 1) / (double)row.n;
    places->cells += set->n_cells;
    return row;
}

static double tail_of_scores(struct pool *pool, const struct place_row *rows, size_t count)
{
    gsl_rng *generator = random_numbers(pool, SEED);
    double printed = 0;
    size_t as_far = 0;
    for (size_t i = 0; i < count; i++)
        printed += rows[i].scores[0];
    for (size_t round = 0; round < PLACE_ROUNDS; round++) {
        double sum = 0;
        for (size_t i = 0; i < count; i++)
            sum += rows[i].scores[gsl_rng_uniform_int(generator, rows[i].n + 1)];
        as_far += fabs(sum) >= fabs(printed) - 1e-9; /* tolerance: equal ranks summed in another order */
    }
    return (double)(1 + as_far) / (PLACE_ROUNDS + 1);
}

static void test_places(struct pool *pool, struct reproduction *const *comparisons, size_t count,
                        struct joint_place *places)
{
    const struct name_order datasets = datasets_of(pool, comparisons, count);
    struct place_row *rows = pool_array(pool, datasets.count, sizeof *rows);
    size_t n_rows = 0;
    *places = (struct joint_place){0, 0, (double)NAN};
    for (size_t d = 0; d < datasets.count; d++) {
        struct joint_set set = set_of(pool, comparisons, count, datasets.names[d], 1, 1);
        if (set.n_cells > 0)
            rows[n_rows++] = scores_of(pool, &set, places);
    }
    places->share = places->cells ? 0.5 + places->share / (double)places->cells : (double)NAN;
    if (places->cells)
        places->p_value = tail_of_scores(pool, rows, n_rows);
}

/* ---- independent facts ---- */

/* The correlation over the splits that both cells have; NaN if one does not vary over them. *n is their number. */
static double correlation(const struct joint_set *set, const double *x, const double *y, size_t *n)
{
    double mean_x = 0, mean_y = 0, xx = 0, yy = 0, xy = 0;
    *n = 0;
    for (size_t i = 0; i < set->n_splits; i++)
        if (!isnan(x[i]) && !isnan(y[i])) { /* Welford's sums */
            const double count = (double)++*n, dx = x[i] - mean_x, dy = y[i] - mean_y;
            mean_x += dx / count;
            mean_y += dy / count;
            xx += dx * (x[i] - mean_x);
            yy += dy * (y[i] - mean_y);
            xy += dx * (y[i] - mean_y);
        }
    return xy / sqrt(xx * yy);
}

static void add_facts(const struct joint_set *set, struct joint_facts *facts)
{
    double squares = (double)set->n_cells;
    for (size_t a = 0; a < set->n_cells; a++) {
        double largest = 0; /* of the correlations with earlier cells */
        for (size_t b = 0; b < a; b++) {
            size_t n = 0;
            const double r = correlation(set, set->cells[a].values, set->cells[b].values, &n);
            if (n < MIN_SPLITS || isnan(r))
                continue;
            squares += 2 * fmax(0, r * r - (1 - r * r) / (double)(n - 2));
            largest = fmax(largest, fabs(r));
        }
        facts->correlated += largest > joint_same;
    }
    facts->facts += set->n_cells ? (double)(set->n_cells * set->n_cells) / squares : 0;
}

struct joint_facts joint_facts(struct reproduction *const *tables, size_t count)
{
    struct pool *pool = pool_new();
    struct joint_facts facts = {0};
    size_t grouped = 0;
    const struct name_order datasets = datasets_of(pool, tables, count);
    for (size_t d = 0; d < datasets.count; d++) {
        const struct joint_set set = set_of(pool, tables, count, datasets.names[d], 1, SIZE_MAX);
        add_facts(&set, &facts);
        grouped += set.n_cells;
    }
    for (size_t t = 0; t < count; t++)
        for (size_t i = 0; i < tables[t]->n_cells; i++)
            facts.cells += tables[t]->cells[i].counted && tables[t]->cells[i].agreement.verdict != VERDICT_MISSING;
    facts.facts += (double)(facts.cells - grouped); /* minima and others that have no value on each split */
    pool_free(pool);
    return facts;
}

void joint_test(struct reproduction *const *comparisons, size_t count, struct joint *tables, struct joint *all)
{
    struct pool *pool = pool_new();
    memset(tables, 0, count * sizeof *tables);
    memset(all, 0, sizeof *all);
    test_counts(pool, comparisons, count, tables, all);
    for (size_t t = 0; t < count; t++)
        test_places(pool, comparisons + t, 1, &tables[t].places);
    test_places(pool, comparisons, count, &all->places);
    pool_free(pool);
}
