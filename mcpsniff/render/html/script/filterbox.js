// The filter's field: what is typed there narrows the diagram, what is wrong with it is said beside it.

import { FILTER, lookupOf } from "./data.js";
import { byId } from "./dom.js";
import { parse, QueryError } from "./query.js";
import { filterTalk } from "./talk.js";
import { count } from "./units.js";

/** Listens to the field. */
export function listenFilter() {
  const field = byId("filter");
  field.addEventListener("input", () => apply(field));
  byId("search").addEventListener("submit", (event) => {
    event.preventDefault();
    byId("list").focus();
  });
  field.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    field.value = "";
    apply(field);
    byId("list").focus();
  });
}

/** Begins with the filter that the page was made with, if there is one. */
export function openFilter() {
  const field = byId("filter");
  field.value = FILTER;
  if (FILTER !== "") apply(field);
}

function apply(field) {
  const { said, wrong } = narrowed(field.value);
  const says = byId("filter-says");
  says.textContent = said;
  says.classList.toggle("error", wrong);
  field.setAttribute("aria-invalid", String(wrong));
}

/** Narrows the diagram as an expression says; a mistaken one leaves it as it is. */
function narrowed(text) {
  if (text.trim() === "") {
    filterTalk(null);
    return { said: "", wrong: false };
  }
  try {
    const test = parse(text);
    return {
      said: count(
        filterTalk((row) => test(lookupOf(row))),
        "row",
      ),
      wrong: false,
    };
  } catch (error) {
    if (!(error instanceof QueryError)) throw error;
    return { said: `column ${error.column + 1}: ${error.message}`, wrong: true };
  }
}
