#!/bin/sh
# datasets/fetch.sh, with a folder of small files in place of the network and a copy of the script that expects them.
set -u
here=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd)
work=$(mktemp -d) || exit 4
trap 'rm -rf "$work"' EXIT
if ! command -v curl >/dev/null 2>&1; then
    echo "1..1"
    echo "ok 1 - downloads # SKIP curl is not installed"
    exit 0
fi
mkdir "$work/mirror"
HULLBENCH_URL_BASE=file://$work/mirror
export HULLBENCH_URL_BASE
cp "$here/datasets/fetch.sh" "$work/fetch.sh"
mkdir "$work/original" && cp "$here/datasets/fetch.sh" "$here/datasets/manifest.json" "$work/original/"
for name in benchmarks.mat breast-cancer-wisconsin.data sonar.all-data; do
    echo "this is $name" >"$work/mirror/$name"
done
hash_of() {
    sha256sum <"$work/mirror/$1" | cut -d ' ' -f 1
}
cat >"$work/manifest.json" <<EOF
{"schema": 1, "files": [
  {"name": "benchmarks.mat", "url": "https://nowhere.invalid/a", "sha256": "$(hash_of benchmarks.mat)"},
  {"name": "benchmarks_partial.mat", "sha256": "$(hash_of benchmarks.mat)"},
  {
    "sha256":"$(hash_of breast-cancer-wisconsin.data)",
    "name" : "breast-cancer-wisconsin.data", "subfolder": "uci",
    "url": "https://nowhere.invalid/b"
  }, {"name":"sonar.all-data","url":"https://nowhere.invalid/c","sha256":"$(hash_of sonar.all-data)"}],
 "datasets": [{"name": "banana", "files": ["benchmarks.mat"]}]}
EOF
count=0 failed=0
check() { # check NAME STATUS-OF-THE-TEST
    count=$((count + 1))
    if [ "$2" -eq 0 ]; then echo "ok $count - $1"; else echo "not ok $count - $1"; failed=1; fi
}
echo "1..12"

sh "$here/datasets/fetch.sh" "$work/wrong" >"$work/out" 2>&1
status=$?
got=$(sha256sum <"$work/mirror/benchmarks.mat" | cut -d ' ' -f 1)
[ "$status" -eq 1 ] && [ -z "$(ls -A "$work/wrong")" ] && grep -q "$got; expected: 47c19e4b[0-9a-f]\{56\}" "$work/out"
check "a wrong hash ends with 1, names both hashes and leaves nothing" $?

sh "$work/fetch.sh" "$work/new folder" >"$work/out" 2>&1
status=$?
[ "$status" -eq 0 ] && [ "$(find "$work/new folder" -type f | wc -l)" -eq 3 ] &&
    cmp -s "$work/mirror/sonar.all-data" "$work/new folder/sonar.all-data" &&
    [ "$(grep -c ': downloaded' "$work/out")" -eq 3 ]
check "three files are downloaded whole" $?

rm "$work/mirror/benchmarks.mat"
sh "$work/fetch.sh" "$work/new folder" >"$work/out" 2>&1
status=$?
[ "$status" -eq 0 ] && [ "$(grep -c ': up to date' "$work/out")" -eq 3 ]
check "what is there and right is not downloaded again" $?

echo damaged >"$work/new folder/sonar.all-data"
sh "$work/fetch.sh" "$work/new folder" >"$work/out" 2>&1
status=$?
[ "$status" -eq 0 ] && cmp -s "$work/mirror/sonar.all-data" "$work/new folder/sonar.all-data"
check "what is there and wrong is replaced" $?

sh "$work/fetch.sh" "$work/other" >"$work/out" 2>&1
status=$?
[ "$status" -eq 1 ] && [ "$(find "$work/other" -type f | wc -l)" -eq 2 ] &&
    [ -e "$work/other/sonar.all-data" ] && [ -e "$work/other/breast-cancer-wisconsin.data" ] &&
    [ "$(grep -c 'benchmarks.mat' "$work/out")" -eq 1 ] && [ "$(wc -l <"$work/out")" -eq 3 ] &&
    grep -q '^benchmarks.mat: could not be downloaded from .*: curl: ' "$work/out"
check "a download that fails ends with 1, leaves nothing of itself and does not keep the others from coming" $?

: >"$work/other/sonar.all-data.part.999999999"
: >"$work/other/sonar.all-data.part.$$"
sh "$work/fetch.sh" "$work/other" >"$work/out" 2>&1
[ ! -e "$work/other/sonar.all-data.part.999999999" ] && [ -e "$work/other/sonar.all-data.part.$$" ]
check "the unfinished download of a killed process is removed, that of a running one is not" $?

mkdir "$work/hostile"
cp "$here/datasets/fetch.sh" "$work/hostile/"
for name in ../out .hidden 'a b' a/b; do
    printf '{"files": [{"name": "%s", "url": "https://nowhere.invalid/a", "sha256": "%s"}]}\n' "$name" \
        "$(hash_of sonar.all-data)" >"$work/hostile/manifest.json"
    sh "$work/hostile/fetch.sh" "$work/hostile/in" >>"$work/hostile/said" 2>&1 && echo "$name" >>"$work/hostile/bad"
done
[ ! -e "$work/hostile/bad" ] && [ -z "$(ls -A "$work/hostile/in")" ] && [ ! -e "$work/hostile/out" ] &&
    [ "$(grep -c 'is not a plain file name' "$work/hostile/said")" -eq 4 ]
check "names that lead out of the folder are refused" $?

printf '{"files": [{"name": "a", "url": "file://%s", "sha256": "%s"}]}\n' "$work/mirror/sonar.all-data" \
    "$(hash_of sonar.all-data)" >"$work/hostile/manifest.json"
(unset HULLBENCH_URL_BASE; sh "$work/hostile/fetch.sh" "$work/hostile/in" >"$work/out" 2>&1)
[ $? -eq 1 ] && [ -z "$(ls -A "$work/hostile/in")" ] && grep -q '^a: could not be downloaded' "$work/out"
check "the manifest's addresses are of https alone" $?

sh "$work/fetch.sh" -h >"$work/out" 2>&1 && grep -q '^Usage:' "$work/out" && ! sh "$work/fetch.sh" a b >/dev/null 2>&1
check "help is given on request and for bad use" $?

# asked STATUS: downloads with a stand-in for curl that fails with this status, and prints the retries of each call.
mkdir "$work/bin"
asked() {
    printf '#!/bin/sh\necho "$@" >>"%s"\nexit %s\n' "$work/calls" "$1" >"$work/bin/curl"
    chmod +x "$work/bin/curl"
    : >"$work/calls"
    PATH=$work/bin:$PATH sh "$work/fetch.sh" "$work/asked" >"$work/out" 2>&1
    [ "$(grep -c ': could not be downloaded from' "$work/out")" -eq 3 ] &&
        sed 's/.*--retry \([0-9]*\) .*/\1/' "$work/calls" | tr '\n' ' '
}
[ "$(asked 6)" = '3 0 0 ' ] && [ "$(asked 28)" = '3 3 3 ' ]
check "only the first file waits for retries where no host is known; after a timeout each file does" $?

# requests exactly the manifest's files that have an address: an empty mirror provides none
mkdir "$work/empty"
HULLBENCH_URL_BASE=file://$work/empty sh "$work/original/fetch.sh" "$work/none" >"$work/out" 2>&1
status=$?
[ "$status" -eq 1 ] && [ "$(grep -c ': could not be downloaded from file://' "$work/out")" -ge 3 ] &&
    [ "$(grep -c ': could not be downloaded from file://' "$work/out")" -eq \
        "$(grep -c '"url":' "$here/datasets/manifest.json")" ]
check "each file of the manifest that has an address is asked for" $?
echo '{"files": []}' >"$work/original/manifest.json"
sh "$work/original/fetch.sh" "$work/none" >"$work/out" 2>&1
status=$?
[ "$status" -eq 2 ] && grep -q 'names no file with an address' "$work/out"
check "a manifest without addresses is an error" $?
exit "$failed"
