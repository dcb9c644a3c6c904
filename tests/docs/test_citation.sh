#!/bin/sh
# CITATION.cff and codemeta.json name the program's version and licence, and have the keys that their formats require.
# The paper for JOSS is short enough, and its bibliography is complete.
# shellcheck source=tests/tap.sh
. "$(dirname -- "$0")/../tap.sh"

version=$("$hullbench" --version | sed 's/^hullbench //')
# key NAME: its value at the top level of CITATION.cff
key() {
    sed -n "s/^$1: *//p" "$root/CITATION.cff"
}
[ -n "$version" ] && [ "$(key version)" = "$version" ]
check "CITATION.cff has the program's version"
[ "$(key license)" = GPL-3.0-or-later ] && grep -q 'GNU GENERAL PUBLIC LICENSE' "$root/COPYING" &&
    grep -q 'Version 3, ' "$root/COPYING"
check "and the licence of COPYING"
[ "$(key cff-version)" = 1.2.0 ] && [ -n "$(key message)" ] && [ -n "$(key title)" ] &&
    grep -A 1 '^authors:$' "$root/CITATION.cff" | grep -q '^  - name: .'
check "it has the keys that version 1.2.0 of the format requires"
grep -q "^## \[$version\]" "$root/CHANGELOG.md"
check "CHANGELOG.md has a section for the version"

# ---- docs/paper/paper.md ----
paper=$root/docs/paper/paper.md
bib=$root/docs/paper/paper.bib
awk '/^---$/ { n++; next } /^# References/ { exit } n >= 2' "$paper" >"$work/body"
words=$(wc -w <"$work/body")
[ "$words" -gt 500 ] && [ "$words" -le 1000 ]
check "the paper has at most 1000 words"
for key in title tags authors affiliations date bibliography; do
    awk '/^---$/ { n++ } n == 1' "$paper" | grep -q "^$key:" || echo "no $key"
done >"$work/err"
for heading in 'Summary' 'Statement of need' 'State of the field' 'Research use' 'References'; do
    grep -qx "# $heading" "$paper" || echo "no section $heading"
done >>"$work/err"
[ ! -s "$work/err" ]
check "it has the front matter and the sections that JOSS asks for"
grep -o '@[a-z][a-z]*[0-9][0-9]*' "$work/body" | sed 's/^@//' | sort -u >"$work/cited"
sed -n 's/^@[a-z]*{\([^,]*\),$/\1/p' "$bib" | sort >"$work/entries"
[ -s "$work/cited" ] && same_files "$work/cited" "$work/entries"
check "it cites the entries of its bibliography, each once there"
awk '/^@/ { name = $0; found = 0 } /^ *(doi|url) *= \{[^ ]+\},?$/ { found = 1 } /^}/ && !found { print name }' "$bib" \
    >"$work/err"
[ ! -s "$work/err" ]
check "each entry has a DOI or a URL"
if ! python3 -c 'import yaml' 2>/dev/null; then
    skip "CITATION.cff is YAML" "python3-yaml is not installed" python3-yaml
else
    python3 -c 'import sys, yaml; yaml.safe_load(sys.stdin)' <"$root/CITATION.cff" 2>"$work/err"
    check "CITATION.cff is YAML"
fi
if ! command -v python3 >/dev/null; then
    skip "codemeta.json agrees" "python3 is not installed" python3
else
    python3 - "$root/codemeta.json" "$version" 2>"$work/err" <<'PYTHON'
import json, sys
meta = json.load(open(sys.argv[1], encoding="utf-8"))
assert meta["@context"].startswith("https://w3id.org/codemeta/") and meta["@type"] == "SoftwareSourceCode"
assert meta["version"] == sys.argv[2], meta["version"]
assert meta["license"].endswith("/GPL-3.0-or-later"), meta["license"]
assert meta["name"] == "hullbench" and meta["author"]
PYTHON
    check "codemeta.json is JSON with the same version and licence"
fi
finish
