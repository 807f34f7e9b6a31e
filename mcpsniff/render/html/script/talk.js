// The conversation: the diagram of what is looked at, filtered and folded, with one row chosen.

import { findingsAt, isChange, ROWS, rowOf } from "./data.js";
import { drawDetail } from "./detail.js";
import { drawn, HEIGHT, isChoosable, laneHeads, mark } from "./diagram.js";
import { byId, fill } from "./dom.js";
import { chainsOf, itemsOf, sentenceOf } from "./fold.js";
import { railsOf } from "./rails.js";
import { capture, change, session, state } from "./state.js";
import { Window } from "./window.js";

const list = byId("list");
const detail = byId("detail");

let items = [];
let rows = [];
let places = new Map(); // row → index of its item
let rails = new Map(); // index → rails
let matches = null; // the filter; null where there is none
let chosen = -1; // index of the chosen item
const opened = new Set();

const talk = new Window(list, HEIGHT, (index) => {
  const element = drawn(items[index], { index, count: items.length, rails: rails.get(index) ?? [] });
  mark(element, index === chosen, isNear(items[index]));
  return element;
});

/** Shows what is looked at; keeps the chosen record where it is still there. */
export function showTalk() {
  const only = session()?.id;
  const of = capture()?.id;
  rows = ROWS.filter((row) => (only === undefined ? row.capture === of : row.session === only));
  let before = null;
  for (const row of rows.filter((row) => !isChange(row))) {
    row.gap = before === null ? null : row.t - before;
    before = row.t;
  }
  const asks = rows.some((row) => row.asks !== null);
  byId("talk").classList.toggle("with-user", asks);
  fill(byId("lanes"), laneHeads(session(), asks));
  arrange();
}

/** Shows only rows that `test` holds for; all where it is null. Gives how many. */
export function filterTalk(test) {
  matches = test;
  arrange();
  return items.length;
}

function arrange() {
  items = itemsOf(rows, opened, matches);
  places = new Map();
  items.forEach((item, index) => {
    for (const row of item.type === "fold" ? item.rows : item.type === "row" ? [item.row] : []) places.set(row, index);
  });
  rails = railsOf(matches === null ? chainsOf(rows) : [], places);
  chosen = indexOf(state.seq);
  talk.show(items.length);
  show();
}

function indexOf(seq) {
  if (seq === null) return -1;
  // a head of HTTP may have no row of its own: then what follows it is meant
  const row = rowOf(capture().id, seq) ?? rows.find((one) => one.seq > seq && !isChange(one));
  return places.get(row) ?? -1;
}

/** Chooses the record that the address names, as far as the diagram has it. */
export function followSeq() {
  const row = state.seq === null ? undefined : rowOf(capture()?.id, state.seq);
  if (row !== undefined && places.has(row)) {
    const item = items[places.get(row)];
    if (item.type === "fold" && !item.open && item.rows[0] !== row) return unfold(item, row);
  }
  if (row === undefined || chosenRow()?.seq !== state.seq) chosen = indexOf(state.seq);
  show();
}

function unfold(item, row) {
  opened.add(item.id);
  arrange();
  choose(places.get(row));
}

function chosenRow() {
  const item = items[chosen];
  return item?.type === "row" ? item.row : item?.type === "fold" ? item.rows[0] : undefined;
}

/** Chooses an item by its index. */
export function choose(index) {
  if (items[index] === undefined || !isChoosable(items[index])) return;
  chosen = index;
  change({ seq: chosenRow().seq });
  show();
}

function show() {
  talk.each((element, index) => mark(element, index === chosen, isNear(items[index])));
  if (chosen >= 0) talk.reveal(chosen);
  if (chosen >= 0) list.setAttribute("aria-activedescendant", `row-${chosen}`);
  else list.removeAttribute("aria-activedescendant");
  drawDetail(detail, chosenRow());
}

/** Steps to the next row in a direction (1 or -1) that `wanted` holds for. */
export function step(direction, wanted = () => true) {
  for (
    let index = chosen < 0 && direction < 0 ? items.length - 1 : chosen + direction;
    items[index] !== undefined;
    index += direction
  ) {
    if (isChoosable(items[index]) && wanted(items[index])) return choose(index);
  }
}

/** Goes on by a number of rows, as far as there are some. */
export function leap(by) {
  const direction = Math.sign(by);
  let index = Math.min(items.length - 1, Math.max(0, chosen + by));
  while (items[index] !== undefined && !isChoosable(items[index])) index -= direction;
  if (items[index] !== undefined) choose(index);
}

/** Whether something was found on an item. */
export const isFaulty = (item) =>
  (item.type === "fold" ? item.rows : [item.row]).some((row) => findingsAt(row).length > 0);

/** Opens or closes the chosen fold; elsewhere goes from a request to its answer and back. */
export function toggle() {
  const item = items[chosen];
  if (item?.type === "fold") {
    if (!opened.delete(item.id)) opened.add(item.id);
    arrange();
    choose(items.findIndex((other) => other.id === item.id));
    return;
  }
  const row = chosenRow();
  const other = row === undefined ? undefined : rowOf(row.capture, row.answer ?? row.call ?? -1);
  if (other !== undefined && places.has(other)) choose(places.get(other));
}

/** Whether an item is of the same call as the chosen one. */
function isNear(item) {
  const row = chosenRow();
  if (row === undefined || item.type !== "row" || item.row === row || item.row.capture !== row.capture) return false;
  return (item.row.call ?? item.row.seq) === (row.call ?? row.seq);
}

/** How many rows are seen at once. */
export const pageful = () => Math.max(1, Math.floor(list.clientHeight / HEIGHT) - 2);

export const printing = (yes) => talk.printing(yes);

/** Says the chosen item to those who hear the page, also where the list has not the focus. */
export const spokenItem = () => (items[chosen] === undefined ? "" : sentenceOf(items[chosen]));

list.addEventListener("click", (event) => {
  const row = event.target.closest?.(".row");
  if (!row) return;
  const index = Number(row.dataset.index);
  choose(index);
  if (items[index].type === "fold") toggle();
});
