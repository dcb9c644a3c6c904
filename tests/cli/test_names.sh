#!/bin/sh
# Names that file systems, gnuplot, LaTeX, Markdown or archives would read in their own way go through every verb.
# shellcheck disable=SC2016 # names with "$" and "`"
# shellcheck source=tests/tap.sh
. "$(dirname -- "$0")/../tap.sh"
LC_ALL=C
export LC_ALL

awk 'BEGIN { srand(2); for (i = 0; i < 60; i++) printf "%.4f,%.4f,%d\n", rand() + i % 2, rand(), i % 2 }' >"$work/d.csv"
# config NAME...: $work/config.json has a data set of each name.
config() {
    sets='' names=''
    for name; do
        sets="$sets, {\"name\": \"$name\", \"file\": \"$work/d.csv\", \"n_train\": 30, \"n_test\": 30}"
        names="$names, \"$name\""
    done
    cat >"$work/config.json" <<END
{"name": "50% | β_{x}", "datasets": [${sets#, }], "splits": "1-2", "standardise": "none", "seed": 1,
 "kernel": {"type": "rbf", "width": 2}, "solvers": ["1-smo", "second-order-smo"], "parameters": {"C": 1},
 "stop": {"rule": "duality-gap", "tolerance": 0.01}, "budget": {"iterations": 100},
 "trace": {"datasets": [${names#, }], "splits": "1"}, "plots": [{"kind": "convergence", "name": "c/%d"},
 {"kind": "iterations"}], "tables": [{"name": "t", "rows": ["dataset"], "columns": ["solver"],
 "metrics": ["iterations"]}]}
END
}

set -- 'a|b' 'a_b' 'β' 'γ' '50%s%d%n' 'x{y}$z$^2' '<b>&amp;' "it's" '`id`' '#x' '@x' '~s~*s*' '--x' '.x' '(0)' '日本'
config "$@"
program run "$work/config.json" --out "$work/run" --quiet
ended 0 && [ "$(find "$work/run/traces" -name '*.tsv' | wc -l)" -eq $((2 * $#)) ] &&
    [ -z "$(find "$work/run/traces" -name '*.tsv' ! -name '[A-Za-z0-9=]*' -o -name '*[!A-Za-z0-9=._+-]*.tsv')" ] &&
    [ -s "$work/run/traces/a_b-1-1-smo.tsv" ] && [ -s "$work/run/traces/=CE=B2-1-1-smo.tsv" ]
check "each name has its own traces, in files that any system takes; usual names are unchanged"
program tables "$work/run"
ended 0 && program plot "$work/run"
ended 0 && [ "$(find "$work/run/plots" -name 'c=2F=25d-*.svg' | wc -l)" -eq $# ]
check "and its own figure"
grep -qF '>50%s%d%n<' "$work/run/plots/iterations.svg" && grep -qF '>a|b<' "$work/run/plots/iterations.svg" &&
    grep -qF 'x{y}$z$^2<' "$work/run/plots/iterations.svg"
check "where names are drawn as they are"
grep -qF '50\%s\%d\%n' "$work/run/tables/t.tex" && grep -qF '$\beta$' "$work/run/tables/t.tex" &&
    grep -qF 'x\{y\}\$z\$\textasciicircum{}2' "$work/run/tables/t.tex" &&
    grep -qF '$<$b$>$\&amp;' "$work/run/tables/t.tex"
check "LaTeX gets characters that it would interpret as commands"
grep -qF '| a\|b ' "$work/run/tables/t.md" && grep -qF '\<b\>\&amp; ' "$work/run/tables/t.md" &&
    grep -qF '\~s\~\*s\*' "$work/run/tables/t.md" && grep -qF '\`id\`' "$work/run/tables/t.md"
check "so does Markdown"
if command -v pdflatex >/dev/null && kpsewhich booktabs.sty >/dev/null; then
    {
        sed -n '/^    \\documentclass/,/^    \\begin{document}/s/^    //p' "$root/docs/formats.md"
        printf '\\input{%s}\\end{document}\n' "$work/run/tables/t.tex"
    } >"$work/t.tex"
    (cd "$work" && pdflatex -interaction=nonstopmode -halt-on-error t.tex) >"$work/err" 2>&1
    status=$?
    ended 0 && [ -s "$work/t.pdf" ]
    check "and the table compiles"
else
    skip "and the table compiles" "pdflatex or booktabs is not installed" texlive-latex-recommended
fi
program report "$work/run" --out "$work/report.html"
ended 0 && grep -qF '&lt;b&gt;&amp;amp;' "$work/report.html" && ! grep -qF '<b>&amp;' "$work/report.html"
check "a report shows the names, and takes none as HTML"
program export "$work/run" --out "$work/flat.csv"
ended 0 && grep -qF ',50%s%d%n,' "$work/flat.csv" && grep -qF ',a|b,' "$work/flat.csv"
check "the export has them"
program bundle "$work/run" --out "$work/run.tar"
ended 0 && program replay "$work/run.tar" && ended 0
check "a bundle is written and repeated in the C locale"

# ---- names of files that are not ASCII: plugins' sources ----
echo '/* source */' >"$work/ä.c"
program bundle "$work/run" --plugin-source "$work/ä.c" --out "$work/source.tar"
ended 0 && program replay --verify "$work/source.tar"
ended 0 && tar -tf "$work/source.tar" 2>/dev/null | grep -q 'plugins/\(ä\|.303.244\)[.]c$'
check "a file whose name is not ASCII goes into a bundle and out of it, also in the C locale"

# ---- names that cannot be ----
bad=0
for name in 'a b' 'a/b' 'a\\u0001' "$(awk 'BEGIN { while (i++ < 300) printf "x" }')" "$(awk 'BEGIN { while (i++ < 70)
    printf "日" }')"; do
    config "$name"
    program run "$work/config.json" --out "$work/refused" --quiet
    { ended 2 1 && says_at config.json ': datasets[0]' && [ ! -e "$work/refused/traces" ]; } || bad=1
done
[ "$bad" = 0 ]
check "a name with a blank, slash or control character, or too long for a file, is refused at the start"
config x
sed "s|c/%d|$(awk 'BEGIN { while (i++ < 300) printf "x" }')|" "$work/config.json" >"$work/long.json"
program run "$work/long.json" --out "$work/refused" --quiet
ended 0 && program plot "$work/refused" --no-render
ended 0 && [ -n "$(find "$work/refused/plots" -name 'xxx*==????????????????.gp')" ]
check "a long name of a figure is cut and gets a hash"
finish
