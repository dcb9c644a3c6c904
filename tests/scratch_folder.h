/* A temporary folder for the tests of a program, made before them and removed after. */
#ifndef HULLBENCH_TESTS_SCRATCH_FOLDER_H
#define HULLBENCH_TESTS_SCRATCH_FOLDER_H

extern char scratch_folder[];

/* Set-up and tear-down of a group of tests. */
int scratch_folder_make(void **state);
int scratch_folder_remove(void **state);

#endif
