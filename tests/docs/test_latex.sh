#!/bin/sh
# The LaTeX tables of small runs compile unchanged in the document of docs/formats.md, and no line or table is too large
# for the page.
# shellcheck source=tests/tap.sh
. "$(dirname -- "$0")/../tap.sh"

if ! command -v pdflatex >/dev/null || ! kpsewhich booktabs.sty >/dev/null; then
    skip "the LaTeX tables compile with booktabs" "pdflatex or booktabs is not installed" texlive-latex-recommended
    finish
fi
program run "$root/configs/lopez2011-tables-2-3.json" --out "$work/one" --datasets titanic,twonorm --splits 1-2 \
    --repeats 2 --quiet
program run "$root/configs/lopez2008-1svm.json" --out "$work/two" --datasets titanic --splits 1-2 --quiet
program run "$root/configs/variants-smo.json" --out "$work/three" --datasets titanic --splits 1-2 --quiet
program tables "$work/one" "$work/two" "$work/three"
ended 0
check "tables of three small runs are written"
program compare "$work/one" --baseline mu-gsk --solver clip-mdm --out "$work/one/tables" --no-render
ended 0 && [ -s "$work/one/tables/compare.tex" ] && [ -s "$work/one/tables/compare-time.tex" ]
check "so are those of a comparison"
cat >"$work/spec.json" <<'END'
[{"name": "narrow", "caption": "50 % of {all} & $1_a^b$ #2 \\ ~ <|>", "rows": ["dataset"], "columns": ["solver"],
  "metrics": [{"metric": "kernel-operations", "divisor": 1000}], "best_in": "row", "marks": {"against": "clip-mdm"},
  "labels": {"mu-gsk": "GSK_1", "clip-mdm": "MDM & co."}, "width": "column", "grouping": "thin-space"},
 {"name": "several", "rows": ["dataset", "solver"], "metrics": ["error", "gap",
  {"metric": "iterations", "statistic": "quartiles"}, {"metric": "gap", "ratio_to": "mu-gsk"}]},
 {"name": "cut", "rows": ["dataset", "solver"], "width": "column",
  "metrics": ["error", "iterations", "support-vectors", "gap", "objective", "kernel-operations", "kkt-violation"]}]
END
program tables "$work/one" --spec "$work/spec.json"
ended 0 1 && says one/tables/cut.tex && says 'allowed: '
check "a table that does not fit its column is said to, and only that"
[ "$(grep -c 'begin{tabular}' "$work/one/tables/cut.tex")" -gt 1 ] &&
    [ "$(grep -c '^data set & solver' "$work/one/tables/cut.tex")" = \
        "$(grep -c 'begin{tabular}' "$work/one/tables/cut.tex")" ]
check "its parts name data set and solver again"
{
    sed -n '/^    \\documentclass/,/^    \\begin{document}/s/^    //p' "$root/docs/formats.md"
    for table in "$work"/*/tables/*.tex; do
        printf '\\typeout{TABLE %s}\\input{%s}\\clearpage\n' "$table" "$table"
    done
    sed -n '/^    \\end{document}/s/^    //p' "$root/docs/formats.md"
} >"$work/all.tex"
(cd "$work" && pdflatex -interaction=nonstopmode -halt-on-error all.tex) >"$work/err" 2>&1
status=$?
ended 0 && [ -s "$work/all.pdf" ] && [ "$(grep -c '^TABLE ' "$work/err")" -eq \
    "$(find "$work" -name '*.tex' -path '*/tables/*' | wc -l)" ]
check "all of them compile in the document of docs/formats.md"
! grep -aE 'Overfull|Float too large|Missing character|LaTeX Warning: (Reference|Citation)' "$work/err" >"$work/large"
check "none is wider or higher than the page"
# The same in two columns, with text of a table across both.
sed 's/documentclass{/documentclass[twocolumn]{/' "$work/all.tex" >"$work/two.tex"
(cd "$work" && pdflatex -interaction=nonstopmode -halt-on-error two.tex) >"$work/err" 2>&1
status=$?
for name in narrow several cut summary; do
    sed -n "/^TABLE .*one.tables.${name}[.]tex/,/^TABLE/p" "$work/err"
done >"$work/ours"
ended 0 && grep -q 'tables/narrow.tex' "$work/ours" &&
    ! grep -aE 'Overfull|Float too large|Missing character' "$work/ours"
check "tables of one's own fit a page of two columns"

# The width as measured by LaTeX, next to the estimate in the file's second line.
for name in narrow several; do
    awk -v name="$name" 'NR == 2 { for (i = 1; i < NF; i++) if ($i == "width") estimate = $(i + 1) }
        /^.centering/ { print "{" substr($0, 11) }
        /begin{tabular}/ { printf "\\setbox0\\hbox{" } /begin{tabular}/, /end{tabular}/
        /end{tabular}/ { printf "\\unskip}\\typeout{WIDTH %s %s \\the\\wd0}}\n", name, estimate }' \
        "$work/one/tables/$name.tex"
done >"$work/boxes"
{
    printf '\\documentclass{article}\n\\usepackage{booktabs,graphicx}\n\\begin{document}\n'
    cat "$work/boxes"
    printf '\\end{document}\n'
} >"$work/measure.tex"
(cd "$work" && pdflatex -interaction=nonstopmode -halt-on-error measure.tex) >"$work/err" 2>&1
sed -n 's/^WIDTH/#/p' "$work/err"
# Kerning and ligatures make the text narrower than the sum of its letters.
[ "$(grep -c '^WIDTH' "$work/err")" -eq 2 ] && awk '/^WIDTH/ { sub("pt", "", $4)
    if ($4 > $3 + 0.5 || $4 < 0.9 * $3) exit 1 }' "$work/err"
check "LaTeX measures at most the estimated width and at least nine tenths of it"
finish
