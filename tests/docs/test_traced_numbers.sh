#!/bin/sh
# Numbers of the documents stand in the files that their sections name (tests/docs/traced_numbers.py).
# shellcheck source=tests/tap.sh
. "$(dirname -- "$0")/../tap.sh"

if ! python3 -c 1 2>/dev/null; then
    skip "numbers of the documents against the files that their sections name" "python3 is not installed" python3
    finish
fi
# traced TREE
traced() {
    python3 "$root/tests/docs/traced_numbers.py" "$1" >"$work/err" 2>&1
    status=$?
}
traced "$root"
ended 0 1
check "each number stands in a file that its section names: $(tail -n 1 "$work/err")"
[ "$(sed -n 's/ numbers, .*//p' "$work/err")" -ge 500 ]
check "these are hundreds of numbers"

# a small tree
mkdir -p "$work/tree/docs/results" "$work/tree/docs/solvers"
cat >"$work/tree/docs/page.md" <<'END'
# Page

<!-- numbers: results/a.md, results/b.md[heart]; given 95, 0.05 -->

At 95 % and 0.05 it took 12.3 s, 4 567.9 s on heart, and 1e-3 in three of 20 runs, see Table 5.2 of 1999 and `0.777`.

| | a | b |
| --- | --: | --: |
| one-solver | 1.5 | 2.5 |
| solver | 3.5 | 4.5 |

## Without numbers

Nothing, in 5 ways.

## By command

<!-- numbers: by the named commands -->

`make bench` took 8.2 s.
END
printf '| a | 12.345 |\n# 99.5\n' >"$work/tree/docs/results/a.md"
printf 'heart 4567.91 20 one-solver 1.5 2.5\nimage 31.4\nheart solver 3.5 4.5\n' >"$work/tree/docs/results/b.md"
traced "$work/tree"
ended 0 1 && grep -q '^9 numbers, of which 0 would pass with .* raised; 1 sections rest on commands' "$work/err"
check "numbers round to those of a source, with thin spaces or without; settings, years and code do not count"

# refused CHANGE NUMBER: the page changed by sed is refused, and the message names the number.
refused() {
    mkdir -p "$work/other/docs/solvers"
    cp -R "$work/tree/docs/results" "$work/other/docs/"
    sed "$1" "$work/tree/docs/page.md" >"$work/other/docs/page.md"
    traced "$work/other"
    [ "$status" -eq 1 ] && grep -q "^docs/page.md: .*$2" "$work/err"
}
refused 's/12[.]3/12.4/' 'Page: 12[.]4 stands in none'
check "a number that no source has is named"
refused 's/20 runs/31.4 runs/' 'Page: 31[.]4 stands in none'
check "so is one in another line of the source than that of the word"
refused 's/20 runs/99.5 runs/' 'Page: 99[.]5 stands in none'
check "so is one of a command of the source"
refused 's/3[.]5/1.5/' 'Page: 1[.]5 stands in none'
check "so is one of another row of a table"
refused 's/5 ways/5.5 ways/' 'Without numbers: names no source of 5[.]5'
check "a section with a measured number and without a source is named"
refused 's/results.b/results\/c/' 'results/c.md.* has no numbers'
check "a source that is not there is named"
refused 's/, 0[.]05 -->/ -->/' 'Page: 0[.]05 stands in none'
check "a setting that is not given is named"

# docs/measured.sh writes what the commands of a page print
mkdir -p "$work/repo/docs/measured"
cp "$root/docs/measured.sh" "$work/repo/docs/"
cat >"$work/repo/docs/page.md" <<'END'
<!-- not run: other commands -->

    exit 3

<!-- not run: takes a second (measured/name.txt) -->

    echo "it is $((40 + 2))"

Text.

    echo "another block"
END
mkdir "$work/repo/docs/solvers" && touch "$work/repo/docs/solvers/a.md"
"$work/repo/docs/measured.sh" name >"$work/out" 2>"$work/err" &&
    grep -v '^#' "$work/repo/docs/measured/name.txt" >"$work/out"
[ "$(cat "$work/out")" = "it is 42" ] && grep -qF '#     echo "it is' "$work/repo/docs/measured/name.txt"
check "docs/measured.sh keeps the commands of a page and what they print"
sed -i 's/echo "it is/false; &/' "$work/repo/docs/page.md"
! "$work/repo/docs/measured.sh" name >"$work/out" 2>"$work/err" &&
    grep -q '^it is 42' "$work/repo/docs/measured/name.txt"
check "if a command fails, the file stays as it was"
"$work/repo/docs/measured.sh" none >"$work/out" 2>"$work/err"
status=$?
ended 2 1 && grep -q 'no page has commands for measured/none.txt' "$work/err"
check "a name that no page has is refused"
finish
