/* A pseudo-terminal for tests (pseudo_terminal.h), by POSIX.1-2008, posix_openpt. */
#define _XOPEN_SOURCE 700
#include "tests/pseudo_terminal.h"

#include <stdarg.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

int pseudo_terminal_open(struct pseudo_terminal *terminal)
{
    terminal->master = posix_openpt(O_RDWR | O_NOCTTY);
    if (terminal->master < 0 || grantpt(terminal->master) != 0 || unlockpt(terminal->master) != 0)
        return -1;
    terminal->slave = open(ptsname(terminal->master), O_RDWR | O_NOCTTY);
    return terminal->slave < 0 ? -1 : 0;
}

/* Reads all before a mark, since a system may hand over in parts what was written. */
const char *pseudo_terminal_shown(const struct pseudo_terminal *terminal, char *text, size_t size)
{
    const char mark = '\006';
    size_t got = 0;
    assert_int_equal(write(terminal->slave, &mark, 1), 1);
    for (; got < size - 1 && read(terminal->master, &text[got], 1) == 1 && text[got] != mark; got++) { }
    text[got] = '\0';
    return text;
}
