/* A folder below /tmp, see scratch_folder.h. */
#include "tests/scratch_folder.h"

#include <stdio.h>
#include <stdlib.h>

char scratch_folder[] = "/tmp/hullbench-test-XXXXXX";

int scratch_folder_make(void **state)
{
    (void)state;
    return mkdtemp(scratch_folder) == NULL;
}

int scratch_folder_remove(void **state)
{
    char command[128];
    (void)state;
    snprintf(command, sizeof command, "rm -rf '%s'", scratch_folder);
    return system(command);
}
