/* See comma_locale.h. */
#include "tests/comma_locale.h"

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>

#include "harness/support/file.h"
#include "tests/scratch_folder.h"

int comma_locale_set(void)
{
    char folder[SCRATCH_PATH_SIZE], command[200];
    if (!scratch_folder_new(folder, "comma-locale"))
        return 0;
    snprintf(command, sizeof command, "localedef -i de_DE -f UTF-8 %s/de_DE.UTF-8 >/dev/null 2>&1", folder);
    int is_made = system(command) == 0 && setenv("LOCPATH", folder, 1) == 0 && setlocale(LC_ALL, "de_DE.UTF-8");
    int has_comma = is_made && *localeconv()->decimal_point == ',';
    folder_remove(folder); /* the locale stays loaded */
    return has_comma;
}
