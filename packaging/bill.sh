#!/bin/sh
# Writes the bill of materials of a release to standard output: the libraries that it links, as CycloneDX 1.5
# (https://cyclonedx.org/docs/1.5/json). The versions are those of the Debian packages that are installed; a package
# that is not has none.
# Usage: packaging/bill.sh VERSION HEADER:LIBRARY:LICENCE:PACKAGE...
set -eu
version=$1
shift
printf '{\n  "bomFormat": "CycloneDX",\n  "specVersion": "1.5",\n  "version": 1,\n  "metadata": {\n'
printf '    "component": {"type": "application", "bom-ref": "hullbench", "name": "hullbench",\n'
printf '      "version": "%s",\n' "$version"
printf '      "licenses": [{"license": {"id": "GPL-3.0-or-later"}}]}\n  },\n  "components": ['
comma='' references=''
for need in "$@"; do
    package=${need##*:} rest=${need%:*}
    licence=${rest##*:}
    installed=$(dpkg-query -W -f '${Version}' "$package" 2>/dev/null || true)
    printf '%s\n    {"type": "library", "bom-ref": "%s", "name": "%s",%s\n' "$comma" "$package" "$package" \
        "${installed:+ \"version\": \"$installed\",}"
    printf '      "licenses": [{"license": {"id": "%s"}}]}' "$licence"
    references="$references$comma \"$package\"" comma=,
done
printf '\n  ],\n  "dependencies": [{"ref": "hullbench", "dependsOn": [%s ]}]\n}\n' "$references"
