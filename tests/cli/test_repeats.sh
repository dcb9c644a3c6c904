#!/bin/sh
# Records that cannot be told apart: every verb that runs a configuration rejects one that would write them before it
# starts, and every verb that reads a folder rejects one with contradicting records.
# shellcheck source=tests/tap.sh
. "$(dirname -- "$0")/../tap.sh"

cp "$root/datasets/wedge.csv" "$work/x.csv"
cd "$work" || exit 4

# config SOLVERS [MU [TABLE]]: writes c.json.
config() {
    cat >c.json <<EOF
{"name": "repeats", "datasets": [{"name": "heart", "file": "x.csv", "n_train": 40, "n_test": 20}], "splits": "1-2",
 "standardise": "none",
 "kernel": {"type": "rbf", "width": 5}, "parameters": {"mu": ${2:-0.5}}, "solvers": [$1],
 "stop": {"rule": "rch-gap-both", "tolerance": 1e-3}, "budget": {"iterations": 1000}, "tables": [${3-}]}
EOF
}

# refused SENTENCE PLACE-AND-FIELD: c.json is rejected, and nothing is left.
refused() {
    sentence=$1 text=$2
    for verb in 'run --out o' 'run --dry-run' 'run --out o --splits 1' 'run --out o --shard 1/2' 'run --out o --force' \
        'compare --baseline mu-gsk --solver clip-mdm --out o'; do
        # shellcheck disable=SC2086 # words
        program $verb c.json
        { ended 2 1 && says_at c.json ": $text" && says "solvers[0]" && [ ! -e o ]; } || echo "$verb" >>unsaid
    done
    [ ! -s unsaid ]
    check "$sentence is refused by run and compare"
    rm -f unsaid
}
config '"mu-gsk", "clip-mdm", "mu-gsk"'
refused "the same solver twice" "solvers[2]: repeats solvers[0]: both run mu-gsk"
config '"mu-gsk", {"name": "mu-gsk", "budget": {"iterations": 3}}, "clip-mdm"'
refused "the same solver with two budgets" "solvers[1]: repeats solvers[0]"
config '"mu-gsk", {"name": "mu-gsk", "budget": {"seconds": 3}}, "clip-mdm"'
refused "the same solver with a budget of seconds" "solvers[1]: repeats solvers[0]"
config '"mu-gsk", "clip-mdm", {"name": "mu-gsk", "parameters": {"mu": [0.5, 0.6]}}'
refused "a value that two axes have in common" "solvers[2]: repeats solvers[0]: both run mu-gsk with mu 0.5"
config '"mu-gsk", "clip-mdm", {"name": "mu-gsk", "parameters": {"mu": 0.6000000000000001}}' 0.6
refused "a value that differs in its last digit" "solvers[2]: repeats solvers[0]"
config '"mu-gsk", "clip-mdm", {"name": "mu-gsk", "stop": {"rule": "rch-gap-both", "tolerance": 1e-3},
 "budget": {"iterations": 9}}'
refused "a stopping rule written once more" "solvers[2]: repeats solvers[0]"

# Every other verb must be able to read what run considers complete.
for solvers in '"mu-gsk", "clip-mdm", {"name": "mu-gsk", "parameters": {"mu": 0.6}, "budget": {"iterations": 3}}' \
    '"mu-gsk", {"name": "mu-gsk", "parameters": {"mu": 1e-9}}, {"name": "mu-gsk", "parameters": {"mu": 1e-8}},
     "clip-mdm"' \
    '"clip-mdm", {"name": "mu-gsk", "parameters": {"mu": {"linear": {"from": 0.3, "to": 0.7, "count": 3}}},
     "stop": {"rule": "delta", "tolerance": 1e-2}}' \
    '"clip-mdm", "mu-gsk", {"name": "mu-gsk", "stop": {"rule": "iterations"}, "budget": {"iterations": 5}}'; do
    rm -rf o s1 s2 m b.json
    config "$solvers"
    program run c.json --out o --quiet
    ended 0 || echo "run" >>unsaid
    cp o/records.jsonl whole
    for verb in 'run c.json --out o' 'tables o' 'plot --no-render o' 'report o' \
        'check o --baseline b.json --update --message fine --by me' \
        'check o --baseline b.json' 'replay o' 'compare o --baseline clip-mdm --solver mu-gsk' \
        'run c.json --out s1 --shard 1/2 --quiet' 'run c.json --out s2 --shard 2/2 --quiet' 'merge --out m s1 s2' \
        'tables m'; do
        # shellcheck disable=SC2086 # words
        program $verb
        [ "$status" -eq 0 ] || echo "$verb: $status: $(cat err)" >>unsaid
    done
    cmp -s whole m/records.jsonl || echo merge >>unsaid
    [ ! -s unsaid ] || cat unsaid >>err
    [ ! -s unsaid ]
    check "what run completes all other verbs read: $solvers"
    rm -f unsaid
done

# A folder with contradicting records, from another version of the program or edited.
config '"mu-gsk", "clip-mdm"' 0.5 '"lopez2011.table2"'
rm -rf o && program run c.json --out o --quiet
unlist o && cp -r o sound
sed -n '1s/"iterations":\([0-9]*\),/"iterations":9\1,/p' sound/records.jsonl >>o/records.jsonl
sed 's/"records":	4,/"records":	5,/' sound/run.json >o/run.json
program check sound --baseline b.json --update --message fine --by me
for verb in 'run c.json --out' tables conform 'plot --no-render' report 'check --baseline b.json' \
    'compare --baseline mu-gsk --solver clip-mdm'; do
    # shellcheck disable=SC2086 # words
    program $verb o
    { ended 2 && says 'o/records.jsonl:5: contradicts o/records.jsonl:1: ' && says '"iterations" is 9'; } ||
        echo "$verb: $status: $(cat err)" >>unsaid
done
[ ! -s unsaid ] || cat unsaid >err
[ ! -s unsaid ]
check "contradicting records are named with both lines, the field and its values by all verbs that read records"
cp sound/records.jsonl sound/run.json o/
sed -i '2s/^{/[/' o/records.jsonl
program run c.json --out o
ended 2 1 && says 'o/records.jsonl:2: not one JSON object'
check "a finished run with a damaged record is not called complete"
cp sound/records.jsonl o/ && rm o/config.json
program run c.json --out o
ended 0 && grep -q 'already complete' out && cmp -s c.json o/config.json && program tables o && ended 0
check "a configuration taken away from a finished run is written again"
cd / || exit 4
finish
