/* Where memory cannot be had, the program ends with status 4 and says so. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/base/json_writer.h"
#include "harness/base/pool.h"

static volatile size_t huge = SIZE_MAX / 2; /* volatile: compilers warn of such sizes */

/* The address sanitizer otherwise ends the process itself. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
    return "allocator_may_return_null=1";
}

static void allocate(void)
{
    free(xmalloc(huge));
}

static void allocate_zeroed(void)
{
    free(xcalloc(huge, 1));
}

static void allocate_more_than_a_size_holds(void)
{
    free(xreallocarray(NULL, huge, 3)); /* the product is huge - 2 in the arithmetic of sizes */
}

static void *volatile kept; /* where the process ends, what a variable points to is no leak */

static void grow(void)
{
    kept = xmalloc(1);
    free(xreallocarray(kept, huge, 1));
}

/* cJSON's allocator in the tests below, which ends the program as that of pool.c does: what is left are the
 * allocations that succeed. */
static size_t left;

static void *few(size_t size)
{
    if (left-- == 0)
        out_of_memory();
    return malloc(size);
}

static void start_with(size_t allocations)
{
    left = allocations;
    cJSON_InitHooks(&(cJSON_Hooks){.malloc_fn = few, .free_fn = free});
}

static void make_an_object(void)
{
    start_with(0);
    cJSON_Delete(json_new_object());
}

static void put_a_number(void)
{
    start_with(1);
    cJSON *object = json_new_object();
    json_put_number(object, "x", 1);
    cJSON_Delete(object);
}

static void add_a_text(void)
{
    start_with(1);
    cJSON *array = json_new_array();
    json_add_text(array, "x");
    cJSON_Delete(array);
}

static void write_a_line(void)
{
    start_with(1);
    cJSON *object = json_new_object();
    free(json_line(object));
    cJSON_Delete(object);
}

static void quote_a_text(void)
{
    start_with(0);
    json_print_text(stderr, "x");
}

static void use_cjson_alone(void)
{
    cJSON_free(cJSON_malloc(huge));
}

/* Runs `use` in a process of its own. Returns its exit status; its messages go to `said`. */
static int status_of(void (*use)(void), char *said, size_t size)
{
    int ends[2], status;
    assert_int_equal(pipe(ends), 0);
    pid_t id = fork();
    assert_true(id >= 0);
    if (id == 0) {
        dup2(ends[1], STDERR_FILENO);
        use();
        _exit(0);
    }
    close(ends[1]);
    size_t length = 0;
    for (ssize_t got = 1; got > 0 && length < size - 1; length += (size_t)(got > 0 ? got : 0))
        got = read(ends[0], said + length, size - 1 - length);
    said[length] = '\0';
    close(ends[0]);
    assert_true(waitpid(id, &status, 0) == id);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void without_memory_the_program_ends_with_status_4(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        void (*use)(void);
    } cases[] = {{"xmalloc", allocate},
                 {"xcalloc", allocate_zeroed},
                 {"xreallocarray of too much", allocate_more_than_a_size_holds},
                 {"xreallocarray", grow},
                 {"json_new_object", make_an_object},
                 {"json_put_number", put_a_number},
                 {"json_add_text", add_a_text},
                 {"json_line", write_a_line},
                 {"json_print_text", quote_a_text},
                 {"cJSON's own functions", use_cjson_alone}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char said[4096];
        int status = status_of(cases[k].use, said, sizeof said);
        if (status != 4 || !strstr(said, "hullbench: out of memory\n"))
            fail_msg("%s: status %d, \"%s\"", cases[k].name, status, said);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_memory_the_program_ends_with_status_4),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
