/*
 * Solvers that are programs in any language. A declaration in JSON says what struct solver says of a solver in C, and
 * the command that starts the program. init, update and alpha exchange frames with it (frames.h, docs/programs.md);
 * select and gap report the state that it sent last. The program asks for kernel values, and each request passes the
 * oracle, which counts it.
 *
 * Each thread has a process of its own for each solver, which serves its problems in turn. A process that ends, hangs
 * or breaks the protocol fails the job with the reason, and the next job gets a new one.
 */
#ifndef HULLBENCH_PROGRAM_H
#define HULLBENCH_PROGRAM_H

#include <signal.h>

#include "harness/support/members.h"
#include "solvers/registry.h"

/* The version of the protocol, which every BEGIN frame carries. */
enum { PROGRAM_PROTOCOL = 1 };

/* A declared solver. */
struct program {
    struct solver solver; /* first: the registry has its address */
    char *folder;         /* of the declaration; the program runs there */
    const char **command; /* NULL-terminated */
    double step_seconds, job_seconds; /* wall-clock limits of BEGIN and of each STEP, and of a job */
};

/* The solver's functions: state_size, init, select, update, gap, alpha and finish. */
extern const struct solver program_functions;

/* Whether the solver is a program. Its seconds contain those of the pipes and of another language. */
int solver_is_program(const struct solver *solver);
/* Starts the process of this thread, so that init does not; nothing for other solvers. */
enum status program_prepare(const struct solver *solver, struct error *error);
/* From now on programs stop waiting once *interrupted is nonzero. NULL: they wait on. */
void programs_heed(const volatile sig_atomic_t *interrupted);
/* In a copy of the process: this thread starts programs of its own, because those that run serve the original. */
void programs_forget(void);

/* Whether the file name is that of a declaration: it ends in .json. */
int program_is_declaration(const char *file);
/* Reads the declaration origin->file. origin->sha256, that of the declaration, becomes that of it and the files in its
 * folder that the command names, if it names any. Dies with STATUS_BAD_INPUT. */
const struct program *program_read(struct pool *pool, struct solver_origin *origin);
/* Reads it and registers its solver for the life of the program, or dies likewise and registers nothing. Call it before
 * threads start. */
void program_load(struct solver_origin *origin);

/* The words of enum formulation in declarations and options, NULL-terminated. */
extern const char *const program_formulations[];
/* The tables of a declaration, for schema and documents. */
extern const struct member program_members[], program_parameter_members[], program_cost_members[],
    program_stop_members[];

#endif
