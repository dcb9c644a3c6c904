"""Checks a report as a page: says what is wrong, a line each, and ends with status 1 then. Usage: check_page.py FILE"""
import base64
import hashlib
import re
import sys
from html.parser import HTMLParser

VOID = {"meta", "link", "img", "br", "hr", "wbr", "input", "col"}


class Page(HTMLParser):
    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.problems, self.open, self.ids, self.links, self.levels = [], [], [], [], []
        self.scripts, self.style, self.policy, self.tables, self.figures = [], "", "", [], 0

    def wrong(self, text):
        self.problems.append("line %d: %s" % (self.getpos()[0], text))

    def handle_starttag(self, tag, pairs):
        attributes = dict(pairs)
        if len(attributes) != len(pairs):
            self.wrong("<%s> has an attribute twice" % tag)
        if tag not in VOID:
            self.open.append(tag)
        if "id" in attributes:
            self.ids.append(attributes["id"])
        for name in attributes:
            if name.startswith("on"):
                self.wrong("<%s> has the handler %s" % (tag, name))
        for name in ("src", "srcset", "data", "action", "poster"):
            if name in attributes and not attributes[name].startswith("data:image/svg+xml"):
                self.wrong("<%s> loads %.60s" % (tag, attributes[name]))
        if tag == "a":
            self.links.append(attributes.get("href", ""))
        elif tag == "img":
            self.figures += 1
            if not attributes.get("alt", "").strip():
                self.wrong("a figure has no text")
        elif tag in ("link", "iframe", "object", "embed", "base", "form"):
            self.wrong("<%s> does not belong here" % tag)
        elif tag == "meta" and attributes.get("http-equiv") == "Content-Security-Policy":
            self.policy = attributes["content"]
        elif tag == "table":
            self.tables.append({"caption": "", "heads": 0, "scoped": 0})
        elif tag == "th":
            self.tables[-1]["heads"] += 1
            self.tables[-1]["scoped"] += attributes.get("scope") in ("row", "col", "colgroup")
        elif re.fullmatch("h[1-6]", tag):
            self.levels.append(int(tag[1]))
        elif tag == "html" and not attributes.get("lang"):
            self.wrong("no language")
        elif tag == "script":
            self.scripts.append("")

    def handle_endtag(self, tag):
        if tag in VOID:
            self.wrong("</%s>" % tag)
        elif not self.open or self.open[-1] != tag:
            self.wrong("</%s> closes <%s>" % (tag, self.open[-1] if self.open else ""))
        else:
            self.open.pop()

    def handle_data(self, data):
        if "caption" in self.open:
            self.tables[-1]["caption"] += data
        if self.open and self.open[-1] == "script":
            self.scripts[-1] += data
        if self.open and self.open[-1] == "style":
            self.style += data


def luminance(colour):
    parts = [int(colour[i:i + 2], 16) / 255 for i in (1, 3, 5)]
    parts = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]


def contrast(one, other):
    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def check_colours(style, problems):
    """Text on every ground it stands on, WCAG 2 AA: 4.5 to 1."""
    themes = re.findall(r":root\s*\{([^}]*)\}", style)
    if len(themes) != 3:
        problems.append("%d themes in place of light, dark and print" % len(themes))
    for number, theme in enumerate(themes):
        colours = dict(re.findall(r"--(\w+):\s*(#[0-9a-f]{6})", theme))
        pairs = [(text, ground) for text in ("text", "link", "muted") for ground in ("page", "panel")]
        pairs += [("text", ground) for ground in ("agrees", "compatible", "near", "differs", "missing")]
        for text, ground in pairs:
            if contrast(colours[text], colours[ground]) < 4.5:
                problems.append("theme %d: %s on %s: %.2f" % (number, text, ground,
                                                              contrast(colours[text], colours[ground])))
    literal = [colour for colour in re.findall(r"(?<!-)\bcolor:\s*([^;}]+)", style)
               if not re.match(r"var\(|inherit", colour)]
    if literal:
        problems.append("colours of text that are no variables: %s" % literal)


def main():
    text = open(sys.argv[1], encoding="utf-8").read()
    page = Page()
    page.feed(text)
    page.close()
    problems = page.problems
    if page.open:
        problems.append("left open: %s" % page.open)
    for name in sorted({name for name in page.ids if page.ids.count(name) > 1}):
        problems.append("id twice: %s" % name)
    for link in page.links:
        if link.startswith("#") and link[1:] not in page.ids:
            problems.append("leads nowhere: %s" % link)
        elif not re.match(r"#|https?://|[\w.-]+-interactive\.html$", link):
            problems.append("leads out of the page: %s" % link)
    if page.levels[:1] != [1] or page.levels.count(1) != 1:
        problems.append("headings do not begin with the only h1")
    for before, after in zip(page.levels, page.levels[1:]):
        if after > before + 1:
            problems.append("h%d follows h%d" % (after, before))
    for table in page.tables:
        if not table["caption"].strip() or table["heads"] == 0 or table["heads"] != table["scoped"]:
            problems.append("a table lacks its caption or scopes: %.60s" % table["caption"])
    if "#main" not in page.links[:1]:
        problems.append("the first link does not skip to the outcome")
    hashes = ["sha256-" + base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
              for script in page.scripts]
    if len(hashes) != 1 or hashes[0] not in page.policy or "default-src 'none'" not in page.policy:
        problems.append("the policy does not name the one script")
    check_colours(page.style, problems)
    for problem in problems:
        print(problem)
    print("%d tables, %d figures, %d links, %d bytes" % (len(page.tables), page.figures, len(page.links),
                                                         len(text.encode())))
    sys.exit(1 if problems else 0)


main()
