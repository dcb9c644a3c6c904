/* A pseudo-terminal for tests of what a terminal gets. */
#ifndef HULLBENCH_PSEUDO_TERMINAL_H
#define HULLBENCH_PSEUDO_TERMINAL_H

#include <stddef.h>

struct pseudo_terminal {
    int master, slave; /* what is written to `slave` is read from `master`; the caller closes both */
};

/* Opens one; returns 0, or -1 where there is none. */
int pseudo_terminal_open(struct pseudo_terminal *terminal);
/* What the terminal got since the last call, at most size - 1 bytes; returns `text`. Fails the test if that cannot be
 * read. */
const char *pseudo_terminal_shown(const struct pseudo_terminal *terminal, char *text, size_t size);

#endif
