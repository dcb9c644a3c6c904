/* Time for timings and budgets. */
#ifndef HULLBENCH_CLOCK_H
#define HULLBENCH_CLOCK_H

/* Seconds of a clock that never goes back. Only differences have a meaning. */
double clock_now(void);

/* Processor seconds of all threads of the process together. */
double clock_processors(void);

/* Processor seconds of the calling thread. */
double clock_thread(void);

#endif
