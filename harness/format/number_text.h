/*
 * Numbers as tables print them.
 *
 * A mean is rounded to the digits that a spread supports, by the rule of the Particle Data Group (Review of Particle
 * Physics, Introduction, section 5.3): of the three leading digits of the spread, 100 to 354 keep two digits, 355 to
 * 949 keep one, and 950 to 999 are rounded up to 1000 and keep two. The mean ends at the same digit: 5583.2 with a
 * spread of 203 is 5580 and 200, with 456 it is 5600 and 500.
 *
 * If the larger of the two, as rounded, is 1e7 or more, or below 1e-3, a power of ten follows both, and the larger one
 * has one digit before its point.
 *
 * Texts are those of message_text (harness/base/die.h): they last for the next seven of the thread.
 */
#ifndef HULLBENCH_NUMBER_TEXT_H
#define HULLBENCH_NUMBER_TEXT_H

#include "harness/stats/summary.h"

struct number_format {
    int decimals;    /* fixed decimal places; -1: by the rule */
    int thin_spaces; /* nonzero: thin spaces separate groups of three if five or more digits precede the point */
};

/* A number to that many significant digits; a whole number below 1e7 in full. If not finite, an en dash, also below. */
const char *number_text(double value, int digits, const struct number_format *format);
/* A mean that ends at the digit that the spread supports. If the spread is 0, to at most 6 digits, without trailing
 * zeros; if it is not finite, to 4 digits. */
const char *number_text_mean(double mean, double spread, const struct number_format *format);
/* Both: "5580 ± 200". If the sd is not finite, only the mean. */
const char *number_text_mean_sd(double mean, double sd, const struct number_format *format);
/* "0.887 [0.870, 0.905]", each to that many digits; "; 96.9 %" before the last bracket if the level is not 95 %. Only
 * the estimate if an end is not finite. */
const char *number_text_interval(const struct interval *interval, int digits, const struct number_format *format);
/* The text of a setting's value, such as "1e-05", for readers: "10⁻⁵". A number of more than eight characters is
 * rounded to four digits; texts that are not numbers are returned. */
const char *number_text_setting(const char *value);
/* A duration for readers: "under 1 s", "42 s", "3 min 20 s", "1 h 05 min"; "0 s" if it is not above 0. */
const char *number_text_duration(double seconds);

#endif
