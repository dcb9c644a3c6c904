#!/bin/sh
# Bad input ends with status 2 and one line that names the place and the error; nothing is left in the output folder. A
# full disk ends with status 4, and the run resumes once there is space.
# shellcheck source=tests/tap.sh
. "$(dirname -- "$0")/../tap.sh"

cat >"$work/good.json" <<'EOF'
{
  "name": "bad-input",
  "datasets": ["titanic"],
  "splits": "1-2",
  "standardise": "full-set",
  "kernel": {"type": "rbf", "width": 2},
  "parameters": {"mu": 0.1},
  "solvers": ["clip-mdm", "mu-gsk"],
  "stop": {"rule": "rch-gap", "tolerance": 1e-3},
  "budget": {"iterations": 50}
}
EOF
program run "$work/good.json" --out "$work/good" --quiet
ended 0 0 && [ "$(wc -l <"$work/good/records.jsonl")" -eq 4 ]
check "the configuration that is spoilt below is good"

# nothing_left: no records, temporary file or finished run in the output folder, if it exists.
nothing_left() {
    [ -z "$(find "$work/out-dir" -type f ! -name config.json ! -name journal.jsonl 2>/dev/null)" ]
}

# refused SENTENCE TEXT [OPTION...]: rejects the current bad.json.
refused() {
    sentence=$1 text=$2
    shift 2
    rm -rf "$work/out-dir"
    program run "$work/bad.json" --out "$work/out-dir" "$@"
    ended 2 1 && says "$text" && nothing_left
    check "$sentence is refused"
}

# spoilt SENTENCE SED-COMMAND TEXT: rejects the valid configuration after this change.
spoilt() {
    sed "$2" "$work/good.json" >"$work/bad.json"
    if cmp -s "$work/good.json" "$work/bad.json"; then
        false
        check "$1: the configuration was not changed"
        return
    fi
    refused "$1" "$3"
}

spoilt "C of 0" 's/"mu": 0.1/"C": 0/; s/"clip-mdm", "mu-gsk"/"1-smo"/' \
    'parameters.C: 0 is out of range; allowed: above 1e-300'
spoilt "C below 0" 's/"mu": 0.1/"C": -2/; s/"clip-mdm", "mu-gsk"/"1-smo"/' 'parameters.C: -2 is out of range'
for mu in 0 -1 1.5 1e999; do
    spoilt "mu of $mu" "s/0.1/$mu/" 'is out of range; allowed: above 0, at most 1'
done
spoilt "mu just above 1" "s/0.1/1.0000001/" 'parameters.mu: 1.0000001 is out of range; allowed: above 0, at most 1'
spoilt "more kernel operations than a record can hold" 's/"iterations": 50/"kernel_operations": 9.1e15/' \
    'budget.kernel_operations: 9.1e+15 is out of range; allowed: above 0, at most 9.0072e+15'
spoilt "splits that are null" 's/"splits": [^,]*,/"splits": null,/' \
    'splits: null is not a list of split numbers; allowed: 7, "1-10,20" or [1, 2]'
printf '1,1\n2,-1\n3,1\n4,-1\n' >"$work/few.csv"
spoilt "more folds than rows" \
    's/"splits": [^,]*,/"splits": {"folds": 5},/; s|"titanic"|{"name": "few", "file": "'"$work"'/few.csv"}|' \
    'bad.json: splits.folds: 5 is out of range; allowed: at most 4, the number of rows of few'
long=$(printf '%0192d' 0)
spoilt "a data set's name that is too long for file names" \
    's|"titanic"|{"name": "'"$long"'", "file": "'"$work"'/few.csv"}|' 'datasets[0]: data set name "00000000'
spoilt "a configuration's name that is too long" 's/"name": "[a-z-]*"/"name": "'"$long"'"/' \
    'bad.json:2:3: name: "0000000000000000000000000000000000000000..." has 192 bytes'
spoilt "a number with a leading 0" 's/"width": 2/"width": 02/' 'bad.json:6:38: not valid JSON at "02}'
spoilt "an unknown table" 's/"splits"/"tables": ["lopez2011.table9"], "splits"/' \
    'bad.json: tables: "lopez2011.table9": '
spoilt "an unknown key" 's/"standardise"/"standardize"/' 'unknown key "standardize"; did you mean "standardise"?'
spoilt "an unknown solver" 's/"clip-mdm"/"clip-mbm"/' \
    'solvers[0]: unknown solver "clip-mbm"; did you mean "clip-mdm" or "clip-gsk"?'
spoilt "a solver in capitals" 's/"clip-mdm"/"MU-MDM"/' 'unknown solver "MU-MDM"; did you mean "mu-mdm"'
spoilt "an unknown data set" 's/"titanic"/"titanik"/' 'datasets[0]: unknown data set "titanik"; did you mean "titanic"?'
spoilt "an unknown stopping rule" 's/"rch-gap"/"rch-gab"/' \
    'stop.rule: unknown stopping rule "rch-gab"; did you mean "rch-gap"'
spoilt "an unknown kernel" 's/"rbf"/"rbv"/' 'kernel.type: unknown kernel type "rbv"; did you mean "rbf"?'
spoilt "an unknown parameter" 's/"mu"/"my"/' 'parameters: unknown key "my"; did you mean "mu"'
spoilt "a word for a number" 's/"width": 2/"width": "two"/' 'kernel.width: "two" is not a number'
spoilt "a number for a list" 's/\["titanic"\]/7/' 'datasets: expected a non-empty list of data sets'
spoilt "a missing kernel" '/"kernel"/d' 'key "kernel" is missing'
spoilt "a missing width" 's/, "width": 2//' 'kernel: key "width" is missing'
spoilt "a missing mu" '/"parameters"/d' 'solver "clip-mdm" needs parameter "mu"'
spoilt "a key given twice" 's/"splits": "1-2",/"splits": "1-2", "splits": "1",/' 'key "splits" occurs twice'
spoilt "a data set given twice" 's/\["titanic"\]/["titanic", "titanic"]/' \
    'datasets[1]: data set "titanic" occurs twice'
spoilt "a rule that does not fit the solver" 's/"rch-gap"/"kkt"/' \
    'stopping rule "kkt" does not apply to solver "clip-mdm"; allowed: '
spoilt "a parameter its solver does not read" 's/"mu-gsk"/{"name": "mu-gsk", "parameters": {"C": 1}}/' \
    'solvers[1].parameters: unknown key "C"; allowed: mu'
spoilt "a parameter no solver reads" 's/"mu": 0.1/"mu": 0.1, "C": 1/' 'none of the solvers reads parameter "C"'
spoilt "a value missing for a data set" 's/0.1/{"per_dataset": {"twonorm": 0.1}}/; s/"titanic"/"titanic", "twonorm"/' \
    'parameters.mu: no value for data set "titanic" and no "default"'
spoilt "rule iterations without a budget" \
    's/"rch-gap", "tolerance": 1e-3/"iterations"/; s/"iterations": 50/"seconds": 50/' \
    'rule "iterations" needs budget.iterations'
spoilt "text that is not JSON" 's/"titanic"\],/"titanic"/' 'bad.json:4:3: not valid JSON'
spoilt "a newline in a name" 's/"clip-mdm"/"clip\\nmdm"/' 'unknown solver "clip'
: >"$work/bad.json"
refused "an empty configuration" "bad.json:1:1: not valid JSON"
echo '[]' >"$work/bad.json"
refused "a list as configuration" "bad.json: [] is not an object"
rm "$work/bad.json" && mkdir "$work/bad.json"
refused "a folder as configuration" "bad.json: cannot be read: Is a directory"
rmdir "$work/bad.json"
refused "a configuration that is not there" "bad.json: cannot be read: No such file"

cp "$work/good.json" "$work/bad.json"
refused "an unknown word of --solvers" '--solvers: unknown name "mdm"' --solvers mdm
refused "an unknown word of --datasets" '--datasets: unknown name "heart"' --datasets titanic,heart
for list in 0 1- 3-2 1,,2 x 1-999999999 ''; do
    refused "--splits '$list'" '--splits: "' --splits "$list"
done
refused "--splits that the configuration lacks" '--splits: the configuration has no split 7' --splits 7

# bad_use SENTENCE TEXT WORD...: usage errors print a second line that points to --help.
bad_use() {
    sentence=$1 text=$2
    shift 2
    rm -rf "$work/out-dir"
    program "$@"
    ended 2 && [ "$(wc -l <"$work/err")" -le 2 ] && says "$text" && [ ! -s "$work/out" ] && [ ! -e "$work/out-dir" ]
    check "$sentence is refused"
}
for jobs in 0 -1 x 99999; do
    bad_use "--jobs $jobs" "--jobs: \"$jobs\" is not a whole number from 1 to 4096" run "$work/good.json" \
        --out "$work/out-dir" --jobs "$jobs"
done
for shard in 0/3 4/3 3 1/0 x/y 1/3/5 1/100001; do
    bad_use "--shard $shard" "--shard: \"$shard\" is not K/N with 1 <= K <= N <= 100000" \
        run "$work/good.json" --out "$work/out-dir" --shard "$shard"
done
bad_use "an unknown verb" 'unknown verb "rum"; did you mean "run"?; allowed: run' rum
bad_use "run without a configuration" 'expected a configuration file' run --out "$work/out-dir"
bad_use "run without a folder" 'expected --out DIR' run "$work/good.json"
bad_use "an unknown option" "--spilts" run "$work/good.json" --out "$work/out-dir" --spilts 1
HULLBENCH_LANES=sse9
export HULLBENCH_LANES
bad_use "an unknown vector width" 'HULLBENCH_LANES: "sse9"' run "$work/good.json" --out "$work/out-dir"
unset HULLBENCH_LANES
HULLBENCH_STORAGE=sparse
export HULLBENCH_STORAGE
bad_use "an unknown form of storage" 'HULLBENCH_STORAGE: "sparse" is unknown; allowed: dense, compressed' \
    run "$work/good.json" --out "$work/out-dir"
unset HULLBENCH_STORAGE

# ---- data ----

# table SENTENCE NAME TEXT [KERNEL]: rejects a plain file from standard input.
table() {
    cat >"$work/$2"
    sed "s|\"titanic\"|{\"name\": \"mine\", \"file\": \"$work/$2\"}|;
        s/{\"type\": \"rbf\", \"width\": 2}/{\"type\": \"${4:-linear}\"}/" \
        "$work/good.json" >"$work/bad.json"
    refused "$1" "$3"
}
table "a third label" label.csv 'label.csv:3:5: label "3" is a third class' <<'EOF'
1,2,1
2,1,-1
3,3,3
0,1,-1
EOF
says 'labels found: 1, -1, 3'
check "the message names the labels"
table "a third label in LIBSVM format" label.txt 'label.txt:3:1: label "-1" is a third class' <<'EOF'
+1 1:1 2:1
0.5 1:2 2:1
-1 1:0 2:1
EOF
table "a value that is not a number" nan.csv 'nan.csv:2:1: ' <<'EOF'
1,2,1
nan,1,-1
3,3,1
EOF
table "an infinite value" inf.txt 'inf.txt:1:6: ' <<'EOF'
+1 1:inf 2:1
-1 1:2 2:1
+1 1:3 2:0
EOF
table "a table of one class" one.csv 'one.csv:1:5: label "1" is the only one' <<'EOF'
1,2,1
2,1,1
3,3,1
EOF
table "rows of different length" ragged.csv 'ragged.csv:2:3: ' <<'EOF'
1,2,1
2,-1
3,3,1
EOF
table "an empty table" empty.csv 'empty.csv:1:1: no rows' </dev/null
table "features out of order" order.txt 'order.txt:1:8: ' <<'EOF'
+1 2:1 1:1
-1 1:2 2:1
EOF
table "a kernel table that is not symmetric" kernel.csv \
    'the precomputed kernel is not symmetric: entry (2, 1) is 3, (1, 2) is 2' \
    precomputed <<'EOF'
1,2,0,1
3,1,0,-1
0,0,1,1
EOF
table "a kernel table that is not square" square.csv \
    'a precomputed kernel needs a square table; it has 3 rows of 2 values' \
    precomputed <<'EOF'
1,2,1
2,1,-1
0,0,1
EOF
sed "s|square.csv|nowhere.csv|" "$work/bad.json" >"$work/new.json" && mv "$work/new.json" "$work/bad.json"
refused "a data file that is not there" "nowhere.csv: cannot be read: No such file"
mkdir "$work/nowhere.csv"
refused "a folder as data file" "nowhere.csv: cannot be read: Is a directory"
rmdir "$work/nowhere.csv"
echo 1,1 >"$work/nowhere.csv" && chmod 000 "$work/nowhere.csv"
usual=$hullbench
if [ -r "$work/nowhere.csv" ]; then # root, who obeys permissions without these capabilities
    printf '#!/bin/sh\nexec setpriv --bounding-set=-dac_override,-dac_read_search "%s" "$@"\n' "$usual" \
        >"$work/hullbench" && chmod +x "$work/hullbench"
    hullbench=$work/hullbench
fi
refused "a data file without permission" "nowhere.csv: cannot be read: Permission denied"
hullbench=$usual
for c in inf nan 1e999; do
    program solve --solver 1-smo --dataset titanic --set C=$c
    ended 2 1 && says "parameters.C: \"$c\" is not a number"
    check "solve shows a C of $c as it is given"
done
program solve --solver mdm --data "$work/nobody.csv"
ended 2 1 && says "nobody.csv: cannot be read: No such file" && [ ! -s "$work/out" ]
check "solve refuses a file that is not there"

cp "$work/good.json" "$work/bad.json"
mkdir "$work/broken"
HULLBENCH_DATA=$work/broken
export HULLBENCH_DATA
echo "this is not MATLAB" >"$work/broken/benchmarks.mat"
refused "a data file of garbage" "broken/benchmarks.mat"
: >"$work/broken/benchmarks.mat"
refused "an empty data file" "broken/benchmarks.mat"
rm "$work/broken/benchmarks.mat" && mkdir "$work/broken/benchmarks.mat"
refused "a folder as MATLAB file" "broken/benchmarks.mat"
rmdir "$work/broken/benchmarks.mat"
unset HULLBENCH_DATA
source=
for folder in $(echo "$data" | tr : ' '); do
    for name in benchmarks_partial.mat benchmarks.mat; do
        [ -n "$source" ] || [ ! -f "$folder/$name" ] || source=$folder/$name
    done
done
if [ -n "$source" ]; then
    size=$(wc -c <"$source")
    HULLBENCH_DATA=$work/broken
    export HULLBENCH_DATA
    for part in 1 50 90; do
        head -c $((size * part / 100)) "$source" >"$work/broken/benchmarks.mat"
        refused "a MATLAB file cut to $part per cent" "broken/benchmarks.mat"
    done
    unset HULLBENCH_DATA
else
    skip "a MATLAB file cut short is refused" "$no_data"
fi

# ---- a full disk ----

# same_after_all FOLDER: resuming there with enough space gives the same bytes.
same_after_all() {
    program run "$work/good.json" --out "$1" --quiet
    [ "$status" -eq 0 ] && same_files "$work/good/records.jsonl" "$1/records.jsonl" &&
        [ -z "$(find "$1" -name '*.tmp' -o -name journal.jsonl)" ]
}
# A limit on file sizes, in blocks of 512 bytes, stops each kind of write in turn, as a full disk would.
# LLVM's OpenMP library makes a file of 1024 bytes in /dev/shm, and ends the program if it cannot.
case $(ldd "$hullbench" 2>/dev/null) in *libomp*) limits= ;; *) limits='0 1' ;; esac
small=0 wrong=0
for blocks in $limits 2 3 4 5 6; do
    ended=$(
        trap '' XFSZ
        ulimit -f "$blocks"
        "$hullbench" run "$work/good.json" --out "$work/limited$blocks" --quiet 2>&1 >/dev/null
        echo "status $?"
    )
    case $ended in
        "status 0") ;;
        hullbench:*" cannot be written: File too large
status 4")
            small=$((small + 1))
            [ ! -e "$work/limited$blocks/run.json" ] || wrong=$((wrong + 1))
            ;;
        *)
            wrong=$((wrong + 1))
            echo "# $blocks blocks: $ended"
            ;;
    esac
    same_after_all "$work/limited$blocks" || wrong=$((wrong + 1))
done
[ "$small" -ge 4 ] && [ "$wrong" -eq 0 ]
check "files that cannot grow end with status 4 ($small limits), and with room the run goes on to the same bytes"

mkdir "$work/disk"
if [ "$(id -u)" -eq 0 ] && mount -t tmpfs -o size=8k hullbench-test "$work/disk" 2>/dev/null; then
    cleaning="umount '$work/disk' 2>/dev/null"
    program run "$work/good.json" --out "$work/disk/run" --quiet
    ended 4 1 && says "No space left on device" && [ ! -e "$work/disk/run/run.json" ]
    check "a full disk ends with status 4 and one line"
    mount -o remount,size=1m "$work/disk"
    same_after_all "$work/disk/run"
    check "with room on the disk the run goes on to the same bytes"
    umount "$work/disk"
    cleaning=:
else
    skip "a full disk ends with status 4 and one line" "no file system can be mounted here"
    skip "with room on the disk the run goes on to the same bytes" "no file system can be mounted here"
fi
finish
