#!/bin/sh
# Prints the mean kernel operations of solver OVER divided by those of solver UNDER, for each data set and setting of a
# run folder, from its records.jsonl. Also prints the ratio of iterations, and how many runs of each solver ended as
# `converged`. "-": UNDER made no iterations.
set -eu
if [ $# -ne 3 ] || [ ! -r "$1/records.jsonl" ]; then
    echo "Usage: scripts/operations-ratio.sh FOLDER SOLVER BASELINE (FOLDER: a run folder)" >&2
    exit 2
fi
awk -v over="$2" -v under="$3" '
function between(left, right,    at, rest) {
    at = index($0, left)
    if (!at)
        return ""
    rest = substr($0, at + length(left))
    return substr(rest, 1, index(rest, right) - 1)
}
function ratio(sums, s) {
    if (sums[s, under] == 0)
        return "-"
    return sprintf("%.3f", (sums[s, over] / n[s, over]) / (sums[s, under] / n[s, under]))
}
function operations_of(line,    part) {
    part = substr(line, index(line, "\"kernel_operations\":"))
    part = substr(part, index(part, "\"iterations\":") + length("\"iterations\":"))
    return part + 0
}
{
    solver = between("\"solver\":\"", "\"")
    if (solver != over && solver != under)
        next
    setting = between("\"dataset\":\"", "\"") "|" between("\"params\":{", "}") "|" between("\"kernel\":{", "}") "|" \
              between("\"stop\":{\"rule\":\"", "\"") " " between("\"tolerance\":", "}")
    if (!(setting in seen)) {
        seen[setting] = 1
        order[++settings] = setting
    }
    n[setting, solver]++
    operations[setting, solver] += operations_of($0)
    iterations[setting, solver] += between("\"iterations\":", ",")
    converged[setting, solver] += $0 ~ /"outcome":"converged"/
}
END {
    printf "%-12s %-22s %-26s %-20s %9s %10s %s\n", "data set", "parameters", "kernel", "stop", "operations", '\
'"iterations", "converged"
    for (k = 1; k <= settings; k++) {
        s = order[k]
        if (!n[s, over] || !n[s, under])
            continue
        split(s, part, "|")
        gsub(/"/, "", part[2])
        gsub(/"/, "", part[3])
        printf "%-12s %-22s %-26s %-20s %10s %10s %d/%d %d/%d\n", part[1], part[2], part[3], part[4],
            ratio(operations, s), ratio(iterations, s), converged[s, over], n[s, over], converged[s, under], n[s, under]
    }
}' "$1/records.jsonl"
