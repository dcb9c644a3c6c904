#!/bin/sh
# User-defined tables: the output of a specification; a malformed one gives one line, status 2 and no file.
# shellcheck source=tests/tap.sh
. "$(dirname -- "$0")/../tap.sh"

cd "$work" || exit 4
cat >c.json <<'END'
{"name": "own", "datasets": ["twonorm", "titanic"], "splits": "1-8", "standardise": "full-set",
 "kernel": {"type": "rbf", "width": {"per_dataset": {"titanic": 2, "twonorm": 40}}},
 "parameters": {"mu": [0.05, 0.02]}, "solvers": ["mu-gsk", "clip-mdm"],
 "stop": {"rule": "rch-gap", "tolerance": 1e-2}, "budget": {"iterations": 100000},
 "tables": [{"name": "mine", "rows": ["dataset"], "columns": ["solver", "mu"], "metrics": ["iterations"]}]}
END
program run c.json --out r --quiet
ended 0 0
check "a configuration that specifies a table is run"
program tables r
ended 0 0 && [ "$(find r/tables -name 'mine.*' -size +0 | wc -l)" -eq 4 ]
check "its table is written with the others"
grep -q '^| data set | μ-gsk μ = 0.05 | μ-gsk μ = 0.02 | clip-mdm μ = 0.05 | clip-mdm μ = 0.02 |$' r/tables/mine.md &&
    [ "$(sed -n 's/^| \(t[a-z]*\) .*/\1/p' r/tables/mine.md | tr '\n' ' ')" = "twonorm titanic " ]
check "data sets, solvers and values stand in the order of the configuration"

# The means of a cell, from the records.
awk -F'"iterations":' '/"dataset":"titanic"/ && /"solver":"clip-mdm"/ && /"mu":0.02/ {
    split($2, at, ","); sum += at[1]; n++ } END { printf "%.9g %d\n", sum / n, n }' r/records.jsonl >mean
awk -F, '$3 == "titanic" && $4 == "clip-mdm" && $5 == "0.02" { printf "%.9g %d\n", $13, $12 }' r/tables/mine.csv >cell
cmp -s mean cell && [ -s mean ]
check "a cell's mean is that of its records"

# ---- docs/tables.md ----

sed -n '/^    {"name": "costs"/,/^$/s/^    //p' "$root/docs/tables.md" >spec.json
program tables r --spec spec.json
ended 0 0 && grep -q '\\toprule' r/tables/costs.tex && grep -q '\\textbf{' r/tables/costs.tex
check "the example of docs/tables.md is a table"
rm -rf r/tables
program tables r --spec spec.json
ended 0 0 && [ "$(find r/tables -type f | wc -l)" -eq 4 ]
check "--spec writes nothing else"

sed 's/"width": "text"/"width_cm": 2/' spec.json >narrow.json
program tables r --spec narrow.json
ended 0 1 && says 'costs.tex: too wide' && says 'allowed: 2.0 cm'
check "a table may be as narrow as 2 cm, which is the least that is allowed"

# ---- conditions that match nothing ----

# empty SENTENCE SPECIFICATION TEXT: status 3, one line with the text, no table.
empty() {
    printf '%s\n' "$2" >empty.json
    program tables r --spec empty.json
    ended 3 1 && says "$3" && [ ! -e r/tables/e.md ]
    check "$1 ends in 3 and names the condition"
}
base='"name": "e", "rows": ["dataset"], "columns": ["solver", "mu"], "metrics": ["iterations"]'
empty "a value that no record has" "{$base, \"where\": {\"mu\": 0.3}}" 'where.mu: 0.3 matches none'
empty "a source of splits that no record has" "{$base, \"split_sources\": [\"fold\"]}" \
    'split_sources: ["fold"] matches none'
empty "the second of two conditions" "{$base, \"solvers\": [\"clip-mdm\"], \"where\": {\"kernel.width\": [1, 3]}}" \
    'where.kernel.width: [1,3] matches none of the remaining 32 records of clip-mdm; they have: 40, 2'
empty "a baseline that no record is" "{$base, \"marks\": {\"against\": \"clip-mdm[mu=0.7]\"}}" \
    'the baseline clip-mdm[mu=0.7] matches none'

# ---- malformed specifications ----

rm -rf r/tables malformed && mkdir malformed
good='"name": "bad", "rows": ["dataset"], "columns": ["solver", "mu"]'
# Each line is a specification and, after a tab, the expected message.
cat >cases <<END
{}	key "name" is missing
[]	neither an object nor a list of objects
3	neither an object nor a list of objects
"bad"	neither an object nor a list of objects
null	neither an object nor a list of objects
[3]	is not an object
[[]]	is not an object
[{$good, "metrics": ["error"]}, 7]	is not an object
{"name": "bad"}	key "rows" is missing
{"name": "", "rows": ["dataset"], "metrics": ["error"]}	name: "" is not a non-empty string
{"name": 7, "rows": ["dataset"], "metrics": ["error"]}	name: 7 is not
{"name": "../bad", "rows": ["dataset"], "metrics": ["error"]}	name: "../bad"
{"name": "Bad", "rows": ["dataset"], "metrics": ["error"]}	name: "Bad" is not the name of a table
{"name": "a b", "rows": ["dataset"], "metrics": ["error"]}	name: "a b"
{"name": "summary", "rows": ["dataset"], "metrics": ["error"]}	name: "summary"
{"name": "rivals-x", "rows": ["dataset"], "metrics": ["error"]}	name: "rivals-x"
{"name": "bad", "rows": "dataset", "metrics": ["error"]}	rows: "dataset" is not a list
{"name": "bad", "rows": [], "metrics": ["error"]}	rows: the list is empty
{"name": "bad", "rows": [7], "metrics": ["error"]}	rows[0]: 7 is not
{"name": "bad", "rows": [""], "metrics": ["error"]}	rows[0]: ""
{"name": "bad", "rows": [["dataset"]], "metrics": ["error"]}	rows[0]: ["dataset"] is not
{"name": "bad", "rows": ["datasett"], "metrics": ["error"]}	did you mean "dataset"?
{"name": "bad", "rows": ["dataset", "dataset"], "metrics": ["error"]}	rows[1]: "dataset" occurs twice
{"name": "bad", "rows": ["dataset"], "columns": ["dataset"], "metrics": ["error"]}	columns[0]: "dataset"
{"name": "bad", "rows": ["dataset", "solver", "lazy"], "metrics": ["error"]}	unknown dimension "lazy"
{"name": "bad", "rows": ["dataset", "solver", "kernel.widht"], "metrics": ["error"]}	rows[2]: unknown dimension
{"name": "bad", "rows": ["dataset", "solver"], "metrics": ["error"]}	name "mu" in rows or columns
{"name": "bad", "rows": ["dataset", "mu"], "metrics": ["error"]}	name "solver" in rows or columns
{$good}	key "metrics" is missing
{$good, "metrics": {}}	metrics: {} is not a list
{$good, "metrics": []}	metrics: 0 metrics
{$good, "metrics": [null]}	metrics[0]: null is not an object
{$good, "metrics": ["iteration"]}	did you mean "iterations"?
{$good, "metrics": ["error", "error"]}	metrics[1]: the metric occurs twice
{$good, "metrics": [{}]}	metrics[0]: key "metric" is missing
{$good, "metrics": [{"metric": "error", "statistik": "mean"}]}	did you mean "statistic"?
{$good, "metrics": [{"metric": "error", "statistic": "average"}]}	metrics[0].statistic: unknown statistic "average"
{$good, "metrics": [{"metric": "error", "statistic": "share"}]}	statistic "share" cannot be combined with "error"
{$good, "metrics": [{"metric": "converged", "statistic": "mean"}]}	statistic "mean" cannot be combined with "converged"
{$good, "metrics": [{"metric": "iterations", "ratio_to": "clip-mdm", "statistic": "sd"}]}	geometric-mean, interval
{$good, "metrics": [{"metric": "error", "ratio_to": "clip-mdm"}]}	"ratio_to" cannot be combined with "error"
{$good, "metrics": [{"metric": "iterations", "ratio_to": "clip-mdn"}]}	did you mean "clip-mdm"?
{$good, "metrics": [{"metric": "iterations", "ratio_to": "clip-mdm,mu-gsk"}]}	is not one solver
{$good, "metrics": [{"metric": "iterations", "ratio_to": "clip-mdm[mu"}]}	metrics[0].ratio_to
{$good, "metrics": [{"metric": "iterations", "divisor": 0}]}	metrics[0].divisor: 0 is out of range
{$good, "metrics": [{"metric": "iterations", "divisor": -1000}]}	metrics[0].divisor: -1000
{$good, "metrics": [{"metric": "iterations", "divisor": 1e999}]}	metrics[0].divisor
{$good, "metrics": [{"metric": "iterations", "decimals": 1.5}]}	metrics[0].decimals: 1.5 is not a whole number
{$good, "metrics": [{"metric": "iterations", "decimals": 1e30}]}	metrics[0].decimals: 1e+30
{$good, "metrics": [{"metric": "iterations", "decimals": -1}]}	metrics[0].decimals: -1 is out of range; allowed: 0 to 9
{$good, "metrics": [{"metric": "iterations", "best": "smallest"}]}	metrics[0].best: unknown best "smallest"
{$good, "metrics": ["error"], "statistic": "avg"}	statistic: unknown statistic "avg"
{$good, "metrics": ["error"], "datasets": []}	datasets: the list is empty
{$good, "metrics": ["error"], "datasets": ["titanik"]}	did you mean "titanic"?
{$good, "metrics": ["error"], "solvers": ["mdm-clip"]}	solvers[0]: unknown solver "mdm-clip"
{$good, "metrics": ["error"], "solvers": "clip-mdm"}	solvers: "clip-mdm" is not a list
{$good, "metrics": ["error"], "split_sources": ["offical"]}	did you mean "official"?
{$good, "metrics": ["error"], "where": []}	where: [] is not an object
{$good, "metrics": ["error"], "where": {}}	where: the object is empty
{$good, "metrics": ["error"], "where": {"nu": 1}}	where: unknown setting "nu"
{$good, "metrics": ["error"], "where": {"mu": {"mu": 1}}}	where.mu: {"mu":1} is not
{$good, "metrics": ["error"], "where": {"mu": []}}	where.mu: [] is not a number, a string
{$good, "metrics": ["error"], "where": {"mu": null}}	where.mu: null is not
{$good, "metrics": ["error"], "where": {"mu": 1e999}}	where.mu
{$good, "metrics": ["error"], "where": {"mu": 0.05, "mu": 0.02}}	key "mu" occurs twice
{$good, "metrics": ["error"], "marks": {}}	marks: key "against" is missing
{$good, "metrics": ["error"], "marks": {"against": "mdm-clip"}}	marks.against: unknown solver "mdm-clip"
{$good, "metrics": ["error"], "marks": {"against": "clip-mdm", "level": 5}}	marks.level: 5 is out of range
{$good, "metrics": ["error"], "marks": "clip-mdm"}	marks: "clip-mdm" is not an object
{$good, "metrics": ["error"], "best_in": "rows"}	did you mean "row"?
{$good, "metrics": ["error"], "width": "page"}	width: unknown width "page"
{$good, "metrics": ["error"], "width_cm": 1}	width_cm: 1 is out of range; allowed: 2 to 60
{$good, "metrics": ["error"], "grouping": true}	grouping: true
{$good, "metrics": ["error"], "labels": {"clip-mdm": 7}}	labels.clip-mdm: 7 is not
{$good, "metrics": ["error"], "labels": {"clip": "CM"}}	labels: unknown name "clip"
{$good, "metrics": ["error"], "caption": ["x"]}	caption: ["x"] is not
{$good, "metrics": ["error"], "captoin": "x"}	did you mean "caption"?
{$good, "metrics": ["error"], "metrics": ["error"]}	key "metrics" occurs twice
{$good, "metrics": ["error"], "a\nb": 1}	unknown key "a
END
{
    printf '%s\t%s\n' "{$good, \"metrics\": [\"error\"], \"caption\": \"a\\u0000b\"}" 'a control character'
    printf '{%s, "metrics": ["error"], "caption": "\377"}\tnot UTF-8\n' "$good"
    printf '{%s, "metrics": ["error"], "labels": {"\300\257": "x"}}\tnot UTF-8\n' "$good"
} >>cases
n=0
while read -r line; do
    n=$((n + 1))
    printf '%s' "$line" | cut -f 1 >"malformed/$n.json"
    printf '%s' "$line" | cut -f 2 >"malformed/$n.says"
done <cases
# Truncated files, and endless brackets.
whole=$(wc -c <spec.json)
for part in 1 2 3 4 5 6 7; do
    n=$((n + 1))
    head -c $((whole * part / 8)) spec.json >"malformed/$n.json"
    echo 'not valid JSON' >"malformed/$n.says"
done
n=$((n + 1))
head -c 5000 /dev/zero | tr '\0' '[' >"malformed/$n.json"
echo 'not valid JSON' >"malformed/$n.says"
n=$((n + 1))
: >"malformed/$n.json"
echo 'not valid JSON' >"malformed/$n.says"

bad=
for i in $(seq "$n"); do
    program tables r --spec "malformed/$i.json"
    { ended 2 1 && says "malformed/$i.json" && says "$(cat "malformed/$i.says")" &&
        [ -z "$(find r/tables -type f 2>/dev/null)" ]; } || bad="$bad $i:$status:$(cat err)"
done
[ -z "$bad" ] || echo "# $bad"
[ -z "$bad" ] && [ "$n" -ge 60 ]
check "each of $n malformed specifications gives one line, status 2 and no file"
program tables r --spec nowhere.json
ended 2 1 && says nowhere.json
check "a file that is not there is bad use"

# The same in a configuration, before anything runs.
sed 's/"metrics": \["iterations"\]/"metrics": ["iteration"]/' c.json >d.json
program run d.json --out d --quiet
ended 2 1 && says 'd.json:5:92: tables[0].metrics[0]: unknown metric "iteration"; did you mean "iterations"?' &&
    [ ! -e d ]
check "a configuration's specification is read before the run"
sed 's/"columns": \["solver", "mu"\]/"columns": ["solver", "muu"]/' c.json >d.json
program run d.json --out d --quiet
ended 2 1 && says 'd.json:5:73: tables[0].columns[1]: unknown dimension "muu"' && [ ! -e d ]
check "so are names of settings, which are parameters of its solvers and kernel"
finish
