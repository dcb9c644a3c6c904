#!/bin/sh
# Estimates the time of a run in N shards from the times of a finished run.
set -eu

usage() {
    cat <<'END'
Usage: scripts/shard-model.sh [--copies M] [--start SECONDS] [--shards "N N ..."] FOLDER...

  FOLDER...         finished run folders (records.jsonl, timings.jsonl, run.json); several count as one long plan
  --copies M        assume M times as many splits (default: 1)
  --start SECONDS   time from the start of a job to its first record (default: 2)
  --shards LIST     numbers of shards (default: "1 4 16 64 100 256 1000")

Shards have one thread, and the blocks (one split of one data set with one kernel) that --shard gives them: K, K + N,
K + 2N ... for shard K of N, numbered from data set to data set, from kernel to kernel, from split to split. Of records
that differ in the tolerance alone the longest time counts: under most rules one run serves them all. The seconds of a
block are these, and a share in proportion of what a run spends besides: kernel matrices, judging, prediction. Merging
takes 0.0004 s a folder and 0.00001 s a record (docs/cluster.md).
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
    -*) fail "unknown option \"$1\"; allowed: --copies --start --shards --help" ;;
    *) break ;;
    esac
    shift
done
[ $# -gt 0 ] || fail "expected at least one run folder"
case $start in
'' | . | *[!0-9.]* | *.*.*) fail "--start: \"$start\" is not a number of seconds" ;;
esac
case $copies in
'' | *[!0-9]* | 0*) fail "--copies: \"$copies\" is not a whole number from 1" ;;
esac
case $shards in
'' | *[!0-9\ ]*) fail "--shards: \"$shards\" is not a list of numbers from 1" ;;
esac
case " $shards" in
*' 0'*) fail "--shards: \"$shards\" is not a list of numbers from 1" ;;
esac

for folder in "$@"; do
    for file in records.jsonl timings.jsonl run.json; do
        [ -r "$folder/$file" ] || fail "$folder: not a finished run ($file cannot be read)"
    done
    [ "$(wc -l <"$folder/records.jsonl")" -eq "$(wc -l <"$folder/timings.jsonl")" ] ||
        fail "$folder/timings.jsonl: has fewer or more lines than records.jsonl"
    # Prints threads and wall-clock time of the run. Then, for each record, separated by tabs: the text that identifies
    # its job except for the tolerance, the indices of data set, split and kernel, and the seconds.
    awk -F '[:,}]' '
        /^\t"seconds":/ { wall = $2 }
        /^\t\t"threads":/ { threads = $2 }
        END { print "run\t" wall * threads }' "$folder/run.json"
    paste "$folder/records.jsonl" "$folder/timings.jsonl" |
        sed -n 's/^\({.*\)"tolerance":[^\t]*\t{"index":[0-9]*,"seconds":\([0-9.]*\),'\
'"job":\[\([0-9]*\),\([0-9]*\),\([0-9]*\),.*/'\
'\1\t\3\t\4\t\5\t\2/p'
done | awk -F '\t' -v start="$start" -v copies="$copies" -v list="$shards" '
    # Deals the blocks of the data set as in harness/run/plan.h.
    function close_dataset(k, b, c) {
        for (k = 0; k < kernels; k++)
            for (b = first_of_set; b <= blocks; b++)
                for (c = 0; (kernel[b] + set) % kernels == k && c < copies; c++)
                    dealt[all_blocks++] = b
        first_of_set = blocks + 1
        kernels = 0
    }
    function close_run(b) {
        close_dataset()
        factor = measured > 0 && spent > measured ? spent / measured : 1
        for (b = first; b <= blocks; b++)
            block[b] *= factor
        total += measured * factor
        first = blocks + 1
        measured = 0
        set = last = ""
    }
    BEGIN { first = first_of_set = 1 }
    NF == 2 { close_run(); spent = $2 }
    NF == 5 {
        if ($2 != set)
            close_dataset()
        place = $2 " " $3 " " $4
        if (place != last) {
            kernel[++blocks] = $4
            kernels = $4 >= kernels ? $4 + 1 : kernels
        }
        if ($1 != job || place != last)
            longest_of_job = 0
        set = $2
        last = place
        job = $1
        if ($5 > longest_of_job) {
            block[blocks] += $5 - longest_of_job
            measured += $5 - longest_of_job
            longest_of_job = $5
        }
        records++
    }
    END {
        close_run()
        if (blocks == 0)
            exit 3
        for (b = 1; b <= blocks; b++)
            longest = block[b] > longest ? block[b] : longest
        total *= copies
        records *= copies
        printf "%d records in %d blocks, %.1f s on one thread; the longest block %.1f s, so no speed-up above %.0f\n",
            records, all_blocks, total, longest, total / longest
        print "shards  longest s  of mean  merge s    all s  speed-up  efficiency"
        n = split(list, counts, " ")
        for (i = 1; i <= n; i++) {
            N = counts[i]
            most = 0
            delete part
            for (b = 0; b < all_blocks; b++)
                part[b % N] += block[dealt[b]]
            for (k in part)
                most = part[k] > most ? part[k] : most
            full = N < all_blocks ? N : all_blocks
            merge = N > 1 ? start + 0.0004 * full + 0.00001 * records : 0
            all = start + most + merge
            printf "%6d %10.1f %8.2f %8.1f %8.1f %9.1f %10.0f%%\n", N, most, most * full / total, merge, all, (start '\
'+ total) / all,
                100 * (start + total) / all / N
        }
    }'
