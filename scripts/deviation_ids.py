"""Writes the ids of papers/PAPER.deviations.json into docs/deviations.md.

Usage: python3 scripts/deviation_ids.py [--check] [PAGE]

Below the heading that an entry names as its section, between <!-- ids --> and <!-- end -->, stands one line for each
entry: its id, its kind and the ids that it lists. A missing pair of comments is added below the heading.
With --check nothing is written; the exit status is 1 if the page would change.
"""
import glob
import json
import os
import re
import sys
import textwrap

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def read_sections():
    """{heading: lines of its block}"""
    sections = {}
    for path in sorted(glob.glob(os.path.join(ROOT, "papers", "*.deviations.json"))):
        with open(path, encoding="utf-8") as file:
            for entry in json.load(file)["deviations"]:
                line = "- {} ({}): {}".format(entry["id"], entry["kind"],
                                              ", ".join("`%s`" % name for name in entry["explains"]))
                sections.setdefault(entry["section"], []).extend(
                    textwrap.wrap(line, 118, subsequent_indent="  ", break_on_hyphens=False, break_long_words=False))
    return sections


def page_with(text, sections):
    text = re.sub(r"<!-- ids -->\n.*?<!-- end -->\n\n?", "", text, flags=re.S)
    for heading, lines in sections.items():
        block = "\n".join(["<!-- ids -->", ""] + lines + ["", "<!-- end -->", ""])
        text, count = re.subn(r"(?m)^(#+ %s\n)\n*" % re.escape(heading), lambda m: m.group(1) + "\n" + block + "\n",
                              text)
        if count != 1:
            sys.exit("%d headings \"%s\"; expected one" % (count, heading))
    return text


def main():
    arguments = [a for a in sys.argv[1:] if a != "--check"]
    page = arguments[0] if arguments else os.path.join(ROOT, "docs", "deviations.md")
    with open(page, encoding="utf-8") as file:
        text = file.read()
    new = page_with(text, read_sections())
    if "--check" in sys.argv:
        if new != text:
            sys.exit(page + ": the ids are not those of papers/*.deviations.json; run scripts/deviation_ids.py")
    elif new != text:
        with open(page, "w", encoding="utf-8") as file:
            file.write(new)


if __name__ == "__main__":
    main()
