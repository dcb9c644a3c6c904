/* Available memory, from made-up files of /proc and /sys and from the limits of a child process. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/support/available_memory.h"
#include "harness/support/file.h"
#include "tests/all_tests.h"
#include "tests/scratch_folder.h"

static char root[SCRATCH_PATH_SIZE];

static int make_root(void **state)
{
    (void)state;
    return scratch_folder_new(root, "test-available-memory") ? 0 : -1;
}

static int remove_root(void **state)
{
    (void)state;
    char command[128];
    snprintf(command, sizeof command, "rm -rf '%s'/*", root);
    return system(command); /* the last test removes the folder itself */
}

static void put(const char *path, const char *text)
{
    char full[512], folder[PATH_MAX];
    snprintf(full, sizeof full, "%s%s", root, path);
    folder_make(path_folder(full, folder));
    file_write(full, text, strlen(text));
}

static void expect(double bytes, const char *limit)
{
    struct available_memory available = memory_available(root);
    assert_true(available.bytes == bytes);
    assert_non_null(strstr(available.limit, limit));
}

static void where_nothing_is_known_all_is_available(void **state)
{
    (void)state;
    assert_true(isinf(memory_available(root).bytes));
}

static void the_system_has_what_it_can_give_without_swapping(void **state)
{
    (void)state;
    put("/proc/meminfo", "MemTotal:       16000000 kB\nMemFree:          100000 kB\nMemAvailable:    2000000 kB\n");
    expect(2000000 * 1024., "system");
}

static void groups_of_version_2_leave_their_limit_less_what_is_used(void **state)
{
    (void)state;
    put("/proc/meminfo", "MemAvailable:    2000000 kB\n");
    put("/proc/self/cgroup", "0::/user/job\n");
    put("/sys/fs/cgroup/user/job/memory.max", "max\n");
    put("/sys/fs/cgroup/user/job/memory.current", "5000\n");
    expect(2000000 * 1024., "system");
    put("/sys/fs/cgroup/user/job/memory.max", "1000000\n");
    expect(995000, "control group");
    put("/sys/fs/cgroup/user/job/memory.stat", "anon 1000\nfile 3000\ninactive_file 2000\nactive_file 1000\n");
    expect(997000, "control group");
    put("/sys/fs/cgroup/user/memory.max", "600000\n"); /* the parent group leaves less */
    put("/sys/fs/cgroup/user/memory.current", "200000\n");
    expect(400000, "control group");
    put("/sys/fs/cgroup/user/memory.current", "700000\n");
    expect(0, "control group");
}

static void a_container_sees_its_own_group_where_groups_are_mounted(void **state)
{
    (void)state;
    put("/proc/self/cgroup", "0::/../outside\n");
    put("/sys/fs/cgroup/memory.max", "1000\n");
    put("/sys/fs/cgroup/memory.current", "100\n");
    expect(900, "control group");
}

static void groups_of_version_1_count_too(void **state)
{
    (void)state;
    put("/proc/self/cgroup", "5:cpu,cpuacct:/other\n4:memory:/job\n0::/none\n");
    put("/sys/fs/cgroup/memory/other/memory.limit_in_bytes", "10\n");
    put("/sys/fs/cgroup/memory/other/memory.usage_in_bytes", "1\n");
    put("/sys/fs/cgroup/memory/job/memory.limit_in_bytes", "9000\n");
    put("/sys/fs/cgroup/memory/job/memory.usage_in_bytes", "8000\n");
    put("/sys/fs/cgroup/memory/job/memory.stat", "inactive_file 1\ntotal_inactive_file 300\n");
    put("/sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
    put("/sys/fs/cgroup/memory/memory.usage_in_bytes", "8000\n");
    expect(1300, "control group");
}

/* qemu's user emulation accepts these limits but does not set them. */
enum { NOT_SET = 100 };

/* Runs in a child, whose exit status says which expectation failed. */
static int child(int resource, const char *limit)
{
    const struct rlimit most = {1u << 30, RLIM_INFINITY};
    put("/proc/self/status", "VmSize:    1024 kB\nVmData:   2048 kB\n");
    struct rlimit now;
    if (setrlimit(resource, &most) != 0 || getrlimit(resource, &now) != 0)
        return 1;
    if (now.rlim_cur != most.rlim_cur)
        return NOT_SET;
    struct available_memory available = memory_available(root);
    double taken = resource == RLIMIT_AS ? 1 << 20 : 2 << 20;
    return available.bytes != (double)(1u << 30) - taken ? 2 : !strstr(available.limit, limit) ? 3 : 0;
}

/* The address space of this process in bytes; a sanitizer takes terabytes. */
static double address_space(void)
{
    unsigned long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    assert_non_null(file);
    assert_int_equal(fscanf(file, "%lu", &pages), 1);
    fclose(file);
    return (double)pages * (double)sysconf(_SC_PAGESIZE);
}

static void limits_of_the_process_count_too(void **state)
{
    (void)state;
    if (address_space() > 1u << 29)
        skip_for("the limits of this test leave too little memory");
    static const struct {
        int resource;
        const char *limit;
    } limits[] = {{RLIMIT_AS, "ulimit -v"}, {RLIMIT_DATA, "ulimit -d"}};
    for (size_t i = 0; i < 2; i++) {
        int status = -1;
        pid_t id = fork();
        if (id == 0)
            _exit(child(limits[i].resource, limits[i].limit));
        assert_true(waitpid(id, &status, 0) == id && WIFEXITED(status));
        if (WEXITSTATUS(status) == NOT_SET)
            skip_for("this limit cannot be set here");
        assert_int_equal(WEXITSTATUS(status), 0);
    }
}

struct checking {
    struct available_memory available;
    double bytes;
};

static void check_limit(void *data)
{
    const struct checking *checking = data;
    memory_check(&checking->available, "f:3:4", "a table", checking->bytes);
}

static void check_system(void *bytes)
{
    memory_check(NULL, "here", "all there is", *(double *)bytes);
}

static void a_refusal_says_what_is_needed_what_there_is_and_what_to_do(void **state)
{
    (void)state;
    struct error error = {STATUS_OK, ""};
    struct checking checking = {{3e9, "the limit of the control group"}, 3e9};
    double bytes = 1e18;
    assert_int_equal(attempt(check_limit, &checking, &error), STATUS_OK);
    checking.bytes = 5e9;
    assert_int_equal(attempt(check_limit, &checking, &error), STATUS_BAD_INPUT);
    assert_string_equal(error.message,
                        "f:3:4: a table would take 5000 MB of memory, but only 3000 MB are available (the limit of the "
                        "control group); give fewer rows or features, end other programs, or raise the limit");
    assert_int_equal(attempt(check_system, &bytes, &error), STATUS_BAD_INPUT);
    bytes = 0;
    assert_int_equal(attempt(check_system, &bytes, &error), STATUS_OK);
    assert_int_equal(rmdir(root), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(where_nothing_is_known_all_is_available, remove_root),
        cmocka_unit_test_teardown(the_system_has_what_it_can_give_without_swapping, remove_root),
        cmocka_unit_test_teardown(groups_of_version_2_leave_their_limit_less_what_is_used, remove_root),
        cmocka_unit_test_teardown(a_container_sees_its_own_group_where_groups_are_mounted, remove_root),
        cmocka_unit_test_teardown(groups_of_version_1_count_too, remove_root),
        cmocka_unit_test_teardown(limits_of_the_process_count_too, remove_root),
        cmocka_unit_test(a_refusal_says_what_is_needed_what_there_is_and_what_to_do),
    };
    return cmocka_run_group_tests(tests, make_root, NULL);
}
