#!/bin/sh
# docs/measured.sh NAME...: runs, in the current folder, the commands of the documents whose mark ends with
# "(measured/NAME.txt)", and writes what they print to docs/measured/NAME.txt, below the commands and the commit.
# tests/docs/test_traced_numbers.sh compares the numbers of the documents with these files.
set -eu
root=$(cd "$(dirname -- "$0")/.." && pwd)
commands=$(mktemp)
trap 'rm -f "$commands" "$commands.out"' EXIT
[ $# -gt 0 ] || { echo "usage: docs/measured.sh NAME..." >&2; exit 2; }
for name; do
    page=$(cd "$root" && grep -lF "(measured/$name.txt) -->" docs/*.md docs/*/*.md) ||
        { echo "measured.sh: no page has commands for measured/$name.txt" >&2; exit 2; }
    awk -v mark="(measured/$name.txt) -->" '
        !on { on = /^<!-- not run: / && substr($0, length($0) - length(mark) + 1) == mark; next }
        /^    / { print substr($0, 5); begun = 1; next }
        begun && NF { exit }' "$root/$page" >"$commands"
    {
        echo "# What these commands of $page printed, on $(git -C "$root" describe --always --abbrev=12 --exclude='*'):"
        sed 's/^/#     /' "$commands"
        sh -eu "$commands" >"$commands.out"
        sed 's/[[:space:]]*$//' "$commands.out"
    } >"$root/docs/measured/$name.new"
    mv "$root/docs/measured/$name.new" "$root/docs/measured/$name.txt"
done
