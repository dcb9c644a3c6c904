/* Sorting, filtering, opening the folded target of a link, and the hint on wide tables. The page is complete without this script. */
"use strict";
(function () {
  function value(row, column) {
    var text = row.cells[column] ? row.cells[column].textContent.trim() : "";
    var number = text.match(/[-+]?\d+(\.\d+)?([eE][-+]?\d+)?/);
    return { text: text, number: number ? parseFloat(number[0]) : NaN };
  }
  function sort(table, head, column) {
    var body = table.tBodies[0], rows = Array.from(body.rows);
    var up = head.getAttribute("aria-sort") !== "ascending";
    var values = new Map(rows.map(function (row) { return [row, value(row, column)]; }));
    var numbers = column > 0 && rows.some(function (row) { return !isNaN(values.get(row).number); });
    rows.sort(function (a, b) {
      var x = values.get(a), y = values.get(b), order;
      if (numbers && isNaN(x.number) !== isNaN(y.number)) { return isNaN(x.number) ? 1 : -1; }
      order = numbers ? x.number - y.number : x.text.localeCompare(y.text);
      return up ? order : -order;
    });
    table.querySelectorAll("thead th").forEach(function (other) { other.removeAttribute("aria-sort"); });
    head.setAttribute("aria-sort", up ? "ascending" : "descending");
    rows.forEach(function (row) { body.appendChild(row); });
  }
  document.querySelectorAll("table").forEach(function (table) {
    table.querySelectorAll("thead th").forEach(function (head) {
      var button = document.createElement("button");
      button.type = "button";
      button.textContent = head.textContent;
      head.textContent = "";
      head.appendChild(button);
      button.addEventListener("click", function () {
        sort(table, head, head.cellIndex);
      });
    });
  });
  var tools = document.createElement("form");
  tools.className = "tools";
  tools.setAttribute("role", "search");
  tools.innerHTML = '<label>Rows with <input type="search"></label> <label><input type="checkbox"> not a plain agreement</label> ' +
    '<output aria-live="polite"></output>';
  var word = tools.querySelector("input[type=search]"), odd = tools.querySelector("input[type=checkbox]");
  function filter() {
    var wanted = word.value.trim().toLowerCase(), shown = 0, all = 0;
    document.querySelectorAll("tbody tr").forEach(function (row) {
      var hide = wanted !== "" && row.textContent.toLowerCase().indexOf(wanted) < 0;
      hide = hide || (odd.checked && row.querySelector(".m, .c") && !row.querySelector(".n, .d, .x"));
      row.hidden = hide;
      all += 1;
      shown += hide ? 0 : 1;
    });
    tools.querySelector("output").textContent = shown === all ? "" : shown + " of " + all + " rows";
  }
  tools.addEventListener("input", filter);
  tools.addEventListener("submit", function (event) { event.preventDefault(); });
  document.getElementById("main").prepend(tools);
  function reveal() {
    var target = document.getElementById(location.hash.slice(1)), at;
    for (at = target; at; at = at.parentElement) {
      if (at.tagName === "DETAILS") { at.open = true; }
    }
    if (target) { target.scrollIntoView(); }
  }
  window.addEventListener("hashchange", reveal);
  reveal();
  function hint() {
    document.querySelectorAll(".scroll").forEach(function (box) {
      box.classList.toggle("wide", !!box.querySelector("table") && box.scrollWidth > box.clientWidth);
    });
  }
  window.addEventListener("resize", hint);
  document.addEventListener("toggle", hint, true);
  hint();
  window.addEventListener("beforeprint", function () {
    document.querySelectorAll("details").forEach(function (details) { details.open = true; });
  });
}());
