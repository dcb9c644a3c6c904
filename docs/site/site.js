/* The search of the documents: words are looked up in the headings and texts of all pages (index.js, which site.py
 * writes and which is loaded at the first search). A page's address may end in ?q=WORDS. */
"use strict";
const script = document.currentScript, search = document.getElementById("search"), results = document.getElementById("results");
let index = null;

function marked(text, words) {
  const pattern = new RegExp("(" + words.map(word => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("|") + ")", "gi");
  return text.split(pattern).map((part, i) => {
    if (i % 2 === 0) return document.createTextNode(part);
    const mark = document.createElement("mark");
    mark.textContent = part;
    return mark;
  });
}

/* More points for words in the heading, in the page's title, and as whole words. 0: a word does not occur. */
function points(entry, words) {
  const [, title, , heading, text] = entry.map(part => part.toLowerCase());
  let sum = 0;
  for (const word of words) {
    const found = (heading.includes(word) ? 20 : 0) + (title.includes(word) ? 8 : 0) + Math.min(5, text.split(word).length - 1);
    if (!found) return 0;
    sum += found + ((" " + text + " ").includes(" " + word + " ") ? 2 : 0);
  }
  return sum;
}

function show() {
  const words = search.value.toLowerCase().split(/\s+/).filter(word => word.length > 1);
  results.hidden = !words.length;
  results.replaceChildren();
  if (!index || !words.length) return;
  const found = index.map((entry, i) => [points(entry, words), i]).filter(([sum]) => sum).sort((a, b) => b[0] - a[0] || a[1] - b[1]);
  const list = document.createElement("ol"), count = document.createElement("p");
  count.textContent = found.length ? found.length + (found.length === 1 ? " section" : " sections") : "Nothing found.";
  for (const [, i] of found.slice(0, 25)) {
    const [path, title, id, heading, text] = index[i], item = document.createElement("li"), link = document.createElement("a"),
      excerpt = document.createElement("small"), at = Math.max(0, text.toLowerCase().indexOf(words[0]) - 60);
    link.href = script.dataset.top + "/" + path + (id ? "#" + id : "");
    link.append(...marked(heading && heading !== title ? title + ": " + heading : title, words));
    excerpt.append(...marked((at ? "… " : "") + text.slice(at, at + 180), words));
    item.append(link, excerpt);
    list.append(item);
  }
  results.append(count, list);
}

function load() {
  if (load.begun) return;
  load.begun = true;
  const element = document.createElement("script");
  element.src = script.dataset.top + "/index.js";
  document.head.append(element);
}
window.hullbenchIndex = entries => { index = entries; show(); };

search.hidden = false;
search.addEventListener("focus", load);
search.addEventListener("input", () => { load(); show(); });
results.addEventListener("click", event => { if (event.target.closest("a")) results.hidden = true; });
document.addEventListener("keydown", event => {
  if (event.key === "/" && document.activeElement !== search) { event.preventDefault(); search.focus(); }
  if (event.key === "Escape") { search.value = ""; show(); }
});
const asked = new URLSearchParams(location.search).get("q");
if (asked) { search.value = asked; load(); }
