#!/bin/sh
# The program's surroundings: a terminal shows progress, gnuplot may fail or print much, and the machine-readable
# exports list every change.
# shellcheck source=tests/tap.sh
. "$(dirname -- "$0")/../tap.sh"

cat >"$work/config.json" <<'END'
{"name": "terminal", "datasets": ["titanic"], "splits": "1-8", "standardise": "full-set", "seed": 1,
 "kernel": {"type": "rbf", "width": 2}, "parameters": {"mu": 0.0236}, "solvers": ["clip-mdm", "second-order-clip-mdm"],
 "stop": {"rule": "rch-gap", "tolerance": 1e-3}, "budget": {"iterations": 10000}}
END

# ---- progress ----
TERM=xterm
export TERM
unset COLUMNS NO_COLOR
if script -qec true /dev/null >"$work/drawn" 2>&1 </dev/null; then
    has_terminal=yes
else
    has_terminal=
fi
no_terminal="script is not installed, or there are no pseudo-terminals"
# on_terminal OPTION...: the program with both outputs on a terminal of 80 columns; leaves its output in $work/drawn.
on_terminal() {
    words=
    for word in "$@"; do words="$words '$word'"; done
    script -qec "stty cols 80; '$hullbench' $words" /dev/null </dev/null | tr -d '\r' >"$work/drawn"
}
# plain_width FILE: the columns of its widest line, without colours.
plain_width() {
    sed "s/$(printf '\033')\[[0-9]*m//g" "$1" | LC_ALL=C.UTF-8 wc -L
}
sentence="on a terminal the last line of progress tells all, and is wiped"
if [ -n "$has_terminal" ]; then
    script -qec "'$hullbench' run '$work/config.json' --out '$work/run' --jobs 1 2>&1 >'$work/out'" /dev/null \
        >"$work/drawn" </dev/null
    tr '\r' '\n' <"$work/drawn" | grep -q '^  16/16  .*s' &&
        [ "$(tail -c 4 "$work/drawn" | od -An -tx1)" = " 0d 1b 5b 4b" ]
    check "$sentence"
else
    skip "$sentence" "$no_terminal"
    program run "$work/config.json" --out "$work/run" --jobs 1 --quiet
fi
program run "$work/config.json" --out "$work/silent" --jobs 1
ended 0 0 && same_files "$work/run/records.jsonl" "$work/silent/records.jsonl"
check "where there is no terminal no progress is drawn"
grep -q '^terminal: 16 records in .* ([a-z0-9 ]* s), 16 converged$' "$work/out" &&
    grep -q '^threads busy [0-9]* % of the time; shares of their work: kernels [0-9]* %, ' "$work/out"
check "the summary gives a duration with its unit, and says what the shares are of"
# The job takes some seconds. The name of the job and its time are drawn more than once, with growing times.
sed 's/"titanic"/{"name": "long", "n_train": 2000, "n_test": 10, "generate": {"shape": "gaussians", "features": 5}}/
    s/"clip-mdm", "second-order-clip-mdm"/"mu-gsk"/; s/1-8/1/; s/0.0236/0.001/; s/"tolerance": 1e-3/"tolerance": 1e-12/
    s/"iterations": 10000/"seconds": 3/; s/"full-set"/"none"/' "$work/config.json" >"$work/long.json"
sentence="during a long job the line names it and is drawn at least every second"
if [ -n "$has_terminal" ]; then
    script -qec "'$hullbench' run '$work/long.json' --out '$work/long' --jobs 1" /dev/null </dev/null >"$work/drawn"
    tr '\r' '\n' <"$work/drawn" | grep -o '^  0/1  .*  long 1, mu-gsk: [0-9]* s' |
        sed 's/.*: //' | sort -nu >"$work/err"
    # From the first that is drawn, which on a busy machine is not the first, each second.
    awk 'NR > 1 && $1 != last + 1 { exit 1 } { last = $1 } END { if (NR < 2) exit 1 }' "$work/err"
    check "$sentence"
else
    skip "$sentence" "$no_terminal"
fi

program plot "$work/run" --only iteration
ended 2 1 && says 'unknown figure "iteration"; did you mean "iterations"?; allowed: iterations, '
check "a figure that does not exist is refused with the names of those that do"

# ---- gnuplot ----
mkdir "$work/bin"
printf '#!/bin/sh\nprintf "\\n\\tset  out\\n   ^\\n"\nyes much said | head -c 100000\nexit 3\n' >"$work/bin/gnuplot"
chmod +x "$work/bin/gnuplot"
usual_path=$PATH
PATH=$work/bin:$PATH
program plot "$work/run" --only iterations
ended 4 1 && says "iterations.gp: gnuplot failed: set out ^ much said much said" &&
    [ -s "$work/run/plots/iterations.dat" ]
check "a gnuplot that fails is quoted on one line, however much it says, and the numbers are written"
printf '#!/bin/sh\nkill -9 $$\n' >"$work/bin/gnuplot"
program plot "$work/run" --only iterations
ended 4 1 && says "iterations.gp: gnuplot was ended by signal 9 ("
check "a signal that ends gnuplot is named"
printf '#!/bin/sh\nexit 3\n' >"$work/bin/gnuplot"
program plot "$work/run" --only iterations
ended 4 1 && says "iterations.gp: gnuplot failed: no message"
check "a gnuplot that fails without a message is said to have failed"
gnuplot=$(PATH=$usual_path command -v gnuplot)
if [ -n "$gnuplot" ]; then
    printf '#!/bin/sh\nprintf "\\n\\033[2Jwarning:\\n"\nyes "no valid points" | head -n 300\nexec "%s" "$@"\n' \
        "$gnuplot" >"$work/bin/gnuplot"
    program plot "$work/run" --only iterations
    ended 0 1 && says 'iterations: gnuplot: \x1B[2Jwarning: no valid points no' &&
        grep -q '\(no\|valid\|points\) [.]\{3\}$' "$work/err"
    check "what gnuplot warns of is one line of whole words"
else
    skip "what gnuplot warns of is one line of whole words" "gnuplot is not installed"
fi
rm -f "$work/bin/gnuplot"
mkdir "$work/bin/gnuplot"
PATH=$work/bin
program plot "$work/run" --only iterations
PATH=$usual_path
ended 4 1 && says "iterations.gp: cannot start gnuplot"
check "a gnuplot that is no program cannot be started"

# ---- 80 columns and colours ----
escape_character=$(printf '\033')
if [ -n "$has_terminal" ]; then
    program compare "$work/run" --against clip-mdm --solver second-order-clip-mdm
    cp "$work/out" "$work/piped"
    on_terminal compare "$work/run" --against clip-mdm --solver second-order-clip-mdm
    cp "$work/drawn" "$work/compared"
    [ "$(plain_width "$work/drawn")" -le 80 ] && [ "$(plain_width "$work/piped")" -gt 80 ] &&
        head -1 "$work/drawn" | grep -q "^$escape_character\[1mCost" &&
        head -1 "$work/piped" | grep -q '^Cost' && ! grep -q "$escape_character" "$work/piped"
    check "compare begins with the conclusion, and its table fits a terminal; a pipe gets whole lines without colours"
    grep -q '^| data set .* support vectors .* lower/equal/higher' "$work/piped" &&
        ! grep -q 'lower/equal/higher$' "$work/drawn" &&
        grep -q '^Columns for which this terminal is too narrow: .*support vectors' "$work/drawn"
    check "columns that do not fit are left out on the terminal, and named"
    (COLUMNS=200 && export COLUMNS && on_terminal compare "$work/run" --against clip-mdm \
        --solver second-order-clip-mdm) && grep -q '^data .* support .*lower/equal/higher' "$work/drawn"
    check "COLUMNS makes the terminal wider"
    for setting in NO_COLOR=1 TERM=dumb; do
        (export "${setting?}" && on_terminal compare "$work/run" --against clip-mdm --solver second-order-clip-mdm) &&
            ! grep -q "$escape_character" "$work/drawn" && grep -q '^Cost' "$work/drawn"
        check "$setting: no colours"
    done
    solve="solve --dataset titanic --solver clip-mdm --set mu=0.03 --kernel rbf,width=2"
    for words in "list kernels" "list stops" "list solvers --long" "list datasets --long" "$solve" \
        "verify mdm --quiet --problem 151"; do
        for columns in 60 80; do
            # shellcheck disable=SC2086
            (COLUMNS=$columns && export COLUMNS && on_terminal $words) && [ "$(wc -l <"$work/drawn")" -ge 5 ] &&
                [ "$(plain_width "$work/drawn")" -le "$columns" ]
            check "$words fits $columns columns"
        done
    done
    grep -q '^Failed, error: clip-mdm, then second-order-clip-mdm; other' "$work/compared"
    check "a terminal is told whose number is the first of two"
    program run "$root/configs/lopez2011-tables-2-3.json" --datasets titanic --splits 1-2 --out "$work/paper" --quiet
    printf '%s\n' "solve --dataset twonorm -c 1 -g 0.1" "run $work/config.json --dry-run" "conform $work/paper" \
        "tables $work/run" "plot $work/run --no-render" \
        "tune $work/search.json --out $work/search --jobs 1 --no-render" \
        "compare $work/paper --against mu-gsk --solver clip-mdm" "report $work/run --markdown $work/md" >"$work/verbs"
    cat >"$work/search.json" <<'END'
{"name": "search", "datasets": [{"name": "gaussians-of-a-long-name", "n_train": 40, "n_test": 20,
 "generate": {"shape": "gaussians"}}], "standardise": "none", "kernel": {"type": "rbf"},
 "solvers": ["second-order-smo"], "stop": {"rule": "kkt", "tolerance": 1e-2}, "budget": {"iterations": 1000},
 "tune": {"splits": 2, "folds": 2, "C": {"from": 1, "to": 10}, "width": {"from": 1, "to": 10},
 "grid": {"C": 2, "width": 2}, "cma-es": {"generations": 1}}}
END
    while read -r line; do
        # shellcheck disable=SC2086
        (export TERM=dumb && on_terminal $line) # without progress
        [ -s "$work/drawn" ] && [ "$(plain_width "$work/drawn")" -le 80 ]
        check "${line%% *} fits 80 columns"
    done <"$work/verbs"
    on_terminal tables "$work/nowhere"
    grep -q "^$escape_character\[31mhullbench:$escape_character\[0m .*nowhere" "$work/drawn"
    check "an error is in colour on a terminal"
else
    skip "80 columns and colours" "$no_terminal"
fi

# ---- text of strangers ----
# plain FILE: the file has no control character but line ends.
plain() {
    [ "$(LC_ALL=C tr -d '[:print:]\n\200-\377' <"$1" | wc -c)" -eq 0 ] && ! grep -q "$(printf '\342\200\256')" "$1"
}
# refused SENTENCE VERB...: the verb ends with 2 and one line, which shows a control character as its bytes.
refused() {
    sentence=$1
    shift
    program "$@"
    ended 2 1 && plain "$work/err" && plain "$work/out" && grep -q '[\]x\|[\]u\|control character' "$work/err"
    check "$sentence"
}
escape=$(printf '\033[2J') override=$(printf '\342\200\256')
for name in "a\\\\tb" "a\\\\u001bb" "a\\\\nb" "$override"; do
    sed "s/\"terminal\"/\"$name\"/" "$work/config.json" >"$work/named.json"
    refused "a configuration is not named $name" run "$work/named.json" --out "$work/never"
    sed "s/\"stop\":/\"plots\": [{\"kind\": \"profile\", \"name\": \"$name\"}], &/" "$work/config.json" \
        >"$work/named.json"
    refused "nor a figure" run "$work/named.json" --out "$work/never"
    sed "s/\"titanic\"/{\"name\": \"$name\", \"file\": \"d.csv\"}/" "$work/config.json" >"$work/named.json"
    refused "nor a data set" run "$work/named.json" --out "$work/never"
    cp -r "$work/run" "$work/theirs"
    unlist "$work/theirs"
    sed -i "s/\"titanic\"/\"$name\"/" "$work/theirs/records.jsonl"
    for verb in tables plot "export" report; do
        refused "$verb reads no record of a data set $name" "$verb" "$work/theirs"
    done
    rm -r "$work/theirs"
done
cp -r "$work/run" "$work/theirs"
: >"$work/theirs/$escape"
program replay --verify "$work/theirs"
ended 0 && plain "$work/out" && grep -qF 'x1B[2J' "$work/out"
check "a file that run.json does not list is named without its control characters"
refused "an argument with a control character is refused" tables "$work/$escape"
refused "also an option" run "--$escape"
refused "and one that reverses the text" list "$override"

# ---- changes, for readers of JUnit ----
program check "$work/run" --baseline "$work/base.json" --update --message first --by nobody
ended 0
check "a baseline is written"
sed '/"split":2,.*"clip-mdm"/s/"outcome":"converged"/"outcome":"stalled"/;
    /"split":3,.*"clip-mdm"/s/"support_vectors":\([0-9]*\)/"support_vectors":1\1/; /"split":4,.*"clip-mdm"/d' \
    "$work/run/records.jsonl" >"$work/moved.jsonl"
cp -r "$work/run" "$work/moved"
cp "$work/moved.jsonl" "$work/moved/records.jsonl"
sed 's/"records":[[:space:]]*16/"records": 15/' "$work/run/run.json" >"$work/moved/run.json" &&
    unlist "$work/moved"
program check "$work/moved" --baseline "$work/base.json" --junit "$work/moved.xml"
ended 1 && grep -q 'outcome: was converged, is stalled' "$work/moved.xml" &&
    grep -q 'the run lacks this record' "$work/moved.xml" &&
    grep -q 'support_vectors: was \([0-9]*\), is 1\1$' "$work/moved.xml" &&
    grep -q '<testsuites tests="16" failures="3">' "$work/moved.xml"
check "JUnit XML names an outcome, a count and a record that moved"
sentence="on a terminal check has a line of at most 80 columns for each change, and ends with what to do next"
if [ -n "$has_terminal" ]; then
    on_terminal check "$work/moved" --baseline "$work/base.json"
    [ "$(plain_width "$work/drawn")" -le 80 ] &&
        [ "$(grep -c "^$escape_character\[3[13]m\(missing\|outcome\|moved\)" "$work/drawn")" -eq 3 ] &&
        grep -q "^$escape_character\[31mterminal: 15 records compared: .* 2 moved, 1 missing" "$work/drawn" &&
        sed -n '/^If intended: /,$p' "$work/drawn" | tr -d '\\\n' |
        grep -q 'hullbench check .*moved *--baseline .*base.json *--update *-m WHY$'
    check "$sentence"
else
    skip "$sentence" "$no_terminal"
fi
cp -r "$work/run" "$work/other"
sed 's/"sha256":\(.*\)"[0-9a-f]/"sha256":\1"x/' "$work/run/run.json" >"$work/other/run.json" &&
    unlist "$work/other"
program check "$work/other" --baseline "$work/base.json" --junit "$work/other.xml"
ended 1 && grep -q 'classname="data" name="titanic"' "$work/other.xml" && grep -q 'failures="1"' "$work/other.xml"
check "JUnit XML names a data set that is another"
finish
