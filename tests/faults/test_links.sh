#!/bin/sh
# Symbolic links in the folders of strangers: nothing is written or removed through them. Links that the user names are
# followed.
# shellcheck source=tests/tap.sh
. "$(dirname -- "$0")/../tap.sh"
cd "$work" || exit 4

cat >c.json <<'EOF'
{"name": "c", "datasets": ["twonorm"], "splits": "1-2", "standardise": "none", "kernel": {"type": "rbf", "width": 40},
 "parameters": {"mu": [0.1, 0.4]}, "solvers": ["clip-mdm", "mu-gsk"],
 "stop": {"rule": "duality-gap", "tolerance": 0.1}, "budget": {"iterations": 3000},
 "trace": {"datasets": ["twonorm"], "splits": "1"}, "plots": [{"kind": "error"}]}
EOF
program run c.json --out good --quiet
ended 0 0 && cp -r good home && echo victim >home/victim && mkdir home/empty && cp -r home safe
check "a run that shall stay as it is"

# plant LINK [TARGET]: a fresh copy r of the run, whose LINK leads to home/TARGET
plant() {
    rm -rf r && cp -r good r && mkdir -p "$(dirname -- "r/$1")" && rm -rf "r/$1"
    ln -s "$work/home/${2:-victim}" "r/$1"
}
unharmed() {
    diff -r safe home >err
}
# refused LINK TARGET VERB...: status 2, the link is named and stays, and what it leads to is unharmed
refused() {
    plant "$1" "$2"
    planted=$1
    shift 2
    program "$@"
    ended 2 1 && says "r/$planted: is a symbolic link" && [ -h "r/$planted" ] && unharmed
    check "$1 does not write through r/$planted"
}
refused tables empty tables r
refused tables/summary.csv victim tables r
refused run.json run.json tables r
refused plots empty plot r
refused plots/error.gp victim plot r
refused plots/error.dat nothing plot r
refused paper empty plot r --for paper
refused tables empty report r
refused plots empty report r
refused report.html victim report r
refused replay . replay r
for name in compare.json compare.md; do
    refused "out/$name" victim compare good --against clip-mdm --solver mu-gsk --out r/out --no-render
done
for name in README.md runs.md figures; do
    refused "out/$name" empty report good --markdown r/out
done
for name in atlas.json plots; do
    plant "out/$name" "$([ $name = plots ] && echo empty || echo victim)"
    program atlas good --out r/out --no-render
    ended 0 && [ ! -h "r/out/$name" ] && unharmed
    check "atlas replaces r/out/$name, and nothing behind it"
done

# new LINK TARGET: a folder r with nothing but the link
new() {
    rm -rf r && mkdir r && ln -s "$work/home/$2" "r/$1"
}
for verb in "run c.json" "merge good"; do
    for name in traces run.json records.jsonl config.json; do
        new "$name" "$([ "$name" = traces ] && echo empty || echo nothing)"
        # shellcheck disable=SC2086 # a verb and its word
        program $verb --out r
        ended 2 1 && says "r/$name: is a symbolic link" && [ -h "r/$name" ] && unharmed
        check "${verb% *} does not write through r/$name"
    done
done

# gnuplot chooses the names of the pictures.
if command -v gnuplot >/dev/null; then
    for ending in svg png pdf; do
        refused "plots/error.$ending" victim plot r
        plant "plots/error.$ending"
        rm -f r/plots/.drawn
        program report r
        ended 0 && says "r/plots/error.$ending: is a symbolic link" && unharmed
        check "report does not write through r/plots/error.$ending"
    done
    [ -z "$(find r -name 'hullbench-*')" ]
    check "nothing is left of pictures that were refused"
else
    skip "pictures" "needs gnuplot" gnuplot-nox
fi

# removed LINK TARGET: run --force replaces the run, removes the link, and nothing behind it
removed() {
    plant "$1" "$2"
    program run c.json --out r --quiet --force
    ended 0 0 && [ ! -h "r/$1" ] && unharmed && same_files good/records.jsonl r/records.jsonl
    check "run --force does not remove through r/$1"
}
for name in traces tables partial; do
    program tables good
    mkdir -p home/run && cp -r good/. home/run && rm -rf safe && cp -r home safe
    case $name in
        partial) removed partial run ;;
        *) removed "$name" "run/$name" ;;
    esac
done
for name in records.jsonl timings.jsonl run.json; do
    removed "$name" "run/$name"
done
refused config.json run/config.json run c.json --out r --force && same_files good/records.jsonl r/records.jsonl
check "it removes nothing before that"
touch home/empty/hullbench-0123456789abcdef.tmp safe/empty/hullbench-0123456789abcdef.tmp
plant plots empty
program run c.json --out r --quiet
ended 0 0 && [ -h r/plots ] && unharmed
check "a run sweeps nothing out of the folder that r/plots leads to"

(cd r && ln -s ../home/run replay && ln -s ../home/victim hullbench-c.tar && ln -s ../home/victim report.html)
for verb in replay bundle report; do
    (cd r && "$hullbench" "$verb" . >"$work/out" 2>"$work/err")
    status=$?
    ended 2 1 && says "is a symbolic link" && unharmed
    check "$verb follows no link in the current folder if that is what the user names"
done

# ---- links that the user names ----

cp -r good real && ln -s real link && mkdir elsewhere && ln -s ../elsewhere real/report && ln -s ../page real/page.html
program tables link
ended 0 0 && [ -s real/tables/summary.md ]
check "a run folder may be named by a link"
program report link/ --out link/page.html
[ "$status" -eq 0 ] && [ -h real/page.html ] && [ -s page ]
check "a file may be named by a link, in a run folder too"
program report link --markdown=real/report
[ "$status" -eq 0 ] && [ -s elsewhere/README.md ]
check "a folder may be named by a link, in a run folder too"
finish
