#!/bin/sh
# Checks the rules of CONTRIBUTING.md on folders, file names and line lengths. Prints each violation; status 1 if there
# is one. Usage: tests/lint/layers.sh [TREE]
set -eu
cd "${1-$(dirname "$0")/../..}"
found=$(mktemp)
trap 'rm -f "$found"' EXIT

order=$(awk '/has a folder for each layer/ { on = 1 } on && /^- / && !/layer/ { exit } on &&
    /^      /' CONTRIBUTING.md |
    tr -s ' \n' ' ')
table=$(sed -n 's/^| \(`harness[^|]*\)|.*/\1/p' docs/architecture.md | grep -o '[a-z]*/`' | tr -s '`/\n ' ' ')
{
    [ -n "$order" ] || echo "CONTRIBUTING.md: the order of folders is missing"
    [ "$order" = " $table" ] || echo "docs/architecture.md: the order of folders is not that of CONTRIBUTING.md"
    # Tests may include everything.
    find solvers harness -name '*.[ch]' ! -name 'test_*.c' -exec grep -HnE '^[[:space:]]*#[[:space:]]*include' {} + |
        sed 's|/[*][^*]*[*]/||g; s|:[[:space:]]*#[[:space:]]*include[[:space:]]*["<]|:"|; s|[">][^">]*$|"|' |
        grep -E ':"(harness|solvers|tests|[.][.])/' |
        awk -F '[:"]' -v order="$order" '
        function layer(path, parts) {
            split(path, parts, "/")
            return parts[1] == "solvers" ? 0.5 : parts[1] == "harness" ? place[parts[2]] + 0 : 1000
        }
        BEGIN { for (n = split(order, name, " "); n; n--) place[name[n]] = n }
        layer($1) == 0 { print $1 ": its folder is not in the list of CONTRIBUTING.md" }
        layer($4) > layer($1) { print $1 ":" $2 ": includes " $4 ", which stands behind it in the list of '\
'CONTRIBUTING.md" }'

    for folder in harness/*/; do
        name=${folder#harness/}
        case " $order " in *" ${name%/} "*) ;; *) echo "$folder: is not in the list of CONTRIBUTING.md" ;; esac
    done
    find harness -mindepth 1 -maxdepth 1 ! -type d | sed 's|$|: only folders stand directly in harness/|'
    find tests -maxdepth 1 -name 'test_*' | sed 's|$|: tests stand in a folder of tests/|'
    find solvers harness tests -name '*.c' ! -name 'test_*' | sed 's|/[^/]*$||' | sort | uniq -c |
        awk '$1 > 20 { print $2 ": " $1 " sources; at most 20" }'
    find solvers harness tests -type f -name '*.*' ! -path '*/corpus/*' ! -path '*/__pycache__/*' | sed 's|.*/||' |
        sort |
        uniq -d | sed 's/$/: two files have this name/'
    find . \( -name build -o -name .git -o -name cache \) -prune -o -type f \
        \( -name '*.[ch]' -o -name '*.sh' -o -name '*.py' -o -name '*.R' -o -name Makefile -o -name '*.mk' \) \
        -exec env LC_ALL=C.UTF-8 grep -HnE '^.{121}' {} + |
        sed 's|^[.]/||; s/^\([^:]*:[0-9]*\):.*/\1: more than 120 columns/'
} >"$found"
cat "$found"
[ ! -s "$found" ]
