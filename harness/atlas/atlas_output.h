/* The output of an atlas: atlas.json, tables and figures. */
#ifndef HULLBENCH_ATLAS_OUTPUT_H
#define HULLBENCH_ATLAS_OUTPUT_H

#include "harness/atlas/atlas_results.h"

struct cJSON;

/* The whole atlas, for programs and for the interactive page (docs/formats.md). The caller frees it. */
struct cJSON *atlas_json(const struct atlas *atlas, const struct atlas_results *results);

/* Adds the parts about solvers, targets and costs to a family's object, and to that of the whole. */
void atlas_json_put_findings(struct cJSON *json, const struct atlas_results *results,
                             const struct atlas_family *family);
void atlas_json_put_sweeps(struct cJSON *json, const struct size_growth *growth);

/* Writes all tables except those of shares and maps. */
enum status atlas_findings_tables_write(const struct atlas *atlas, const struct atlas_results *results,
                                        const char *folder, struct error *error);

/* Writes the tables and figures into the folder, from which older ones have been removed. */
enum status atlas_tables_write(const struct atlas *atlas, const struct atlas_results *results, const char *folder,
                               struct error *error);
enum status atlas_figures_write(const struct atlas *atlas, const struct atlas_results *results, const char *folder,
                                int no_render, struct error *error);

/* Writes FOLDER/atlas.html, the interactive page, from the text of atlas.json. */
enum status atlas_page_write(const char *json, const char *folder, struct error *error);

/* Writes atlas.json, atlas.html, tables and plots/ into FOLDER, after removing the files of an earlier atlas. */
enum status atlas_write(const struct atlas *atlas, const struct atlas_results *results, const char *folder,
                        int no_render, struct error *error);

/* Prints the data behind the numbers and the caveats, as lines for standard output and notes of tables. */
void atlas_print_notes(const struct atlas *atlas, FILE *stream);

#endif
