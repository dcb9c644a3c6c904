#!/bin/sh
# Draws the figures of the documents again with the templates of this tree: docs/images/NAME.gp keeps the variables of
# the figure, docs/images/NAME.dat its numbers. Pictures without these files are kept. Usage: docs/images.sh [FOLDER],
# the folder for the programs and pictures, docs/images by default. Needs gnuplot.
set -eu
root=$(cd "$(dirname -- "$0")/.." && pwd)
out=${1-$root/docs/images}
for program in "$root"/docs/images/*.gp; do
    name=$(basename "$program" .gp)
    template=$(sed -n 's/^# Template: //p' "$program")
    {
        sed '/^# Shared by all figures/,$d' "$program"
        cat "$root/plots/common.gp"
        echo
        cat "$root/$template"
    } >"$out/$name.new"
    mv "$out/$name.new" "$out/$name.gp"
    [ "$out" = "$root/docs/images" ] || cp "$root/docs/images/$name.dat" "$out"
    (cd "$out" && LC_ALL=C.UTF-8 gnuplot -d "$name.gp")
done
