"use strict";
// A rule's link opens its diagram.
const reveal = () => {
  const id = decodeURIComponent(location.hash.slice(1));
  const target = id && document.getElementById(id);
  if (target instanceof HTMLDetailsElement) {
    target.open = true;
    target.scrollIntoView();
  }
};
addEventListener("hashchange", reveal);
reveal();
for (const [id, open] of [["open", true], ["close", false]]) {
  document.getElementById(id).addEventListener("click", () => {
    for (const one of document.querySelectorAll("#diagrams details")) one.open = open;
  });
}
// Columns of figures begin with the greatest, names with the first.
const value = (row, column) => {
  const text = row.cells[column].textContent;
  const number = parseFloat(text.replace(/\u2009/g, ""));
  return Number.isNaN(number) || column === 0 ? text : number;
};
for (const table of document.querySelectorAll("table.sorts")) {
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, column) => {
    if (!head.textContent) return;
    head.addEventListener("click", () => {
      const before = head.getAttribute("aria-sort");
      const first = column === 0 ? "ascending" : "descending";
      const other = column === 0 ? "descending" : "ascending";
      const order = before === first ? other : first;
      for (const each of heads) each.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", order);
      const sign = order === "ascending" ? 1 : -1;
      const compare = (a, b) => {
        const [x, y] = [value(a, column), value(b, column)];
        return sign * (typeof x === "number" ? x - y : x.localeCompare(y));
      };
      table.tBodies[0].append(...[...table.tBodies[0].rows].sort(compare));
    });
  });
}
