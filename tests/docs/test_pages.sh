#!/bin/sh
# Runs the commands of the documents: the blocks marked "run" of each page (tests/docs/page_script.awk), in the order of
# the page, in an empty folder with an installed program. Pages marked "in the source tree" run in a copy of the tree.
# Lines of blocks marked "prints" must occur in the output. Pages that another test runs are skipped.
# shellcheck source=tests/tap.sh
. "$(dirname -- "$0")/../tap.sh"

make_root install PREFIX="$work/prefix" >"$work/log" 2>"$work/err"
check "an installed program"
PKG_CONFIG_PATH=$work/prefix/lib/pkgconfig
PATH=$work/prefix/bin:$PATH
export PKG_CONFIG_PATH PATH
unset HULLBENCH_DATADIR

skipped=
command -v gnuplot >/dev/null || skipped="$skipped gnuplot"
command -v pdflatex >/dev/null && kpsewhich booktabs.sty >/dev/null || skipped="$skipped latex"
command -v python3 >/dev/null && python3 -c 'import pandas, matplotlib' 2>/dev/null || skipped="$skipped python"
command -v Rscript >/dev/null || skipped="$skipped R"

# tested_elsewhere PAGE: the test that runs the page; status 1 if there is none.
tested_elsewhere() {
    case $1 in
    docs/adding-a-paper.md) test=test_adding_paper.sh ;;
    docs/adding-a-solver.md) test=test_adding_page.sh ;;
    docs/plugins.md) test=../plugins/test_plugin_kernels.sh ;;
    *) return 1 ;;
    esac
    grep -qF "$1" "$root/tests/docs/$test"
}

# place PAGE FOLDER: makes the folder in which the commands of the page run.
place() {
    if grep -q '^<!-- in the source tree -->' "$root/$1"; then
        copy_tree "$2" && copy_build "$2/build"
    else
        mkdir "$2" && ln -s "$work/prefix/share/hullbench/configs" "$2/configs"
    fi
}

# The runs of the gate's configuration use titanic, the cheapest data set, or three solvers where a page compares vector
# widths; other runs use two splits instead of five. With HULLBENCH_TESTS=all the pages are followed to the letter.
fewer='s/--out \(generic\|vectorised\)$/& --solvers clip-mdm,mu-gsk,interior-point/; t
    s/\(configs\/ci.json --datasets \)twonorm\(,titanic\)*/\1titanic/
    s/check configs\/ci.json --solvers clip-mdm/& --datasets titanic/
    s/--datasets titanic,waveform --splits 1-5/--datasets titanic,waveform --splits 1-2/
    s/"splits": "1-5"/"splits": "1-2"/'

for page in $(cd "$root" && grep -l '^<!-- run' ./*.md docs/*.md docs/*/*.md datasets/*.md plots/*.md); do
    page=${page#./}
    tested_elsewhere "$page" && continue
    folder=$work/$(echo "$page" | tr / -)
    place "$page" "$folder" || exit 4
    awk -v skip="$skipped" -f "$root/tests/docs/page_script.awk" "$root/$page" >"$work/steps"
    if [ "${HULLBENCH_TESTS-}" != all ]; then
        sed "$fewer" "$work/steps" >"$work/fewer" && mv "$work/fewer" "$work/steps"
    fi
    blocks=$(grep -c '^echo "DONE ' "$work/steps")
    (cd "$folder" && MAKEFLAGS=CURDIR=$root sh -eu "$work/steps") >"$work/out" 2>"$work/err"
    status=$?
    [ "$status" -eq 0 ] && [ "$(grep -c '^DONE' "$work/out")" -eq "$blocks" ]
    check "$page: all $blocks blocks end with status 0"
    awk '/^<!-- prints -->/ { on = 1; next } on && /^    / { print substr($0, 5); begun = 1; next }
        on && begun { on = begun = 0 }' "$root/$page" >"$work/lines"
    [ -s "$work/lines" ] || continue
    case $page/$skipped in
    docs/tutorial.md/*gnuplot*) skip "$page prints what it shows" "gnuplot is not installed" gnuplot-nox; continue ;;
    esac
    cat "$work/out" "$work/err" >"$work/printed"
    while IFS= read -r line; do
        grep -qxF -e "$line" "$work/printed" || echo "not printed: $line"
    done <"$work/lines" >"$work/err"
    [ ! -s "$work/err" ]
    check "$page prints what it shows"
done
finish
