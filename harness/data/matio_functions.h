/* The functions of matio that read MATLAB files, see harness/support/lazy_library.h. */
#ifndef HULLBENCH_MATIO_FUNCTIONS_H
#define HULLBENCH_MATIO_FUNCTIONS_H

#include <matio.h>

#include "harness/support/lazy_library.h"

#define MATIO_FUNCTIONS(F, x) \
    F(x, Mat_Open) \
    F(x, Mat_Close) \
    F(x, Mat_LogInitFunc) \
    F(x, Mat_SizeOfClass) \
    F(x, Mat_VarReadInfo) \
    F(x, Mat_VarRead) \
    F(x, Mat_VarFree) \
    F(x, Mat_VarGetStructFieldByName)

LAZY_FUNCTIONS(matio, MATIO_FUNCTIONS);

#endif
