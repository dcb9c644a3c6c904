#!/bin/sh
# Numbers of the pages that a full run gives are those of docs/results, which make docs-results writes.
# shellcheck source=tests/tap.sh
. "$(dirname -- "$0")/../tap.sh"

if ! python3 -c 1 2>/dev/null; then
    skip "numbers of the pages against docs/results" "python3 is not installed" python3
    finish
fi
cat >"$work/trace.py" <<'END'
"""trace.py ROOT: prints each number of a page that is not that of docs/results, and how many were compared."""
import glob
import json
import os
import re
import sys

ROOT = sys.argv[1]
WORDS = "zero one two three four five six seven eight nine ten".split()
compared = 0
wrong = []


def read(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        return file.read()


def rows(text):
    """The rows of all tables: lists of cells."""
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines() if line.startswith("|")]


def number(word):
    return WORDS.index(word) if word in WORDS else int(word)


def same(place, printed, expected):
    global compared
    compared += 1
    if printed != expected:
        wrong.append(f"{place}: {printed}, docs/results has {expected}")


def result(file, row, column):
    """The cell of a table of docs/results."""
    table = rows(read("docs/results/" + file))
    return next(cells for cells in table if cells[0] == row)[table[0].index(column)]


def agreement():
    """{paper: {column: number}} of the first tables of docs/results/README.md and verdicts.md"""
    counts = {}
    for file, columns in ("README.md", 12), ("verdicts.md", 6):
        head, _, *body = [cells for cells in rows(read("docs/results/" + file)) if len(cells) == columns]
        names = [name.split(" ")[0].rstrip(",") if name[-1] in "=≟≈≠?" else name for name in head]
        for cells in body:
            counts.setdefault(cells[0].strip("[").split("]")[0], {}).update(zip(names, cells))
    return counts


def check_counts(place, text, total, counts):
    """Counts such as "64 agree, 58 are compatible, two are near": a verdict that is not named has no cell."""
    found = {"agrees": 0, "compatible": 0, "near": 0, "differs": 0, "undecidable": 0}
    verdicts = r"(\w+) (?:are )?(?:shown to )?(agree|compatible|near|differ|undecidable)\b"
    for count, verdict in re.findall(verdicts, text):
        found[{"agree": "agrees", "differ": "differs"}.get(verdict, verdict)] = number(count)
    for verdict, count in found.items():
        same(f"{place}, {verdict}", count, int(counts[verdict]))
    same(place + ", cells", total, sum(found.values()))


def check_agreement():
    counts = agreement()
    page = read("docs/deviations.md")
    sections = {"lopez2011": "# López, Barbero and Dorronsoro (2011)", "lopez2008": "# López (2008)",
                "barbero2008": "# Barbero"}
    for paper, heading in sections.items():
        sentence = re.search(r"Of (\w+) cells(?: of Table 2)? (.*?)\.", page[page.index("\n" + heading):], flags=re.S)
        check_counts("deviations.md, " + paper, sentence[2], int(sentence[1]), counts[paper])
    readme = " ".join(read("README.md").split())
    sentence = re.search(r"Of (\d+) printed numbers (.*?) \(", readme)
    check_counts("README.md", sentence[2], int(sentence[1]), counts["all"])
    same("README.md, can agree", re.search(r"at most (\d+) could agree", readme)[1], counts["all"]["can agree"])
    same("README.md, would agree", re.search(r"would show (\d+)", readme)[1], counts["all"]["would agree"])
    facts = re.search(r"some (\d+) independent facts", read("docs/results/README.md"))[0]
    same("README.md, facts", re.search(r"some \d+ independent facts", readme)[0], facts)
    marks = re.search(r"(\d+ of \d+) significance marks agree", page)
    same("deviations.md, marks", marks[1], counts["all"]["marks that agree"])
    sds = re.search(r"Of the (\d+) standard deviations .*?(\d+) differ significantly", page, flags=re.S)
    same("deviations.md, deviations", f"{sds[2]} of {sds[1]}", counts["all"]["standard deviations that differ"])


def check_variants():
    """The first table of study-variants.md against the rivals-* tables, to as many digits as those have."""
    page = read("docs/study-variants.md")
    ours = rows(page[page.index("| solver, parent |"):page.index("![Performance")])
    files = {"1-smo": "variants-smo.rivals-1-smo", "2-smo": "variants-smo.rivals-2-smo",
             "clip-mdm": "variants-hull.rivals-clip-mdm", "ch-mdm": "variants-hull.rivals-ch-mdm"}
    for cells in ours[2:]:
        name, _, parent = cells[0].partition(", ")
        if name == "the same with shrinking":
            name, parent = "conjugate-smo, shrinking = yes", "1-smo"
        elif name == "conjugate-smo":
            name += ", shrinking = no"
        table = [row for row in rows(read(f"docs/results/{files[parent]}.md")) if row[0] == name]
        for level, row in enumerate(table):
            for cost, at in (("iterations", 3), ("kernel operations", 6)):
                ratio, fewer = cells[1 + level + (3 if at == 6 else 0)].split(" ")
                expected = row[at].split(" ")[0]
                digits = len(expected.partition(".")[2])
                same(f"study-variants.md, {name}, {row[1]}, {cost}", f"{float(ratio):.{digits}f} {fewer}",
                     f"{float(expected):.{digits}f} ({row[at + 1].split('/')[0]})")
        if len(table) != 3:
            wrong.append(f"study-variants.md: {len(table)} rows of {name}")
    hull = rows(read("docs/results/variants-hull-conjugate.rivals-conjugate-clip-mdm.md"))
    for name, text in (("8, barycentres", "directions = 8, begin = barycentres"),
                       ("1, few", "directions = 1, begin = few"), ("8, few (default)", "directions = 8, begin = few")):
        ratios = [row[3].split(" ")[0] for row in hull if f"{text}, hull_shrinking = no" in row[0]]
        same(f"study-variants.md, {name}", next(row[1:4] for row in rows(page) if row[0] == name), ratios)


def check_munk():
    page = read("docs/study-munk.md")
    kernels = ["polynomial 4", "polynomial 6", "Gaussian 3", "Gaussian 1"]
    head, _, *body = rows(read("docs/results/potluru2008.table1.md"))
    for cells in rows(page[page.index("## Table 1"):page.index("## Do all")])[2:]:
        for dataset, at in (("wisconsin", 1), ("sonar", 4)):
            column = head.index(cells[0] + ", KA")
            row = next(row for row in body if row[0] == dataset)
            same(f"study-munk.md, {cells[0]}, {dataset}, printed", cells[at], row[column])
            same(f"study-munk.md, {cells[0]}, {dataset}", cells[at + 1].split("= ")[1], row[column + 1].split(" ")[0])
    assert [cells[0] for cells in rows(page[page.index("## Table 1"):page.index("## Do all")])[2:]] == kernels


def check_limits():
    """The numbers of limits.md against docs/results, papers/*.deviations.json and the tables of performance.md."""
    text = " ".join(read("docs/limits.md").split())
    counts = agreement()["all"]
    kinds = [entry["kind"] for path in glob.glob(os.path.join(ROOT, "papers", "*.deviations.json"))
             for entry in json.loads(read(path))["deviations"]]
    found = re.search(r"(\d+) of (\d+) cells are near and (\d+) differ\. (\d+) of the (\d+) entries", text)
    cells = sum(int(counts[verdict]) for verdict in ("agrees", "compatible", "near", "differs", "undecidable"))
    same("limits.md, cells and deviations", found.groups(), (
        counts["near"], str(cells), counts["differs"], str(kinds.count("unexplained")), str(len(kinds))))
    same("limits.md, splits", re.search(r"(\d+ of \d+) are official", text)[1],
         re.search(r"(\d+ of \d+) splits are official", read("docs/deviations.md"))[1])

    table = rows(read("docs/performance.md"))

    def cells_of(first, width, *others):
        return next(row for row in table if row[0] == first and len(row) == width and all(x in row for x in others))

    def last(cell):
        return f"{float(cell.rpartition(', ')[2].split(' ')[0]):.2f}"

    threads = sorted(row[3] for row in table if len(row) == 9 and row[4] == "yes")
    expected = {
        r"1-smo is ([\d.]+) and svm-light ([\d.]+) times": [last(cells_of("1-smo", 4)[1]),
                                                          last(cells_of("svm-light, q 2, shrinking", 4)[1])],
        r"take packed-smo \(([\d.]+)\)": [cells_of("banana", 7)[4]],
        r"second-order-smo is ([\d.]+) times": [last(cells_of("chessboard 10000", 7, "second-order-smo")[4])],
        r"faster on thyroid \(([\d.]+)\) and titanic \(([\d.]+)\)": [cells_of(name, 7)[6]
                                                                             for name in ("thyroid", "titanic")],
        r"little on data like ijcnn1 \(([\d.]+)\)": [cells_of("ijcnn1-like 5000", 7, "packed-smo")[6].split()[0]],
        r"asks for ([\d.]+) times": [cells_of("ijcnn1-like 50000", 8)[4]],
        r"trains ([\d.]+) to ([\d.]+) times": [threads[0], threads[-1]],
        r"at (\d+) and (\d+) MB of text a second, .gz at (\d+)": [
            next(row[2] for row in table if row[0].endswith(name)) for name in (".xz, level 0", ".bz2", ".gz")],
    }
    for pattern, numbers in expected.items():
        printed = re.search(pattern, text)
        same(f"limits.md, {pattern}", list(printed.groups()) if printed else None, numbers)


def check_seeds():
    """The thesis with other seeds: rejected cells are those that are near or differ."""
    text = read("docs/measured/seeds-2008.txt")
    table = {row[0]: row[1:] for row in rows(read("docs/deviations.md")) if len(row) == 6}
    same("deviations.md, seeds", table["cells rejected (near or differs), of 360"], [
        str(int(near) + int(differ)) for near, differ in re.findall(r"seed \d: .* (\d+) near, (\d+) differ", text)])
    same("deviations.md, marks of seeds", table["marks that agree, of 240"], re.findall(r", marks: (\d+) of 240", text))


check_agreement()
check_limits()
check_seeds()
check_variants()
check_munk()
print("\n".join(wrong) or f"{compared} numbers")
sys.exit(bool(wrong) or compared < 90)
END
python3 "$work/trace.py" "$root" >"$work/err" 2>&1
check "counts of verdicts, ratios of variants and rates are those of docs/results"

# the same with one number of each page changed
mkdir -p "$work/tree/docs"
cp "$root/README.md" "$work/tree/"
cp -R "$root/papers" "$work/tree/"
cp -R "$root/docs/results" "$root/docs/measured" "$root"/docs/*.md "$work/tree/docs/"
sed -i 's/^Of 130 cells 64 agree/Of 130 cells 65 agree/' "$work/tree/docs/deviations.md"
sed -i 's/0[.]884 (3)/0.894 (3)/' "$work/tree/docs/study-variants.md"
sed -i 's|8/104 = 7[.]69|8/104 = 7.96|' "$work/tree/docs/study-munk.md"
sed -i 's/numbers 311 are/numbers 312 are/' "$work/tree/README.md"
sed -i 's/take packed-smo ([0-9.]*)/take packed-smo (0.01)/' "$work/tree/docs/limits.md"
python3 "$work/trace.py" "$work/tree" >"$work/err" 2>&1
status=$?
[ "$status" -eq 1 ] && for page in deviations study-variants study-munk README limits; do
    grep -q "^$page.md" "$work/err" || echo "$page is not named"
done >"$work/out" && [ ! -s "$work/out" ]
check "a number that is not is named, with its page"
finish
