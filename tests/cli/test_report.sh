#!/bin/sh
# hullbench report: one well-formed, self-contained page in which all names are escaped.
# shellcheck source=tests/tap.sh
. "$(dirname -- "$0")/../tap.sh"

# Checks the page (tests/cli/check_page.py); `check` shows its errors.
sound() {
    python3 "$root/tests/cli/check_page.py" "$1" >"$work/err" 2>&1
}

program run "$root/configs/lopez2011-tables-2-3.json" --out "$work/all/tables23" --datasets titanic,twonorm --splits \
    1-3 --quiet
program run "$root/configs/variants-smo.json" --out "$work/all/variants" --datasets titanic,twonorm --splits 1-2 --quiet
program report "$work/all/tables23" "$work/all/variants"
ended 0 && [ "$(cat "$work/out")" = "$work/all/report.html" ] && [ -s "$work/all/report.html" ]
check "a report of two folders is written where both stand, and its path is printed"
[ -s "$work/all/tables23/tables/lopez2011.table3.md" ] && [ -s "$work/all/variants/tables/rivals-1-smo.md" ]
check "tables that were not there are written first"
page=$work/all/report.html
# cells PAGE: each row of the page's tables as a line of texts between blanks
cells() {
    tr -d '\n' <"$1" | sed 's/<tr>/\n/g' | sed 's/<\/tr>.*//; s/<[^>]*>/ /g; s/  */ /g'
}

# A number and its verdict, from the table's CSV.
column() {
    head -n 1 "$work/all/tables23/tables/lopez2011.table3.csv" | tr -d '\r' | tr ',' '\n' | grep -nx "$1" | cut -d: -f1
}
grep '^lopez2011.table3,titanic,clip-mdm.iterations,' "$work/all/tables23/tables/lopez2011.table3.csv" >"$work/cell"
figure=$(cut -d, -f"$(column ours_mean)" "$work/cell" | xargs printf '%.2f')
verdict=$(cut -d, -f"$(column verdict)" "$work/cell")
[ -n "$verdict" ] && grep -F "title=\"$verdict" "$page" | grep -qF ">$figure ±"
check "the verdict of a cell ($verdict) stands in the page as a word"
grep '<th scope="row"[^>]*>titanic</th>' "$page" | grep -qF ">$figure ±"
check "the mean of the records ($figure) stands beside the paper's"
sed '/{"kind": "paper-ratio"},/d' "$root/configs/lopez2011-table1.json" >"$work/table1.json"
program run "$work/table1.json" --out "$work/table1" --datasets titanic,twonorm --splits 1-2 --quiet
program report "$work/table1" --out "$work/table1.html"
# Five columns are set-up values, printed only; the rate and the smallest mu are printed and measured: nine cells.
# count_cells NAME NUMBER: the rows with that name that contain the number, and their cells
count_cells() {
    tr -d '\n' <"$work/table1.html" | sed 's/<tr>/\n/g' | grep "<th scope=\"row\"[^>]*>$1</th>.*$2" |
        awk -F '<td' '{ rows++; n = NF - 1 } END { print rows + 0 ":" n + 0 }'
}
ended 0 && [ "$(count_cells titanic 2051)" = 1:9 ] && [ "$(count_cells twonorm 7000)" = 1:9 ]
check "beside set-up values of a table the page has no cell of ours"
grep -q '<h2 id="Further_20tables">' "$page" &&
    ! grep -q '<h2 id="\(Further_20tables\|Comparisons\|Findings\)">' "$work/table1.html"
check "a page has no section of tables, comparisons or findings that it lacks"
grep -q '<h2 id="How_20to_20run_20it_20again">' "$page" &&
    grep -qF "hullbench run tables23/config.json --out again/tables23 --datasets titanic,twonorm --splits 1-3" "$page"
check "the command that runs it again names what it was restricted to"
awk '/<h2 id="Runs_20without_20a_20paper">/ { found++ } /<h2 id="Agreement_20with/ { exit } found' "$page" \
    >"$work/own.html"
for words in '<h2' '>variants, Summary' '>1-smo<' '>twonorm<'; do
    grep -q "$words" "$work/own.html" || echo "$words"
done >"$work/err"
[ ! -s "$work/err" ] && ! grep -q 'tables23' "$work/own.html" && ! grep -q 'without_20a_20paper' "$work/table1.html"
check "before the papers a page has the summary of the run that is for none of them"
cp "$page" "$work/first.html"
mkdir "$work/again"
program report "$work/all/tables23" "$work/all/variants" --out "$work/again/report.html"
ended 0 && same_files "$work/first.html" "$work/again/report.html"
check "the same folders give the same bytes"
program report "$work/all/tables23"
ended 0 && [ -s "$work/all/tables23/report.html" ]
check "the report of one folder is written into it"
[ "$(wc -c <"$page")" -lt 3000000 ]
check "it is smaller than 3 MB"
[ "$(grep -c 'id="why-lopez2011.claims_2fclip-gsk-not-stuck"' "$page")" -eq 1 ]
check "it shows the deviations, each of their cells and claims once"
# The counts of the first sentences are those of the table of agreement, and of the tables' CSV.
# shellcheck disable=SC2046 # the numbers of the row
set -- $(cells "$page" | sed -n 's/^ all //p' | head -n 1)
printed="Of $(($1 + $2 + $3 + $4 + $5 + $6)) printed numbers (some [0-9]* independent facts), $1 agree, $2 compatible"
expected=$("$hullbench" conform "$work/all/tables23" "$work/all/variants" |
    sed -n 's/.*a perfect reproduction would show \([0-9.]*\).*/\1/p' | head -n 1 | xargs printf '%.0f')
printed="$printed, $3 near, $4 differ, $5 undecidable, $6 missing; a perfect reproduction with these splits would show"
printed="$printed $expected agreements\\."
claims="Of $(($7 + $8 + $9 + ${10})) claims of the texts, $7 hold, $9 fail, $8 undecided, ${10} without data"
[ $# -eq 11 ] && grep -q "$printed $claims" "$page"
check "the counts of the first sentences are those of the table ($*)"
for one in agrees:$1 near:$3 differs:$4 undecidable:$5; do
    cut -d, -f"$(column verdict)" "$work/all/tables23/tables/"lopez2011.table[23].csv >"$work/verdicts"
    [ "$(grep -cx "${one%:*}" "$work/verdicts")" -eq "${one#*:}" ] || echo "$one"
done >"$work/err"
[ ! -s "$work/err" ]
check "and those of the cells"

# Times: the row of tables23 has the seconds of its run.json; the row of all has their sum and the peak memory, in both
# forms.
program report "$work/all/tables23" "$work/all/variants" --markdown "$work/copy"
ended 0 && [ "$(cat "$work/out")" = "$work/copy/README.md" ]
check "a copy in Markdown is written, and the path of its index printed"
for folder in tables23 variants; do
    tr -d ' \t' <"$work/all/$folder/run.json" |
        awk -F '[:,]' '$1 == "\"seconds\"" { s = $2 } $1 == "\"peak_megabytes\"" { m = $2 }
        END { printf "%.3f %.1f %.0f\n", s, s, m }'
done >"$work/times"
row=$(sed -n '1s/.* \(.*\) \(.*\)/\1:\2/p' "$work/times")
most=$(cut -d' ' -f3 "$work/times" | sort -n | tail -n 1)
sum=$(awk '{ sum += $1 } END { print sum }' "$work/times")
sed -n '/^### Time and memory/,$p' "$work/copy/runs.md" | tr -d ' %' |
    awk -F '|' -v row="$row" -v most="$most" -v sum="$sum" '
    $2 == "tables23" { found += $3 ":" $13 == row; for (i = 5; i <= 12; i++) shares += $i }
    $2 == "all" { found += $13 == most && $3 - sum < 0.06 && sum - $3 < 0.06 }
    END { exit !(found == 2 && shares >= 96 && shares <= 104) }'
check "the copy has seconds, shares and memory of each run and of all"
tr -d '\n' <"$page" | sed 's/<tr>/\n/g; s/ \(class\|data-sort\)="[^"]*"//g' |
    grep -q "<th scope=\"row\">tables23</th><td>${row%:*}</td>.*<td>${row#*:}</td></tr>"
check "the page has the same seconds and memory"

# What the copy says of program, machine, data and commands.
version=$("$hullbench" --version | sed -n '1s/.* //p')
grep -q "^[0-9]* records of [0-9]* solvers on titanic and twonorm in 2 runs, made by hullbench $version: " \
    "$work/copy/README.md"
check "the copy begins with the number of runs and the version, named once"
grep -q "^| version *| $version *| all *|$" "$work/copy/machine.md" &&
    [ "$(grep -c '^| compiler ' "$work/copy/machine.md")" -eq 1 ]
check "a fact of the machine and build of all folders is stated once"
tr -d ' \t' <"$work/all/tables23/run.json" | awk -F '"' '$2 == "files" { exit } $2 == "dataset" { name = $4 }
    $2 == "source" { file = $4 } $2 == "sha256" { print "|" file "|" $4 "|" name "|" }' >"$work/data"
[ "$(wc -l <"$work/data")" -eq 2 ] && sed -n '/^| ---/d; /^### Data/,$s/ //gp' "$work/copy/machine.md" |
    grep '^|[^f-]' | cmp -s - "$work/data"
check "its data are those of run.json, each once"
# The first row of a metric in the CSV: the solver in quotes, as it may have a comma, and its mean rank.
ranks=$work/all/variants/tables/friedman-ranks-1-smo.csv
for metric in iterations kernel-operations; do
    grep ",$metric," "$ranks" | head -n 1 | sed 's/^"\([^"]*\)"/\1/' |
        awk -v m=",$metric," '{ i = index($0, m); split(substr($0, i + length(m)), c, ",")
        printf "%s has the best mean rank, %.2f among 5 solvers on 2 data sets\n", substr($0, 1, i - 1), c[1] }'
done >"$work/best"
[ "$(wc -l <"$work/best")" -eq 2 ] && [ "$(grep -cFf "$work/best" "$work/copy/README.md")" -ge 2 ] &&
    grep -q "^- \*\*variants\*\*, table friedman-ranks-1-smo, iterations: .* Nemenyi's test" "$work/copy/README.md"
check "its findings name the best mean ranks of the tables"
cat >"$work/commands" <<'END'
    hullbench conform again/tables23 again/variants
    hullbench report again/tables23 again/variants
END
grep '^    hullbench' "$work/copy/commands.md" | sed '1,2d' | cmp -s - "$work/commands"
check "after those of the two runs, its commands repeat conform and report, which makes tables and figures"
cp -r "$work/all" "$work/mixed"
sed 's/^\(\t"version":\t\)".*"/\1"0.9.9"/' "$work/all/variants/run.json" >"$work/mixed/variants/run.json"
program report "$work/mixed/tables23" "$work/mixed/variants" --markdown "$work/older"
ended 0 && grep -q "made by hullbench $version and 0.9.9: " "$work/older/README.md" &&
    grep -q "^| version *| $version *| tables23 *|$" "$work/older/machine.md" &&
    grep -q "^| version *| 0.9.9 *| variants *|$" "$work/older/machine.md"
check "runs of two versions are of two builds, and both versions are named"

# Names with markup, a folder named like a command, and an SVG with a script.
printf '%s\n' 'a,b,class' '0,1,1' '1,0,1' '0.5,0.7,1' '1,0.2,1' '-1,0,-1' '0,-1,-1' '-1,-0.5,-1' '-0.2,-1,-1' \
    '0.9,0.9,1' >"$work/mine.csv"
cat >"$work/hostile.json" <<END
{"name": "</title><script>alert(1)</script>", "title": "\"><img src=x onerror=alert(2)> & 'more'",
 "datasets": [{"name": "<script>alert(3)", "file": "$work/mine.csv", "n_train": 6, "n_test": 3}, "titanic"],
  "splits": "1-2",
 "standardise": "full-set", "kernel": {"type": "linear"}, "parameters": {"mu": 0.9}, "solvers": ["clip-mdm", "mu-gsk"],
  "stop": {"rule": "rch-gap", "tolerance": 1e-3},
 "budget": {"iterations": 1000},
 "plots": [{"kind": "iterations", "name": "]](javascript:alert(4))"}, {"kind": "profile",
  "name": "[x](javascript:alert(5))<u>", "solvers": ["clip-mdm", "mu-gsk"]}]}
END
folder="$work/ru'n; <b>\"&"
program run "$work/hostile.json" --out "$folder" --quiet
ended 0
check "a run with names made of markup works"
program report "$folder" --out "$work/hostile.html"
ended 0 && [ "$(grep -c '<script' "$work/hostile.html")" -eq 1 ] &&
    ! grep -qiE '<img src=x|<b>|<u>|href="javascript' "$work/hostile.html" &&
    grep -qF '&lt;script&gt;alert(3)' "$work/hostile.html"
check "they are text in the page"
mkdir -p "$folder/plots"
for ending in svg gp; do
    printf '%s\n' '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(6)"><script>alert("7</script>")</script></sv'\
'g>' >"$folder/plots/bad.$ending"
done
program report "$folder" --out "$work/hostile.html"
ended 0 && [ "$(grep -c '<script' "$work/hostile.html")" -eq 1 ] &&
    ! sed '/^<script>/,$d' "$work/hostile.html" | grep -q '<svg'
check "a figure's script stays inside the image, where none runs"

if command -v python3 >/dev/null; then
    sound "$page"
    check "the page is well formed, in order, self-contained, and readable in each theme"
    sound "$work/hostile.html"
    check "so is the one with names made of markup"
    sed 's/<h3/<h5/; s/<caption/<span/' "$page" >"$work/broken.html"
    ! sound "$work/broken.html"
    check "the check sees a page that is not"
else
    skip "the page is well formed" "python3 is not installed" python3
fi

browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome)
if [ -n "$browser" ]; then
    # browse PAGE [OPTION]...: the page after running its scripts, in $work/dom; the browser's messages, in $work/err.
    browse() {
        shown=$1
        shift
        timeout 100 "$browser" --headless --no-sandbox --disable-gpu --user-data-dir="$work/profile" \
            --window-size=1400,800 --enable-logging=stderr --v=0 --dump-dom "$@" "file://$shown" \
            >"$work/dom" 2>"$work/said"
        status=$?
        grep -E 'CONSOLE' "$work/said" >"$work/err"
        return 0
    }
    browse "$page" --print-to-pdf="$work/page.pdf"
    ended 0 0 && grep -q 'class="tools"' "$work/dom" && grep -q '<th scope="col"[^>]*><button' "$work/dom"
    check "a browser shows it without complaint, and its script adds sorting and filters"
    if command -v pdftotext >/dev/null; then
        pdftotext -layout "$work/page.pdf" "$work/printed"
        ended 0 && grep -q 'mu-GSK and clipped MDM' "$work/printed" &&
            grep -q 'hullbench run tables23/config.json' "$work/printed" &&
            grep -q 'Deviations' "$work/printed" && grep -q 'second-order-smo' "$work/printed"
        check "printed, it has its tables, with what was folded"
    else
        skip "printed, it has its tables" "pdftotext is not installed" poppler-utils
    fi
    # The pages in frames, since a window is at least 500 pixels wide. The script around them operates each page and
    # records the results. The page with names made of markup comes without anything that would operate it.
    cat >"$work/frames.html" <<'END'
<iframe id="w400" src="all/report.html" width="400" height="800" frameborder="0"></iframe>
<iframe id="w390" src="all/report.html" width="390" height="800" frameborder="0"></iframe>
<iframe id="w1280" src="all/report.html" width="1280" height="800" frameborder="0"></iframe>
<iframe src="hostile.html" width="1200" height="800" frameborder="0"></iframe>
<script>
addEventListener("load", function () {
    var w, d;
    function enter(id) { w = document.getElementById(id).contentWindow; d = w.document; }
    function note(name, value) { document.body.setAttribute("data-" + name, value); }
    function fire(target, name) { target.dispatchEvent(new w.Event(name)); }
    function all(selector) { return Array.from(d.querySelectorAll(selector)); }
    function unfold() { all("details").forEach(function (x) { x.open = true; }); }
    function boxes() {
        return all(".scroll").filter(function (x) {
            return x.querySelector("table") && x.scrollWidth > x.clientWidth;
        });
    }
    function published(x) { return /^lopez2011.table/.test(x.closest("table").caption.textContent); }

    enter("w400");
    note("wide", d.documentElement.scrollWidth + "/" + d.documentElement.clientWidth + " of " + w.innerWidth);

    enter("w1280");
    note("screens", Math.ceil(d.documentElement.scrollHeight / 800));
    var section = d.getElementById("Machine_20and_20build").closest("details"), folded = !section.open;
    w.location.hash = "Machine_20and_20build";
    fire(w, "hashchange");
    note("revealed", folded && section.open);
    unfold();
    note("boxes", boxes().length);
    var word = d.querySelector("input[type=search]"), tools = d.querySelector(".tools");
    word.value = "twonorm";
    fire(tools, "input");
    var rows = all("tbody tr").filter(published);
    note("shown", rows.filter(function (r) { return !r.hidden; }).length + "/" + rows.length);
    word.value = "";
    fire(tools, "input");
    var odd = d.querySelector(".tools input[type=checkbox]");
    all("details").forEach(function (x) { x.open = false; });
    odd.checked = true;
    fire(tools, "input");
    note("opened", all("table").every(function (x) {
        for (var at = x.parentElement; at && !x.closest(".scroll").hidden; at = at.parentElement) {
            if (at.tagName === "DETAILS" && !at.open) { return false; }
        }
        return true;
    }) && all("details").some(function (x) { return !x.open; }));
    unfold();
    note("odd", all("table").every(function (x) {
        var left = Array.from(x.tBodies[0].rows).filter(function (r) { return !r.hidden; });
        return x.closest(".scroll").hidden === (left.length === 0) && left.every(function (r) {
            return r.querySelector(".near, .differs, .fails") !== null;
        });
    }));
    odd.checked = false;
    fire(tools, "input");
    var t = all("table").filter(published)[0], h = t.rows[0].cells[1];
    h.querySelector("button").click();
    var v = Array.from(t.tBodies[0].rows).map(function (r) { return parseFloat(r.cells[1].textContent); });
    note("sorted", h.getAttribute("aria-sort") +
        v.every(function (x, i) { return i === 0 || v[i - 1] <= x; }));

    enter("w390");
    unfold();
    fire(w, "resize");
    note("hinted", boxes().length + "/" + boxes().filter(function (x) {
        return x.classList.contains("wide") && w.getComputedStyle(x, "::before").content.indexOf("scroll") > 0;
    }).length);
    note("images", d.images.length + "/" + Array.from(d.images).filter(function (x) {
        return x.getBoundingClientRect().right <= w.innerWidth;
    }).length);
});
</script>
END
    # Files may then read each other.
    browse "$work/frames.html" --allow-file-access-from-files
    ended 0 0
    check "the page with names made of markup runs nothing"
    # noted NAME REGEX: the result of that name matches.
    noted() {
        grep -o "data-$1=\"[^\"]*\"" "$work/dom" >"$work/err"
        grep -qE "\"$2\"" "$work/err"
    }
    noted wide '([0-9]+)/\1 of 400'
    check "at 400 pixels tables scroll and the page does not"
    noted screens '([2-9]|10)'
    check "as it opens at 1280 pixels, the page has at most ten screens"
    noted boxes 0
    check "with everything unfolded, no table is wider than a page of 1280 pixels"
    noted hinted '([1-9][0-9]*)/\1'
    check "at 390 pixels each wide table has a hint that it scrolls"
    noted images '([1-9][0-9]*)/\1'
    check "and all figures fit the width"
    noted revealed true
    check "a link to a folded section unfolds it"
    noted shown 2/26
    check "a filter leaves the rows with its word: one of each of the two tables"
    noted odd true
    check "the filter for differences leaves rows with one, and hides tables without"
    noted opened true
    check "it opens the folded tables with such rows, and no others"
    noted sorted ascendingtrue
    check "a click on a heading sorts its column"
else
    skip "a browser shows it without complaint" "chromium is not installed" chromium
fi

# Figures of printed tables are next to the tables.
grep -ho ']([^)]*)' "$work"/copy/*.md | sed 's/](\(.*\))/\1/' | grep -v '^\.\./\|^#\|^README.md#' |
    sort -u >"$work/linked"
grep -q '](README.md#lopez2011)' "$work/copy/verdicts.md" && ! grep -q '](#' "$work/copy/verdicts.md"
check "a part in its own file links to the papers in the index"
(cd "$work/copy" && find . -type f ! -name README.md | sed 's|^\./||' | sort) >"$work/there"
[ "$(wc -l <"$work/there")" -gt 8 ] && cmp -s "$work/linked" "$work/there"
check "its index leads to every file, and each is there"
grep -q '^!\[.*(figures/tables23\.paper-ratio-lopez2011\.table3\.svg)' "$work/copy/lopez2011.table3.md"
check "a table begins with the figure of its ratios"
awk '/^!\[/ { figure = 3 } figure-- <= 0' "$work/copy/lopez2011.table3.md" | sed '${/^$/d}' >"$work/table"
grep -v '^After the printed value' "$work/all/tables23/tables/lopez2011.table3.md" | sed '${/^$/d}' >"$work/theirs"
same_files "$work/table" "$work/theirs"
check "its tables are those of the folders, without the explanation of the signs"
if command -v xmllint >/dev/null; then
    xmllint --noout "$work"/copy/figures/*.svg 2>"$work/err"
    check "its figures are well formed"
else
    skip "its figures are well formed" "xmllint is not installed" libxml2-utils
fi
if command -v rsvg-convert >/dev/null; then
    looked=0
    : >"$work/err"
    for figure in "$work"/copy/figures/*.svg; do
        name=$(basename "$figure" .svg)
        rsvg-convert "$work/all/${name%%.*}/plots/${name#*.}.svg" >"$work/one.png"
        rsvg-convert "$figure" >"$work/other.png"
        looked=$((looked + 1))
        cmp "$work/one.png" "$work/other.png" >>"$work/err" 2>&1
    done
    [ "$looked" -gt 5 ] && [ ! -s "$work/err" ]
    check "its figures are those of the folders"
else
    skip "its figures are those of the folders" "rsvg-convert is not installed" librsvg2-bin
fi
grep -q '/tmp/' "$work/copy"/*.md "$page"
[ $? -eq 1 ]
check "neither the copy nor the page names a folder of this machine"

# ---- reports that were killed, and times of files ----

# made FOLDER: the files that a report leaves, with the contents of all that do not depend on the clock
made() {
    (cd "$work/$1" && find . -type f ! -name .lock | sort && find tables plots -type f ! -name '*.png' ! -name '*.pdf' \
        -exec sha256sum {} + | sort -k 2)
}
if command -v gnuplot >/dev/null; then
    gnuplot=$(command -v gnuplot)
    sed 's/{"kind": "paper-ratio"},/{"kind": "iterations"},/' "$root/configs/lopez2011-table1.json" >"$work/killed.json"
    program run "$work/killed.json" --datasets titanic,twonorm --splits 1-2 --out "$work/bare" --quiet
    cp -r "$work/bare" "$work/calm"
    program report "$work/calm" --out "$work/calm/report.html"
    made calm >"$work/expected"
    figures=$(find "$work/calm/plots" -name '*.gp' | wc -l)
    # At the call number $KILLED it leaves half a picture and ends hullbench; "late": after the picture.
    mkdir "$work/bin"
    cat >"$work/bin/gnuplot" <<END
#!/bin/sh
calls=\$((\$(cat "$work/calls") + 1))
echo \$calls >"$work/calls"
for script; do :; done
name=\$(basename "\$script" .gp)
[ \$calls -ne \$KILLED ] || [ \$WHEN = late ] || { echo '<svg' >"\$name.svg"; kill -9 \$PPID; exit 1; }
"$gnuplot" "\$@" || exit
[ \$calls -ne \$KILLED ] || kill -9 \$PPID
END
    chmod +x "$work/bin/gnuplot"
    for WHEN in early late; do
        KILLED=1
        while [ $KILLED -le "$figures" ]; do
            export KILLED WHEN
            rm -rf "$work/struck" && cp -r "$work/bare" "$work/struck" && echo 0 >"$work/calls"
            # shellcheck disable=SC2030 # only this program gets the path
            (PATH=$work/bin:$PATH && program report "$work/struck" --out "$work/struck/report.html" && exit "$status")
            killed=$?
            program report "$work/struck" --out "$work/struck/report.html"
            made struck >"$work/made"
            [ $killed -eq 137 ] && ended 0 0 && cmp "$work/expected" "$work/made" >"$work/err"
            check "a report killed at picture $KILLED of $figures, $WHEN, is completed by the next one"
            KILLED=$((KILLED + 1))
        done
    done
    # What a kill may leave of tables and figures, and of those that an earlier version drew.
    for lost in plots/error.svg plots/error.gp plots/.drawn tables/summary.md tables; do
        rm -rf "$work/struck" && cp -r "$work/calm" "$work/struck" && rm -r "$work/struck/$lost"
        [ "$lost" != plots/.drawn ] || echo cut >"$work/struck/plots/error.svg"
        [ "$lost" != plots/error.gp ] || rm "$work/struck/plots/.drawn"
        program report "$work/struck" --out "$work/struck/report.html"
        made struck >"$work/made"
        ended 0 0 && cmp "$work/expected" "$work/made" >"$work/err"
        check "a report makes $lost again"
    done
    rm -rf "$work/struck" && cp -r "$work/bare" "$work/struck"
    (cd "$work/calm" && cp -r tables plots "$work/struck/")
    rm "$work/struck/tables/"*table1* "$work/struck/plots/.drawn"
    program report "$work/struck" --out "$work/struck/report.html"
    made struck >"$work/made"
    ended 0 0 && cmp "$work/expected" "$work/made" >"$work/err"
    check "tables that run.json does not list are written again, all of them"

    mv "$work/calm/report.html" "$work/before.html"
    touch "$work/calm/records.jsonl"
    touch -d 2001-01-01 "$work/calm/plots/error.svg" "$work/calm/tables/summary.md"
    # shellcheck disable=SC2031 # the path of the program before is not meant
    (PATH=$work/bin:$PATH && KILLED=0 WHEN=early && export KILLED WHEN && echo 0 >"$work/calls" &&
        program report "$work/calm" --out "$work/calm/report.html" && exit "$status") &&
        [ "$(cat "$work/calls")" -eq 0 ] && same_files "$work/before.html" "$work/calm/report.html"
    check "a report draws nothing again because of the times of files"
    sed -i 's/{"kind": "iterations"},/& {"kind": "kernel-operations"},/' "$work/calm/config.json"
    program report "$work/calm"
    ended 0 0 && [ -s "$work/calm/plots/kernel-operations.svg" ]
    check "it draws again after a change of the configuration"
else
    skip "reports that were killed" "gnuplot is not installed" gnuplot-nox
fi

program report
ended 2
check "a report of nothing is bad use"
program report "$work/nowhere"
ended 2 1 && says nowhere
check "a folder that is not there ends with status 2"
program report "$work/all/tables23" "$work/all/tables23"
ended 2 1 && says "named twice"
check "so does one named twice"
ln -s all/tables23 "$work/linked-run"
program report "$work/all/tables23" "$work/all/variants" "$work/linked-run"
ended 2 1 && says "$work/linked-run: named twice"
check "so does a link to a folder that is named, too"
program report "$work/all/variants" --out "$work/none/report.html"
ended 4 1 && says none/
check "a page that cannot be written ends with status 4"

# Titanic's marks in table 5.2.1, with so few splits.
sed 's/^  "tables"/  "plots": [{"kind": "error", "name": "error"}],\n&/' "$root/configs/lopez2008-section52.json" \
    >"$work/marks.json"
program run "$work/marks.json" --datasets titanic --splits 1-8 --out "$work/marks" --quiet
ended 0 0 && program report "$work/marks" --out "$work/marks.html"
program conform "$work/marks"
grep '^  mark ' "$work/out" | sed 's/^  mark *//' >"$work/disagree"
n=0
cells "$work/marks.html" >"$work/rows"
while IFS= read -r line; do
    ours=${line#*ours on } theirs=${line##*paper on }
    grep -qF " ${line%%:*} ${ours%% (*} ${theirs%% (*} " "$work/rows" && n=$((n + 1))
done <"$work/disagree"
[ "$n" -gt 0 ] && [ "$n" -eq "$(wc -l <"$work/disagree")" ] && grep -q "$n of 3 marks do not agree:" "$work/marks.html"
check "marks that do not agree are listed as conform does, each with whose column carries it"
finish
