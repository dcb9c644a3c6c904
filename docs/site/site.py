#!/usr/bin/python3
"""site.py FOLDER: the documents below the current folder as a site in FOLDER that needs no network. pandoc makes HTML
of each page; this adds navigation (the list below "## Documents" in README.md, in its order), the headings of the page,
links to the pages before and after, and the index of the search. Links between pages lead to the HTML; what else they
link to is copied. Ends with status 1 if a link leads nowhere, or a page belongs to none in the navigation."""
import concurrent.futures
import html
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
from html.parser import HTMLParser

OUT = pathlib.Path(sys.argv[1])
PAGES = sorted(str(page) for pattern in ("*.md", "datasets/*.md", "plots/*.md", "docs/**/*.md")
               for page in pathlib.Path().glob(pattern))
HERE, faults = pathlib.Path(__file__).parent, []


def target(page, link):
    """The path below the top folder to which a link of the page leads, and its anchor with "#"."""
    path, _, anchor = link.partition("#")
    return os.path.normpath(os.path.join(os.path.dirname(page), path)) if path else page, "#" + anchor if anchor else ""


def address(page, path):
    """The relative address in the site of a path below the top folder."""
    return os.path.relpath(site_path(path), os.path.dirname(page) or ".")


def site_path(path):
    return path[:-3] + ".html" if path in PAGES else path


def groups():
    """The navigation: [(name of the group, [(text, page)])]."""
    section = pathlib.Path("README.md").read_text().split("\n## Documents\n")[1]
    found = []
    for item in re.split(r"\n- ", section)[1:]:
        links = [(re.sub("^[a-z]", lambda first: first[0].upper(), text), target("README.md", link)[0])
                 for text, link in re.findall(r"\[([^]]*)\]\(([^)]*)\)", item)]
        found.append((re.search(r"\*\*(.*?):?\*\*", item)[1], [(text, page) for text, page in links if page in PAGES]))
    return found


GROUPS = groups()
ORDER = ["README.md"] + [page for _, links in GROUPS for _, page in links]


def parent(page):
    """The page of the navigation to which a page belongs: docs/solvers.md, docs/results/README.md, or itself."""
    folder = os.path.dirname(page)
    return next((p for p in (page, folder + ".md", folder + "/README.md") if p in ORDER), None)


class Sections(HTMLParser):
    """The text below each heading: [id, level, heading, text]; and all ids."""
    def __init__(self, body):
        super().__init__()
        self.sections, self.ids, self.in_heading = [["", 1, "", ""]], set(), False
        self.feed(body)
    def handle_starttag(self, tag, attrs):
        self.ids.add(dict(attrs).get("id", ""))
        if re.fullmatch("h[1-4]", tag):
            self.in_heading = True
            self.sections.append([dict(attrs).get("id", ""), int(tag[1]), "", ""])
    def handle_endtag(self, tag):
        if re.fullmatch("h[1-4]", tag):
            self.in_heading = False
        elif tag in ("td", "th", "p", "li", "pre", "tr"):
            self.sections[-1][3] += " "
    def handle_data(self, data):
        self.sections[-1][2 if self.in_heading else 3] += data


def body_of(page):
    text = subprocess.run(["pandoc", "-f", "gfm", "-t", "html5", "--wrap=none", page], check=True, capture_output=True,
                          text=True, env={**os.environ, "LC_ALL": "C.UTF-8"}).stdout
    text = re.sub(r"<!--.*?-->\n?|<colgroup>.*?</colgroup>\n?", "", text, flags=re.S)
    text = text.replace("<pre", '<pre tabindex="0"')
    return text.replace("<table", '<div class="scroll" tabindex="0"><table').replace("</table>", "</table></div>")


def with_links(page, body, ids):
    """The body with its links changed; what they lead to is checked, and copied if it is no page."""
    def change(match):
        link = html.unescape(match[2])
        if re.match(r"[a-z]+:", link):
            return match[0]
        path, anchor = target(page, link)
        if not os.path.exists(path) or (path in ids and anchor and anchor[1:] not in ids[path]):
            faults.append(f"{page}: {link} leads nowhere")
        elif os.path.isdir(path):
            shutil.copytree(path, OUT / path, dirs_exist_ok=True)
        elif path not in PAGES:
            os.makedirs((OUT / path).parent, exist_ok=True)
            shutil.copy(path, OUT / path)
        return f'{match[1]}="{html.escape("" if path == page and anchor else address(page, path))}{anchor}"'
    return re.sub(r'\b(href|src)="([^"]*)"', change, body)


def link(page, to, text, mark=False):
    return f'<a href="{html.escape(address(page, to))}"{mark * " aria-current=page"}>{html.escape(text)}</a>'


def navigation(page, sections, titles):
    here, parts = parent(page), []
    below = "".join(f'<li><a href="#{s[0]}">{html.escape(s[2])}</a>' for s in sections if s[1] == 2)
    for name, links in GROUPS:
        parts.append(f"<h2>{html.escape(name)}</h2><ul>")
        for text, to in links:
            parts.append("<li>" + link(page, to, text, to == page))
            if to == here:
                children = [p for p in PAGES if p not in ORDER and parent(p) == here]
                parts.append("<ul>" + below * (page == here) + "".join(
                    "<li>" + link(page, p, titles[p], p == page) for p in children) + "</ul>")
        parts.append("</ul>")
    return "".join(parts)


def main():
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        bodies = dict(zip(PAGES, pool.map(body_of, PAGES)))
    parsed = {page: Sections(body) for page, body in bodies.items()}
    titles = {page: next(s[2] for s in parsed[page].sections if s[2]) for page in PAGES}
    frame = (HERE / "page.html").read_text()
    for page in PAGES:
        if not parent(page):
            faults.append(f"{page}: not in the navigation of README.md, and no page there belongs to its folder")
        at = ORDER.index(page) if page in ORDER else None
        around = [] if at is None else [f"<span>{word} {link(page, ORDER[i], titles[ORDER[i]])}</span>"
                                        for word, i in (("←", at - 1), ("→", at + 1)) if 0 <= i < len(ORDER)]
        values = {"TITLE": html.escape(titles[page]), "TOP": address(page, "."), "NAVIGATION":
                  navigation(page, parsed[page].sections, titles), "AROUND": "".join(around),
                  "BODY": with_links(page, bodies[page], {p: parsed[p].ids for p in PAGES})}
        os.makedirs((OUT / page).parent, exist_ok=True)
        (OUT / site_path(page)).write_text(re.sub("@([A-Z]+)@", lambda match: values[match[1]], frame))
    index = [[site_path(p), titles[p], s[0], s[2], " ".join(s[3].split())]
             for p in sorted(PAGES, key=lambda p: p not in ORDER) for s in parsed[p].sections if s[2] or s[3]]
    (OUT / "index.js").write_text("hullbenchIndex(" + json.dumps(index, ensure_ascii=False) + ");\n")
    (OUT / "index.html").write_text('<meta http-equiv="refresh" content="0; url=README.html">\n')
    shutil.copy(HERE / "site.css", OUT), shutil.copy(HERE / "site.js", OUT)
    print("\n".join(faults), file=sys.stderr, end="\n" * bool(faults))
    sys.exit(bool(faults))


main()
