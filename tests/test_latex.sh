#!/bin/sh
# The LaTeX tables of small runs compile as they are, in the document that docs/formats.md gives, and no line or table
# is too large for the page.
# shellcheck source=tests/tap.sh
. "$(dirname -- "$0")/tap.sh"

if ! command -v pdflatex >/dev/null || ! kpsewhich booktabs.sty >/dev/null; then
    skip "the LaTeX tables compile with booktabs" "pdflatex or booktabs is not installed"
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
finish
