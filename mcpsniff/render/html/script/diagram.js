// The sequence diagram: one row an item, lanes for user, client and server, an arrow for what was said.

import { findingsAt, MARK, RANK, requestOf } from "./data.js";
import { el, plain } from "./dom.js";
import { sentenceOf, waitOf } from "./fold.js";
import { labelOf } from "./labels.js";
import { amount, duration, moment } from "./units.js";

export const HEIGHT = 30; // CSS pixels of a row, as in diagram.css

/** Gives the element of an item. `place` says where it stands: {index, count, rails}. */
export function drawn(item, place) {
  const element = DRAW[item.type](item, place);
  element.classList.add("row");
  element.dataset.index = place.index;
  if (!isChoosable(item)) return element;
  element.id = `row-${place.index}`;
  element.setAttribute("role", "option");
  element.setAttribute("aria-posinset", place.index + 1);
  element.setAttribute("aria-setsize", place.count);
  element.setAttribute("aria-label", sentenceOf(item));
  return element;
}

/** Shows whether the item of an element is the chosen one, or belongs to its call. */
export function mark(element, chosen, near) {
  if (element.hasAttribute("role")) element.setAttribute("aria-selected", String(chosen));
  element.classList.toggle("near-call", near);
}

/** Whether an item can be chosen: a row, or a fold that opens. */
export const isChoosable = (item) => item.type === "row" || item.type === "fold";

function lanes(place, ...content) {
  const rails = place.rails.map(({ column, part }) => el(`i.rail.rail-${column}.${part}`));
  return el("span.lanes", {}, rails, content);
}

function drawRow({ row, inner }, place) {
  return el(
    inner ? "div.message.inner" : "div.message",
    {},
    el("span.seq", {}, `${row.seq}`),
    el("span.t", {}, moment(row.t)),
    el("span.after", {}, row.gap === null ? "" : `+${duration(row.gap)}`),
    lanes(place, row.from === null ? note(row) : said(row)),
    el("span.size", {}, row.size === null ? "" : amount(row.size)),
    el("span.latency", {}, row.latency === null ? "" : duration(row.latency)),
    pins(findingsAt(row)),
  );
}

// What happened at one side, and was not said to the other.
const SILENT = new Set(["stderr", "eof", "signal", "exit", "http-close"]);

function said(row) {
  const box = el(`span.said.${row.kind}.from-${row.from}`);
  if (row.outcome) box.classList.add(row.outcome);
  if (row.kind === "http-response" && row.status >= 400) box.classList.add("refused");
  if (!SILENT.has(row.kind)) box.append(el("i.wire"));
  if (row.asks) box.append(el("i.wire.ask"));
  if (waitOf(row) !== null) box.append(el("i.wire.reply"));
  box.append(label(row));
  return box;
}

function label(row) {
  const { lead, name, more } = labelOf(row);
  const id = row.id === null ? null : el("span.id", {}, `#${plain(row.id)}`);
  return el("span.label", {}, el("b", {}, lead), el("span.name", {}, name), id, el("span.more", {}, more));
}

const note = (row) => el(`span.note.${row.kind}`, {}, labelOf(row).lead, " ", labelOf(row).more);

function pins(found) {
  const worst = [...found].sort((a, b) => RANK[a.severity] - RANK[b.severity])[0];
  if (worst === undefined) return el("span.pins");
  const title = found.map((finding) => `${finding.rule}: ${finding.message}`).join("\n");
  const number = found.length > 1 ? String(found.length) : "";
  return el(`span.pins.${worst.severity}`, { title: title.slice(0, 2000) }, MARK[worst.severity], number);
}

function drawFold(item, place) {
  const found = item.open ? [] : item.rows.flatMap((row) => findingsAt(row));
  const first = item.rows[0];
  const last = item.rows.at(-1);
  return el(
    "div.fold",
    {},
    el("span.seq", {}, item.open ? "▾" : "▸"),
    el("span.t", {}, moment(first.t)),
    el("span.after", {}, `${duration(last.t - first.t)}`),
    lanes(place, el(`span.said.${first.kind}.from-${first.from ?? "server"}`, {}, el("i.wire.many"), foldLabel(item))),
    el("span.size", {}, amount(item.rows.reduce((sum, row) => sum + (row.size ?? 0), 0))),
    el("span.latency"),
    pins(found),
  );
}

function foldLabel(item) {
  const request = requestOf(item.rows[0]);
  const about = request === undefined ? "" : `for ${request.method} ${request.name ?? ""}`;
  return el("span.label", {}, el("b", {}, `${item.rows.length} × ${item.what}`), el("span.name", {}, plain(about)));
}

const between = (kind, text) => (item, place) =>
  el(`div.${kind}`, {}, el("span.seq"), el("span.t"), el("span.after"), lanes(place, el("span.note", {}, text(item))));

const DRAW = {
  row: drawRow,
  fold: drawFold,
  gap: between("pause", (item) => `${duration(item.seconds)} of silence`),
  wait: between("wait", (item) => `the user takes ${duration(item.seconds)}`),
  mark: (item, place) => between(`mark.${item.kind}`, () => plain(item.text))(item, place),
};

/** Gives the heads of the lanes. */
export function laneHeads(session, asks) {
  const named = (side) => {
    const party = session?.[side];
    return plain([party?.name, party?.version].filter(Boolean).join(" "));
  };
  return [
    el("span.seq", {}, "#"),
    el("span.t", {}, "seconds"),
    el("span.after", {}, "after"),
    el(
      "span.lanes",
      {},
      asks ? el("span.lane-head.user", {}, "User") : null,
      el("span.lane-head.client", {}, "Client ", el("small", {}, named("client"))),
      el("span.lane-head.server", {}, el("small", {}, named("server")), " Server"),
    ),
    el("span.size", {}, "bytes"),
    el("span.latency", {}, "latency"),
    el("span.pins", { title: "findings" }),
  ];
}
