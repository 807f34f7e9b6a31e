// The keyboard: one table of keys, what each does, and what the help says of it.

import { byId, el, fill } from "./dom.js";
import { change, state, VIEWS } from "./state.js";
import { isFaulty, leap, pageful, spokenItem, step, toggle } from "./talk.js";

const KEYS = [
  [["j", "ArrowDown"], "the next message", () => step(1)],
  [["k", "ArrowUp"], "the message before", () => step(-1)],
  [["n"], "the next message with a finding", () => step(1, isFaulty)],
  [["p"], "the one before with a finding", () => step(-1, isFaulty)],
  [["Enter", "a"], "from a request to its answer and back; open or close what is folded", () => toggle()],
  [["PageDown", " "], "a screen on", () => leap(pageful())],
  [["PageUp"], "a screen back", () => leap(-pageful())],
  [["g", "Home"], "the first message", () => leap(-Infinity)],
  [["G", "End"], "the last message", () => leap(Infinity)],
  [["/"], "into the filter", () => (change({ view: "talk" }), byId("filter").focus())],
  [
    ["1", "2", "3", "4"],
    Object.values(VIEWS).join(", "),
    (key) => change({ view: Object.keys(VIEWS)[Number(key) - 1] }),
  ],
  [["?"], "this list", () => byId("help").showModal()],
];

const SCROLLING = new Set(["ArrowDown", "ArrowUp", "PageDown", "PageUp", "Home", "End", " ", "Enter"]);
const ALWAYS = new Set(["/", "?", "1", "2", "3", "4"]);

/** Listens to the keyboard. */
export function listen() {
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || byId("help").open) return;
    const row = KEYS.find(([keys]) => keys.includes(event.key));
    if (row === undefined || !isMeant(event)) return;
    event.preventDefault();
    row[2](event.key);
    if (document.activeElement !== byId("list")) byId("spoken").textContent = spokenItem();
  });
  byId("help-open").addEventListener("click", () => byId("help").showModal());
  fill(byId("help"), help());
}

/** Whether a key is meant for the page: not typed into a field, and where it also scrolls or presses, on the list. */
function isMeant(event) {
  if (event.target.closest("input, select, textarea")) return false;
  if (ALWAYS.has(event.key)) return true;
  if (state.view !== "talk") return false;
  return !SCROLLING.has(event.key) || event.target === byId("list") || event.target === document.body;
}

function help() {
  const names = { ArrowDown: "↓", ArrowUp: "↑", " ": "Space" };
  const rows = KEYS.map(([keys, what]) => [
    el(
      "dt",
      {},
      keys.flatMap((key, place) => [place > 0 ? " " : "", el("kbd", {}, names[key] ?? key)]),
    ),
    el("dd", {}, what),
  ]);
  return [
    el("h2", { id: "help-title" }, "Keys"),
    el("dl", {}, rows),
    el("h2", {}, "Filter"),
    filterHelp(),
    el("form", { method: "dialog" }, el("button", {}, "Close")),
  ];
}

const EXAMPLES = [
  ["timeout", 'rows in whose text the word stands; "two words" in quotes'],
  ["method:tools/*", "a field by a glob: method, name, id, session, x, from, kind, era, rule, violator"],
  ["size>10k latency>=250ms", "both; also t, status, seq"],
  ["severity>=warning or kind:noise", "either; not and ( ) as usual"],
];

const filterHelp = () =>
  el(
    "dl",
    {},
    EXAMPLES.map(([expression, what]) => [el("dt", {}, el("code", {}, expression)), el("dd", {}, what)]),
  );
