/* The parts of atlas.json that compare solvers, targets and costs. */
#include <cjson/cJSON.h>
#include <math.h>

#include "harness/atlas/atlas_output.h"
#include "harness/format/flat_numbers.h"
#include "harness/base/json_writer.h"

static void put_stability(cJSON *array, const struct rank_stability *stability)
{
    cJSON *json = json_add_object(array);
    struct flat_numbers flat;
    json_put_text(json, "cost", atlas_cost_texts[stability->cost].key);
    json_put_number(json, "reference", (double)stability->reference);
    flat_numbers_open(&flat);
    for (size_t t = 0; t < stability->family->n_targets; t++) {
        const struct stability_row *row = &stability->rows[t];
        flat_numbers_add_interval(&flat, &row->tau);
        flat_numbers_add_interval(&flat, &row->same_winner);
        flat_numbers_add_interval(&flat, &row->loss);
        flat_numbers_add(&flat, (double)row->n);
    }
    flat_numbers_close(&flat, json, "rows");
}

static void put_near(cJSON *array, const struct near_best *near)
{
    const struct atlas_family *family = near->family;
    cJSON *json = json_add_object(array);
    struct flat_numbers flat;
    json_put_text(json, "cost", atlas_cost_texts[near->cost].key);
    flat_numbers_open(&flat);
    for (size_t t = 0; t <= family->n_targets; t++)
        flat_numbers_add(&flat, (double)near->n[t]);
    flat_numbers_close(&flat, json, "problems");
    flat_numbers_open(&flat);
    for (size_t k = 0; k < family->n_series * (family->n_targets + 1); k++) {
        const int counts = family->counts[near->cost][k / (family->n_targets + 1)];
        flat_numbers_add_interval(&flat, counts ? &near->rows[k].ratio : &no_interval);
        flat_numbers_add_interval(&flat, counts ? &near->rows[k].near : &no_interval);
        flat_numbers_add_interval(&flat, counts ? &near->rows[k].best : &no_interval);
    }
    flat_numbers_close(&flat, json, "rows");
}

static void put_agreement(cJSON *array, const struct measure_agreement *agreement)
{
    cJSON *json = json_add_object(array);
    struct flat_numbers flat;
    json_put_text(json, "cost", atlas_cost_texts[agreement->costs[0]].key);
    json_put_text(json, "other", atlas_cost_texts[agreement->costs[1]].key);
    json_put_number(json, "pairs", agreement->pairs);
    json_put_number(json, "equal", agreement->equal);
    flat_numbers_open(&flat);
    flat_numbers_add_interval(&flat, &agreement->concordant);
    flat_numbers_add_interval(&flat, &agreement->tau);
    flat_numbers_add_interval(&flat, &agreement->spread);
    flat_numbers_close(&flat, json, "row");
}

static void put_waste(cJSON *json, const struct kernel_waste_table *waste)
{
    const struct atlas_family *family = waste->family;
    struct flat_numbers flat;
    flat_numbers_open(&flat);
    for (size_t k = 0; k < family->n_series * family->n_targets; k++) {
        const struct kernel_waste *row = &waste->rows[k];
        flat_numbers_add(&flat, (double)row->n);
        flat_numbers_add_interval(&flat, &row->evaluations);
        flat_numbers_add_interval(&flat, &row->operations);
        flat_numbers_add_interval(&flat, row->n ? &row->reuse : &no_interval);
    }
    flat_numbers_close(&flat, json, "waste");
}

static void put_ratios(cJSON *array, const struct series_ratios *ratios)
{
    const struct atlas_family *family = ratios->family;
    cJSON *json = json_add_object(array);
    json_put_number(json, "solver", (double)ratios->second);
    json_put_number(json, "against", (double)ratios->first);
    for (int cost = 0; cost < ATLAS_COSTS; cost++) {
        struct flat_numbers flat;
        if (!family->counts[cost][ratios->first] || !family->counts[cost][ratios->second])
            continue;
        flat_numbers_open(&flat);
        for (size_t t = 0; t < family->n_targets; t++) {
            const struct series_ratio *row = &ratios->rows[(size_t)cost * family->n_targets + t];
            flat_numbers_add_interval(&flat, &row->ratio);
            flat_numbers_add(&flat, (double)row->both);
            flat_numbers_add(&flat, (double)row->first_alone);
            flat_numbers_add(&flat, (double)row->second_alone);
            flat_numbers_add(&flat, (double)row->neither);
            flat_numbers_add(&flat, (double)row->cheaper);
            flat_numbers_add(&flat, (double)row->datasets);
        }
        flat_numbers_close(&flat, json, atlas_cost_texts[cost].key);
    }
}

static void put_rates(cJSON *array, const struct local_rates *rates)
{
    const struct atlas_family *family = rates->family;
    cJSON *json = json_add_object(array);
    struct flat_numbers flat;
    json_put_number(json, "dataset", rates->dataset == (size_t)-1 ? (double)NAN : (double)rates->dataset);
    flat_numbers_open(&flat);
    for (size_t k = 0; k < family->n_series * (family->n_targets - 1); k++) {
        flat_numbers_add(&flat, (double)rates->rows[k].n);
        flat_numbers_add(&flat, (double)rates->rows[k].missed);
        for (size_t q = 0; q < 3; q++)
            flat_numbers_add(&flat, rates->rows[k].n ? rates->rows[k].quartiles[q] : (double)NAN);
    }
    flat_numbers_close(&flat, json, "rows");
}

static void put_curve(cJSON *array, const struct size_growth *growth, const struct growth_curve *curve)
{
    cJSON *json = json_add_object(array);
    struct flat_numbers flat;
    json_put_number(json, "sweep", (double)curve->sweep);
    json_put_text(json, "cost", atlas_cost_texts[curve->cost].key);
    json_put_number(json, "solver", (double)curve->series);
    json_put_number(json, "target", (double)curve->target);
    json_put_number(json, "c", (double)curve->c_level);
    json_put_number(json, "factor", (double)curve->factor_level);
    json_put_number(json, "censored", (double)curve->censored);
    if (curve->law.n > 0) {
        flat_numbers_open(&flat);
        flat_numbers_add_interval(&flat, &curve->law.exponent);
        flat_numbers_add(&flat, curve->law.factor);
        flat_numbers_add(&flat, curve->law.deviation);
        flat_numbers_close(&flat, json, "exponent");
        json_put_text(json, "bound", growth_bound_text(curve->law.bound));
    }
    flat_numbers_open(&flat);
    for (size_t i = 0; i < growth->sweeps[curve->sweep].n; i++) {
        flat_numbers_add(&flat, (double)curve->points[i].n);
        flat_numbers_add(&flat, (double)curve->points[i].reached);
        flat_numbers_add_interval(&flat, &curve->points[i].cost);
    }
    flat_numbers_close(&flat, json, "points");
}

void atlas_json_put_findings(cJSON *json, const struct atlas_results *results, const struct atlas_family *family)
{
    cJSON *stability = json_put_array(json, "stability"), *agreement = json_put_array(json, "agreement"),
          *ratios = json_put_array(json, "ratios"), *rates = json_put_array(json, "rates"),
          *growth = json_put_array(json, "growth"), *near = json_put_array(json, "near_best");
    for (size_t i = 0; i < results->n_stability; i++)
        if (results->stability[i].family == family)
            put_stability(stability, &results->stability[i]);
    for (size_t i = 0; i < results->n_near; i++)
        if (results->near[i].family == family)
            put_near(near, &results->near[i]);
    for (size_t i = 0; i < results->n_agreement; i++)
        if (results->agreement[i].family == family)
            put_agreement(agreement, &results->agreement[i]);
    for (size_t i = 0; i < results->n_waste; i++)
        if (results->waste[i].family == family)
            put_waste(json, &results->waste[i]);
    for (size_t i = 0; i < results->n_ratios; i++)
        if (results->ratios[i].family == family)
            put_ratios(ratios, &results->ratios[i]);
    for (size_t i = 0; i < results->n_rates; i++)
        if (results->rates[i].family == family)
            put_rates(rates, &results->rates[i]);
    for (size_t i = 0; i < results->growth.curves.count; i++)
        if (results->growth.curves.item[i].family == family)
            put_curve(growth, &results->growth, &results->growth.curves.item[i]);
}

void atlas_json_put_sweeps(cJSON *json, const struct size_growth *growth)
{
    cJSON *sweeps = json_put_array(json, "sweeps");
    for (size_t s = 0; s < growth->n_sweeps; s++) {
        const struct size_sweep *sweep = &growth->sweeps[s];
        cJSON *item = json_add_object(sweeps);
        struct flat_numbers flat;
        json_put_text(item, "member", growth_members[sweep->member]);
        cJSON *values = json_put_array(item, "values");
        for (size_t i = 0; i < sweep->n; i++)
            json_add_number(values, sweep->values[i]);
        flat_numbers_open(&flat);
        for (size_t i = 0; i < sweep->n; i++)
            flat_numbers_add(&flat, (double)sweep->datasets[i]);
        flat_numbers_close(&flat, item, "datasets");
    }
}
