/* Sorting, filtering, opening the folded target of a link, and the hint on wide tables. The page is complete without this script. */
(function () {
  // The program writes the number of each cell that has one.
  function value(row, column) {
    var cell = row.cells[column], sort = cell ? cell.dataset.sort : undefined;
    return { text: cell ? cell.textContent.trim() : "", number: sort === undefined ? NaN : Number(sort) };
  }
  function sort(table, head, column) {
    var body = table.tBodies[0], rows = Array.from(body.rows);
    var up = head.getAttribute("aria-sort") !== "ascending";
    var values = new Map(rows.map(function (row) { return [row, value(row, column)]; }));
    var numbers = rows.some(function (row) { return !isNaN(values.get(row).number); });
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
  tools.innerHTML = '<label>Rows with <input type="search"></label> <label><input type="checkbox"> Only differences</label> ' +
    '<output aria-live="polite"></output>';
  var word = tools.querySelector("input[type=search]"), odd = tools.querySelector("input[type=checkbox]");
  // While a filter is on, tables without a row that passes are hidden, and folded text with such rows is open.
  function filter() {
    var wanted = word.value.trim().toLowerCase(), on = wanted !== "" || odd.checked, shown = 0, all = 0;
    document.querySelectorAll("table").forEach(function (table) {
      var left = 0, box = table.closest(".scroll") || table;
      table.querySelectorAll("tbody tr").forEach(function (row) {
        row.hidden = wanted !== "" && row.textContent.toLowerCase().indexOf(wanted) < 0 ||
          odd.checked && !row.querySelector(".near, .differs, .fails");
        all += 1;
        left += row.hidden ? 0 : 1;
      });
      shown += left;
      box.hidden = on && left === 0;
      for (var at = box.parentElement; on && left > 0 && at; at = at.parentElement) {
        if (at.tagName === "DETAILS") { at.open = true; }
      }
    });
    tools.querySelector("output").textContent = on ? shown + " of " + all + " rows" : "";
  }
  tools.addEventListener("input", filter);
  tools.addEventListener("submit", function (event) { event.preventDefault(); });
  document.querySelector("nav").after(tools);
  function reveal() {
    var target = document.getElementById(location.hash.slice(1)), at;
    for (at = target; at; at = at.parentElement) {
      if (at.tagName === "DETAILS") { at.open = true; }
    }
    if (target) { target.scrollIntoView(); }
  }
  window.addEventListener("hashchange", reveal);
  reveal();
  hint();
  window.addEventListener("beforeprint", function () {
    document.querySelectorAll("details").forEach(function (details) { details.open = true; });
  });
}());
