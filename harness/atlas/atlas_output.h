/* What an atlas is written as: atlas.json, tables and figures. */
#ifndef HULLBENCH_ATLAS_OUTPUT_H
#define HULLBENCH_ATLAS_OUTPUT_H

#include "harness/atlas/atlas_results.h"

struct cJSON;

/* All of it, for programs and for the interactive page (docs/formats.md). The caller frees it. */
struct cJSON *atlas_json(const struct atlas *atlas, const struct atlas_results *results);

/* The parts of a family's object, and of the whole, that compare solvers, targets and costs as such. */
void atlas_json_put_findings(struct cJSON *json, const struct atlas_results *results,
                             const struct atlas_family *family);
void atlas_json_put_sweeps(struct cJSON *json, const struct size_growth *growth);

/* The tables of what is not shares and maps. */
enum status atlas_findings_tables_write(const struct atlas *atlas, const struct atlas_results *results,
                                        const char *folder, struct error *error);

/* Writes the tables and the figures into the folder, whose older ones are gone. */
enum status atlas_tables_write(const struct atlas *atlas, const struct atlas_results *results, const char *folder,
                               struct error *error);
enum status atlas_figures_write(const struct atlas *atlas, const struct atlas_results *results, const char *folder,
                                int no_render, struct error *error);

/* Writes FOLDER/atlas.html, the interactive page, of the text of atlas.json. */
enum status atlas_page_write(const char *json, const char *folder, struct error *error);

/* Everything into FOLDER: atlas.json, atlas.html, tables and FOLDER/plots. Files of an earlier atlas are removed first.
 * */
enum status atlas_write(const struct atlas *atlas, const struct atlas_results *results, const char *folder,
                        int no_render, struct error *error);

/* What the numbers rest on and what a reader has to know of them, as lines for standard output and notes of tables. */
void atlas_print_notes(const struct atlas *atlas, FILE *stream);

#endif
