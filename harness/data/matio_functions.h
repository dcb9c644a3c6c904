/* The functions of matio that read MATLAB files. matio brings HDF5, curl, Kerberos and some thirty other libraries,
 * whose loading takes longer than many a run; so they are loaded when the first MATLAB file is read. */
#ifndef HULLBENCH_MATIO_FUNCTIONS_H
#define HULLBENCH_MATIO_FUNCTIONS_H

#include <matio.h>

#include "solvers/error.h"

struct matio_functions {
    void *library; /* of dlopen; NULL if matio is linked */
    __typeof__(Mat_Open) *open;
    __typeof__(Mat_Close) *close;
    __typeof__(Mat_LogInitFunc) *set_log;
    __typeof__(Mat_SizeOfClass) *size_of_class;
    __typeof__(Mat_VarReadInfo) *read_info;
    __typeof__(Mat_VarRead) *read;
    __typeof__(Mat_VarFree) *free;
    __typeof__(Mat_VarGetStructFieldByName) *field;
};

/* Loads matio. `path` is the file that needs it, for the message. STATUS_BAD_INPUT if the library cannot be loaded. */
enum status matio_load(struct matio_functions *matio, const char *path, struct error *error);
/* Accepts a struct of zeros. */
void matio_unload(struct matio_functions *matio);

#endif
