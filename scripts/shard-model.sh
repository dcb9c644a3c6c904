#!/bin/sh
# What a run would take in N shards, from the times of a finished one.
set -eu

usage() {
    cat <<'END'
Usage: scripts/shard-model.sh [--copies M] [--start SECONDS] [--shards "N N ..."] FOLDER...

  FOLDER...         finished run folders (records.jsonl, timings.jsonl, run.json); several are taken for one long plan
  --copies M        as if there were M times as many splits (default: 1)
  --start SECONDS   from the scheduler's start of a job to its first record (default: 2)
  --shards LIST     numbers of shards (default: "1 4 16 64 100 256 1000")

Shards have one thread. Shard K of N has the units (one split of one data set) K, K + N, K + 2N ... of the plan, as with
--shard. The seconds of a unit are those of its records, and a share in proportion of what a run spends besides:
kernel matrices, judging, prediction. Merging takes 0.0004 s a folder and 0.00001 s a record (docs/cluster.md).
END
}

fail() {
    echo "shard-model.sh: $1" >&2
    exit 2
}

start=2 copies=1 shards='1 4 16 64 100 256 1000'
while [ $# -gt 0 ]; do
    case $1 in
    -h | --help) usage; exit 0 ;;
    --start | --shards | --copies)
        [ $# -gt 1 ] || fail "$1 needs a value"
        case $1 in
        --start) start=$2 ;;
        --shards) shards=$2 ;;
        *) copies=$2 ;;
        esac
        shift
        ;;
    -*) fail "unknown word \"$1\"; allowed: --copies --start --shards --help" ;;
    *) break ;;
    esac
    shift
done
[ $# -gt 0 ] || fail "a run folder is expected"
case $start in
'' | . | *[!0-9.]* | *.*.*) fail "--start: \"$start\" is not a number of seconds" ;;
esac
case $copies in
'' | *[!0-9]* | 0*) fail "--copies: \"$copies\" is not a number from 1" ;;
esac
case $shards in
'' | *[!0-9\ ]*) fail "--shards: \"$shards\" is not a list of numbers from 1" ;;
esac
case " $shards" in
*' 0'*) fail "--shards: \"$shards\" is not a list of numbers from 1" ;;
esac

for folder in "$@"; do
    for file in records.jsonl timings.jsonl run.json; do
        [ -r "$folder/$file" ] || fail "$folder/$file: cannot be read: not the folder of a finished run"
    done
    [ "$(wc -l <"$folder/records.jsonl")" -eq "$(wc -l <"$folder/timings.jsonl")" ] ||
        fail "$folder/timings.jsonl: has not as many lines as records.jsonl"
    # Threads and wall-clock time of the whole, then data set, split and seconds of each record.
    awk -F '[:,}]' '
        /^\t"seconds":/ { wall = $2 }
        /^\t\t"threads":/ { threads = $2 }
        END { print "run", wall * threads }' "$folder/run.json"
    paste "$folder/records.jsonl" "$folder/timings.jsonl" |
        sed -n 's/^{.*"dataset":"\([^"]*\)","split":\([0-9]*\),.*	{"index":[0-9]*,"seconds":\([0-9.]*\)[,}].*/record '\
'\1-\2 \3/p'
done | awk -v start="$start" -v copies="$copies" -v list="$shards" '
    function close_run(u) {
        factor = measured > 0 && spent > measured ? spent / measured : 1
        for (u = first; u <= units; u++)
            unit[u] *= factor
        total += measured * factor
        first = units + 1
        measured = 0
        last = ""
    }
    BEGIN { first = 1 }
    $1 == "run" { close_run(); spent = $2 }
    $1 == "record" {
        if ($2 != last)
            units++
        last = $2
        unit[units] += $3
        measured += $3
        records++
    }
    END {
        close_run()
        if (units == 0)
            exit 3
        for (u = 1; u <= units; u++)
            longest = unit[u] > longest ? unit[u] : longest
        total *= copies
        records *= copies
        all_units = units * copies
        printf "%d records in %d units, %.1f s on one thread; the longest unit %.1f s, so no speed-up above %.0f\n", '\
'records,
            all_units, total, longest, total / longest
        print "shards  longest s  of mean  merge s    all s  speed-up  efficiency"
        n = split(list, counts, " ")
        for (i = 1; i <= n; i++) {
            N = counts[i]
            most = 0
            delete part
            for (u = 0; u < all_units; u++)
                part[u % N] += unit[1 + int(u / copies)]
            for (k in part)
                most = part[k] > most ? part[k] : most
            full = N < all_units ? N : all_units
            merge = N > 1 ? start + 0.0004 * full + 0.00001 * records : 0
            all = start + most + merge
            printf "%6d %10.1f %8.2f %8.1f %8.1f %9.1f %10.0f%%\n", N, most, most * full / total, merge, all, (start '\
'+ total) / all,
                100 * (start + total) / all / N
        }
    }'
