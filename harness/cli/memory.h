/* What the program does where a library of others has no memory. */
#ifndef HULLBENCH_MEMORY_H
#define HULLBENCH_MEMORY_H

/* From here on cJSON's want of memory ends the program with a message and exit status 4. Called once, first. */
void memory_ends_the_program(void);

#endif
