/*
 * The values of a parameter in an experiment: one value, a list, a linear or logarithmic range, any of these per data
 * set, or multiples of one value per data set.
 */
#ifndef HULLBENCH_VALUE_LIST_H
#define HULLBENCH_VALUE_LIST_H

#include "harness/support/members.h"
#include "solvers/parameters.h"

struct values {
    size_t count;
    double *value;
};

struct value_list {
    struct dataset_values {
        const char *dataset; /* NULL: every set not named */
        struct values values;
    } *item;
    size_t count, capacity;
};

/* Reads an axis into the pool. Forms: 0.5 | "word" | true | [..] | {"linear": {"from": a, "to": b, "count": n}} |
 * {"log": {...}} | {"per_dataset": {"heart": ..., "default": ...}} with known data set names | {"times": FACTORS,
 * "per_dataset": {...}} with one value per data set and FACTORS in one of the forms before per_dataset. Each value must
 * be allowed for the parameter; a word is stored as its index. Ranges and multiples are rounded to 12 significant
 * digits so that they do not depend on the math library. Dies with STATUS_BAD_INPUT. */
struct value_list value_list_read(struct pool *pool, const struct cJSON *json, const struct json_path *place,
                                  const struct parameter *parameter, const char *const *datasets);
/* Nonzero if records would show two values as one. Records print enough digits to distinguish any two values, but a
 * JSON reader (such as cJSON) may treat numbers that differ in the last place as equal, so about four such places are
 * required. */
int value_list_values_equal(double one, double other);
/* An axis of one value. */
struct value_list value_list_constant(struct pool *pool, double value);
/* Keys of the objects that an axis may be, NULL-terminated. */
extern const char *const value_list_forms[];
/* For an axis with "times": the number that the factors multiply for the data set. NAN for other axes, for NULL, and
 * for data sets without a value. Every value of the axis is a factor times this number, rounded to 12 digits. */
double value_list_base(const struct cJSON *json, const char *dataset);
/* The values for a data set; NULL if it is not named and there is no default. */
const struct values *value_list_for(const struct value_list *list, const char *dataset);

extern const struct member value_range_members[];

#endif
