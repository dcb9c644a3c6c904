#!/bin/sh
# hullbench export: the CSV files contain every value of the folder with its digits, and nothing else; folders that
# cannot be read give a one-line error.
# shellcheck source=tests/tap.sh
. "$(dirname -- "$0")/../tap.sh"
cd "$work" || exit 4

cat >c.json <<'EOF'
{"name": "=one, \"two\" µ", "datasets": ["twonorm", {"name": "plane", "file": "x.csv", "n_train": 40, "n_test": 20}],
 "splits": "1-2", "standardise": "none", "kernel": {"type": "linear"}, "parameters": {"mu": [0.3, 1], "C": 1},
 "solvers": ["mdm", "clip-mdm", {"name": "1-smo", "stop": {"rule": "kkt", "tolerance": 1e-6}}],
 "stop": {"rule": "gap-max-w2", "tolerance": 1e-3}, "budget": {"iterations": 300},
 "trace": {"datasets": ["plane", "twonorm"], "splits": "1"}}
EOF
cat >d.json <<'EOF'
{"name": "two", "datasets": [{"name": "plane", "file": "x.csv"}], "splits": {"folds": 3}, "standardise": "none",
 "kernel": {"type": "rbf", "width": [2.5, 40]}, "parameters": {"mu": 0.1}, "solvers": ["mdm", "clip-mdm"], "repeats": 2,
 "stop": {"rule": "gap-max-w2", "tolerance": 1e-3}}
EOF
cp "$root/datasets/wedge.csv" x.csv
program run c.json --out c --quiet
ended 0 0 && [ -s c/records.jsonl ] && [ -n "$(ls c/traces)" ]
check "there is a run to export, with traces"
program run d.json --out d --quiet
ended 0 0 && [ -s d/records.jsonl ]
check "and another one"

# as_the_files RECORDS TRACES FOLDER...
as_the_files() {
    python3 "$root/tests/cli/check_export.py" "$@" >differences 2>&1 || { cat differences >>err && false; }
}

program export c --out c.csv --traces ct.csv
ended 0 0 && [ -s c.csv ] && [ -s ct.csv ]
check "a folder is exported"
[ "$(wc -l <c.csv)" -eq $(($(wc -l <c/records.jsonl) + 1)) ] &&
    [ "$(wc -l <ct.csv)" -eq $(($(cat c/traces/*.tsv | grep -c '^[0-9]') + 1)) ]
check "there is a row a record and a row a point of a trace"
[ "$(head -n 1 ct.csv)" = "$(printf 'record,iteration,kernel_operations,objective,gap,w1,w2\r')" ]
check "the plane's columns are there"
grep -q ",\"'=one, \"\"two\"\" µ\"," c.csv
check "a text that a spreadsheet would compute has an apostrophe in front"
cp c.csv before && program export c && same_files out before
check "without --out the records go to standard output"
program export c --solvers mdm,1-smo --datasets plane --out some.csv --traces st.csv
ended 0 0 && [ "$(wc -l <some.csv)" -eq $(($(grep '"plane"' c/records.jsonl | grep -vc '"clip-mdm"') + 1)) ] &&
    ! grep -qE ',clip-mdm,|,twonorm,' some.csv && [ "$(sed 1d some.csv | cut -d, -f1)" = "$(awk -F '"' '
        /"plane"/ && !/"clip-mdm"/ { print NR - 1 }' c/records.jsonl)" ] &&
    [ "$(sed 1d st.csv | cut -d, -f1 | sort -u | wc -l)" -eq "$(sed 1d some.csv | grep -c 'traces/')" ]
check "--solvers and --datasets select records and their traces, with the numbers that they have"
program export c --solvers mdn
ended 2 1 && says 'did you mean "mdm"'
check "an unknown solver is refused"
program export c d --datasets twonorm --solvers 1-smo,mdm >few.csv
ended 0 && program export d --datasets twonorm
ended 2 1 && says twonorm
check "so is a data set that no folder has"
program export c d --out two.csv --traces twot.csv
ended 0 1 && says "their budgets differ" &&
    [ "$(wc -l <two.csv)" -eq $(($(cat c/records.jsonl d/records.jsonl | wc -l) + 1)) ] &&
    [ "$(cut -d, -f1 two.csv | sort -u | tr '\n' ' ')" = "c d folder " ] &&
    [ "$(cut -d, -f1 twot.csv | sort -u | tr '\n' ' ')" = "c folder " ]
check "several folders are told apart by the first column"
unnamed=
for column in $(head -n 1 two.csv | tr ',' ' ' | tr -d '\r'); do
    case $column in
    kernel_[!oe]* | cpu_seconds* | start) ;; # numbers of a kernel, times of repeats, a parameter
    *) grep -q "\`$column\`" "$root/docs/export.md" || unnamed="$unnamed $column" ;;
    esac
done
[ -z "$unnamed" ]
check "docs/export.md names every column (missing:$unnamed)"
if command -v python3 >/dev/null; then
    as_the_files c.csv ct.csv c
    check "every value stands in its column with its digits, and nothing else does"
    as_the_files two.csv twot.csv c d
    check "also with several folders"
    sed 's/,converged,/,stalled,/' c.csv >wrong.csv
    ! python3 "$root/tests/cli/check_export.py" wrong.csv ct.csv c >differences
    check "a wrong value would be found"
    cp -r c made && unlist made && rm -r made/traces &&
        sed -i 's/"params":{/"params":{"lazy":true,"split":7,"exact":1.50,/; s/,}/}/; s/"schema"/"new" : 2.50 ,"schema"/
            1s/"iterations"/"reason":"a, \\"b\\"\\n\\u00e9 \\\\ c","iterations"/' made/records.jsonl &&
        sed -i '2s/"index"/"failed":"no, reason","index"/
            s/"seconds":/"median":0.10,"stages":{"update":0.20},"seconds":/' made/timings.jsonl
    program export made --out made.csv --traces madet.csv
    ended 0 0 && [ "$(wc -l <madet.csv)" -eq 1 ] && sed '1s/params\.split/a_parameter/' made.csv >renamed.csv &&
        sed 's/"split":7/"a_parameter":7/' made/records.jsonl >renamed && mv renamed made/records.jsonl &&
        as_the_files renamed.csv madet.csv made
    check "settings, results and times that this program does not know are exported too"
else
    skip "every value stands in its column with its digits" "python3 is not here" python3
fi
rm -rf hand && mkdir hand && cp c/config.json c/records.jsonl hand
program export hand --out hand.csv
ended 0 0 && [ "$(sed 1d hand.csv | grep -c '^[0-9].*,,,,[0-9]*,[a-z0-9-]*,.$')" -eq "$(wc -l <c/records.jsonl)" ]
check "sizes, seconds and traces that a folder lacks are empty fields"

# ---- rejected input ----

# refused SENTENCE TEXT WORD...: status 2, one line with the text, and no file.
refused() {
    sentence=$1 text=$2
    shift 2
    rm -f no.csv
    program export "$@"
    ended 2 1 && says "$text" && [ ! -s out ] && [ ! -e no.csv ]
    check "$sentence is refused"
}

# damaged SENTENCE TEXT FILE SED-COMMAND: a copy of the folder with one file changed.
damaged() {
    rm -rf bad && cp -r c bad && unlist bad && sed -i "$4" "bad/$3"
    refused "$1" "$2" bad --out no.csv
}

refused "a folder that is not there" nowhere nowhere --out no.csv
refused "a folder of something else" plain_folder "$(mkdir plain_folder && echo plain_folder)" --out no.csv
refused "a folder that is given twice" "./c" c d ./c --out no.csv
rm -rf bad && cp -r c bad && rm bad/run.json && echo '{"jobs":9}' >bad/journal.jsonl
refused "a run that is not finished" "not finished" bad --out no.csv
# shellcheck disable=SC2016 # the last line of sed
damaged "a cut line" "bad/records.jsonl" records.jsonl '$s/.\{20\}$//'
damaged "an outcome that is none" "bad/records.jsonl:2: outcome:" records.jsonl \
    '2s/"outcome":"[a-z-]*"/"outcome":"converge"/'
damaged "a missing record" "bad/records.jsonl" records.jsonl '3d'
damaged "a time of another record" "bad/timings.jsonl:3" timings.jsonl '3s/"index":2/"index":7/'
damaged "a time without seconds" "bad/timings.jsonl:3" timings.jsonl '3s/"seconds"/"second"/'
# shellcheck disable=SC2016 # the last line of sed
damaged "a trace that ends in a row" "bad/traces/plane-1-mdm.tsv" traces/plane-1-mdm.tsv '$s/[^	]*$//'
# shellcheck disable=SC2016 # the last line of sed
damaged "a trace whose last number is none" "bad/traces/plane-1-mdm.tsv" traces/plane-1-mdm.tsv '$s/$/x/'
damaged "a time with something behind it" "bad/timings.jsonl:3" timings.jsonl '3s/$/ ]/'
damaged "a trace of no record" "bad/traces/plane-1-mdm.tsv: belongs to no record" traces/plane-1-mdm.tsv \
    's/^# params.*/# params {"mu":0.7}/'
damaged "a trace of one of two records" "bad/traces/plane-1-clip-mdm.tsv: may belong to" traces/plane-1-clip-mdm.tsv \
    '/^# params/d'
rm -rf bad && cp -r c bad && unlist bad && cp bad/traces/plane-1-mdm.tsv bad/traces/zz.tsv
refused "a second trace of a record" "bad/traces/zz.tsv: belongs to the same record as plane-1-mdm.tsv" bad --out no.csv
program export c --out same.csv --traces same.csv
ended 2 && [ ! -e same.csv ]
check "one file for records and traces is refused"
program export c --traces -
ended 2 && [ ! -s out ]
check "two files on standard output are refused"
program export
ended 2 && says "expected at least one run folder"
check "no folder is refused"
program export c --out nowhere/no.csv
ended 4 1 && says nowhere/no.csv
check "a file that cannot be written ends with status 4"
finish
