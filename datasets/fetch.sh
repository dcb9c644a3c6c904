#!/bin/sh
# Downloads the public data files that the project does not redistribute, and checks each against its SHA-256.
set -eu

usage() {
    cat <<'EOF'
Usage: datasets/fetch.sh [FOLDER]

Downloads every file for which manifest.json, next to this script, has an address, to FOLDER (default: datasets/cache),
and checks its SHA-256. A file with the right SHA-256 is kept; a wrong file is downloaded again. If a download fails or
has the wrong SHA-256, the script removes it, continues with the next file and ends with status 1. It refuses names that
are not plain file names, addresses that do not begin with https://, and files of more than 1 GB.

Environment:
  HULLBENCH_URL_BASE  take every file from $HULLBENCH_URL_BASE/NAME instead of its own address (a mirror, or file://...)
EOF
}

case ${1-} in
    -h | --help) usage; exit 0 ;;
    -*) usage >&2; exit 2 ;;
esac
if [ $# -gt 1 ]; then
    usage >&2
    exit 2
fi
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
folder=${1:-$here/cache}
mkdir -p -- "$folder"
aside=
trap '[ -z "$aside" ] || rm -f -- "$aside"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

hash_of() {
    sha256sum <"$1" | cut -d ' ' -f 1
}

failed=0

# Removes the unfinished downloads of processes that were killed.
remove_left() {
    for left in "$1".part.*; do
        [ ! -f "$left" ] || kill -0 "${left##*.}" 2>/dev/null || rm -f -- "$left"
    done
}

# fetch NAME SHA256 ADDRESS: notes a failure and continues with the next file. Once the name of a host is unknown there
# is probably no network, and the other files do not wait for retries.
retries=3
fetch() {
    case $1 in
    .* | *[!A-Za-z0-9._-]*)
        echo "$here/manifest.json: \"$1\" is not a plain file name (letters, digits, \".\", \"_\", \"-\")" >&2
        failed=1
        return
        ;;
    esac
    target=$folder/$1
    remove_left "$target"
    if [ -f "$target" ] && [ "$(hash_of "$target")" = "$2" ]; then
        echo "$target: up to date, SHA-256 matches"
        return
    fi
    address=$3
    [ -z "${HULLBENCH_URL_BASE-}" ] || address=$HULLBENCH_URL_BASE/$1
    protocols='=https'
    [ -z "${HULLBENCH_URL_BASE-}" ] || protocols='=https,file'
    aside=$target.part.$$
    # ulimit counts blocks of 512 bytes. curl says one line for each try; the last one tells why it gave up.
    status=0
    said=$(ulimit -f 2000000 && curl -fL --proto "$protocols" --proto-redir '=https' --retry "$retries" \
        --connect-timeout 30 --max-filesize 1000000000 -sS -o "$aside" -- "$address" 2>&1) || status=$?
    [ "$status" != 6 ] || retries=0 # CURLE_COULDNT_RESOLVE_HOST
    if [ "$status" != 0 ]; then
        echo "$1: could not be downloaded from $address: $(printf '%s\n' "$said" | tail -n 1)" >&2
        rm -f -- "$aside"
        failed=1
        return
    fi
    got=$(hash_of "$aside")
    if [ "$got" != "$2" ]; then
        echo "$1: SHA-256 of $address is $got; expected: $2; the file is removed" >&2
        rm -f -- "$aside"
        failed=1
        return
    fi
    mv -f -- "$aside" "$target"
    aside=
    echo "$target: downloaded, SHA-256 matches"
}

# Prints name, SHA-256 and address, separated by tabs, for each entry of "files" in the manifest that has an address.
# These entries contain neither braces nor brackets, and come before the sets.
addresses() {
    tr -d '\n' <"$here/manifest.json" | awk '
        function text(entry, key) {
            if (!match(entry, "\"" key "\"[ \t]*:[ \t]*\"[^\"]*\"")) return ""
            entry = substr(entry, RSTART, RLENGTH)
            sub(/^"[^"]*"[ \t]*:[ \t]*"/, "", entry)
            return substr(entry, 1, length(entry) - 1)
        }
        {
            files = substr($0, index($0, "\"files\""))
            n = split(substr(files, 1, index(files, "]")), entries, "}")
            for (i = 1; i < n; i++)
                if (text(entries[i], "url"))
                    print text(entries[i], "name") "\t" text(entries[i], "sha256") "\t" text(entries[i], "url")
        }'
}

wanted=$(addresses)
[ -n "$wanted" ] || { echo "$here/manifest.json names no file with an address" >&2; exit 2; }
while IFS='	' read -r name hash address; do
    fetch "$name" "$hash" "$address"
done <<EOF
$wanted
EOF
exit $failed
