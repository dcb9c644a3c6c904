#!/bin/sh
# Runs configurations of run_all.sh and compares the SHA-256 of their records with tests/records.sha256.
set -eu

usage() {
    cat <<'END'
Usage: tests/check_records.sh [--rewrite] [--records FILE] [NAME...]

Runs configurations and compares the SHA-256 of their records with the lines of tests/records.sha256.

  NAME            a configuration that run_all.sh runs, or quick/ and one that run_all.sh --quick runs; may be a
                  pattern of the shell, such as '*' for all (default: 'quick/*')
  --rewrite       put the hashes of these runs, except failed ones, into the file; needs a NAME
  --records FILE  use FILE in place of tests/records.sha256

Records whose hash agrees are kept in build/records. When the hash of a line changes later, they show the first record
and member that differ. To have them, run the script once with the earlier program: HULLBENCH=PROGRAM selects it.

Data are found as by hullbench: in the folders of HULLBENCH_DATA, then in datasets/cache.

Exit status: 0 all hashes agree; 1 a hash differs, a run failed, or data, a configuration or a line is missing; 2 wrong
usage.
END
}

fail() {
    echo "check_records.sh: $1; --help explains the options" >&2
    exit 2
}

called_in=$PWD
cd "$(dirname "$0")/.."
hullbench=${HULLBENCH:-./hullbench} expected=tests/records.sha256 rewrite=no
while [ $# -gt 0 ]; do
    case $1 in
    --rewrite) rewrite=yes ;;
    --records)
        [ -n "${2-}" ] || fail "--records needs a file"
        case $2 in /*) expected=$2 ;; *) expected=$called_in/$2 ;; esac
        shift
        ;;
    -h | --help) usage; exit 0 ;;
    -*) fail "unknown option \"$1\"" ;;
    *) break ;;
    esac
    shift
done
[ $# -gt 0 ] || { [ $rewrite = no ] && set -- 'quick/*'; } || fail "--rewrite needs the names of the lines to change"
[ -r "$expected" ] || fail "$expected cannot be read"
[ -x "$hullbench" ] || fail "$hullbench is not built"
kept=build/records
mkdir -p "$kept"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

# is_named NAME PATTERN...: a pattern matches the name.
is_named() {
    name=$1
    shift
    for pattern; do
        # shellcheck disable=SC2254 # a pattern
        case $name in $pattern) return 0 ;; esac
    done
    return 1
}

# The runs as "NAME FILE VERB CONFIGURATION OPTIONS", and all names, also of lines without a run.
{ ./run_all.sh --list && ./run_all.sh --list --quick | sed 's/[^ ]* /&quick\//'; } |
    sed 's/^run \([^ ]*\)/\1 records.jsonl &/; s/^tune \([^ ]*\)/\1 evaluations.jsonl &/; s/ quick\// /' >"$work/runs"
{ cut -d ' ' -f 1 "$work/runs"; sed -n '/^#/d; s/^[^ ]*  \(.*\)\/.*/\1/p' "$expected"; } |
    LC_ALL=C sort -u >"$work/names"
for pattern; do
    while read -r name; do
        ! is_named "$name" "$pattern" || continue 2
    done <"$work/names"
    fail "no run of run_all.sh and no line of $expected is called \"$pattern\""
done

# hash_of FILE
hash_of() {
    sha256sum <"$1" | cut -d ' ' -f 1
}

# data_problems FOLDER: a sentence for each data set that the run did not find or that is from an unexpected file.
data_problems() {
    awk -F '"' -v expected="$expected" '
        FNR == NR { if (/^# data /) { split($0, field, " "); known[field[4] " " field[3]]; named[field[4]] } next }
        /^\t"[a-z_]*":/ { missing = $2 == "missing" }
        $2 == "dataset" { set = $4 }
        $2 == "reason" && missing { print "data are missing: " set ": " $4; set = "" }
        $2 == "source" { source = $4; file = source; sub(/.*\//, "", file) }
        $2 == "sha256" && set != "" {
            if (source !~ /^datasets\// && !(file " " $4 in known))
                print "data are not as expected: " set " is from " source " with SHA-256 " $4 "; " expected \
                    " names " (file in named ? "another hash of this file" : "no such file")
            set = ""
        }' "$expected" "$1/run.json"
}

# first_difference OLD NEW: the first record that differs, and its first member that does.
first_difference() {
    awk -v old_file="$1" '
        function member(key) { return match(now, "\"" key "\":\"?[^,\"}]*") ? \
            substr(now, RSTART + length(key) + 3, RLENGTH - length(key) - 3) : "" }
        function value(text, from) { text = substr(text, from); sub(/,".*/, "", text); return text }
        {
            now = $0
            if ((getline old < old_file) <= 0) { old = ""; added++; next }
            if (old == now) next
            if (!changed++) {
                for (at = 1; substr(old, at, 1) == substr(now, at, 1); at++) { }
                for (from = 1; match(substr(now, from), /"[^"]*":/) && from + RSTART - 2 < at; ) {
                    from += RSTART + RLENGTH - 1
                    key = substr(now, from - RLENGTH, RLENGTH - 1)
                }
                place = "record " NR " (" member("dataset") " " member("split") " " member("solver") ")"
                gsub(/"/, "", place)
                gsub(/"/, "", key)
                first = place ": " key " was " value(old, from) ", is " value(now, from)
            }
        }
        END {
            for (gone = 0; (getline old < old_file) > 0; gone++) { }
            if (changed) print "        " changed " records changed; first " first
            if (added) print "        " added " records more than before"
            if (gone) print "        " gone " records fewer than before"
        }' "$2"
}

same=0 moved=0 failed=0 unknown=0
# failure TEXT: of the current name.
failure() {
    failed=$((failed + 1))
    echo "failed  $name: $1"
}

: >"$work/new"
while read -r name; do
    is_named "$name" "$@" || continue
    if ! grep -q "^$name " "$work/runs"; then
        failure "run_all.sh does not run it; remove its line if its configuration is gone"
        continue
    fi
    read -r _ file verb config options <<END
$(grep "^$name " "$work/runs")
END
    was=$(sed -n "s|^\([^ ]*\)  $name/$file\$|\1|p" "$expected")
    folder=$work/run status=0
    [ "$verb" = run ] || options="$options --no-render"
    rm -rf "$folder"
    # shellcheck disable=SC2086 # a list of options
    "$hullbench" "$verb" "configs/$config.json" $options --out "$folder" --quiet >"$work/out" 2>&1 || status=$?
    : >"$work/problems"
    [ ! -s "$folder/run.json" ] || data_problems "$folder" >"$work/problems"
    if [ "$was" = unknown ] && { [ $status = 3 ] || [ -s "$work/problems" ]; }; then
        unknown=$((unknown + 1))
        echo "unknown $name: its data are not all here, and were not when the file was written"
        echo "unknown  $name/$file" >>"$work/new"
        continue
    fi
    if [ $status != 0 ] || [ ! -s "$folder/$file" ]; then
        failure "hullbench $verb ended with status $status: $(tail -n 1 "$work/out")"
        continue
    fi
    if [ -s "$work/problems" ]; then
        failure "$(head -n 1 "$work/problems")"
        sed '1d; s/^/        /' "$work/problems"
        continue
    fi
    is=$(hash_of "$folder/$file")
    echo "$is  $name/$file" >>"$work/new"
    if [ "$was" = "$is" ]; then
        same=$((same + 1))
        mv "$folder/$file" "$kept/$is"
    elif [ -z "$was" ] && [ $rewrite = no ]; then
        failure "$expected has no line for it"
    else
        moved=$((moved + 1))
        echo "moved   $name: was ${was:-without a line}, is $is"
        if [ -f "$kept/$was" ] && [ "$(hash_of "$kept/$was")" = "$was" ]; then
            first_difference "$kept/$was" "$folder/$file"
        elif [ -n "$was" ]; then
            echo "        the records before are not in $kept: HULLBENCH=EARLIER-PROGRAM $0 '$name' keeps them"
        fi
        [ $rewrite = no ] || mv "$folder/$file" "$kept/$is"
    fi
done <"$work/names"

if [ $rewrite = yes ]; then
    grep '^#' "$expected" >"$work/records"
    sed '/^#/d' "$expected" | cat "$work/new" - | awk '!seen[$2]++' | LC_ALL=C sort -k 2 >>"$work/records"
    cat "$work/records" >"$expected"
    echo "$expected: $moved lines rewritten"
    moved=0
fi
echo "records: $same the same, $moved moved, $failed failed, $unknown unknown"
[ $((moved + failed)) = 0 ]
