#!/bin/sh
# The documents as a site (docs/site/site.py): every page is in it, links lead somewhere, and in a browser the search
# finds sections and no page is wider than a phone.
# shellcheck source=tests/tap.sh
. "$(dirname -- "$0")/../tap.sh"
for need in pandoc python3; do
    command -v $need >/dev/null && continue
    skip "the documents become a site" "$need is not installed" $need
    finish
done
site=$root/docs/site/site.py

# ---- a small tree ----
mkdir -p "$work/small/docs/more" "$work/small/configs" && cd "$work/small" || exit 4
printf '# Small\n\n<!-- run -->\n\n    one %0200d two\n\n## Documents\n\n' 0 >README.md
printf -- '- **Start:** [first](docs/a.md)\n- **Late:** [more](docs/more.md)\n' >>README.md
printf '# First page\n\n## A second part\n\nThe zebra. [c](../configs/c.json)\n\n| a | b |\n' >docs/a.md
printf '| - | - |\n| 1 | 2 |\n' >>docs/a.md
printf '# More\n\n[part](a.md#a-second-part)\n' >docs/more.md
printf '# A child\n\n[up](../more.md)\n' >docs/more/child.md
echo '{}' >configs/c.json
"$site" html >"$work/out" 2>"$work/err" && [ ! -s "$work/err" ]
check "a small tree becomes a site"
[ -s html/configs/c.json ] && grep -q 'href="a.html#a-second-part"' html/docs/more.html &&
    grep -q 'href="../more.html"' html/docs/more/child.html && ! grep -q '[.]md"\|<!-- run' html/*.html html/docs/*.html
check "links lead to pages of the site, and other files are copied"
sed -n 's/.*\(<nav.*<\/nav>\).*/\1/p' html/docs/more/child.html | sed 's/<[^>]*>/ /g' | tr -s ' ' >"$work/err"
[ "$(cat "$work/err")" = ' Start First Late More A child ' ]
check "the navigation has the groups of the README in their order, and below a page those of its folder"
printf '\n[gone](gone.md) [part](a.md#third-part)\n' >>docs/more.md
mkdir docs/stray && echo '# Stray' >docs/stray/s.md
"$site" html2 >"$work/out" 2>"$work/err"
[ $? = 1 ] && [ "$(sort "$work/err")" = "docs/more.md: a.md#third-part leads nowhere
docs/more.md: gone.md leads nowhere
docs/stray/s.md: not in the navigation of README.md, and no page there belongs to its folder" ]
check "links that lead nowhere and pages without a place are found"

# ---- the documents ----
cd "$root" && "$site" "$work/html" >"$work/out" 2>"$work/err"
check "the documents become a site, and all their links lead somewhere"
for page in *.md docs/*.md docs/*/*.md datasets/*.md plots/*.md; do
    [ -s "$work/html/${page%.md}.html" ] || echo "$page"
done >"$work/err"
[ ! -s "$work/err" ]
check "it has every page"
! grep -lE '(src|href)="https?:[^"]*[.](js|css|png|svg|woff2?)"|@import|url\(' "$work"/html/*.html \
    "$work"/html/docs/*.html "$work"/html/site.* >"$work/err"
check "it loads nothing from the network"

browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome)
if [ -z "$browser" ]; then
    skip "a browser shows it" "chromium is not installed" chromium
    finish
fi
# shown ADDRESS [OPTION]...: the page after running its scripts, in $work/dom.
shown() {
    timeout 300 "$browser" --headless --no-sandbox --disable-gpu --user-data-dir="$work/profile" \
        --virtual-time-budget=60000 --dump-dom "$@" >"$work/dom" 2>"$work/err"
}
shown "file://$work/small/html/docs/more.html?q=zebra" &&
    grep -q '<a href="../docs/a.html#a-second-part">First page: A second part</a>' "$work/dom" &&
    grep -q 'The <mark>zebra</mark>' "$work/dom"
check "the search finds a word in the section of another page"
shown "file://$work/small/html/docs/more.html?q=zebra%20lion" && grep -q 'Nothing found' "$work/dom"
check "and nothing if one of the words does not occur"
# Each page in a frame as wide as a phone; "N pages" at the end, before it those that are wider or break a line of code.
cat >"$work/phone.html" <<END
<pre id="wide"></pre><script>
const pages = [$(cd "$work" && find html small/html -name '*.html' ! -name index.html | sort | sed 's/.*/"&",/')];
const wide = document.getElementById("wide"), frame = document.createElement("iframe");
let at = 0;
frame.style = "width: 390px; height: 800px";
frame.onload = () => {
  const page = frame.contentDocument, code = [...page.querySelectorAll("pre")];
  const breaks = code.some(box => getComputedStyle(box).whiteSpace !== "pre");
  if (page.documentElement.scrollWidth > 390 || breaks) wide.append(pages[at] + "\n");
  if (pages[at] === "small/html/README.html" && code[0].scrollWidth <= code[0].clientWidth)
    wide.append("no box scrolls\n");
  if (++at < pages.length) frame.src = pages[at]; else wide.append(at + " pages");
};
frame.src = pages[0];
document.body.append(frame);
</script>
END
shown "file://$work/phone.html" --allow-file-access-from-files
awk '/<pre id="wide">/ { on = sub(/.*<pre id="wide">/, "") } on { end = sub(/<\/pre>.*/, ""); print; if (end) exit }' \
    "$work/dom" >"$work/err"
[ "$(cat "$work/err")" = "$(find "$work/html" "$work/small/html" -name '*.html' ! -name index.html | wc -l) pages" ]
check "no page is wider than 390 pixels, and lines of code do not break"
finish
