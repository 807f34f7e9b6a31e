// Tables: titles, rows of text or nodes, numbers flush right.

import { el } from "./dom.js";

/** Gives a table; `numbers` are the places of its columns of numbers. It scrolls where the window is too narrow. */
export function table(titles, rows, numbers, caption = null) {
  const cell = (tag) => (content, place) => el(numbers.includes(place) ? `${tag}.number` : tag, tag === "th" ? { scope: "col" } : {}, content);
  return el(
    "div.scrolls",
    { tabindex: 0, role: "group", "aria-label": caption ?? titles.filter(Boolean).join(", ") },
    el(
      "table",
      {},
      caption === null ? null : el("caption", {}, caption),
      el("thead", {}, el("tr", {}, titles.map((title, place) => (title === "" ? el("td") : cell("th")(title, place))))),
      el("tbody", {}, rows.map((row) => el("tr", {}, row.map(cell("td"))))),
    ),
  );
}
