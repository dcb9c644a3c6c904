#!/usr/bin/env python3
"""Whether the numbers of the documents stand in the files that their sections name.

traced_numbers.py ROOT

A section is the text between two headings. `<!-- numbers: SOURCE, SOURCE; given NUMBER, NUMBER -->` in it says where
its numbers come from: files below docs/ such as `results/lopez2011.table2.md`, or `../papers/lopez2011.json`; with
`SOURCE[WORD]` only the lines of the file that contain WORD. Lines that begin with # do not count. `here` stands for the
generated tables of the page itself, `performance.md` for those of that page. `given` are numbers that are no results,
such as levels and settings; a comment `<!-- numbers: none measured -->` says that all of the section are. Where nothing
is stored, `by command NUMBER, NUMBER` at the end, or `<!-- numbers: by the named commands -->` for all of the section,
says that a command of the page makes them.

A number stands in a source if a number there rounds to it. Of a row of a table only the lines count that contain the
names in its first cell, such as conjugate-smo, or the cell, if there are any. Whole numbers up to 10 are not looked
at unless a % follows, nor tolerances such as 1e-3, years, numbers of tables, sections and equations, code, and what a
script writes between comments. A section with a decimal number, a percentage or a time needs such a comment, except
on the pages in UNTRACED.

Prints each number that stands in no source, how many were compared, and how many would still pass with their last digit
raised by one. Status 1 if a number is missing, or more than a third of them would pass.
"""
import glob
import os
import re
import sys
from decimal import ROUND_HALF_DOWN, ROUND_HALF_UP, Decimal

# Pages of reference: their numbers are defaults, limits and examples, which other tests run or --help prints.
UNTRACED = set("""adding-a-paper adding-a-solver alternatives architecture comparing configuration export formats
    glossary install library plots plugins regression repeat report tables tuning tutorial verify""".split())
NUMBER = re.compile(r"(?<![\w.^/])(?:\d{1,3}(?: \d{3}(?!\d))+|\d+)(?:\.\d+)?(?:e[-−]?\d+)?(?![\w^]|\.\d|/)")
NAME = re.compile(r"\b[a-z0-9]+(?:-[a-z0-9]+)*-[a-z0-9]+\b")  # of solvers and data sets
MEASURED = re.compile(r"\d\.\d|\d ?%|\d (?:s|ms|µs|MB|kB|GB|minutes|seconds|hours)\b|\d of (?:the )?\d")
REFERENCE = re.compile(r"\b(?:Tables?|Sections?|eqs?\.|Fig\.|Figures?|Algorithms?|lines?|appendix|version|Version) "
                       r"[\d.]+(?:(?:,| and| to| or) \d[\d.]*)*|\b(?:1[89]|20)\d\d\b|\b\d+\.\d+\.\d+\b|\b5\.[23]\.\d\b")


def read(root, path):
    with open(os.path.join(root, path), encoding="utf-8") as stream:
        return stream.read()


def numbers_of(text):
    """The numbers of a text, as decimals with the digits that are printed."""
    return [Decimal(word.replace(" ", "").replace("−", "-")) for word in NUMBER.findall(text)]


def places(number):
    return max(0, -number.as_tuple().exponent)


def stands(number, source):
    unit = Decimal(1).scaleb(number.as_tuple().exponent)
    for value in source:
        if value == number:
            return True
        if places(value) > places(number) and (places(number) or number > 10):
            if number in (value.quantize(unit, ROUND_HALF_UP), value.quantize(unit, ROUND_HALF_DOWN)):
                return True
    return False


def shown(text):
    """What a reader sees of a page, without code, links' targets, generated parts, and numbers that name something."""
    text = re.sub(r"(?m)^    .*$", "", text)
    text = re.sub(r"(?s)<!-- (?:table )?[\w-]+ -->\n.*?<!-- end -->", "", text)
    text = re.sub(r"(?s)<!--.*?-->", "", text)
    text = re.sub(r"`[^`]*`", "", text)
    text = re.sub(r"\]\([^)]*\)", "]", text)
    text = re.sub(r"[\d.]+(?: %)?(?: \[[^]]*\])?(?: %)?†", "", text)  # of an earlier run, as the page says
    return REFERENCE.sub("", text)


def parts_of(text):
    """Rows of tables, each with the names by which it is looked up, and paragraphs."""
    prose = []
    for line in text.split("\n") + [""]:
        if line.startswith("|"):
            first = line.split("|")[1].strip(" `*")
            yield line, NAME.findall(first) or ([first] if first and not re.search(r" \d", first) else [])
        elif line.strip():
            prose.append(line.strip())
        else:
            yield " ".join(prose), []
            prose = []


def looked_at(text):
    """The numbers that have to stand in a source."""
    for match in NUMBER.finditer(text):
        number = numbers_of(match[0])[0]
        if match[0][:2] != "1e" and (number != number.to_integral_value() or number > 10 or
                                     text[match.end():match.end() + 2] == " %"):
            yield number


def lines_of(names, lines):
    """The lines that contain all of the names, or one of them; all lines if there are none."""
    found = [[bool(re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", line)) for name in names] for line in lines]
    for enough in all, any:
        chosen = [line for line, has in zip(lines, found) if enough(has)]
        if chosen:
            return chosen
    return lines


class Tracer:
    def __init__(self, root):
        self.root, self.faults, self.compared, self.blind, self.commanded = root, [], 0, 0, 0

    def source(self, page, name):
        """The lines of a source."""
        path, _, word = name.rstrip("]").partition("[")
        if path == "here" or path.endswith(".md") and "/" not in path:
            text = read(self.root, page if path == "here" else os.path.join("docs", path))
            text = "\n".join(re.findall(r"(?s)<!-- (?:table )?[\w-]+ -->\n.*?<!-- end -->", text))
        else:
            path = os.path.normpath(os.path.join("docs", path))
            text = read(self.root, path) if os.path.exists(os.path.join(self.root, path)) else ""
        lines = [re.sub(r"[†‡¹²³,⁰*]", " ", line) for line in text.split("\n") if word in line and line[:1] != "#"]
        if not any(numbers_of(line) for line in lines):
            self.faults.append(f"{page}: {name} has no numbers")
        return lines

    def section(self, page, heading, text):
        marks = re.findall(r"<!-- numbers:\s(.*?)\s*-->", text, flags=re.S)
        text = shown(text)
        mark = " ".join(marks[0].split()) if marks else ""
        if mark == "by the named commands":
            self.commanded += 1
            if "`" not in read(self.root, page):
                self.faults.append(f"{page}: {heading}: no command is named")
        elif not mark and MEASURED.search(text):
            self.faults.append(f"{page}: {heading}: names no source of {MEASURED.search(text)[0]}")
        elif mark and mark != "none measured":
            self.compare(f"{page}: {heading}", page, mark, text)

    def compare(self, place, page, mark, text):
        mark, _, by_command = mark.partition("by command ")
        sources, _, given = mark.partition("given ")
        self.commanded += bool(by_command)
        lines = [line for name in re.split(r"[,;] ", sources.strip("; ")) if name for line in self.source(page, name)]
        settings = set(numbers_of(given + by_command))
        for part, names in parts_of(text):
            values = settings.union(*map(numbers_of, lines_of(names, lines)))
            for number in looked_at(part):
                self.compared += 1
                if not stands(number, values):
                    self.faults.append(f"{place}: {number} stands in none of {sources or 'given'}")
                self.blind += stands(number + Decimal(1).scaleb(number.as_tuple().exponent), values)

    def page(self, page):
        heading, lines = "(top)", []
        for line in read(self.root, page).split("\n") + ["# end"]:
            if re.match("#+ ", line):
                self.section(page, heading, "\n".join(lines))
                heading, lines = line.strip("# "), []
            else:
                lines.append(line)


def main():
    tracer = Tracer(sys.argv[1])
    for path in sorted(path for folder in ("docs", "docs/solvers")
                       for path in glob.glob(os.path.join(sys.argv[1], folder, "*.md"))):
        if os.path.basename(path)[:-3] not in UNTRACED:
            tracer.page(os.path.relpath(path, sys.argv[1]))
    for fault in tracer.faults:
        print(fault)
    print(f"{tracer.compared} numbers, of which {tracer.blind} would pass with their last digit raised; "
          f"{tracer.commanded} sections rest on commands, in part or alone")
    sys.exit(bool(tracer.faults) or 3 * tracer.blind > tracer.compared)


main()
