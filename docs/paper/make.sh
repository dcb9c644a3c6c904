#!/bin/sh
# Writes atlas.tex from ../atlas.md. The title is the page's first heading; figures are the PDF files of this folder in
# the place of the page's SVG files, and links to other pages become their names.
set -eu
cd "$(dirname "$0")"
command -v pandoc >/dev/null || { echo "docs/paper/make.sh: pandoc is needed (Debian package pandoc)" >&2; exit 4; }
out=${1:-atlas.tex}
format=markdown-implicit_figures-superscript-subscript-tex_math_dollars-raw_tex-citations-yaml_metadata_block
title=$(sed -n '1s/^# //p' ../atlas.md)
echo "% Made of docs/atlas.md by docs/paper/make.sh: sha256 $(sha256sum ../atlas.md | cut -c1-64)" >"$out"
sed -e 1d -e 's|](images/\([a-z0-9-]*\)\.svg)|](\1.pdf)|' -e 's|\[\([^][]*\)\]([a-z0-9-]*\.md[^)]*)|\1|g' ../atlas.md |
    pandoc --from "$format+lists_without_preceding_blankline" --to latex --shift-heading-level-by=-1 --wrap=none \
        --template template.tex -V "title=$title" >>"$out"
