#!/bin/sh
# Compares the lines of each folder of harness/, in .c and .h files without tests, with its number in the section
# "Lines" of docs/architecture.md. Prints each folder that has more, or no number; status 1 if there is one.
# Usage: tests/lint/budget.sh [TREE]
set -eu
cd "${1-$(dirname "$0")/../..}"
status=0
for folder in harness/*/; do
    name=$(basename "$folder")
    lines=$(find "$folder" -name '*.[ch]' ! -name 'test_*' -exec cat {} + | wc -l)
    allowed=$(sed -n "/^## Lines\$/,\$s/^| \`$name\/\` | \([0-9]*\) |\$/\1/p" docs/architecture.md)
    if [ -z "$allowed" ]; then
        echo "docs/architecture.md: no number of lines for $folder"
    elif [ "$lines" -gt "$allowed" ]; then
        echo "$folder: $lines lines; docs/architecture.md allows $allowed"
    else
        continue
    fi
    status=1
done
exit $status
