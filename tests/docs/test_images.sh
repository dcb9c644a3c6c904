#!/bin/sh
# The figures of the documents are those that this tree draws from their numbers.
# shellcheck source=tests/tap.sh
. "$(dirname -- "$0")/../tap.sh"

if ! command -v gnuplot >/dev/null; then
    skip "the figures of the documents are up to date" "gnuplot is not installed" gnuplot-nox
    finish
fi
"$root/docs/images.sh" "$work" >"$work/out" 2>"$work/err"
status=$?
ended 0 0 && [ "$(find "$work" -name '*.svg' | wc -l)" -ge 3 ]
check "the figures of the documents are drawn again"
stale=0
for program in "$work"/*.gp; do
    cmp -s "$program" "$root/docs/images/$(basename "$program")" || stale=1
done
[ "$stale" -eq 0 ]
check "their programs have the templates of plots/ (make docs-images)"
# The bytes of a picture depend on gnuplot's version.
if gnuplot --version | grep -q ' 5[.]4 '; then
    for picture in "$work"/*.svg; do
        cmp -s "$picture" "$root/docs/images/$(basename "$picture")" || stale=1
    done
    [ "$stale" -eq 0 ]
    check "and their pictures are those that gnuplot draws now"
else
    skip "and their pictures are those that gnuplot draws now" "gnuplot is not 5.4" gnuplot-nox
fi
finish
