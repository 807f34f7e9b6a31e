// From rows to what the diagram shows: gaps and waits between them, runs folded, changes marked, calls joined.

import { findingsAt, isChange, rowOf, SESSIONS } from "./data.js";
import { plain } from "./dom.js";
import { spoken } from "./labels.js";
import { duration } from "./units.js";

const GAP = 0.25; // seconds between two rows that are worth a line of their own
const RUN = 3; // rows of one kind in a row that are folded

/**
 * Gives the items of a diagram, in order: {type, ...}. Types: row {row}, gap and wait {seconds}, fold {id, rows, what,
 * open}, mark {kind, text}. `opened` holds the ids of folds that are open; with `matches` only such rows, unfolded.
 */
export function itemsOf(rows, opened, matches) {
  if (matches !== null) return rows.filter(matches).map(itemOf);
  const items = [];
  let before = null;
  for (const run of runsOf(rows)) {
    const first = run[0];
    if (isChange(first)) {
      items.push(itemOf(first));
      continue;
    }
    items.push(...between(before, first));
    if (run.length < RUN) items.push(...run.map((row) => ({ type: "row", row })));
    else items.push(...folded(run, opened));
    before = run.at(-1);
  }
  return items;
}

const itemOf = (row) => (isChange(row) ? { type: "mark", kind: row.kind, text: changeOf(row) } : { type: "row", row });

function folded(run, opened) {
  const id = `${run[0].capture} ${run[0].seq}`;
  const open = opened.has(id);
  const fold = { type: "fold", id, rows: run, what: whatOf(run[0]), open };
  return open ? [fold, ...run.map((row) => ({ type: "row", row, inner: true }))] : [fold];
}

function between(before, row) {
  const wait = waitOf(row);
  if (wait !== null) return [{ type: "wait", seconds: wait, row }];
  const gap = before === null ? 0 : row.t - before.t;
  return gap >= GAP ? [{ type: "gap", seconds: gap }] : [];
}

/** Gives how long a person took before a row that brings their answer, in seconds; null where it brings none. */
export function waitOf(row) {
  const asked = row.leg ?? (row.from === "client" && row.call !== null ? row.call : null);
  const question = asked === null ? undefined : rowOf(row.capture, asked);
  return question?.asks ? Math.max(0, row.t - question.t) : null;
}

function runsOf(rows) {
  const runs = [];
  let key = null;
  for (const row of rows) {
    const next = foldKey(row);
    if (next !== null && next === key) runs.at(-1).push(row);
    else runs.push([row]);
    key = next;
  }
  return runs;
}

/** Gives what a row can be folded with: its like, right beside it. */
function foldKey(row) {
  if (row.kind === "stderr" || row.kind === "sse") return `${row.session} ${row.kind} ${row.x}`;
  if (row.kind !== "notification" || row.from !== "server") return null;
  return `${row.session} ${row.method} ${row.call} ${row.x}`;
}

const WHAT = { stderr: "lines on stderr", sse: "events without a message" };

const whatOf = (row) =>
  WHAT[row.kind] ?? (row.method === "notifications/progress" ? "progress" : plain(row.method ?? ""));

/** Gives a change in words: a session that begins, an era that is known from here on. */
function changeOf(row) {
  if (row.kind === "era") return `${row.session} is ${row.says}`;
  return `${row.session} ${row.says}, over ${SESSIONS.get(row.session)?.transport}`;
}

/** Gives the chains of a call and its retries: for each, its rows in order, the first request first. */
export function chainsOf(rows) {
  const chains = new Map(); // capture and root → rows
  const rootOf = (row) => {
    let request = row;
    for (let steps = 0; request !== undefined && request.leg !== null && steps < 1000; steps++) {
      request = rowOf(row.capture, rowOf(row.capture, request.leg)?.call ?? -1);
    }
    return request;
  };
  for (const row of rows) {
    if (row.leg === null || row.kind !== "request") continue;
    const root = rootOf(row);
    if (root === undefined) continue;
    const key = `${root.capture} ${root.seq}`;
    if (!chains.has(key)) chains.set(key, legRows(root));
    chains.get(key).push(...legRows(row));
  }
  return [...chains.values()];
}

const legRows = (request) => [request, rowOf(request.capture, request.answer ?? -1)].filter((row) => row !== undefined);

/** Gives one sentence on an item, for those who hear it. */
export function sentenceOf(item) {
  if (item.type === "gap") return `Nothing for ${duration(item.seconds)}`;
  if (item.type === "wait") return `The user answers after ${duration(item.seconds)}`;
  if (item.type === "mark") return item.text;
  if (item.type === "fold") return `${item.rows.length} ${item.what}, ${item.open ? "unfolded" : "folded"}`;
  const { row } = item;
  const found = findingsAt(row);
  const faults = found.length > 0 ? `, found: ${found.map((finding) => finding.rule).join(", ")}` : "";
  return plain(`Record ${row.seq}, ${row.from ?? ""} ${row.kind} ${spoken(row)}${faults}`);
}
