/* R, run by Rscript, see with_r.h. */
#include "tests/with_r.h"

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/all_tests.h"

void with_r_open(struct with_r *r)
{
    if (system("Rscript --version >/dev/null 2>&1") != 0)
        skip_for(no_rscript);
    strcpy(r->path, "/tmp/hullbench-r-XXXXXX");
    int descriptor = mkstemp(r->path);
    assert_true(descriptor >= 0);
    r->script = fdopen(descriptor, "w");
    assert_non_null(r->script);
    with_r_line(r, "show <- function(...) cat(formatC(c(...), digits = 17, format = 'g'), sep = '\\n')");
    with_r_line(r, "options(warn = -1)");
}

void with_r_needs(const char *package)
{
    char command[128];
    snprintf(command, sizeof command, "Rscript -e 'loadNamespace(\"%s\")' >/dev/null 2>&1", package);
    if (system(command) != 0) {
        print_message("# R or its package %s is not installed (Debian: r-cran-%s)\n", package, package);
        skip();
    }
}

void with_r_values(struct with_r *r, const char *name, const double *values, size_t n)
{
    fprintf(r->script, "%s <- c(", name);
    for (size_t i = 0; i < n; i++)
        if (isinf(values[i]))
            fprintf(r->script, "%s%sInf", i ? "," : "", values[i] < 0 ? "-" : "");
        else
            fprintf(r->script, "%s%.17g", i ? "," : "", values[i]);
    fputs(")\n", r->script);
}

void with_r_line(struct with_r *r, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    vfprintf(r->script, format, list);
    va_end(list);
    fputc('\n', r->script);
}

void with_r_run(struct with_r *r)
{
    char command[128];
    assert_int_equal(fclose(r->script), 0);
    snprintf(command, sizeof command, "Rscript --vanilla %s", r->path);
    r->answers = popen(command, "r");
    assert_non_null(r->answers);
}

double with_r_number(struct with_r *r)
{
    char text[64];
    if (fscanf(r->answers, "%63s", text) != 1)
        fail_msg("R showed too few numbers");
    return strtod(text, NULL);
}

void with_r_agrees(struct with_r *r, const char *what, double value, double relative)
{
    double theirs = with_r_number(r);
    int same = value == theirs || (isnan(value) && isnan(theirs));
    if (!same && !(fabs(value - theirs) <= relative * fabs(theirs)))
        fail_msg("%s: %.17g, R has %.17g", what, value, theirs);
}

void with_r_close(struct with_r *r)
{
    char text[64];
    if (fscanf(r->answers, "%63s", text) == 1) /* also waits for R to end */
        fail_msg("R showed more: %s", text);
    assert_int_equal(pclose(r->answers), 0);
    unlink(r->path);
}
