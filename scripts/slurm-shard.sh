#!/bin/sh
# Runs one shard as a job of a Slurm array, submitted by slurm-run.sh.
# Usage: slurm-shard.sh PROGRAM CONFIG FOLDER SHARDS
#
# If a shard is ended from outside (SIGKILL, out of memory, node failure, time limit), it is requeued and resumes from
# its journal, as long as each start adds a record; three starts without one end it. Errors that a repetition cannot
# fix, such as bad input at the first start, are not retried. If Slurm itself ends the job (preemption, scancel), Slurm
# decides.
set -u
program=$1 config=$2 folder=$3 shards=$4
: "${SLURM_ARRAY_TASK_ID:?is not set; submit this script with slurm-run.sh}"
shard=$SLURM_ARRAY_TASK_ID
out=$folder/$shard-of-$shards
starts=${SLURM_RESTART_COUNT:-0}
child='' ended_by='' status=0

# shellcheck disable=SC2317 # called by the traps
end_child() {
    ended_by=$1
    [ -z "$child" ] || kill -s TERM "$child" 2>/dev/null
}
trap 'end_child time' USR1
trap 'end_child slurm' TERM INT

say() {
    echo "$(date -u +%FT%TZ) shard $shard/$shards, start $((starts + 1)) on $(hostname): $1"
}

journalled() {
    if [ -e "$out/journal.jsonl" ]; then wc -l <"$out/journal.jsonl"; else echo 0; fi
}

before=$(journalled)
"$program" run "$config" --out "$out" --shard "$shard/$shards" --jobs "${SLURM_CPUS_PER_TASK:-1}" &
child=$!
say "process $child, $before lines in the journal"
# wait returns when a signal arrives; the program then needs a moment to end.
while wait "$child"; status=$?; kill -0 "$child" 2>/dev/null; do :; done
after=$(journalled)

case $status in
0) say "finished" && exit 0 ;;
3) say "nothing to measure" && exit 0 ;; # more shards than units, or no data; the merge knows which
esac
say "ended with status $status, $after lines in the journal"
[ "$ended_by" != slurm ] || exit "$status"
if [ "$status" -eq 2 ] && [ "$starts" -eq 0 ]; then exit 2; fi
if [ "$after" -le "$before" ] && [ "$starts" -ge 2 ]; then
    say "given up: three or more starts, and the last added no record"
    exit "$status"
fi
scontrol requeue "${SLURM_ARRAY_JOB_ID}_$shard" || exit "$status"
say "back in the queue"
exit "$status"
