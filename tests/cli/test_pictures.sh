#!/bin/sh
# Pictures as readers see them: legends beside their marks, curves inside their frames, dark colours for large numbers,
# names on axes; and captions that say what is drawn. tests/cli/test_print.sh checks that no texts overlap.
# shellcheck source=tests/tap.sh
. "$(dirname -- "$0")/../tap.sh"
cd "$work" || exit 4

if ! command -v gnuplot >/dev/null; then
    skip "pictures" "gnuplot is not installed" gnuplot-nox
    finish
fi
sets='"splits": "1-2", "standardise": "none", "datasets": [
  {"name": "n50", "n_train": 50, "n_test": 20, "generate": {"shape": "gaussians", "features": 4}},
  {"name": "n100", "n_train": 100, "n_test": 20, "generate": {"shape": "gaussians", "features": 4}},
  {"name": "n200", "n_train": 200, "n_test": 20, "generate": {"shape": "gaussians", "features": 4}}],
 "stop": {"rule": "duality-gap", "tolerance": 1e-3}, "budget": {"iterations": 100000}'
cat >run.json <<END
{"name": "pictures", $sets,
 "kernel": {"type": "rbf", "width": [2, 8, 32]}, "parameters": {"C": [0.1, 4, 400]},
 "solvers": ["1-smo", "second-order-smo"],
 "plots": [{"kind": "profile"}, {"kind": "profile", "name": "steps", "metric": "iterations"},
           {"kind": "error", "where": {"C": 4}},
           {"kind": "heatmap", "metric": "iterations", "datasets": ["n100"]}]}
END
program run run.json --out run --quiet
ended 0 && program plot run
ended 0 && [ "$(find run/plots -name '*.svg' | wc -l)" -eq 4 ]
check "four figures are drawn"

# place_of ELEMENT PICTURE: x and y of its elements with a translation: marks ("use") or texts ("g").
place_of() {
    grep -o "<$1 [^>]*translate([-0-9.]*,[-0-9.]*)" "$2" | sed 's/.*(\(.*\),\(.*\))/\1 \2/'
}
# gnuplot raises the text of a label that has a mark, too: its baseline is then above the centre of the mark.
bad=0
for name in profile error; do
    mark=$(place_of use run/plots/$name.svg | head -n 1)
    tr -d '\n\t' <run/plots/$name.svg | sed 's/<g /\n<g /g' | grep '>1-smo' >text.svg
    place_of g text.svg | awk -v mark="$mark" '{ split(mark, at, " "); below = $2 - at[2]
        exit !(below > 2 && below < 6 && $1 > at[1] + 5) }' || bad=1
done
[ $bad -eq 0 ]
check "the text of a legend is as high as its mark, and right of it"

# Shares of 1: the tic of 1 is below the frame's top.
top=$(grep -o "d='M[-0-9.]*,[-0-9.]* L[-0-9.]*,[-0-9.]* L[-0-9.]*,[-0-9.]* L[-0-9.]*,[-0-9.]* L[-0-9.]*,[-0-9.]* Z" \
    run/plots/profile.svg | head -n 1 | sed "s/d='M[-0-9.]*,\([-0-9.]*\).*/\1/")
tr -d '\n\t' <run/plots/profile.svg | sed 's/<g /\n<g /g' | grep 'text-anchor="end".*>1<' >text.svg
place_of g text.svg | head -n 1 | awk -v top="$top" '{ exit !(top > 0 && $2 - 3.6 > top + 5) }'
check "a curve at 1 is not on the frame"

# Of the cells of a heat map, by the numbers in them, the one with the most iterations is the darkest.
awk '/^[0-9]/ { if ($7 != "NaN") print $7 }' run/plots/heatmap-n100.dat | sort -g >values
[ "$(wc -l <values)" -eq 18 ] && grep -q 'palette_of_numbers' run/plots/heatmap-n100.gp &&
    [ "$(grep -l 'set palette' "$root"/plots/*.gp)" = "$root/plots/common.gp" ] &&
    sed -n "s/^palette_of_numbers = .*defined (\(.*\))'/\1/p" "$root/plots/common.gp" | tr -d '",#' |
    awk '{ for (i = 2; i <= NF; i += 2) { light = 0
               for (k = 1; k <= 5; k += 2) light += index("0123456789abcdef", substr($i, k, 1))
               if (i > 2 && light >= last) exit 1
               last = light }
           exit NF != 10 }'
check "all maps of numbers share one palette, whose colours grow darker"

! grep -E 'candlesticks|boxplot' "$root"/plots/*.gp >"$work/err"
check "no figure has boxes that look like quartiles"

grep -q 'Kernel operations without' run/plots/profile.txt && ! grep -q 'Kernel operations' run/plots/steps.txt
check "only a profile of kernel operations speaks of them"

cat >sizes.json <<END
{"name": "sizes", $sets,
 "kernel": {"type": "rbf", "width": 8}, "parameters": {"C": 4},
 "solvers": ["1-smo", "cycle-1-smo", "second-order-smo", "conjugate-smo", "packed-smo"]}
END
program run sizes.json --out sizes --quiet
ended 0 && program atlas sizes --out grown --quiet
growth=grown/plots/atlas-growth-linear-n_train-1
ended 0 && [ "$(grep -c '>training patterns<' $growth.svg)" -eq 2 ] && grep -q '>iterations<' $growth.svg &&
    grep -q '>kernel operations of the iterations<' $growth.svg && ! grep -qE '>(n_train|kernel[-_])' $growth.svg
check "figures of growth name their axes in words"
grep -q '^array x_axes\[2\]' $growth.gp && grep -q '^fewest_for_range = 4' $growth.gp
check "five solvers take two panels, and intervals of fewer than four splits do not widen them"

# A printed number that several columns repeat is one mark: of 20 compared cells of this run four count.
(cd "$root" &&
    program_with_data run configs/potluru2008-split-gaussian.json --quick --out "$work/potluru" --quiet)
if [ -s potluru/records.jsonl ]; then
    program plot potluru --no-render
    ended 0 && [ "$(grep -c '^[0-9]' potluru/plots/paper-ratio-potluru2008.table1.dat)" -eq 4 ] &&
        grep -q '^array counts.* = \[3, 0, 1, 0' potluru/plots/paper-ratio-potluru2008.table1.gp
    check "a number that several columns print is one mark in the figure of ratios"
else
    skip "a number that several columns print is one mark in the figure of ratios" "$no_data"
fi
finish
