/* Time for timings and budgets. */
#ifndef HULLBENCH_CLOCK_H
#define HULLBENCH_CLOCK_H

/* Seconds of a clock that never goes back; only differences mean something. */
double clock_now(void);

/* Seconds that the threads of the process have been on processors, together. */
double clock_processors(void);

/* Seconds that the calling thread has been on a processor. */
double clock_thread(void);

#endif
