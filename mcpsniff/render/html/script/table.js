// Tables: titles, rows of text or nodes, numbers flush right.

import { el } from "./dom.js";

/** Gives a table by its name; `numbers` are the places of its columns of numbers. It scrolls where there is no room. */
export function table(name, titles, rows, numbers = []) {
  const cell = (tag) => (content, place) =>
    el(numbers.includes(place) ? `${tag}.number` : tag, tag === "th" ? { scope: "col" } : {}, content);
  return el(
    "div.scrolls",
    { tabindex: 0, role: "group", "aria-label": name },
    el(
      "table",
      { "aria-label": name },
      el(
        "thead",
        {},
        el(
          "tr",
          {},
          titles.map((title, place) => (title === "" ? el("td") : cell("th")(title, place))),
        ),
      ),
      el(
        "tbody",
        {},
        rows.map((row) => el("tr", {}, row.map(cell("td")))),
      ),
    ),
  );
}
