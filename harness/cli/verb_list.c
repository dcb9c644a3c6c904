/* hullbench list: what there is to name in a configuration. */
#include <argp.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/cli/cli.h"
#include "harness/cli/cli_data.h"
#include "harness/cli/list_datasets.h"
#include "harness/evaluate/stopping.h"
#include "solvers/registry.h"

static void list_solvers(void)
{
    printf("%-22s %-26s %s\n%50s%s\n%50s%s\n", "solver", "formulation", "what", "", "source", "", "parameters");
    for (const struct solver *const *at = solvers_all(); *at; at++) {
        printf("%-22s %-26s %s\n%50s%s\n", (*at)->name, formulation_name((*at)->formulation), (*at)->title, "",
               (*at)->reference);
        const char *before = "";
        for (unsigned p = 0; p < PARAMETER_COUNT; p++)
            if ((*at)->parameters >> p & 1) {
                printf("%*s%s%s", *before ? 0 : 50, "", before, parameter_info((enum parameter)p)->name);
                before = ", ";
            }
        fputs(*before ? "\n" : "", stdout);
        const struct solver_origin *origin = solver_origin(*at);
        if (origin)
            printf("%50sfrom %s\n", "", origin->file);
    }
}

static void list_parameters(void)
{
    for (unsigned p = 0; p < PARAMETER_COUNT; p++) {
        const struct parameter_info *info = parameter_info((enum parameter)p);
        printf("%-14s %s\n%14s ", info->name, info->meaning, "");
        if (info->choices) {
            for (size_t c = 0; info->choices[c]; c++)
                printf("%s%s", c ? ", " : "one of ", info->choices[c]);
            printf("; default %s\n", info->choices[(size_t)info->fallback]);
            continue;
        }
        printf("above %g", info->above);
        if (!isinf(info->at_most))
            printf(", at most %.16g", info->at_most);
        if (info->multiple_of > 0)
            printf(", %s", info->multiple_of == 2 ? "even" : "whole");
        if (isnan(info->fallback))
            printf("; must be given\n");
        else
            printf("; default %g\n", info->fallback);
    }
}

static void list_stops(void)
{
    for (unsigned r = 0; r < STOP_RULES; r++)
        printf("%-14s %s\n", stop_rule_name((enum stop_rule)r), stop_rule_text((enum stop_rule)r));
}

static void list_kernels(void)
{
    puts("rbf          exp(-|x - z|^2 / width), width > 0\n"
         "polynomial   (scale x.z + offset)^degree, degree 1 to 64, scale and offset 1 by default\n"
         "linear       x.z\n"
         "precomputed  the data set is a square table of kernel values");
}

static int print_datasets(void)
{
    struct error error = {0};
    char *cache = cli_cache();
    enum status status = list_datasets(getenv("HULLBENCH_DATA"), cache, &error);
    free(cache);
    return status == STATUS_OK ? EXIT_OK : cli_fail(&error);
}

static error_t parse(int key, char *text, struct argp_state *state)
{
    const char **what = state->input;
    if (key == ARGP_KEY_ARG && !*what) {
        *what = text;
        return 0;
    }
    if (key == ARGP_KEY_ARG || (key == ARGP_KEY_END && !*what))
        argp_error(state, "one of solvers, parameters, stops, kernels, datasets is expected");
    return ARGP_ERR_UNKNOWN;
}

int verb_list(int argc, char **argv)
{
    static const struct argp argp = {NULL, parse, "solvers|parameters|stops|kernels|datasets",
                                     "Lists what a configuration can name.", plugin_option, NULL, NULL};
    const char *what = NULL;
    cli_parse(&argp, argc, argv, &what);
    if (strcmp(what, "solvers") == 0)
        list_solvers();
    else if (strcmp(what, "parameters") == 0)
        list_parameters();
    else if (strcmp(what, "stops") == 0)
        list_stops();
    else if (strcmp(what, "kernels") == 0)
        list_kernels();
    else if (strcmp(what, "datasets") == 0)
        return print_datasets();
    else {
        fprintf(stderr, "hullbench list: unknown \"%s\"; allowed: solvers, parameters, stops, kernels, datasets\n",
                what);
        return EXIT_BAD_USE;
    }
    return EXIT_OK;
}
