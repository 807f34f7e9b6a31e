// The chosen record: what it is, what belongs to it, what is wrong with it, its payload in the view asked for.

import { exactView } from "./bytes.js";
import { findingsAt, rowOf } from "./data.js";
import { el, fill, plain } from "./dom.js";
import { exchangeView, lineView } from "./exchange.js";
import { findingNote } from "./findings.js";
import { waitOf } from "./fold.js";
import { jsonView } from "./jsonview.js";
import { KINDS, labelOf } from "./labels.js";
import { memoryView } from "./memory.js";
import { linkTo, state } from "./state.js";
import { amount, count, duration, moment } from "./units.js";

const VIEWS = { formatted: "Formatted", exact: "Exact", line: "As a line", exchange: "As an exchange" };

let view = "formatted"; // stays from one record to the next

/** Draws the detail of a row; an invitation where none is chosen. */
export function drawDetail(panel, row) {
  if (row === undefined) {
    fill(
      panel,
      el("p.quiet", {}, "Choose a message: ", el("kbd", {}, "j"), " and ", el("kbd", {}, "k"), " step through them."),
      legend(),
    );
    return;
  }
  fill(panel, heading(row), related(row), findingsAt(row).map(findingNote), payload(panel, row), memoryView(row));
}

const LEGEND = [
  ["request", "client", "a request"],
  ["result", "server", "its result"],
  ["error", "server", "its error"],
  ["result.input_required", "server", "a result that asks for the user's input"],
  ["notification", "server", "a notification, which nothing answers"],
  ["noise", "server", "what is no message"],
];

function legend() {
  const lines = LEGEND.map(([kind, from, what]) => [
    el("dt", {}, el(`span.said.${kind}.from-${from}`, {}, el("i.wire"))),
    el("dd", {}, what),
  ]);
  return el("dl.arrows", {}, lines);
}

function heading(row) {
  const { lead, name, more } = labelOf(row);
  return el(
    "header",
    {},
    el(
      "h2",
      {},
      el("a", { href: linkTo(state.scope, row.seq) }, `#${row.seq}`),
      " ",
      el(`b.${row.kind}`, {}, lead),
      " ",
      name,
    ),
    more ? el("p.more", {}, more) : null,
    el("p.quiet", {}, facts(row).join(" · ")),
  );
}

function facts(row) {
  const other = row.from === "client" ? "server" : "client";
  return [
    KINDS[row.kind] ?? row.kind,
    row.from === null ? null : row.kind === "stderr" ? "by the server" : `${row.from} → ${other}`,
    row.id === null ? null : `id ${plain(row.id)}`,
    row.session,
    row.era,
    `${moment(row.t)} s`,
    row.size === null ? null : sizes(row),
    row.clipped ? "the recorder kept its beginning alone" : null,
    row.cut ? `${count(row.cut, "byte")} more are left out of the page` : null,
    row.latency === null ? null : `answered after ${duration(row.latency)}`,
  ].filter(Boolean);
}

function sizes(row) {
  const parts = Object.entries({ envelope: row.envelope, framing: row.framing }).filter(([, bytes]) => bytes);
  const said = parts.map(([name, bytes]) => `${amount(bytes)} ${name}`);
  return `${count(row.size, "byte")}${said.length > 0 ? ` (${said.join(", ")})` : ""}`;
}

const RELATED = [
  ["call", (row, other) => `request #${other.seq}`],
  ["answer", (row, other) => `answer #${other.seq} after ${duration(other.t - row.t)}`],
  [
    "leg",
    (row, other) =>
      `retries what #${other.seq} asked for, after the user's ${duration(waitOf(row) ?? row.t - other.t)}`,
  ],
  ["retry", (row, other) => `retried by #${other.seq}`],
];

function related(row) {
  const links = RELATED.flatMap(([key, say]) => {
    const other = row[key] === null || row[key] === undefined ? undefined : rowOf(row.capture, row[key]);
    return other === undefined || other === row
      ? []
      : [el("a", { href: linkTo(state.scope, other.seq) }, say(row, other))];
  });
  return links.length === 0 ? null : el("p.related", {}, links);
}

function payload(panel, row) {
  if (row.text === null && row.b64 === null && row.x === null) return null;
  const buttons = Object.entries(VIEWS).map(([name, title]) =>
    el(
      "button",
      { type: "button", "aria-pressed": String(name === view), click: () => choose(panel, row, name) },
      title,
    ),
  );
  return el(
    "section.payload",
    {},
    el("div.choices", { role: "group", "aria-label": "How to show it" }, buttons),
    shownAs(row),
  );
}

function choose(panel, row, name) {
  view = name;
  drawDetail(panel, row);
  panel.querySelector(`.choices [aria-pressed="true"]`)?.focus();
}

function shownAs(row) {
  if (view === "line") return lineView(row);
  if (view === "exchange") return exchangeView(row);
  const pointers = findingsAt(row).filter((finding) => finding.seq[0] === row.seq && finding.where?.startsWith("/"));
  const formatted =
    view === "formatted" && row.text !== null
      ? jsonView(
          row.text,
          pointers.map((finding) => finding.where),
        )
      : null;
  return formatted ?? (row.text === null && row.b64 === null ? exchangeView(row) : exactView(row));
}
