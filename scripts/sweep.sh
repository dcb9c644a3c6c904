#!/bin/sh
# The sweep at its full size: runs configs/sweep-full.json into DIR/sweep-full, and writes its tables, maps and report.
# Usage: HULLBENCH=PROGRAM scripts/sweep.sh DIR [RUN OPTION...]
set -eu
[ $# -gt 0 ] || { sed -n 's/^# \(Usage:.*\)/\1/p' "$0" >&2; exit 2; }
out=$1/sweep-full hullbench=${HULLBENCH:-hullbench}
shift
cd "$(dirname "$0")/.."

"$hullbench" run configs/sweep-full.json --out "$out" "$@"
"$hullbench" tables "$out" >/dev/null
"$hullbench" plot "$out" >/dev/null
"$hullbench" report "$out" --out "$out/report.html" >/dev/null
echo
echo "Tables:   $out/tables/"
echo "Maps:     $out/plots/"
echo "Report:   $out/report.html"
