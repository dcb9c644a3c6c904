#!/bin/sh
# Runs svm_learn of SVM-light, if it is in PATH.
#
# svm_light.sh --version: prints the version; status 1 if it is not installed
# svm_light.sh DATA.csv GAMMA C TOLERANCE MEGABYTES OUT: trains on rows of label and features; writes to OUT svm_learn's
# seconds, without reading, and one multiplier per row
set -eu
command -v svm_learn >/dev/null || exit 1
if [ "$1" = --version ]; then
    svm_learn '-?' 2>/dev/null </dev/null | sed -n 's/^SVM-light V\([0-9.]*\).*/\1/p'
    exit
fi
awk -F , '{ printf "%d", $1; for (k = 2; k <= NF; k++) if ($k != 0) printf " %d:%s", k - 1, $k; print "" }' "$1" \
    >"$6.data"
svm_learn -t 2 -g "$2" -c "$3" -e "$4" -m "$5" -a "$6.alpha" "$6.data" "$6.model" >"$6.log"
sed -n 's/^Runtime in cpu-seconds: *//p' "$6.log" >"$6"
sed 's/^-//' "$6.alpha" >>"$6"
rm -f "$6".*
