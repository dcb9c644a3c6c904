/* The results of verify (check_results.h). */
#include "harness/verify/check_results.h"

#include <stdarg.h>
#include <stdio.h>

void check(struct check_results *results, enum expectation expectation, int holds, const char *format, ...)
{
    struct finding *finding = &results->findings[expectation];
    struct place *best = &finding->place;
    const struct place *now = &results->now;
    va_list arguments;
    finding->checks++;
    if (holds)
        return;
    finding->failures++;
    if (best->n != 0 && (best->n < now->n || (best->n == now->n && best->iteration <= now->iteration)))
        return;
    *best = *now;
    va_start(arguments, format);
    vsnprintf(finding->text, sizeof finding->text, format, arguments);
    va_end(arguments);
}

void check_largest(struct check_results *results, enum expectation expectation, double value)
{
    struct finding *finding = &results->findings[expectation];
    if (value > finding->largest)
        finding->largest = value;
}
