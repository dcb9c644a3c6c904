#!/bin/sh
# Data and configurations at the limits of computation, and some malicious ones. On all of them every solver ends with a
# truthful record or a one-line error; nothing in a file is ever executed, and nothing is written outside the given
# folder.
# shellcheck source=tests/tap.sh
. "$(dirname -- "$0")/../tap.sh"

# ---- numbers at the limits, for every solver ----

printf '1,2,a\n1,2,b\n1,2,a\n1,2,b\n1,2,a\n1,2,b\n' >"$work/equal.csv"
printf '0,0,a\n0,0,b\n1,3,a\n1,3,b\n2,1,b\n2,1,a\n2,1,a\n' >"$work/contradictory.csv"
printf '0,1,a\n3,1,b\n' >"$work/one-each.csv"
printf '4.9e-324,0,a\n-4.9e-324,1e-310,b\n2e-320,0,a\n0,-3e-315,b\n' >"$work/denormal.csv"
printf '1e99,0,a\n-1e99,1,b\n3e98,-1e-99,a\n0,-1e99,b\n' >"$work/large.csv"
printf '1e-150,1e90,a\n1,-1e90,b\n1e75,0,a\n-1e-75,1e-90,b\n5,1e30,a\n' >"$work/scales.csv"
sets=
for set in equal contradictory one-each denormal large scales; do
    sets="$sets${sets:+,}{\"name\":\"$set\",\"file\":\"$work/$set.csv\",\"test_file\":\"$work/$set.csv\"}"
done

# Every record has its outcome, and no converged one contradicts its own numbers.
told_the_truth() {
    awk -v relaxed="$2" '
        function figure(name) { return match($0, "\"" name "\":[^,}]*") ? substr($0, RSTART + length(name) + 3, '\
'RLENGTH - length(name) - 3) : "" }
        !/"outcome":"(converged|iteration-limit|stalled|failed)"/ { bad = 1 }
        /"outcome":"converged"/ { if (figure("duality_gap") == "" || figure("bias") == "null") bad = 1
            v = figure("kkt_violation")
            if (/"rule":"kkt/ && (v == "null" || v + 0 > 0.001001 * (1 + relaxed))) { bad = 1; print } }
        END { exit bad || NR == 0 }' "$1" >"$work/err"
}

# The solvers, a rule that each accepts, and the values of those parameters that are set here.
"$hullbench" list solvers --json | awk '
    BEGIN { n = split("rch-gap-both kkt kkt-relaxed gap-max-w2 delta", rules, " ")
        value["C"] = "[1e-12,1,1e12]"; value["mu"] = "[1e-12,1]"; value["nu"] = "0.5" }
    /^{"name":/ { name = $0; sub(/^{"name":"/, "", name); sub(/".*/, "", name)
        stops = $0; sub(/.*"stops":[[]/, "", stops); sub(/].*/, "", stops)
        rule = "iterations"; for (r = n; r > 0; r--) if (index(stops, "\"" rules[r] "\"")) rule = rules[r]
        words = ""
        for (p in value) if (index($0, "\"" p "\":{"))
            words = words (words == "" ? "" : ",") "\"" p "\":" value[p]
        print name, rule, words }' | grep "^${HULLBENCH_TESTED_SOLVER:-.*} " >"$work/names"
solver_names >"$work/expected"
cut -d ' ' -f 1 "$work/names" | same_files "$work/expected" /dev/stdin
check "the list of solvers is read"
# One run of all solvers for each kernel, without those that refuse its values in one line.
for kernel in '"rbf","width":[1e-150,1,1e150]' '"linear"' '"polynomial","degree":3'; do
    cp "$work/names" "$work/kept"
    for attempt in 1 2 3 4 5 6 7 8 9 10 11 12; do
        solvers=$(awk '{ printf "%s{\"name\":\"%s\",\"stop\":{\"rule\":\"%s\",\"tolerance\":1e-3},\"parameters\":{%s}}",
            n++ ? "," : "", $1, $2, $3 }' "$work/kept")
        cat >"$work/hostile.json" <<EOF
{"name": "hostile", "datasets": [$sets], "splits": "1", "standardise": "none", "kernel": {"type":$kernel},
 "solvers": [$solvers], "budget": {"iterations": 500}, "stop": {"rule": "iterations", "tolerance": 1e-3}}
EOF
        rm -rf "$work/out-dir"
        program run "$work/hostile.json" --out "$work/out-dir" --quiet
        ended 2 1 || break
        refusing=$(sed -n 's/.*, split [0-9]*: \([a-z0-9-]*\): .*/\1/p' "$work/err")
        grep -v "^${refusing:-none} " "$work/kept" >"$work/fewer"
        mv "$work/fewer" "$work/kept"
    done
    ended 0 && [ "$attempt" -lt 12 ]
    check "a run of every solver ends, kernel $kernel"
    cat "$work/out-dir/records.jsonl" >>"$work/all.jsonl"
done
# Each line names the solver first: one file for each.
mkdir "$work/of"
awk -v folder="$work/of/" 'match($0, /"solver":"[^"]*"/) {
    print >(folder substr($0, RSTART + 10, RLENGTH - 11)) }' "$work/all.jsonl"
while read -r solver rule _; do
    relaxed=0
    [ "$rule" = kkt ] || relaxed=1
    told_the_truth "$work/of/$solver" $relaxed
    check "$solver tells the truth at the edge"
done <"$work/names"

# ---- files that do not fit, and invalid numbers ----

# refused SENTENCE FORMAT TEXT: rejects the file $work/bad.
refused() {
    cat >"$work/bad.json" <<EOF
{"name": "bad", "datasets": [{"name": "bad", "file": "$work/bad", "format": "$2"}], "splits": "1",
 "standardise": "none",
 "kernel": {"type": "linear"}, "solvers": ["mdm"], "stop": {"rule": "rch-gap", "tolerance": 1e-3}}
EOF
    rm -rf "$work/out-dir"
    program run "$work/bad.json" --out "$work/out-dir" --quiet
    { [ "$status" -eq 2 ] || [ "$status" -eq 3 ]; } && says "$3"
    check "$1 is refused"
}
printf '1 18446744073709551617:1\n-1 1:1\n' >"$work/bad"
refused "an index beyond all whole numbers" libsvm "bad:1:3: index of"
for word in nan inf -inf 1e101 1e999 0x10 1e-400x; do
    printf '1 1:%s\n-1 1:1\n' "$word" >"$work/bad"
    refused "LIBSVM value $word" libsvm "bad:1:5: "
    printf '1,a\n%s,b\n' "$word" >"$work/bad"
    refused "CSV value $word" csv "bad:2:1: "
done
printf '1 2147483646:1\n-1 1:1\n1 1:2\n' >"$work/bad"
sed 's/"csv"/"libsvm"/' "$work/bad.json" >"$work/large.json"
rm -rf "$work/out-dir"
program run "$work/large.json" --out "$work/out-dir" --quiet
{ ended 0 0 && [ "$(wc -l <"$work/out-dir/records.jsonl")" -ge 1 ]; }
check "an index larger than any dense row is run"
awk 'BEGIN { for (r = 0; r < 3; r++) { printf "%d", r % 2;
    for (i = 1; i <= 10; i++) printf " %d:%d", i * 1000000, i + r; print "" } }' >"$work/wide"
sed "s|$work/bad|$work/wide|; s|\"datasets\": \[{|&\"n_train\": 2, \"n_test\": 1, |" "$work/bad.json" |
    sed 's/"csv"/"libsvm"/' >"$work/wide.json"
rm -rf "$work/out-dir"
program run "$work/wide.json" --out "$work/out-dir" --quiet
{ ended 0 0 && [ "$(wc -l <"$work/out-dir/records.jsonl")" -eq 1 ]; } || { ended 2 1 && says "take"; }
check "rows of ten million columns are run or refused for want of memory"

# ---- names that look like commands ----

mkdir "$work/cell"
cd "$work/cell" || exit 4
mkdir data
# shellcheck disable=SC2016 # nothing is to be run
harm='`touch harmed`$(touch harmed)"; system("touch harmed") #'"'"'; !touch harmed \\write18{touch '\
'harmed}<script>alert(1)</script>|touch harmed ../../harmed %s%n'
json=$(printf '%s' "$harm" | sed 's/"/\\"/g')
printf '1,2,a\n3,1,b\n2,2,a\n4,0,b\n1,3,a\n5,1,b\n' >data/small.csv
cat >harm.json <<EOF
{"name": "$json", "title": "$json", "datasets": [{"name": "\`touch\${IFS}harmed\`", "file": "data/small.csv"}],
 "splits": "1-3",
 "standardise": "none", "kernel": {"type": "linear"}, "parameters": {"mu": [0.5, 1]}, "solvers": ["clip-mdm", "mu-gsk"],
 "stop": {"rule": "rch-gap", "tolerance": 1e-3}, "trace": {"datasets": ["\`touch\${IFS}harmed\`"], "splits": "1"},
 "plots": [{"kind": "convergence", "name": "../../$json"}, {"kind": "cost", "name": "< touch harmed", "title": "$json"},
           {"kind": "scatter", "name": "| touch harmed"}, {"kind": "profile", "name": "$json"}]}
EOF
unharmed() {
    [ -z "$(find "$work" -name '*harmed*' ! -path "$work/cell/out/*")" ] && [ ! -e harmed ] && [ ! -e out/harmed ] &&
        [ ! -e out/plots/harmed ] && [ ! -e out/tables/harmed ]
}
program run harm.json --out out --quiet
ended 0 0 && unharmed
check "a configuration full of commands is run as it is"
program tables out
unharmed && { [ ! -d out/tables ] || ! grep -rqF '\write18' out/tables --include='*.tex'; }
check "tables of it hold no command"
program plot out
{ [ "$status" -eq 0 ] || [ "$status" -eq 2 ] || [ "$status" -eq 3 ]; } && unharmed &&
    [ -z "$(find out -path '*touch harmed/*')" ] &&
    [ -n "$(find out/plots -name '*.gp')" ]
check "figures of it run nothing"
program report out -o page.html
unharmed && [ -s page.html ] && ! grep -qF '<script>alert(1)' page.html
check "the page about it runs nothing"
cat >tags.json <<'EOF'
{"name": "<img src=x>", "title": "<script>alert(1)</script>", "splits": "1-3", "standardise": "none",
 "datasets": [{"name": "<script>|[x](javascript:y)", "file": "data/small.csv"}],
 "kernel": {"type": "linear"}, "parameters": {"mu": [0.5, 1]}, "solvers": ["clip-mdm", "mu-gsk"],
 "stop": {"rule": "rch-gap", "tolerance": 1e-3}, "plots": [{"kind": "profile", "name": "<script>"}]}
EOF
program run tags.json --out tags --quiet
ended 0
check "names that look like HTML are run as they are"
# inert FILE...: no Markdown file has a tag or the address of a script.
inert() {
    ! grep -E '(^|[^\])(<[a-z/!]|\]\(javascript)' "$@" >"$work/err"
}
program tables tags
ended 0 && inert tags/tables/*.md
check "their tables have no HTML"
program bundle tags --out tags.tar
ended 0 && tar xOf tags.tar --wildcards '*/README.md' >readme.md && inert readme.md
check "nor has the README.md of a bundle"
mkdir tags/plots
echo 'heading = "evil"' >tags/plots/evil.gp
echo '<svg onload="alert(1)"/>' >tags/plots/evil.svg
printf '# <script>alert(1)</script>\n\n<img src=x onerror=alert(1)> [x](javascript:y)\n' >tags/tables/evil.md
program report tags --markdown copied
ended 0 && says evil.svg && [ -z "$(find copied -name '*evil*.svg')" ] && inert copied/*.md
check "a report in Markdown copies neither HTML nor active pictures"
for name in ../escape a/b '..' 'a b' 'a"b'; do
    sed "s|\"name\": \"bad\", \"file\"|\"name\": \"$(printf '%s' "$name" | sed 's/"/\\\\"/g')\", \"file\"|" \
        "$work/bad.json" >"$work/name.json"
    program run "$work/name.json" --out "$work/named" --quiet
    [ "$status" -ne 0 ] && [ ! -e "$work/escape" ] && [ ! -e "$work/named/../escape" ]
    check "a data set called $name is refused or stays inside"
done
finish
