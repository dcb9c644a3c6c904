/*
 * A parameter of an experiment: one value, a list, a linear or logarithmic range, a value of any of these forms for
 * each data set, or multiples of one value for each data set.
 */
#ifndef HULLBENCH_VALUE_LIST_H
#define HULLBENCH_VALUE_LIST_H

#include "harness/support/json_field.h"
#include "solvers/parameters.h"

struct values {
    size_t count;
    double *value; /* owned */
};

struct value_list {
    size_t count;
    char **dataset;        /* data set names, owned; NULL stands for every set not named */
    struct values *values; /* one entry per name */
};

/* Reads an axis. Forms: 0.5 | "word" | true | [..] | {"linear": {"from": a, "to": b, "count": n}} | {"log": {...}} |
 * {"per_dataset": {"heart": ..., "default": ...}} with known data set names | {"times": FACTORS, "per_dataset": {...}}
 * with one value for each data set, FACTORS of a form before per_dataset. Each value is one that the parameter allows,
 * a word stored as its place. Ranges and multiples are rounded to 12 significant digits so that they do not depend on
 * the mathematical library. The axis is zeroed first; free it with value_list_free even after an error. */
enum status value_list_read(const struct cJSON *json, const struct json_path *place, const struct parameter *parameter,
                            const char *const *datasets, struct value_list *list, struct error *error);
/* Whether records would show two values as one. They print enough digits to tell any two apart, but a reader of JSON
 * may take numbers for equal that differ in the last place (cJSON does), so some four such places are wanted. */
int value_list_values_equal(double one, double other);
/* An axis of one value. */
enum status value_list_constant(double value, struct value_list *list, struct error *error);
/* Keys of the objects that an axis may be, NULL-terminated. */
extern const char *const value_list_forms[];
/* Of an axis with "times": what the factors multiply for the data set. NAN for other axes, NULL, and data sets without
 * a value. Every value of the axis is one of the factors times this, rounded to 12 digits. */
double value_list_base(const struct cJSON *json, const char *dataset);
/* The values for a data set; NULL when it is not named and there is no default. */
const struct values *value_list_for(const struct value_list *list, const char *dataset);
void value_list_free(struct value_list *list);

#endif
