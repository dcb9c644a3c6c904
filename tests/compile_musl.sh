#!/bin/sh
# Compiles every source of the program to an object with musl-gcc (MUSL_CC): evidence that the sources need nothing of
# the GNU C library. Libraries built for musl are missing on Debian, so headers of the others are used, and nothing is
# linked, with one exception: a static program of harness/support/platform.c, which needs no library, is run.
# Status 0 also if there is no musl-gcc.
set -eu
cd "$(dirname "$0")/.."
compiler=${MUSL_CC:-musl-gcc}
command -v "$compiler" >/dev/null || { echo "skipped: $compiler is not installed (Debian package musl-tools)"; exit 0; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/include" "$folder/objects"
# Only these headers, since the folders around them hold those of the GNU C library.
for header in archive.h archive_entry.h bzlib.h cjson csv.h gsl lzma lzma.h matio.h matio_pubconf.h md4c.h md4c-html.h \
    sha2.h zconf.h zlib.h; do
    for place in /usr/include "/usr/include/$(cc -print-multiarch)"; do
        [ ! -e "$place/$header" ] || ln -sf "$place/$header" "$folder/include/"
    done
done
base=$(make -s print-BASE)
export compiler base folder
find solvers harness -name '*.c' ! -name 'test_*' ! -path 'solvers/peer/*' | sort >"$folder/sources"
# shellcheck disable=SC2016 # for the inner shell
xargs -n 1 -P 2 sh -c '
    name=$(echo "$1" | tr / _)
    case $1 in */simd.c | */simd_search.c) set -- "$1" -DLANES_NAME=generic -Wno-psabi ;; esac
    "$compiler" -O0 $base -Wno-sign-conversion -idirafter "$folder/include" -DHAVE_LZMA=1 -c \
        -o "$folder/objects/$name.o" "$@" 2>"$folder/objects/$name.log" || echo "$1" >>"$folder/failed"
' sh <"$folder/sources"
cat "$folder"/objects/*.log >&2
all=$(wc -l <"$folder/sources")
[ ! -e "$folder/failed" ] || { sed 's/$/: does not compile/' "$folder/failed"; exit 1; }
echo "$all sources compile with $compiler"
cat >"$folder/main.c" <<'END'
#include <stdlib.h>
#include <string.h>

#include "harness/support/platform.h"

int main(int argc, char **argv)
{
    char *text, path[1000];
    size_t size;
    platform_note_program(argc > 0 ? argv[0] : "");
    FILE *stream = platform_open_text(&text, &size);
    if (!stream || fputs("text", stream) < 0 || fclose(stream) != 0 || strcmp(text, "text") != 0)
        return 1;
    free(text);
    return !platform_program_path(path, sizeof path) || !strstr(path, "/main") || !platform_map(100, 1);
}
END
# shellcheck disable=SC2086 # a list of flags
"$compiler" -static $base -fno-openmp -o "$folder/main" "$folder/main.c" harness/support/platform.c && "$folder/main"
echo "harness/support/platform.c links and runs"
