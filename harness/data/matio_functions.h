/* The functions of matio that read MATLAB files, see harness/support/late_library.h. */
#ifndef HULLBENCH_MATIO_FUNCTIONS_H
#define HULLBENCH_MATIO_FUNCTIONS_H

#include <matio.h>

#include "solvers/error.h"

#define MATIO_FUNCTIONS(F) \
    F(Mat_Open) \
    F(Mat_Close) \
    F(Mat_LogInitFunc) \
    F(Mat_SizeOfClass) \
    F(Mat_VarReadInfo) \
    F(Mat_VarRead) \
    F(Mat_VarFree) \
    F(Mat_VarGetStructFieldByName)

struct matio_functions {
    void *library; /* NULL if the program is linked with matio */
#define MEMBER(function) __typeof__(function) *function;
    MATIO_FUNCTIONS(MEMBER)
#undef MEMBER
};

/* Loads matio. `path` is the file that needs it, for the message. STATUS_BAD_INPUT if the library cannot be loaded. */
enum status matio_load(struct matio_functions *matio, const char *path, struct error *error);
/* Accepts a struct of zeros. */
void matio_unload(struct matio_functions *matio);

#endif
