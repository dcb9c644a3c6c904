#!/bin/sh
# Figures for print: the example of docs/plots.md unchanged, and figures of several kinds and sizes, in which no text
# leaves its page, overlaps another text or is smaller than 7 pt; and errors, which write nothing.
# shellcheck source=tests/tap.sh
. "$(dirname -- "$0")/../tap.sh"
cd "$work" || exit 4

if ! command -v gnuplot >/dev/null || ! command -v pdftotext >/dev/null; then
    skip "figures for print" "gnuplot or pdftotext is not installed" gnuplot-nox poppler-utils
    finish
fi

# words_of PDF: the words in wrong places: outside the page, or on another word. The box of a word has a margin of a
# fifth above and below its letters.
words_of() {
    pdftotext -bbox "$1" - 2>/dev/null | awk -v file="$1" '
        function number(name, from) {
            match($0, name "=\"[-0-9.]*\"")
            return substr($0, RSTART + length(name) + 2, RLENGTH - length(name) - 3) + 0
        }
        /<page/ { width = number("width"); height = number("height") }
        /<word/ {
            x0 = number("xMin"); x1 = number("xMax"); room = 0.2 * (number("yMax") - number("yMin"))
            y0 = number("yMin") + room; y1 = number("yMax") - room
            word = $0; gsub(/<[^>]*>/, "", word)
            if (x0 < 0 || x1 > width || y0 < 0 || y1 > height) print file ": outside: " word
            for (i = 1; i <= n; i++)
                if (x0 + 0.5 < right[i] && x1 - 0.5 > left[i] && y0 < low[i] && y1 > high[i])
                    print file ": " word " lies on " words[i]
            n++; left[n] = x0; right[n] = x1; high[n] = y0; low[n] = y1; words[n] = word
        }
        END { if (!n) print file ": no words" }'
}

# The lines of the example that begin with { or the program, without indentation.
awk '/^## /{ on = /Figures for a paper/ } on && /^### Example/ { example = 1 } on && example' "$root/docs/plots.md" \
    >example.md
awk '/^    \{$/ { n++ } /^    [ {}]/ { print substr($0, 5) >("part" n ".json") }' example.md
mv part1.json my.json && mv part2.json paper.json
grep '^    hullbench ' example.md | sed "s|^    hullbench|'$hullbench'|" >commands.sh
[ "$(wc -l <commands.sh)" -eq 2 ] && sh -e commands.sh >out 2>err
check "the example of docs/plots.md runs as it stands"
[ -s my/paper/working-set.pdf ] && [ -s my/paper/working-set-latex.tex ] && [ -s my/paper/profile.pdf ] &&
    grep -q '^Kernel operations: twonorm, 5 splits[.]$' my/paper/working-set.txt &&
    [ "$(wc -l <my/paper/profile.txt)" -eq 2 ]
check "it leaves what the page says"
pdftotext my/paper/profile.pdf text.txt && grep -q 'SMO, second order' text.txt &&
    ! grep -qE 'Performance|Share of the|svm-light' text.txt
check "the picture has the given names, and neither heading nor caption"
pdfinfo my/paper/profile.pdf | awk '/^Page size/ { exit !($3 > 242.8 && $3 < 244.8) }' # 8.6 cm are 243.8 pt
check "it is 8.6 cm wide"

# Counts that differ by 8 %: a logarithmic axis would show them as one line, with at most one tic next to them. The tics
# of the second figure have the maximum width.
near() {
    sed "s/^name = .*/name = \"$1\"/; s/^data = .*/data = \"$1.dat\"/; s/^endings.*/endings = \"pdf\"/" \
        my/paper/working-set.gp >"my/paper/$1.gp"
    awk -v low="$2" -v high="$3" '/^[0-9N]/ { $3 = $5 = $6 = $7 = n++ % 2 ? low : high } { print }' \
        my/paper/working-set.dat >"my/paper/$1.dat"
    (cd my/paper && LC_ALL=C.UTF-8 gnuplot "$1.gp") 2>"$work/err" && [ ! -s "$work/err" ] &&
        pdftotext "my/paper/$1.pdf" text.txt
}
near near 296400 319200 && grep -q '^300000$' text.txt && grep -q '^320000$' text.txt && near wide 12400000 12500000 &&
    grep -q '1.25·10' text.txt
check "counts that hardly differ are told apart"

# Figures of several kinds.
{
    sed 's/"name": "my"/"name": "kinds"/; s/"q": \[[^]]*\]/"q": [2, 16, 64]/; s/"1-5"/"1-2"/; $d' my.json
    cat <<'END'
  , "budget": {"iterations": 300}, "trace": {"datasets": ["titanic"], "splits": "1"},
  "plots": [{"kind": "error", "where": {"C": 10}}, {"kind": "iterations"}, {"kind": "convergence"},
            {"kind": "lines"}, {"kind": "profile"}, {"kind": "objective", "where": {"q": 2}}]
}
END
} >kinds.json
cat >grid.json <<'END'
{"name": "grid", "datasets": [{"name": "titanic", "synthetic": true}], "splits": "1-2", "standardise": "full-set",
 "kernel": {"type": "rbf", "width": [0.2, 2, 20]}, "parameters": {"mu": [0.02, 0.05, 0.2], "C": [0.1, 1, 1000]},
 "solvers": [{"name": "clip-mdm", "stop": {"rule": "gap-sum-w2", "tolerance": 0.1}}, "1-smo"],
 "stop": {"rule": "kkt", "tolerance": 0.1}, "budget": {"iterations": 1000}}
END
program run kinds.json --out kinds --quiet
ended 0 && program run grid.json --out grid --quiet
ended 0
check "two further runs"
sizes=0
for size in 'column 8 DejaVu~Sans' 'text 9 DejaVu~Sans' '9cm 12 DejaVu~Sans'; do
    # shellcheck disable=SC2086 # three words
    set -- $size
    for run in kinds grid; do
        program plot "$run" --for paper --width "$1" --font-size "$2" --font "$(echo "$3" | tr '~' ' ')" \
            --format pdf,svg --out "print-$1/$run"
        ended 0 && sizes=$((sizes + 1))
    done
done
for run in kinds grid my; do
    program plot "$run" --format pdf --out "print-screen/$run"
    ended 0 && sizes=$((sizes + 1))
done
[ "$sizes" -eq 9 ]
check "figures of six kinds and more are drawn at three sizes and for the screen"

# Figures of other verbs.
cat >search.json <<'END'
{"name": "search", "datasets": [{"name": "titanic", "synthetic": true}], "standardise": "full-set", "seed": 3,
 "kernel": {"type": "rbf"}, "solvers": ["1-smo"], "stop": {"rule": "delta", "tolerance": 0.01},
 "budget": {"iterations": 400},
 "tune": {"splits": 1, "folds": 2, "C": {"from": 0.1, "to": 100}, "width": {"from": 1, "to": 4},
          "grid": {"C": 4, "width": 3}, "cma-es": {"generations": 2}}}
END
program compare kinds --against 1-smo --solver second-order-smo --out compared --no-render --quiet
ended 0 && program plot compared --for paper --series '1-smo=SMO,second-order-smo=Mine (ours)' --out print-compared
ended 0 && pdftotext print-compared/compare.pdf text.txt && grep -qF 'Mine (ours)' text.txt &&
    grep -q '^SMO' text.txt && ! grep -qE 'smo|Share of the' text.txt &&
    grep -q '^Performance profiles: ' print-compared/compare.txt
check "the figure of a comparison is set again, with the given names"
program tune search.json --out search --no-render --quiet
ended 0 && program plot search --for paper --out print-search
ended 0 && [ -s print-search/tune-titanic-1-smo.pdf ] && grep -q 'Best of the grid' print-search/tune-titanic-1-smo.txt
check "so is that of a search"
pdftotext print-search/tune-titanic-1-smo.pdf text.txt && grep -q 'best of CMA-ES' text.txt &&
    ! grep -q printed text.txt
check "its legend has only what there is"

find print-* my/paper -name '*.pdf' ! -name '*-latex.pdf' | sort >pictures
while read -r picture; do words_of "$picture"; done <pictures >"$work/err"
[ "$(wc -l <pictures)" -gt 30 ] && [ ! -s "$work/err" ]
check "no text leaves its page or lies on another"
find print-* -name '*.svg' -exec grep -ho 'font-size="[0-9.]*"' {} + | awk -F '"' '
    { n++; if ($2 < 7 * 96 / 72 - 0.05) small++ } END { exit !(n > 100 && small == 0) }'
check "no text is smaller than 7 pt"
if command -v pdftoppm >/dev/null; then
    while read -r picture; do
        pdftoppm -r 72 -gray -singlefile "$picture" page
        # The header ends with the third line: magic, size, maximum. The outermost row and column of pixels are white.
        size=$(sed -n 2p page.pgm | tr -d '\0')
        tail -c +"$(($(head -n 3 page.pgm | wc -c) + 1))" page.pgm | od -An -v -tu1 -w1 | awk -v size="$size" \
            -v file="$picture" 'BEGIN { split(size, of, " ") }
            { row = int((NR - 1) / of[1]); column = (NR - 1) % of[1] }
            (row == 0 || row == of[2] - 1 || column == 0 || column == of[1] - 1) && $1 < 250 { ink++ }
            END { if (ink || NR != of[1] * of[2]) print file ": " ink + 0 " dark pixels at the edge" }'
    done <pictures >"$work/err"
    [ ! -s "$work/err" ]
    check "nothing is cut off at an edge"
else
    skip "nothing is cut off at an edge" "pdftoppm is not installed" poppler-utils
fi
for locale in LC_ALL=de_DE.UTF-8 LANG=C; do
    env -i PATH="$PATH" HULLBENCH_DATADIR="$HULLBENCH_DATADIR" $locale \
        "$hullbench" plot kinds --for paper --only profile \
        --format svg --out "bare-${locale#*=}"
done >"$work/out" 2>"$work/err"
! grep -q iconv "$work/err" && [ -n "$(find bare-C -name '*.svg')" ] && diff -r bare-C bare-de_DE.UTF-8 >"$work/out"
check "the locale, or the want of one, changes no figure"
program plot kinds --for paper --single-panels --only profile --format pdf --out panels
ended 0 && [ -s panels/profile-1.pdf ] && [ -s panels/profile-3.pdf ] && [ ! -e panels/profile.pdf ] &&
    grep -q '^Performance and data profiles: .*: kernel operations / training patterns[.]$' panels/profile-3.txt
check "single panels are pictures of their own"
looks() {
    awk -v solver="$2" '/^array series\[/ {
            split($0, part, /[[,] *"|", "|"\]/)
            for (i in part) if (part[i] == solver) at = i
        }
        /^array series_mark/ { sub(/.*= \[/, ""); split($0, marks, /, |\]/); print marks[at - 1] }' "$1"
}
first=$(looks print-column/kinds/iterations.gp second-order-smo)
program plot kinds --for paper --solvers second-order-smo --format pdf --out alone --only iterations
ended 0 && [ -n "$first" ] && [ "$first" = "$(looks alone/iterations.gp second-order-smo)" ]
check "a solver drawn alone has the mark that it has among others"

# LaTeX.
program plot kinds --for paper --series '1-smo=A_B & 100% #1,svm-light' --datasets twonorm --only profile \
    --format tikz,cairolatex --out tex
ended 0 && ! grep -q warning "$work/out" "$work/err" && [ -s tex/profile.tikz ] &&
    [ -s tex/profile-latex.tex ] && [ -s tex/profile-latex.pdf ]
check "figures for LaTeX are drawn"
if command -v pdflatex >/dev/null && kpsewhich tikz.sty >/dev/null; then
    (cd tex && LC_ALL=C.UTF-8 gnuplot -e 'set terminal tikz createstyle' && cat >all.tex <<'END' &&
\documentclass{article}
\usepackage[utf8]{inputenc}
\usepackage{graphicx,color,gnuplot-lua-tikz}
\begin{document}
\input{profile-latex}

\input{profile.tikz}
\end{document}
END
        pdflatex -interaction=nonstopmode -halt-on-error all.tex) >log 2>&1
    status=$?
    tail -20 log >"$work/err"
    ended 0 && ! grep -aE 'Missing character|^! ' log && pdftotext tex/all.pdf - | grep -q 'B & 100% #1'
    check "LaTeX sets them, names with its own signs too"
else
    skip "LaTeX sets them, names with its own signs too" "pdflatex or TikZ is not installed" texlive-pictures
fi

# Errors.
mistakes=0
while IFS='|' read -r wanted text option value; do
    program plot my --out refused "$option" "$value"
    if ended "$wanted" 1 && says "$text" && [ ! -e refused ]; then
        mistakes=$((mistakes + 1))
    else
        echo "# $option $value: status $status"
        sed 's/^/# /' "$work/err"
    fi
done <<'END'
2|did you mean "paper"|--for|papr
2|--for paper|--width|column
2|--for paper|--font-size|8
2|7pt to 20pt|--font-size|5
2|allowed: svg, png, pdf, tikz, cairolatex|--format|pfd
2|did you mean "svm-light"|--series|svm-lite=Mine
2|did you mean "titanic"|--datasets|titanik
2|nosuch.json|--spec|nosuch.json
END
[ "$mistakes" -eq 8 ]
check "eight mistakes are one line each, end with 2 and write nothing"
echo '{"series": [{"solver": "svm-light", "where": {"q": 5}}]}' >none.json
program plot my --out refused --spec none.json
ended 3 1 && says "where.q: 5" && [ ! -e refused ]
check "a choice that nothing fits ends with 3 and the condition"
finish
