/*
 * Between two folders, data sets and split numbers must mean the same, and data and counts must be prepared alike.
 * Machines must be alike in any case (harness/records/conditions.h).
 */
#include "harness/compare/arms.h"

#include <math.h>
#include <string.h>

#include "harness/support/file.h"
#include "harness/support/json_reader.h"
#include "harness/records/conditions.h"

const char *const arm_options[ARMS] = {"--against", "--solver"};

/* ---- names ---- */

struct run_folder *arms_folder(const struct run_folders *runs, int arm)
{
    return &runs->items[arm < (int)runs->count ? arm : 0];
}

/* Without a choice: the folder's only solver or, with two folders, the other arm's if it has that; NULL: neither. */
static const char *only_solver(const struct arms *arms, const struct records *records, const char *other)
{
    const char *first = records->items[0]->solver;
    int several = 0, has_other = 0;
    for (size_t i = 0; i < records->count; i++) {
        several |= strcmp(records->items[i]->solver, first) != 0;
        has_other |= other && strcmp(records->items[i]->solver, other) == 0;
    }
    return !several ? first : arms->runs.count > 1 && has_other ? other : NULL;
}

static void choose_records(struct pool *pool, struct arms *arms, enum arm arm, const struct solver_choice *given,
                           const char *other)
{
    const struct run_folder *folder = arms_folder(&arms->runs, (int)arm);
    const struct records *records = &folder->file.records;
    const char *name = given ? given->name : only_solver(arms, records, other);
    struct known_names known = {{.pool = pool}, {.pool = pool}, {.pool = pool}};
    known_names_add(&known, records);
    if (!name)
        die(STATUS_BAD_INPUT, "%s: %s has records of several solvers; name one of them: %s", arm_options[arm],
            folder->path, name_order_text(&known.solvers, ", ", ", ", known.solvers.count));
    const struct solver_choice *choice =
        given ? given : solver_choices_read(pool, arm_options[arm], name).items;
    arms->solvers[arm] = name;
    arms->records[arm] = solver_choice_select(pool, arm_options[arm], folder->path, choice, records);
    if (arms->records[arm].count == 0 && !arms->obstacle)
        arms->obstacle = pool_printf(pool, "nothing to compare: %s has no record of %s on these data sets",
                                     folder->path, choice->text);
}

/* Both lists follow the order of the one array that holds the file's records. */
static int have_common_record(const struct arms *arms)
{
    const struct records *first = &arms->records[BASELINE], *second = &arms->records[CANDIDATE];
    size_t i = 0, j = 0;
    while (i < first->count && j < second->count && first->items[i] != second->items[j])
        *(first->items[i] < second->items[j] ? &i : &j) += 1;
    return i < first->count && j < second->count;
}

static void choose_both(struct pool *pool, struct arms *arms, const struct solver_choice *const choices[ARMS])
{
    const struct solver_choice *first = choices[BASELINE], *second = choices[CANDIDATE];
    choose_records(pool, arms, BASELINE, first, second ? second->name : NULL);
    choose_records(pool, arms, CANDIDATE, second, arms->solvers[BASELINE]);
    const char *texts[ARMS];
    for (int s = 0; s < ARMS; s++)
        texts[s] = choices[s] ? choices[s]->text : arms->solvers[s];
    if (arms->runs.count == 1 && have_common_record(arms))
        die(STATUS_BAD_INPUT,
            "%s: %s and %s have records in common; name two solvers or two settings, or give two folders",
            arms->runs.items[0].path, texts[CANDIDATE], texts[BASELINE]);
    int one_name = strcmp(texts[BASELINE], texts[CANDIDATE]) == 0;
    for (int s = 0; s < ARMS; s++)
        arms->labels[s] = one_name ? pool_printf(pool, "%s (%s)", texts[s], arms->runs.items[s].path) : texts[s];
}

/* ---- whether the folders may be compared ---- */

static void check_alike(const struct run_folders *runs, const char *key, const char *fallback)
{
    const char *shown[ARMS];
    for (int s = 0; s < ARMS; s++) {
        const cJSON *value = json_member(runs->items[s].config, key);
        shown[s] = value ? json_to_text(value) : fallback;
    }
    if (strcmp(shown[0], shown[1]) != 0)
        die(STATUS_BAD_INPUT, "%s has %s %s and %s has %s: their records cannot be compared", runs->items[0].path, key,
            shown[0], runs->items[1].path, shown[1]);
}

/* ---- times ---- */

/* Reads the times of both arms, or sets the reason why they are not compared. Without kernel operations times include
 * kernel values (docs/formats.md). */
static void take_times(struct pool *pool, struct arms *arms)
{
    struct records both = {.pool = pool};
    const char *obstacle = NULL;
    for (int s = 0; s < ARMS; s++) {
        const struct run_folder *folder = arms_folder(&arms->runs, s);
        for (size_t i = 0; i < arms->records[s].count; i++)
            arms->counted[s] |= !isnan(arms->records[s].items[i]->field[FIELD_KERNEL_OPERATIONS]);
        records_append(&both, &arms->records[s]);
        if (!obstacle && !run_folder_read_times(arms_folder(&arms->runs, s)))
            obstacle = pool_printf(pool, "%s has no timings.jsonl", folder->path);
    }
    obstacle = obstacle ? obstacle : records_time_obstacle(pool, &arms->runs, &both);
    arms->without_times = obstacle ? pool_printf(pool, "Times are not compared: %s.", obstacle) : "";
}

double arms_seconds(const struct arms *arms, const struct pair *pair, enum arm arm)
{
    return *arms->without_times ? (double)NAN : record_time(pair->records[arm]);
}

/* ---- both arms ---- */

struct run_folders *arms_read_folders(struct pool *pool, const char *const folders[ARMS])
{
    struct run_folders *runs = pool_alloc(pool, sizeof *runs);
    const size_t n = file_is_same(folders[0], folders[1]) ? 1 : ARMS;
    *runs = run_folders_open(pool, folders, n, FOLDER_CONFIG);
    for (size_t i = 0; i < n; i++)
        if (run_folder_read_records(&runs->items[i])->count == 0)
            die(STATUS_NOT_FOUND, "%s: no records", folders[i]);
    if (n == ARMS) {
        run_folder_check_splits(&runs->items[0], &runs->items[1]);
        check_alike(runs, "standardise", "\"training\"");
        check_alike(runs, "support_vector_threshold", "1e-06");
    }
    return runs;
}

struct arms arms_choose(struct pool *pool, const struct run_folders *runs,
                        const struct solver_choice *const choices[ARMS])
{
    struct arms arms = {.runs = *runs};
    choose_both(pool, &arms, choices);
    take_times(pool, &arms);
    return arms;
}
