/* The results of verify (board.h). */
#include "harness/verify/board.h"

#include <stdarg.h>
#include <stdio.h>

void board_fail(struct board *board, enum expectation expectation, uint64_t iteration, const char *text)
{
    struct finding *finding = &board->findings[expectation];
    const struct place *best = &finding->place;
    size_t n = board->now.n;
    finding->failures++;
    if (best->n != 0 && (best->n < n || (best->n == n && best->iteration <= iteration)))
        return;
    finding->place = board->now;
    finding->place.iteration = iteration;
    snprintf(finding->text, sizeof finding->text, "%s", text);
}

void board_look(struct board *board, enum expectation expectation, int holds, const char *format, ...)
{
    char text[TEXT_SIZE];
    va_list arguments;
    board->findings[expectation].looks++;
    if (holds)
        return;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    board_fail(board, expectation, board->now.iteration, text);
}

void board_largest(struct board *board, enum expectation expectation, double value)
{
    struct finding *finding = &board->findings[expectation];
    if (value > finding->largest)
        finding->largest = value;
}
