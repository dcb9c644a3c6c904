/* The method of small_qp.c with 113 bits. */
#include "tests/small_qp.h"

#define QP_REAL quad
#define QP_STRUCT small_qp_quad
#define QP_SOLVE small_qp_quad_solve
#define QP_EPSILON QUAD_EPSILON
#include "tests/small_qp.c"
