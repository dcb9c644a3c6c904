/* Reads memory limits from /proc and /sys files with lines "name value". */
#include "harness/support/available_memory.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "harness/base/die.h"

static void take(struct available_memory *least, double bytes, const char *limit)
{
    if (bytes < least->bytes)
        *least = (struct available_memory){bytes > 0 ? bytes : 0, limit};
}

/* The number after `name` in a file FOLDER/FILE of lines "name value" ("name: value kB"); with `name` "", the number at
 * the start of the file. NaN if the file, the line or the number is missing. */
static double number_in(const char *folder, const char *file, const char *name)
{
    char line[512], path[2 * PATH_MAX];
    double value = NAN;
    snprintf(path, sizeof path, "%s/%s", folder, file);
    FILE *stream = fopen(path, "r");
    size_t length = strlen(name);
    while (stream && isnan(value) && fgets(line, sizeof line, stream)) {
        char unit = '\0';
        if (strncmp(line, name, length) != 0 || sscanf(line + length, "%lf %c", &value, &unit) < 1)
            value = NAN;
        else if (unit == 'k')
            value *= 1024;
    }
    if (stream)
        fclose(stream);
    return value;
}

/* The group and its ancestors, up to the mount point. In a container the mount point is the container's own group,
 * whatever path /proc/self/cgroup gives. Each folder holds the group's limit, its usage and memory.stat. */
static void take_groups(struct available_memory *least, const char *mounted, const char *group, int version)
{
    char folder[2 * PATH_MAX];
    size_t top = strlen(mounted);
    snprintf(folder, sizeof folder, "%s%s", mounted, group);
    for (char *slash = folder + strlen(folder); slash; slash = strrchr(folder + top, '/')) {
        *slash = '\0';
        const double most = number_in(folder, version == 2 ? "memory.max" : "memory.limit_in_bytes", "");
        const double taken = number_in(folder, version == 2 ? "memory.current" : "memory.usage_in_bytes", "");
        const double unused =
            number_in(folder, "memory.stat", version == 2 ? "inactive_file " : "total_inactive_file ");
        if (!isnan(most) && !isnan(taken)) /* "max" is not a number */
            take(least, most - taken + (isnan(unused) ? 0 : unused), "the limit of the control group");
    }
}

/* Lines of /proc/self/cgroup are "0::GROUP" (version 2) and "N:CONTROLLERS:GROUP" (version 1). */
static void take_control_groups(struct available_memory *least, const char *root)
{
    char line[PATH_MAX], mounted[PATH_MAX];
    snprintf(line, sizeof line, "%s/proc/self/cgroup", root);
    FILE *stream = fopen(line, "r");
    while (stream && fgets(line, sizeof line, stream)) {
        char *controllers = strchr(line, ':'), *group = controllers ? strchr(controllers + 1, ':') : NULL;
        if (!group)
            continue;
        *group++ = '\0';
        group[strcspn(group, "\n")] = '\0';
        if (controllers[1] != '\0' && !strstr(controllers, "memory"))
            continue;
        int version = controllers[1] == '\0' ? 2 : 1;
        snprintf(mounted, sizeof mounted, "%s/sys/fs/cgroup%s", root, version == 1 ? "/memory" : "");
        take_groups(least, mounted, strcmp(group, "/") == 0 ? "" : group, version);
    }
    if (stream)
        fclose(stream);
}

static void take_limit(struct available_memory *least, int resource, const char *root, const char *taken,
                       const char *name)
{
    struct rlimit limit;
    if (getrlimit(resource, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
        return;
    double used = number_in(root, "proc/self/status", taken);
    take(least, (double)limit.rlim_cur - (isnan(used) ? 0 : used), name);
}

struct available_memory memory_available(const char *root)
{
    struct available_memory least = {HUGE_VAL, "the memory of the system is unknown"};
    double system = number_in(root, "proc/meminfo", "MemAvailable:");
    if (!isnan(system))
        take(&least, system, "the free memory of the system");
    take_control_groups(&least, root);
    take_limit(&least, RLIMIT_AS, root, "VmSize:", "the limit of ulimit -v");
    take_limit(&least, RLIMIT_DATA, root, "VmData:", "the limit of ulimit -d");
    return least;
}

void memory_check(const struct available_memory *given, const char *where, const char *what, double bytes)
{
    const double megabyte = 1e6;
    const struct available_memory available = given ? *given : memory_available("");
    if (bytes > available.bytes)
        die(STATUS_BAD_INPUT,
            "%s: %s would take %.0f MB of memory, but only %.0f MB are available (%s); give fewer rows or features, "
            "end other programs, or raise the limit",
            where, what, bytes / megabyte, floor(available.bytes / megabyte), available.limit);
}
