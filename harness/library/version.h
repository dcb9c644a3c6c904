/* The version of the program and the library. */
#ifndef HULLBENCH_VERSION_H
#define HULLBENCH_VERSION_H

#define HULLBENCH_VERSION "1.1.0"

#endif
