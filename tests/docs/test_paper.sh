#!/bin/sh
# docs/paper/atlas.tex agrees with the current docs/atlas.md, compiles, has all its figures, and nothing in it is wider
# than the page.
# shellcheck source=tests/tap.sh
. "$(dirname -- "$0")/../tap.sh"

[ "$(sed -n '1s/.*sha256 //p' "$root/docs/paper/atlas.tex")" = "$(sha256sum "$root/docs/atlas.md" | cut -c1-64)" ]
check "atlas.tex is made of atlas.md as it is now (make docs-paper renews it)"
if ! command -v pdflatex >/dev/null || ! kpsewhich booktabs.sty >/dev/null; then
    skip "the paper compiles" "pdflatex or booktabs is not installed" texlive-latex-recommended
    finish
fi
cp "$root"/docs/paper/* "$work"
(cd "$work" && pdflatex -interaction=nonstopmode -halt-on-error atlas.tex &&
    pdflatex -interaction=nonstopmode -halt-on-error atlas.tex) >"$work/err" 2>&1
status=$?
ended 0 && [ -s "$work/atlas.pdf" ]
check "the paper compiles"
! grep -aE 'Missing character|not found|LaTeX Warning: (Reference|Citation)' "$work/err" >"$work/wrong"
check "no character, figure or reference is missing"
grep -a '^Overfull .hbox' "$work/err" | sed 's/^Overfull .hbox (\([0-9]*\).*/\1/' >"$work/wide"
awk '$1 > 5 { exit 1 }' "$work/wide"
check "nothing is wider than the page by more than 5 pt"
finish
