#!/bin/sh
# Merges the shards of slurm-run.sh and makes tables, plots and a report of the whole run.
# Usage: slurm-merge.sh PROGRAM FOLDER SHARDS
#
# If shards are missing, the merge lists them and writes nothing. An interrupted job can be started again.
set -eu
program=$1 out=$2 shards=$3
shard=0
set --
while [ $((shard += 1)) -le "$shards" ]; do
    # A shard number above the number of units is empty and has no folder.
    [ ! -e "$out/shards/$shard-of-$shards/config.json" ] || set -- "$@" "$out/shards/$shard-of-$shards"
done
[ $# -gt 0 ] || { echo "slurm-merge.sh: $out/shards: none of $shards shards has begun" >&2; exit 3; }
[ -e "$out/run.json" ] || "$program" merge --out "$out" "$@"
"$program" tables "$out" >/dev/null
"$program" plot "$out" >/dev/null ||
    echo "slurm-merge.sh: no plots; run \`hullbench plot $out\` on a machine with gnuplot" >&2
"$program" report "$out" --out "$out/report.html" >/dev/null
echo "Report: $out/report.html"
