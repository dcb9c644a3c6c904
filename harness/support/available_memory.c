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

/* The number after `name` in a file of lines "name value" ("name: value kB"); with `name` "", the number at the start
 * of the file. NaN if the file, the line or the number is missing. */
static double number_in(const char *path, const char *name)
{
    char line[512];
    double value = NAN;
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

/* One control group of either version; `folder` holds its limit, its usage and memory.stat. */
static void take_group(struct available_memory *least, const char *folder, const char *limit, const char *usage,
                       const char *unused_pages)
{
    char path[2 * PATH_MAX];
    snprintf(path, sizeof path, "%s/%s", folder, limit);
    double most = number_in(path, "");
    snprintf(path, sizeof path, "%s/%s", folder, usage);
    double taken = number_in(path, "");
    snprintf(path, sizeof path, "%s/memory.stat", folder);
    double unused = number_in(path, unused_pages);
    if (!isnan(most) && !isnan(taken)) /* "max" is not a number */
        take(least, most - taken + (isnan(unused) ? 0 : unused), "the limit of the control group");
}

/* The group and its ancestors, up to the mount point. In a container the mount point is the container's own group,
 * whatever path /proc/self/cgroup gives. */
static void take_groups(struct available_memory *least, const char *mounted, const char *group, int version)
{
    char folder[2 * PATH_MAX];
    size_t top = strlen(mounted);
    snprintf(folder, sizeof folder, "%s%s", mounted, group);
    for (char *slash = folder + strlen(folder); slash; slash = strrchr(folder + top, '/')) {
        *slash = '\0';
        if (version == 2)
            take_group(least, folder, "memory.max", "memory.current", "inactive_file ");
        else
            take_group(least, folder, "memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file ");
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
    char path[PATH_MAX];
    struct rlimit limit;
    if (getrlimit(resource, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
        return;
    snprintf(path, sizeof path, "%s/proc/self/status", root);
    double used = number_in(path, taken);
    take(least, (double)limit.rlim_cur - (isnan(used) ? 0 : used), name);
}

struct available_memory memory_available(const char *root)
{
    struct available_memory least = {HUGE_VAL, "the memory of the system is unknown"};
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/proc/meminfo", root);
    double system = number_in(path, "MemAvailable:");
    if (!isnan(system))
        take(&least, system, "the free memory of the system");
    take_control_groups(&least, root);
    take_limit(&least, RLIMIT_AS, root, "VmSize:", "the limit of ulimit -v");
    take_limit(&least, RLIMIT_DATA, root, "VmData:", "the limit of ulimit -d");
    return least;
}

void memory_check_against(const struct available_memory *available, const char *where, const char *what, double bytes)
{
    const double megabyte = 1e6;
    if (bytes > available->bytes)
        die(STATUS_BAD_INPUT,
            "%s: %s would take %.0f MB of memory, but only %.0f MB are available (%s); give fewer rows or features, "
            "end other programs, or raise the limit",
            where, what, bytes / megabyte, floor(available->bytes / megabyte), available->limit);
}

void memory_check(const char *where, const char *what, double bytes)
{
    const struct available_memory available = memory_available("");
    memory_check_against(&available, where, what, bytes);
}
