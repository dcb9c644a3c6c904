#!/bin/sh
# Submits a run to Slurm: an array with one job per shard, then a job that merges them and makes tables, plots and a
# report.
set -eu

usage() {
    cat <<'END'
Usage: scripts/slurm-run.sh CONFIG --shards N [--out DIR] [sbatch options]

  CONFIG        the configuration file
  --shards N    number of shards, 1 to 1000; each is one job
  --out DIR     write the results to DIR, which all nodes must see (default: results/NAME for NAME.json)

All other options go to sbatch, for the shards and for the job that merges them: --partition, --time, --mem,
--cpus-per-task (the threads of a shard) and so on; write options with a value as --name=value. Repeat the command to
submit only the unfinished shards. Set HULLBENCH to the program if it is neither in the folder above this script nor in
PATH.
END
}

fail() {
    echo "slurm-run.sh: $1" >&2
    exit "${2:-2}"
}

config='' shards='' out='' words=$#
while [ "$words" -gt 0 ]; do
    word=$1
    shift
    words=$((words - 1))
    case $word in
    -h | --help) usage; exit 0 ;;
    --shards | --out)
        [ "$words" -gt 0 ] || fail "$word needs a value"
        if [ "$word" = --shards ]; then shards=$1; else out=$1; fi
        shift
        words=$((words - 1))
        ;;
    --shards=*) shards=${word#*=} ;;
    --out=*) out=${word#*=} ;;
    --array* | --dependency* | --wrap*) fail "$word: the script sets this option itself" ;;
    -*) set -- "$@" "$word" ;;
    *)
        [ -z "$config" ] || fail \
            "expected one configuration file; \"$word\" is one argument too many (options of sbatch: --name=value)"
        config=$word
        ;;
    esac
done
case $shards in
'' | *[!0-9]* | 0* | ?????*) fail "--shards: \"$shards\" is not a whole number from 1 to 1000" ;;
esac
[ "$shards" -le 1000 ] || fail "--shards: \"$shards\" is not a whole number from 1 to 1000"
[ -n "$config" ] || fail "expected a configuration file"
[ -r "$config" ] || fail "$config: cannot be read"
command -v sbatch >/dev/null || fail "sbatch not found: this is not a machine of a Slurm cluster" 4

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
name=$(basename "$config" .json)
: "${out:=results/$name}"
if [ -n "${HULLBENCH-}" ]; then
    program=$HULLBENCH
elif [ -x "$here/../hullbench" ]; then
    program=$here/../hullbench
else
    program=$(command -v hullbench) || fail "hullbench not found: build it, or set HULLBENCH to the program" 4
fi
case $program in
/*) ;;
*) program=$PWD/$program ;;
esac

# Reports errors in the configuration here instead of in N jobs, and shows the plan.
plan=$("$program" run "$config" --dry-run) || exit
printf '%s\n' "$plan"
blocks=$(printf '%s\n' "$plan" | sed -n 's/^.* jobs on .*; \([0-9]*\) blocks for shards .*/\1/p')
[ "$shards" -le "${blocks:-$shards}" ] ||
    echo "slurm-run.sh: note: the plan has $blocks blocks, so $((shards - blocks)) of $shards shards will be empty" >&2

if [ -e "$out/run.json" ]; then
    cmp -s "$config" "$out/config.json" || fail "$out: contains a run of another configuration; choose another folder"
    ! grep -q '^	"partial":' "$out/run.json" ||
        fail "$out: contains a merge that lacks parts; choose another folder, or remove its run.json and records.jsonl"
    if [ -e "$out/report.html" ] || [ ! -e "$out/shards" ]; then
        echo "$name: already complete in $out"
        exit 0
    fi
fi
mkdir -p "$out/shards" "$out/logs"
out=$(CDPATH='' cd -- "$out" && pwd)
if [ -e "$out/shards/jobs" ]; then
    jobs=$(cat "$out/shards/jobs")
    if ! queue=$(squeue --noheader --jobs="$jobs" 2>&1); then
        case $queue in
        *'Invalid job id'*) queue='' ;; # Slurm has forgotten them
        *) fail "$out: cannot find out whether jobs $jobs are still writing to it: squeue: $queue" 4 ;;
        esac
    fi
    [ -z "$queue" ] || fail "$out: jobs $jobs are still writing to it"
fi

# The jobs read this copy, so that later changes of the file have no effect on them.
copy=$out/shards/config.json
if [ ! -e "$copy" ]; then
    rm -f "$copy.tmp" && cp "$config" "$copy.tmp" && mv "$copy.tmp" "$copy"
fi
cmp -s "$config" "$copy" || fail "$out: contains shards of another configuration ($copy); choose another folder"

todo='' count=0 shard=0
while [ $((shard += 1)) -le "$shards" ]; do
    [ ! -e "$out/shards/$shard-of-$shards/run.json" ] || continue
    todo=$todo${todo:+,}$shard
    count=$((count + 1))
done
[ "$count" -lt "$shards" ] || todo=1-$shards

array=''
if [ -n "$todo" ]; then
    array=$(sbatch --job-name="$name" --signal=B:USR1@60 --open-mode=append "$@" --parsable --requeue --array="$todo" \
        --output="$out/logs/%a.log" "$here/slurm-shard.sh" "$program" "$copy" "$out/shards" "$shards") ||
        fail "sbatch did not accept the shards" 4
    array=${array%%;*} # with federations: job;cluster
    echo "$array" >"$out/shards/jobs"
fi
merge=$(sbatch --job-name="$name-merge" --open-mode=append "$@" --parsable --requeue ${array:+--dependency="afterany:\
$array"} \
    --output="$out/logs/merge.log" "$here/slurm-merge.sh" "$program" "$out" "$shards") ||
    fail "sbatch did not accept the merge${array:+; the shards are in job $array; repeat the command to submit the \
merge when they are done}" 4
merge=${merge%%;*}
echo "${array:+$array,}$merge" >"$out/shards/jobs"

echo
echo "Shards:   $count of $shards to do${array:+, array job $array}, then job $merge merges them"
echo "Watch:    squeue --jobs=${array:+$array,}$merge"
echo "Logs:     $out/logs/K.log of shard K, $out/logs/merge.log"
echo "Results:  $out/records.jsonl, $out/tables, $out/plots, $out/report.html"
echo "Resume:   repeat the command to submit the unfinished shards"
