/*
 * Reading configurations: a table of invalid ones, each with the expected part of its one-line error; the values of
 * valid ones, including axes; restrictions. Each invalid configuration is the valid one with one piece of text
 * replaced.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/die.h"
#include "harness/base/pool.h"
#include "harness/config/config.h"
#include "harness/evaluate/stopping.h"

static const char good[] = "{\"name\": \"good\",\n"
                           " \"datasets\": [\"titanic\", \"twonorm\"],\n"
                           " \"splits\": \"1-3,7\",\n"
                           " \"standardise\": \"full-set\",\n"
                           " \"kernel\": {\"type\": \"rbf\", \"width\": 2},\n"
                           " \"parameters\": {\"mu\": 0.25},\n"
                           " \"solvers\": [\"mu-gsk\", \"clip-mdm\", \"mu-mdm\"],\n"
                           " \"stop\": {\"rule\": \"rch-gap\", \"tolerance\": 0.001},\n"
                           " \"budget\": {\"iterations\": 100}}\n";

/* good with the first `old` replaced by `new`; malloc'ed. */
static char *changed(const char *old, const char *new)
{
    const char *at = strstr(good, old);
    assert_non_null(at);
    size_t before = (size_t)(at - good), size = sizeof good + strlen(new);
    char *text = malloc(size);
    assert_non_null(text);
    snprintf(text, size, "%.*s%s%s", (int)before, good, new, at + strlen(old));
    return text;
}

static struct pool *pool; /* of all configurations */

/* An attempt to read a text. */
struct parsing {
    const char *label;
    char *text; /* malloc'ed */
    struct config *config;
};

static void parse(void *context)
{
    struct parsing *parsing = context;
    parsing->config = config_parse(pool, parsing->label, parsing->text);
}

static enum status try_to_parse(struct parsing *parsing, struct error *error)
{
    const enum status status = attempt(parse, parsing, error);
    free(parsing->text);
    return status;
}

static struct config *parse_good(const char *old, const char *new)
{
    struct parsing parsing = {.label = "good.json", .text = changed(old, new)};
    struct error error = {0};
    if (try_to_parse(&parsing, &error) != STATUS_OK)
        print_message("%s\n", error.message);
    assert_non_null(parsing.config);
    return parsing.config;
}

/* An attempt to read an axis of a switch. */
struct reading {
    const cJSON *json;
    const struct json_path *place;
    const struct parameter *parameter;
    struct value_list list;
};

static void read_axis(void *context)
{
    struct reading *reading = context;
    reading->list = value_list_read(pool, reading->json, reading->place, reading->parameter, NULL);
}

/* An attempt to restrict a configuration. */
struct restriction {
    struct config *config;
    const char *solvers, *datasets, *splits;
};

static void restrict_it(void *context)
{
    const struct restriction *given = context;
    config_select(given->config, given->solvers, given->datasets, given->splits, 0);
}

static const struct {
    const char *old, *new, *says;
} bad[] = {
    /* JSON */
    {"\"titanic\",", "\"titanic\"", "bad.json:2:25: not valid JSON"},
    {"100}}", "100}", "bad.json:"},
    {"100}}", "100}} x", "bad.json:9:33: not valid JSON"},
    /* keys */
    {"\"name\"", "\"nam\"", "unknown key \"nam\"; did you mean \"name\"?"},
    {"\"name\": \"good\",", "", "key \"name\" is missing"},
    {"\"good\"", "\"\"", "name: \"\" is not a non-empty string"},
    {"\"good\"", "7", "name: 7 is not a non-empty string"},
    {"\"good\",", "\"good\", \"title\": [],", "title: [] is not a non-empty string"},
    {"\"good\",", "\"good\", \"name\": \"again\",", "key \"name\" occurs twice"},
    /* data sets */
    {"[\"titanic\", \"twonorm\"]", "[]", "bad.json: datasets: expected a non-empty list"},
    {"[\"titanic\", \"twonorm\"]", "\"titanic\"", "bad.json: datasets: expected a non-empty list"},
    {"\"titanic\"", "\"Titanic\"", "datasets[0]: unknown data set \"Titanic\"; did you mean \"titanic\"?"},
    {"\"titanic\"", "3", "datasets[0]: 3 is not an object"},
    {"\"titanic\"", "{\"name\": \"titanic\", \"made\": true, \"synthetic\": false}",
     "datasets[0]: \"made\" is the former name of \"synthetic\"; give only one"},
    {"\"good\",", "\"good\", \"make_missing\": true, \"generate_missing\": false,",
     "\"make_missing\" is the former name of \"generate_missing\"; give only one"},
    {"\"titanic\"", "{\"file\": \"a.csv\"}", "datasets[0]: key \"name\" is missing"},
    {"\"titanic\"", "{\"name\": \"mine\"}", "unknown data set \"mine\""},
    {"\"titanic\"", "{\"name\": \"a/b\", \"file\": \"a.csv\"}",
     "datasets[0]: data set name \"a/b\" contains a slash"},
    {"\"titanic\"", "{\"name\": \"a\", \"file\": \"a.csv\", \"format\": \"cvs\"}", "unknown format \"cvs\""},
    {"\"titanic\"", "{\"name\": \"a\", \"file\": \"a.csv\", \"made\": true}",
     "\"synthetic\" cannot be combined with \"file\""},
    {"\"titanic\"", "{\"name\": \"titanic\", \"made\": 1}", "made: expected true or false"},
    {"\"titanic\"", "{\"name\": \"titanic\", \"synthetic\": 1}", "synthetic: expected true or false"},
    {"\"titanic\"", "{\"name\": \"a\", \"file\": \"a.csv\", \"n_train\": 2.5}", "n_train: 2.5 is not a whole number"},
    {"\"titanic\"", "{\"name\": \"a\", \"file\": \"a.csv\", \"n_train\": -3}", "n_train: -3 is out of range"},
    {"\"titanic\"", "\"twonorm\"", "datasets[1]: data set \"twonorm\" occurs twice"},
    {"\"titanic\"", "{\"name\": \"a\", \"generate\": {\"shape\": \"round\"}, \"n_train\": 2, \"n_test\": 2}",
     "datasets[0].generate.shape: "},
    {"\"titanic\"", "{\"name\": \"a\", \"generate\": {\"shape\": \"gaussians\"}}",
     "datasets[0]: \"generate\" needs \"n_train\" and \"n_test\""},
    {"\"titanic\"",
     "{\"name\": \"a\", \"generate\": {\"shape\": \"gaussians\", \"density\": 0}, \"n_train\": 2, \"n_test\": 2}",
     "datasets[0].generate.density: 0 is out of range"},
    {"\"titanic\"",
     "{\"name\": \"a\", \"generate\": {\"shape\": \"chessboard\", \"density\": 1}, \"n_train\": 2, \"n_test\": 2}",
     "datasets[0].generate: shape \"chessboard\" does not read \"density\""},
    {"\"titanic\"", "{\"name\": \"a\", \"generate\": {\"shape\": \"gaussians\"}, \"n_train\": 9, \"n_test\": 9}",
     "datasets[0]: \"generate\" needs \"standardise\": \"none\""},
    {"\"titanic\"",
     "{\"name\": \"a\", \"file\": \"a.csv\", \"generate\": {\"shape\": \"gaussians\"}, \"n_train\": 9, \"n_test\": 9}",
     "datasets[0]: \"generate\" cannot be combined with \"file\""},
    /* repeats */
    {"\"good\",", "\"good\", \"repeats\": 0,", "repeats: 0 is out of range"},
    {"\"good\",", "\"good\", \"repeats\": 1001,", "repeats: 1001 is out of range"},
    {"\"good\",", "\"good\", \"repeats\": 2.5,", "repeats: 2.5 is not a whole number"},
    {"\"good\",", "\"good\", \"repeats\": \"5\",", "repeats: "},
    /* draws */
    {"\"good\",", "\"good\", \"draws\": 0,", "draws: 0 is out of range"},
    {"\"good\",", "\"good\", \"draws\": 1.5,", "draws: 1.5 is not a whole number"},
    {"\"good\",\n \"datasets\": [\"titanic\",",
     "\"good\", \"draws\": 2,\n \"datasets\": [{\"name\": \"a\", \"file\": \"a.csv\"},", "draws: \"a\" is a file"},
    {"\"splits\": \"1-3,7\"", "\"draws\": 2, \"splits\": {\"folds\": 5}", "draws: cannot be combined with folds"},
    /* measurements whose records could not be told apart */
    {"\"mu-gsk\", \"clip-mdm\", \"mu-mdm\"", "{\"name\": \"mu-gsk\", \"parameters\": [1]}",
     "solvers[0].parameters: [1] is not an object"},
    {"\"mu-gsk\", \"clip-mdm\", \"mu-mdm\"", "\"mu-gsk\", \"mu-gsk\"",
     "solvers[1]: repeats solvers[0]: both run mu-gsk with mu 0.25, stop rch-gap 0.001 on data set titanic"},
    {"\"mu-gsk\", \"clip-mdm\", \"mu-mdm\"", "\"mu-gsk\", \"clip-mdm\", {\"name\": \"mu-gsk\"}",
     "solvers[2]: repeats solvers[0]"},
    {"\"mu-gsk\", \"clip-mdm\", \"mu-mdm\"", "\"mu-gsk\", {\"name\": \"mu-gsk\", \"budget\": {\"iterations\": 7}}",
     "solvers[1]: repeats solvers[0]"},
    {"\"mu-gsk\", \"clip-mdm\", \"mu-mdm\"",
     "\"mu-gsk\", {\"name\": \"mu-gsk\", \"budget\": {\"iterations\": 100, \"seconds\": 1}}",
     "solvers[1]: repeats solvers[0]"},
    {"\"mu-gsk\", \"clip-mdm\", \"mu-mdm\"",
     "\"mu-gsk\", {\"name\": \"mu-gsk\", \"budget\": {\"iterations\": 100, \"kernel_operations\": 9}}",
     "solvers[1]: repeats solvers[0]"},
    {"\"mu-gsk\", \"clip-mdm\", \"mu-mdm\"",
     "{\"name\": \"mu-gsk\", \"parameters\": {\"mu\": [0.1, 0.2]}}, {\"name\": \"mu-gsk\", \"parameters\": {\"mu\": "
     "[0.3, 0.2]}}",
     "solvers[1]: repeats solvers[0]: both run mu-gsk with mu 0.2,"},
    {"\"mu-gsk\", \"clip-mdm\", \"mu-mdm\"",
     "{\"name\": \"mu-gsk\", \"parameters\": {\"mu\": {\"linear\": {\"from\": 0.1, \"to\": 0.3, \"count\": 3}}}}, "
     "{\"name\": \"mu-gsk\", \"parameters\": {\"mu\": 0.2}}",
     "solvers[1]: repeats solvers[0]: both run mu-gsk with mu 0.2,"},
    {"\"mu-gsk\", \"clip-mdm\", \"mu-mdm\"",
     "{\"name\": \"mu-gsk\", \"parameters\": {\"mu\": {\"per_dataset\": {\"titanic\": 0.1, \"twonorm\": 0.2}}}}, "
     "{\"name\": \"mu-gsk\", \"parameters\": {\"mu\": 0.2}}",
     "solvers[1]: repeats solvers[0]: both run mu-gsk with mu 0.2, stop rch-gap 0.001 on data set twonorm"},
    {"\"mu-gsk\", \"clip-mdm\", \"mu-mdm\"",
     "\"mu-mdm\", {\"name\": \"mu-mdm\", \"parameters\": {\"selection\": [\"free\", \"extreme\"]}}",
     "solvers[1]: repeats solvers[0]: both run mu-mdm with mu 0.25, selection extreme,"},
    {"\"mu-gsk\", \"clip-mdm\", \"mu-mdm\"",
     "\"mu-gsk\", {\"name\": \"mu-gsk\", \"stop\": {\"rule\": \"rch-gap\", \"tolerance\": [0.1, 0.001]}}",
     "solvers[1]: repeats solvers[0]"},
    {"\"mu-gsk\", \"clip-mdm\", \"mu-mdm\"",
     "{\"name\": \"mu-gsk\", \"stop\": {\"rule\": \"iterations\"}, \"budget\": {\"iterations\": 5}}, {\"name\": "
     "\"mu-gsk\", \"stop\": {\"rule\": \"iterations\"}, \"budget\": {\"iterations\": 6}}",
     "solvers[1]: repeats solvers[0]: both run mu-gsk with mu 0.25, stop iterations on"},
    {"\"mu-gsk\", \"clip-mdm\", \"mu-mdm\"",
     "\"mu-gsk\", {\"name\": \"mu-gsk\", \"parameters\": {\"mu\": 0.25000000000000006}}",
     "solvers[1]: repeats solvers[0]"},
    {"0.25", "[0.25, 0.25000000000000006]",
     "parameters.mu[1]: 0.25000000000000006 occurs twice, as records show it"},
    {"0.25", "{\"linear\": {\"from\": 0.25, \"to\": 0.2500000000000001, \"count\": 4}}",
     "parameters.mu.linear: 0.25 occurs twice"},
    {"\"width\": 2", "\"width\": [2, 2.0000000000000004]",
     "kernel.width[1]: 2.0000000000000004 occurs twice"},
    /* splits */
    {"\"1-3,7\"", "\"\"", "splits: \"\" is not a list of split numbers"},
    {"\"1-3,7\"", "[]", "splits: \"\" is not a list of split numbers"},
    {"\"1-3,7\"", "0", "splits: \"0\" is not"},
    {"\"1-3,7\"", "1.5", "splits: \"1.5\" is not"},
    {"\"1-3,7\"", "[1, \"2\"]", "splits: \"1,\"2\"\" is not a list of split numbers"},
    {"\"1-3,7\"", "[1, -2]", "is not a list of split numbers"},
    {"\"1-3,7\"", "1e300", "is not a list of split numbers"},
    {"\"1-3,7\"", "\"3-1\"", "splits: \"3-1\" is not"},
    {"\"1-3,7\"", "\"1 - 3\"", "is not a list of split numbers"},
    {"\"1-3,7\"", "\"1,\"", "is not a list of split numbers"},
    {"\"1-3,7\"", "\"100001\"", "splits: \"100001\" is not a list of split numbers; allowed: numbers from 1 to 100000"},
    {"\"1-3,7\"", "\"99999999999999999999999\"",
     "splits: \"99999999999999999999999\" is not a list of split numbers; allowed: numbers from 1 to 100000"},
    {"\"1-3,7\"", "{\"folds\": 1}", "splits.folds: 1 is out of range; allowed: above 1, at most 1000"},
    {"\"1-3,7\"", "{\"folds\": 2.5}", "splits.folds: 2.5 is not a whole number"},
    {"\"1-3,7\"", "{\"repeats\": 0}", "splits.repeats: 0 is out of range"},
    {"\"1-3,7\"", "{\"stratified\": 1}", "splits.stratified: expected true or false"},
    {"\"1-3,7\"", "{\"fold\": 5}", "splits: unknown key \"fold\"; did you mean \"folds\"?"},
    {"\"1-3,7\"", "null",
     "splits: null is not a list of split numbers; allowed: 7, \"1-10,20\" or [1, 2]"},
    {"\"splits\": \"1-3,7\",", "", "splits: nothing is not a list of split numbers"},
    /* the rest of the top */
    {"\"full-set\"", "\"fullset\"", "standardise: unknown value \"fullset\"; did you mean \"full-set\"?"},
    {"\"standardise\": \"full-set\",", "", "key \"standardise\" is missing"},
    {"\"twonorm\"],\n \"splits\": \"1-3,7\",\n \"standardise\": \"full-set\",",
     "{\"name\": \"a\", \"file\": \"a.csv\"}], \"splits\": 1,", "key \"standardise\" is missing"},
    {"\"full-set\",", "\"full-set\", \"seed\": 0,", "seed: 0 is out of range"},
    {"\"full-set\",", "\"full-set\", \"seed\": 1.5,", "seed: 1.5 is not a whole number"},
    {"\"full-set\",", "\"full-set\", \"seed\": 1e17,", "seed: 1e+17 is out of range"},
    {"\"full-set\",", "\"full-set\", \"make_missing\": 1,", "make_missing: expected true or false"},
    {"\"full-set\",", "\"full-set\", \"generate_missing\": 1,", "generate_missing: expected true or false"},
    {"\"full-set\",", "\"full-set\", \"support_vector_threshold\": -1,",
     "support_vector_threshold: -1 is out of range"},
    {"\"full-set\",", "\"full-set\", \"support_vector_threshold\": 1.5,",
     "support_vector_threshold: 1.5 is out of range; allowed: 0 to 1"},
    {"\"full-set\",", "\"full-set\", \"support_vector_threshold\": \"0\",",
     "support_vector_threshold: \"0\" is not a number"},
    {"\"full-set\",", "\"full-set\", \"training_order\": \"reverse\",",
     "training_order: unknown value \"reverse\"; did you mean \"reversed\"?"},
    {"\"full-set\",", "\"full-set\", \"training_order\": true,", "training_order: true is not"},
    {"\"full-set\",", "\"full-set\", \"swap_labels\": \"yes\",", "swap_labels: expected true or false"},
    {"\"full-set\",", "\"full-set\", \"gram_megabytes\": 0,", "gram_megabytes: 0 is out of range"},
    /* kernel */
    {"\"rbf\"", "\"gauss\"",
     "kernel.type: unknown kernel type \"gauss\"; is it in a plugin? give --plugin FILE; allowed: rbf, polynomial, "
     "linear, precomputed"},
    {"\"type\": \"rbf\", ", "", "kernel: key \"type\" is missing"},
    {"\"width\": 2", "\"width\": 0", "kernel.width: 0 is out of range; allowed: above 0"},
    {"\"width\": 2", "\"width\": 1e999", "kernel.width: inf is out of range"},
    {"\"width\": 2", "\"width\": 2, \"degree\": 2", "kernel: unknown key \"degree\"; allowed: type, width"},
    {"\"rbf\", \"width\": 2", "\"polynomial\"", "kernel: key \"degree\" is missing"},
    {"\"rbf\", \"width\": 2", "\"polynomial\", \"degree\": 2.5", "kernel.degree: 2.5 is not a whole number"},
    {"\"rbf\", \"width\": 2", "\"polynomial\", \"degree\": 65", "kernel.degree: 65 is out of range"},
    {"\"rbf\", \"width\": 2", "\"linear\", \"width\": 2", "kernel: unknown key \"width\"; allowed: type"},
    {"{\"type\": \"rbf\", \"width\": 2}", "\"rbf\"", "kernel: \"rbf\" is not an object"},
    /* axes */
    {"\"width\": 2", "\"width\": []", "kernel.width: the list is empty"},
    {"\"width\": 2", "\"width\": [1, 2, 1]", "kernel.width[2]: 1 occurs twice"},
    {"\"width\": 2", "\"width\": [1, [2]]", "kernel.width[1]: [2] is not a number"},
    {"\"width\": 2", "\"width\": true", "kernel.width: true is not a number"},
    {"\"width\": 2", "\"width\": {}", "kernel.width: expected one of the keys \"linear\" and \"log\""},
    {"\"width\": 2", "\"width\": {\"logarithmic\": {}}", "unknown key \"logarithmic\""},
    {"\"width\": 2", "\"width\": {\"log\": {\"from\": 1, \"to\": 2}}", "kernel.width.log: key \"count\" is missing"},
    {"\"width\": 2", "\"width\": {\"log\": {\"from\": 1, \"to\": 2, \"count\": 1}}", "count: 1 is out of range"},
    {"\"width\": 2", "\"width\": {\"log\": {\"from\": 1, \"to\": 2, \"count\": 2.5}}",
     "kernel.width.log.count: 2.5 is not a whole number"},
    {"\"width\": 2", "\"width\": {\"log\": {\"from\": 1, \"to\": 1, \"count\": 2}}",
     "kernel.width.log.to: 1 occurs twice"},
    {"\"width\": 2", "\"width\": {\"log\": {\"from\": 0, \"to\": 1, \"count\": 2}}",
     "kernel.width.log.from: 0 is out of range"},
    {"\"width\": 2", "\"width\": {\"log\": {\"from\": 1, \"to\": 2, \"count\": 2, \"by\": 1}}", "unknown key \"by\""},
    {"\"width\": 2", "\"width\": {\"log\": 3}", "kernel.width.log: 3 is not an object"},
    {"\"width\": 2", "\"width\": {\"per_dataset\": {}}", "kernel.width.per_dataset: expected an object"},
    {"\"width\": 2", "\"width\": {\"per_dataset\": {\"heart\": 1}}",
     "unknown data set \"heart\"; allowed: titanic, twonorm"},
    {"\"width\": 2", "\"width\": {\"per_dataset\": {\"twonorm\": 1}}",
     "kernel.width: no value for data set \"titanic\""},
    {"\"width\": 2", "\"width\": {\"per_dataset\": {\"twonorm\": -1, \"default\": 1}}",
     "per_dataset.twonorm: -1 is out of range"},
    {"\"width\": 2", "\"width\": {\"per_dataset\": {\"default\": {\"per_dataset\": {\"titanic\": 1}}}}",
     "kernel.width.per_dataset.default: expected one of the keys"},
    /* parameters */
    {"0.25", "0", "parameters.mu: 0 is out of range; allowed: above 0, at most 1"},
    {"0.25", "1.0000001", "parameters.mu: 1.0000001 is out of range"},
    {"0.25", "\"much\"", "parameters.mu: \"much\" is not a number"},
    /* 1/C and s^2 are finite, sums of them too */
    {"\"clip-mdm\"", "{\"name\": \"accelerated-mdm\", \"parameters\": {\"C\": 1e-305}}",
     "parameters.C: 1e-305 is out of range; allowed: above 1e-300"},
    {"\"clip-mdm\"", "{\"name\": \"conjugate-2-smo\", \"parameters\": {\"C\": 1e-300}}",
     "parameters.C: 1e-300 is out of range; allowed: above 1e-300"},
    {"\"clip-mdm\"", "{\"name\": \"max-minover\", \"parameters\": {\"added\": 1e200}}",
     "parameters.added: 1e+200 is out of range; allowed: above -1e+100, at most 1e+100"},
    {"\"clip-mdm\"", "{\"name\": \"max-minover\", \"parameters\": {\"added\": -1e200}}",
     "parameters.added: -1e+200 is out of range; allowed: above -1e+100"},
    /* whole numbers and multiples */
    {"\"clip-mdm\"", "{\"name\": \"accelerated-mdm\", \"parameters\": {\"C\": 1, \"history\": -1}}",
     "parameters.history: -1 is out of range; allowed: a whole number from 0, at most 4096"},
    {"\"clip-mdm\"", "{\"name\": \"accelerated-mdm\", \"parameters\": {\"C\": 1, \"history\": 1.5}}",
     "history: 1.5 is not a whole number; allowed: a whole number from 0, at most 4096"},
    {"\"clip-mdm\"", "{\"name\": \"svm-light\", \"parameters\": {\"C\": 1, \"q\": 3}}",
     "parameters.q: 3 is not a multiple of 2; allowed: a multiple of 2 from 2, at most 4096"},
    {"\"clip-mdm\"", "{\"name\": \"svm-light\", \"parameters\": {\"C\": 1, \"q\": 0}}",
     "parameters.q: 0 is out of range; allowed: a multiple of 2 from 2, at most 4096"},
    {"\"clip-mdm\"", "{\"name\": \"svm-light\", \"parameters\": {\"C\": 1, \"new_variables\": -2}}",
     "new_variables: -2 is out of range; allowed: a multiple of 2 from 0, at most 4096"},
    {"\"clip-mdm\"", "{\"name\": \"svm-light\", \"parameters\": {\"C\": 1, \"shrink_after\": 0}}",
     "shrink_after: 0 is out of range; allowed: a whole number from 1, at most 9007199254740992"},
    {"0.25", "0.25, \"C\": 1", "none of the solvers reads parameter \"C\""},
    {"0.25", "0.25, \"my\": 1", "parameters: unknown key \"my\"; did you mean \"mu\"?"},
    {"\"parameters\": {\"mu\": 0.25},", "", "solver \"mu-gsk\" needs parameter \"mu\""},
    {"0.25", "0.25, \"selection\": \"any\"", "parameters.selection: unknown value \"any\"; allowed: extreme, free"},
    {"0.25", "0.25, \"selection\": 1", "parameters.selection: unknown value \"1\"; allowed: extreme, free"},
    {"0.25", "0.25, \"selection\": [\"free\", \"free\"]", "parameters.selection[1]: \"free\" occurs twice"},
    {"0.25", "0.25, \"selection\": {\"linear\": {\"from\": 0, \"to\": 1, \"count\": 2}}",
     "parameters.selection: only numbers have ranges; allowed: one of extreme, free"},
    /* solvers */
    {"[\"mu-gsk\", \"clip-mdm\", \"mu-mdm\"]", "[]", "solvers: expected a non-empty list of solvers"},
    {"\"clip-mdm\"", "\"mdm-clip\"", "solvers[1]: unknown solver \"mdm-clip\""},
    {"\"clip-mdm\"", "4", "solvers[1]: 4 is not an object"},
    {"\"clip-mdm\"", "\"*\"", "solvers[1]: \"*\" must be the last entry"},
    {"\"mu-mdm\"", "{\"name\": \"*\", \"parameters\": {}}", "solvers[2]: unknown key \"parameters\""},
    {"\"mu-gsk\", \"clip-mdm\", \"mu-mdm\"",
     "{\"name\": \"*\", \"stop\": {\"rule\": \"kt\", \"tolerance\": 1}}", "stop.rule: unknown stopping rule \"kt\""},
    {"\"clip-mdm\"", "{\"parameters\": {}}", "solvers[1]: key \"name\" is missing"},
    {"\"clip-mdm\"", "{\"name\": \"clip-mdm\", \"tolerance\": 1}", "solvers[1]: unknown key \"tolerance\""},
    {"\"clip-mdm\"", "{\"name\": \"clip-mdm\", \"parameters\": {\"selection\": \"free\"}}",
     "solvers[1].parameters: unknown key \"selection\"; allowed: mu"},
    {"\"clip-mdm\"", "{\"name\": \"clip-mdm\", \"parameters\": {\"mu\": 2}}",
     "solvers[1].parameters.mu: 2 is out of range"},
    {"\"clip-mdm\"", "{\"name\": \"clip-mdm\", \"stop\": {\"rule\": \"kkt\", \"tolerance\": 1}}",
     "solvers[1].stop.rule: stopping rule \"kkt\" does not apply to solver \"clip-mdm\"; allowed: "},
    {"\"clip-mdm\"", "{\"name\": \"clip-mdm\", \"stop\": {\"rule\": \"svm-gap\", \"tolerance\": 1}}",
     "solvers[1].stop.rule: stopping rule \"svm-gap\" needs the C from which mu of solver \"clip-mdm\""},
    {"\"clip-mdm\"",
     "{\"name\": \"svm-light\", \"parameters\": {\"C\": 1, \"q\": [20, 12], \"new_variables\": [2, 14]}}",
     "solvers[1].parameters.new_variables: 14 is out of range; allowed: at most q, which is 12"},
    {"\"clip-mdm\"",
     "{\"name\": \"svm-light\", \"parameters\": {\"C\": 1, \"new_variables\": {\"per_dataset\": {\"twonorm\": 12, "
     "\"default\": 4}}}}",
     "solvers[1].parameters.new_variables: 12 is out of range; allowed: at most q, which is 10"},
    /* stopping and budget */
    {"\"rch-gap\"", "\"rch\"", "stop.rule: unknown stopping rule \"rch\"; did you mean \"rch-gap\""},
    {"\"rule\": \"rch-gap\", ", "", "stop: key \"rule\" is missing"},
    {", \"tolerance\": 0.001", "", "stop: key \"tolerance\" is missing"},
    {"0.001", "0", "stop.tolerance: 0 is out of range"},
    {"\"rch-gap\"", "\"iterations\"", "stop.tolerance: rule \"iterations\" has no tolerance"},
    {"\"stop\": {\"rule\": \"rch-gap\", \"tolerance\": 0.001},", "", "key \"stop\" is missing"},
    {"\"mu\": 0.25", "\"mu\": {\"of_C\": -1}", "parameters.mu.of_C: -1 is out of range; allowed: above 1e-300"},
    {"\"mu\": 0.25", "\"mu\": {\"of_C\": \"all\"}", "parameters.mu.of_C: \"all\" is not a number, list or range"},
    {"\"mu\": 0.25", "\"mu\": {\"of_C\": 1, \"log\": 2}", "parameters.mu: \"of_C\" cannot be combined with other keys"},
    {"\"mu\": 0.25", "\"mu\": {\"of_c\": 1}", "parameters.mu: unknown key \"of_c\"; did you mean \"of_C\"?"},
    {"\"mu\": 0.25", "\"mu\": {\"of_C\": {\"per_dataset\": {\"titanic\": 1}}}",
     "parameters.mu.of_C: no value for data set \"twonorm\""},
    {"\"width\": 2", "\"width\": {\"times\": [1, 4]}", "kernel.width: \"times\" needs \"per_dataset\""},
    {"\"width\": 2", "\"width\": {\"times\": [1, 4], \"per_dataset\": {\"default\": [1, 2]}}",
     "kernel.width.per_dataset.default: has 2 values; with \"times\" each data set needs exactly one"},
    {"\"width\": 2", "\"width\": {\"times\": [1, 0], \"per_dataset\": {\"default\": 1}}",
     "kernel.width.times[1]: 0 is out of range; allowed: above 0"},
    {"\"width\": 2", "\"width\": {\"times\": [], \"per_dataset\": {\"default\": 1}}", "times: the list is empty"},
    {"\"width\": 2", "\"width\": {\"times\": {\"per_dataset\": {\"default\": 1}}, \"per_dataset\": {\"default\": 1}}",
     "kernel.width.times: expected one of the keys \"linear\" and \"log\""},
    {"\"width\": 2", "\"width\": {\"times\": [1, 2], \"per_dataset\": {\"heart\": 1}}", "unknown data set \"heart\""},
    {"\"width\": 2", "\"width\": {\"times\": [1, 2], \"of\": 1, \"per_dataset\": {\"default\": 1}}",
     "kernel.width: unknown key \"of\""},
    {"\"width\": 2", "\"width\": {\"times\": [1, 2], \"per_dataset\": {\"titanic\": 1}}",
     "kernel.width: no value for data set \"twonorm\""},
    {"\"width\": 2", "\"width\": {\"times\": [1, 1.0000000000001], \"per_dataset\": {\"default\": 3}}",
     "kernel.width.per_dataset.default: 3"},
    {"\"mu\": 0.25", "\"mu\": {\"times\": [1, 8], \"per_dataset\": {\"default\": 0.25}}",
     "parameters.mu.per_dataset.default: 2 is out of range; allowed: above 0, at most 1"},
    {"{\"iterations\": 100}", "{\"iterations\": 0.5}", "budget.iterations: 0.5 is not a whole number"},
    {"{\"iterations\": 100}", "{\"iterations\": 0}", "budget.iterations: 0 is out of range"},
    {"{\"iterations\": 100}", "{\"minutes\": 1}", "budget: unknown key \"minutes\""},
    {"{\"iterations\": 100}", "{\"kernel_operations\": \"all\"}", "budget.kernel_operations: \"all\" is not a number"},
    {"{\"iterations\": 100}", "{\"kernel_matrices\": 0}", "budget.kernel_matrices: 0 is out of range"},
    {"{\"iterations\": 100}", "{\"seconds\": -1}", "budget.seconds: -1 is out of range"},
    /* the quick part */
    {"\"budget\"", "\"quick\": {\"splits\": \"0\"}, \"budget\"", "quick.splits: \"0\" is not a list"},
    {"\"budget\"", "\"quick\": {\"datasets\": []}, \"budget\"", "quick.datasets: the list is empty"},
    {"\"budget\"", "\"quick\": {\"datasets\": [\"heart\"]}, \"budget\"", "quick.datasets: unknown data set \"heart\""},
    {"\"budget\"", "\"quick\": {\"solvers\": []}, \"budget\"", "quick: unknown key \"solvers\""},
    /* traces */
    {"\"budget\"", "\"trace\": {}, \"budget\"", "trace: key \"datasets\" is missing"},
    {"\"budget\"", "\"trace\": {\"datasets\": [\"heart\"], \"splits\": 1}, \"budget\"",
     "trace.datasets: unknown data set \"heart\""},
    {"\"budget\"", "\"trace\": {\"datasets\": [\"titanic\"]}, \"budget\"", "trace.splits: nothing is not a list"},
};

static void every_bad_configuration_is_refused_in_one_line_that_names_the_place(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct parsing parsing = {.label = "bad.json", .text = changed(bad[i].old, bad[i].new)};
        struct error error = {0};
        enum status status = try_to_parse(&parsing, &error);
        if (status != STATUS_BAD_INPUT || !strstr(error.message, bad[i].says))
            print_message("%s -> %s: expected \"%s\", got \"%s\"\n", bad[i].old, bad[i].new, bad[i].says,
                          error.message);
        assert_int_equal(status, STATUS_BAD_INPUT);
        assert_int_equal(error.status, STATUS_BAD_INPUT);
        assert_non_null(strstr(error.message, bad[i].says));
        assert_ptr_equal(strstr(error.message, "bad.json:"), error.message);
        assert_null(strpbrk(error.message, "\r\n"));
        assert_null(parsing.config);
    }
}

static void a_switch_that_stands_in_a_list_twice_is_told_by_its_word(void **state)
{
    (void)state;
    const struct parameter quick = {.name = "quick", .meaning = "m", .type = PARAMETER_SWITCH};
    const struct json_path top = {.file = "file"}, place = {.file = "file", .outer = &top, .key = "quick"};
    struct error error = {0};
    cJSON *json = cJSON_Parse("[true, \"yes\"]");
    struct reading reading = {json, &place, &quick, {0}};
    assert_int_equal(attempt(read_axis, &reading, &error), STATUS_BAD_INPUT);
    assert_non_null(strstr(error.message, "quick[1]: \"yes\" occurs twice"));
    cJSON_Delete(json);
}

static void a_switch_takes_its_words_and_those_of_json(void **state)
{
    (void)state;
    const struct parameter quick = {.name = "quick", .meaning = "m", .type = PARAMETER_SWITCH};
    const struct json_path top = {.file = "file"}, place = {.file = "file", .outer = &top, .key = "quick"};
    static const struct {
        const char *text;
        int value; /* -1: rejected */
    } cases[] = {{"true", 1},          {"\"true\"", 1}, {"\"yes\"", 1}, {"false", 0},
                 {"\"false\"", 0},     {"\"no\"", 0},   {"\"on\"", -1}, {"\"TRUE\"", -1},
                 {"[false, \"true\"]", 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct error error = {0};
        cJSON *json = cJSON_Parse(cases[i].text);
        struct reading reading = {json, &place, &quick, {0}};
        const enum status status = attempt(read_axis, &reading, &error);
        assert_int_equal(status, cases[i].value < 0 ? STATUS_BAD_INPUT : STATUS_OK);
        if (status == STATUS_OK)
            assert_true(value_list_for(&reading.list, NULL)->value[0] == cases[i].value);
        else
            assert_non_null(strstr(error.message, "allowed: no, yes"));
        cJSON_Delete(json);
    }
}

static void a_configuration_cut_at_any_byte_is_refused(void **state)
{
    (void)state;
    /* except for the newline after the last brace */
    for (size_t cut = 0; cut + 2 < sizeof good; cut++) {
        struct error error = {0};
        struct parsing parsing = {.label = "cut.json", .text = strndup(good, cut)};
        assert_non_null(parsing.text);
        assert_int_equal(try_to_parse(&parsing, &error), STATUS_BAD_INPUT);
        assert_true(error.message[0] != '\0');
    }
}

static void a_good_configuration_has_the_values_written_in_it(void **state)
{
    (void)state;
    struct config *config = parse_good("\"good\"", "\"good\"");
    const size_t splits[] = {1, 2, 3, 7};
    assert_string_equal(config->name, "good");
    assert_null(config->title);
    assert_int_equal(config->n_datasets, 2);
    assert_string_equal(config->datasets[1].name, "twonorm");
    assert_int_equal(config->n_splits, 4);
    assert_memory_equal(config->splits, splits, sizeof splits);
    assert_true(config->standardise == STANDARDISE_FULL_SET && config->generate_missing);
    assert_true(config->seed == 1 && config->draws == 1 && config->repeats == 1);
    assert_true(!config->reverse_training && !config->swap_labels && config->support_threshold == 1e-6);
    assert_int_equal(config->n_solvers, 3);
    for (size_t s = 0; s < 3; s++) {
        assert_true(value_list_for(&config->solvers[s].parameters[0], "titanic")->value[0] == 0.25);
        assert_true(value_list_for(&config->solvers[s].tolerance, "twonorm")->value[0] == 0.001);
        assert_true(config->solvers[s].budget.iterations == 100 && config->solvers[s].budget.kernel_operations == 0);
    }
    assert_string_equal(config->text, good);
}

static void a_solver_may_stand_there_several_times_where_its_records_can_be_told_apart(void **state)
{
    (void)state;
    static const char *const different[] = {
        "\"mu-gsk\", {\"name\": \"mu-gsk\", \"parameters\": {\"mu\": 0.3}}",
        "\"mu-gsk\", {\"name\": \"mu-gsk\", \"parameters\": {\"mu\": 0.2500000001}}",
        "\"mu-gsk\", {\"name\": \"mu-gsk\", \"stop\": {\"rule\": \"rch-gap\", \"tolerance\": 0.01}}",
        "\"mu-gsk\", {\"name\": \"mu-gsk\", \"stop\": {\"rule\": \"delta\", \"tolerance\": 0.001}, \"budget\": "
        "{\"seconds\": 1}}",
        "\"mu-mdm\", {\"name\": \"mu-mdm\", \"parameters\": {\"selection\": \"free\"}}",
        /* mu is raised to the same number if both are below the minimum of a split; records have the given values */
        "{\"name\": \"mu-gsk\", \"parameters\": {\"mu\": [1e-9, 1e-8]}}, {\"name\": \"mu-gsk\", \"parameters\": "
        "{\"mu\": 2e-9}}",
        /* the values in common are for two data sets */
        "{\"name\": \"mu-gsk\", \"parameters\": {\"mu\": {\"per_dataset\": {\"titanic\": 0.1, \"twonorm\": 0.2}}}}, "
        "{\"name\": \"mu-gsk\", \"parameters\": {\"mu\": {\"per_dataset\": {\"titanic\": 0.2, \"twonorm\": 0.1}}}}",
        /* values of mu and of C */
        "\"mu-gsk\", {\"name\": \"mu-gsk\", \"parameters\": {\"mu\": {\"of_C\": 0.25}}}",
        /* one axis shares a value, the other does not */
        "{\"name\": \"mu-mdm\", \"parameters\": {\"mu\": [0.1, 0.2], \"selection\": \"free\"}}, "
        "{\"name\": \"mu-mdm\", \"parameters\": {\"mu\": [0.2, 0.3], \"selection\": \"extreme\"}}",
    };
    for (size_t i = 0; i < sizeof different / sizeof *different; i++)
        parse_good("\"mu-gsk\", \"clip-mdm\", \"mu-mdm\"", different[i]);
}

static void what_is_done_to_the_data_is_read_as_written(void **state)
{
    (void)state;
    static const struct {
        const char *written;
        enum standardise standardise;
        int reverse_training, swap_labels;
        double threshold;
    } cases[] = {
        {"\"none\",", STANDARDISE_NONE, 0, 0, 1e-6},
        {"\"full-set-sample\", \"training_order\": \"reversed\",", STANDARDISE_FULL_SET_SAMPLE, 1, 0, 1e-6},
        {"\"full-set\", \"training_order\": \"as-listed\", \"swap_labels\": true,", STANDARDISE_FULL_SET, 0, 1, 1e-6},
        {"\"full-set\", \"support_vector_threshold\": 0,", STANDARDISE_FULL_SET, 0, 0, 0},
        {"\"full-set\", \"support_vector_threshold\": 1,", STANDARDISE_FULL_SET, 0, 0, 1},
        {"\"training\",", STANDARDISE_TRAINING, 0, 0, 1e-6},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct config *config = parse_good("\"full-set\",", cases[i].written);
        assert_int_equal(config->standardise, cases[i].standardise);
        assert_int_equal(config->reverse_training, cases[i].reverse_training);
        assert_int_equal(config->swap_labels, cases[i].swap_labels);
        assert_true(config->support_threshold == cases[i].threshold);
    }
}

static void files_of_the_users_are_standardised_by_training_rows_unless_told_otherwise(void **state)
{
    (void)state;
    struct config *config = parse_good("\"titanic\", \"twonorm\"],\n \"splits\": \"1-3,7\",\n \"standardise\": "
                                       "\"full-set\",",
                                       "{\"name\": \"a\", \"file\": \"a.csv\"}], \"splits\": 1,");
    assert_int_equal(config->standardise, STANDARDISE_TRAINING);
    assert_int_equal(config_standardise(config), STANDARDISE_TRAINING);
    config->kernel = kernel_family_find("precomputed");
    assert_int_equal(config_standardise(config), STANDARDISE_NONE);
}

static void a_long_list_of_splits_is_read_to_its_end(void **state)
{
    (void)state;
    enum { LAST = 5000 };
    char *list = malloc(8 * LAST);
    assert_non_null(list);
    size_t used = 0;
    for (int s = 1; s <= LAST; s++)
        used += (size_t)snprintf(list + used, 8, "%c%d", s == 1 ? '[' : ',', s);
    strcpy(list + used, "]");
    struct config *config = parse_good("\"1-3,7\"", list);
    free(list);
    assert_int_equal(config->n_splits, LAST);
    assert_int_equal(config->splits[LAST - 1], LAST);
}

static void split_lists_are_sorted_and_without_repeats(void **state)
{
    (void)state;
    struct config *config = parse_good("\"1-3,7\"", "\"9,2-4,3,1-2,9\"");
    const size_t splits[] = {1, 2, 3, 4, 9};
    assert_int_equal(config->n_splits, 5);
    assert_memory_equal(config->splits, splits, sizeof splits);
}

static void a_list_may_have_every_number(void **state)
{
    (void)state;
    for (size_t max = 1; max <= 20; max++) {
        char text[16];
        size_t count;
        snprintf(text, sizeof text, "1-%zu", max);
        const size_t *list = number_list_parse(pool, text, max, &count);
        assert_non_null(list);
        assert_int_equal(count, max);
        for (size_t i = 0; i < max; i++)
            assert_int_equal(list[i], i + 1);
        assert_null(number_list_parse(pool, text, max - 1, &count));
    }
}

static void check_width(const char *written, const char *dataset, size_t count, const double *expected)
{
    char text[256];
    snprintf(text, sizeof text, "\"width\": %s", written);
    struct config *config = parse_good("\"width\": 2", text);
    const struct values *values = value_list_for(&config->kernel_parameters[0], dataset);
    assert_non_null(values);
    assert_int_equal(values->count, count);
    assert_memory_equal(values->value, expected, count * sizeof *expected); /* bit for bit, as if written as decimals */
}

static void axes_hold_the_decimals_one_would_write(void **state)
{
    (void)state;
    check_width("0.5", "titanic", 1, (const double[]){0.5});
    check_width("[3, 1, 2]", "titanic", 3, (const double[]){3, 1, 2});
    check_width("{\"linear\": {\"from\": 0.1, \"to\": 0.7, \"count\": 7}}", "titanic", 7,
                (const double[]){0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7});
    check_width("{\"linear\": {\"from\": 3, \"to\": 1, \"count\": 3}}", "titanic", 3, (const double[]){3, 2, 1});
    check_width("{\"log\": {\"from\": 0.001, \"to\": 1000, \"count\": 7}}", "titanic", 7,
                (const double[]){0.001, 0.01, 0.1, 1, 10, 100, 1000});
    check_width("{\"per_dataset\": {\"twonorm\": 4, \"default\": [8, 9]}}", "twonorm", 1, (const double[]){4});
    check_width("{\"per_dataset\": {\"twonorm\": 4, \"default\": [8, 9]}}", "titanic", 2, (const double[]){8, 9});
    /* sqrt(2) to twelve digits, end points as written */
    check_width("{\"log\": {\"from\": 1, \"to\": 2, \"count\": 3}}", "titanic", 3,
                (const double[]){1, 1.41421356237, 2});
}

#define TIMES(factors) "{\"times\": " factors ", \"per_dataset\": {\"twonorm\": [40], \"default\": 0.3}}"

static void an_axis_may_be_multiples_of_one_value_for_each_data_set(void **state)
{
    (void)state;
    check_width(TIMES("[0.0625, 1, 16]"), "twonorm", 3, (const double[]){2.5, 40, 640});
    check_width(TIMES("[3, 0.1]"), "titanic", 2, (const double[]){0.9, 0.03}); /* not 0.8999999999999999 */
    check_width(TIMES("{\"log\": {\"from\": 0.25, \"to\": 4, \"count\": 3}}"), "twonorm", 3,
                (const double[]){10, 40, 160});
    check_width(TIMES("2"), "titanic", 1, (const double[]){0.6});
}

static void a_budget_may_be_given_in_kernel_matrices(void **state)
{
    (void)state;
    struct config *config = parse_good("{\"iterations\": 100}", "{\"iterations\": 7, \"kernel_matrices\": 2.5}");
    assert_true(config->solvers[0].kernel_matrices == 2.5 && config->solvers[0].budget.iterations == 7);
    assert_true(config->solvers[0].budget.kernel_operations == 0);
}

static void mu_may_be_that_of_values_of_c(void **state)
{
    (void)state;
    struct config *config = parse_good("0.25", "{\"of_C\": {\"log\": {\"from\": 0.0625, \"to\": 4096, \"count\": 3}}}");
    for (size_t s = 0; s < config->n_solvers; s++) {
        const struct values *values = value_list_for(&config->solvers[s].parameters[0], "titanic");
        assert_true(config->solvers[s].mu_of_c);
        assert_ptr_equal(config_solver_parameter(&config->solvers[s], 0), &parameter_c);
        assert_true(values->count == 3 && values->value[0] == 0.0625 && values->value[1] == 16);
    }
    assert_string_equal(config_solver_parameter(&config->solvers[2], 1)->name, "selection");
    config = parse_good("\"clip-mdm\"",
                        "{\"name\": \"clip-mdm\", \"parameters\": {\"mu\": {\"of_C\": [0.5, 70]}}}");
    assert_false(config->solvers[0].mu_of_c);
    assert_ptr_equal(config_solver_parameter(&config->solvers[0], 0), &parameter_mu);
    assert_true(config->solvers[1].mu_of_c);
    assert_true(value_list_for(&config->solvers[1].parameters[0], "titanic")->value[1] == 70);
}

static void an_own_value_replaces_the_general_one_for_that_solver_only(void **state)
{
    (void)state;
    struct config *config =
        parse_good("\"clip-mdm\"", "{\"name\": \"clip-mdm\", \"parameters\": {\"mu\": 0.5}, \"stop\": "
                                   "{\"rule\": \"delta\", \"tolerance\": 3}, \"budget\": {\"seconds\": 2}}");
    assert_true(value_list_for(&config->solvers[0].parameters[0], "titanic")->value[0] == 0.25);
    assert_true(value_list_for(&config->solvers[1].parameters[0], "titanic")->value[0] == 0.5);
    assert_int_equal(config->solvers[0].stop_rule, STOP_RCH_GAP);
    assert_int_equal(config->solvers[1].stop_rule, STOP_DELTA);
    assert_true(value_list_for(&config->solvers[1].tolerance, "titanic")->value[0] == 3);
    assert_true(config->solvers[1].budget.iterations == 0 && config->solvers[1].budget.seconds == 2);
    assert_true(config->solvers[2].budget.iterations == 100 && config->solvers[2].budget.seconds == 0);
}

#define PARAMETERS_AND_SOLVERS "{\"mu\": 0.25},\n \"solvers\": [\"mu-gsk\", \"clip-mdm\", \"mu-mdm\"]"

static size_t count_of(const struct config *config, const char *name)
{
    size_t count = 0;
    for (size_t s = 0; s < config->n_solvers; s++)
        count += strcmp(config->solvers[s].solver->name, name) == 0;
    return count;
}

static void a_star_stands_for_every_solver_that_has_no_entry(void **state)
{
    (void)state;
    struct config *config =
        parse_good(PARAMETERS_AND_SOLVERS,
                   "{\"mu\": 0.25, \"C\": 1, \"nu\": 0.5},\n \"solvers\": [{\"name\": \"mu-mdm\", "
                   "\"stop\": {\"rule\": \"delta\", \"tolerance\": 3}}, \"clip-mdm\", \"*\"]");
    size_t registered = 0;
    for (const struct solver *const *at = solvers_all(); *at; at++, registered++)
        assert_int_equal(count_of(config, (*at)->name), 1);
    assert_int_equal(config->n_solvers, registered);
    assert_string_equal(config->solvers[0].solver->name, "mu-mdm");
    for (size_t s = 2; s < registered; s++) {
        const struct config_solver *entry = &config->solvers[s];
        int has_rule = (int)(entry->solver->stops >> STOP_RCH_GAP & 1);
        struct stop expected = has_rule ? (struct stop){STOP_RCH_GAP, 0.001} : stop_usual(entry->solver);
        assert_int_equal(entry->stop_rule, expected.rule);
        assert_true(value_list_for(&entry->tolerance, "titanic")->value[0] == expected.tolerance);
        assert_int_equal(entry->budget.iterations, 100);
        assert_int_equal(entry->place, s);
    }
}

static void a_star_leaves_out_solvers_whose_parameters_have_no_value(void **state)
{
    (void)state;
    struct config *config = parse_good("\"clip-mdm\", \"mu-mdm\"",
                                       "{\"name\": \"*\", \"stop\": {\"rule\": \"iterations\"}, "
                                       "\"budget\": {\"iterations\": 7}}");
    assert_int_equal(count_of(config, "1-smo") + count_of(config, "ch-mdm") + count_of(config, "soft-max-minover"), 0);
    assert_int_equal(count_of(config, "mdm"), 1);
    assert_int_equal(count_of(config, "munk"), 1); /* reads no parameters */
    for (size_t s = 1; s < config->n_solvers; s++) {
        assert_int_equal(config->solvers[s].stop_rule, STOP_ITERATIONS);
        assert_int_equal(config->solvers[s].budget.iterations, 7);
    }
}

static void a_restriction_keeps_what_it_names_in_the_order_of_the_configuration(void **state)
{
    (void)state;
    struct config *config = parse_good("\"good\"", "\"good\"");
    config_select(config, "mu-mdm,mu-gsk", "twonorm", "2-9", 0);
    assert_int_equal(config->n_solvers, 2);
    assert_string_equal(config->solvers[0].solver->name, "mu-gsk");
    assert_string_equal(config->solvers[1].solver->name, "mu-mdm");
    assert_int_equal(config->n_datasets, 1);
    assert_string_equal(config->datasets[0].name, "twonorm");
    assert_int_equal(config->n_splits, 3);
    assert_int_equal(config->splits[2], 7);
}

static void a_restriction_to_something_else_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *solvers, *datasets, *splits, *says;
    } cases[] = {
        {"mdm", NULL, NULL, "--solvers: unknown name \"mdm\""},
        {"mu", NULL, NULL, "--solvers: unknown name \"mu\""},
        {"mu-gsk,", NULL, NULL, "--solvers: unknown name \"\""},
        {"", NULL, NULL, "--solvers: unknown name \"\""},
        {NULL, "titani", NULL, "--datasets: unknown name \"titani\"; did you mean \"titanic\"?"},
        {NULL, "titanic,,twonorm", NULL, "--datasets: unknown name \"\""},
        {NULL, NULL, "4-6", "--splits: \"4-6\" names no split"},
        {NULL, NULL, "one", "--splits: \"one\" is not a list"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct error error = {0};
        struct restriction given = {parse_good("\"good\"", "\"good\""), cases[i].solvers, cases[i].datasets,
                                    cases[i].splits};
        assert_int_equal(attempt(restrict_it, &given, &error), STATUS_BAD_INPUT);
        assert_non_null(strstr(error.message, cases[i].says));
    }
}

static void folds_stand_for_all_their_splits(void **state)
{
    (void)state;
    struct config *config = parse_good("\"1-3,7\"", "{\"folds\": 5, \"repeats\": 3, \"stratified\": true}");
    assert_int_equal(config->n_splits, 15);
    assert_int_equal(config->splits[0], 1);
    assert_int_equal(config->splits[14], 15);
    assert_int_equal(config->folds.folds, 5);
    assert_int_equal(config->folds.repeats, 3);
    assert_true(config->folds.stratified);
    config = parse_good("\"1-3,7\"", "{}");
    assert_int_equal(config->n_splits, 10); /* default: ten folds, once, not stratified */
    assert_false(config->folds.stratified);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_bad_configuration_is_refused_in_one_line_that_names_the_place),
        cmocka_unit_test(a_switch_that_stands_in_a_list_twice_is_told_by_its_word),
        cmocka_unit_test(a_switch_takes_its_words_and_those_of_json),
        cmocka_unit_test(a_configuration_cut_at_any_byte_is_refused),
        cmocka_unit_test(a_good_configuration_has_the_values_written_in_it),
        cmocka_unit_test(a_solver_may_stand_there_several_times_where_its_records_can_be_told_apart),
        cmocka_unit_test(what_is_done_to_the_data_is_read_as_written),
        cmocka_unit_test(files_of_the_users_are_standardised_by_training_rows_unless_told_otherwise),
        cmocka_unit_test(a_long_list_of_splits_is_read_to_its_end),
        cmocka_unit_test(split_lists_are_sorted_and_without_repeats),
        cmocka_unit_test(a_list_may_have_every_number),
        cmocka_unit_test(an_axis_may_be_multiples_of_one_value_for_each_data_set),
        cmocka_unit_test(axes_hold_the_decimals_one_would_write),
        cmocka_unit_test(a_budget_may_be_given_in_kernel_matrices),
        cmocka_unit_test(mu_may_be_that_of_values_of_c),
        cmocka_unit_test(an_own_value_replaces_the_general_one_for_that_solver_only),
        cmocka_unit_test(a_star_stands_for_every_solver_that_has_no_entry),
        cmocka_unit_test(a_star_leaves_out_solvers_whose_parameters_have_no_value),
        cmocka_unit_test(a_restriction_keeps_what_it_names_in_the_order_of_the_configuration),
        cmocka_unit_test(folds_stand_for_all_their_splits),
        cmocka_unit_test(a_restriction_to_something_else_is_refused),
    };
    pool = pool_new();
    const int status = cmocka_run_group_tests(tests, NULL, NULL);
    pool_free(pool);
    return status;
}
