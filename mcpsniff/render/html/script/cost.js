// What sessions cost: round trips, bytes, and where the bytes of a call go.

import { CALL, exchangeOf, REPORT, ROWS, rowOf } from "./data.js";
import { el, fill } from "./dom.js";
import { breakEven } from "./eras.js";
import { latencies } from "./latency.js";
import { stacked } from "./plots.js";
import { table } from "./table.js";
import { toolSizes } from "./tools.js";
import { amount } from "./units.js";

const PARTS = ["payload", "envelope", "framing", "heads"];

/** Draws the view for some sessions. */
export function drawCost(panel, sessions) {
  fill(
    panel,
    el("h2", {}, "What it costs"),
    totals(REPORT.sessions),
    breakEven(),
    callBytes(REPORT.sessions),
    sessions.map((session) => latencies(session, sessions.length > 1)),
    sessions.map((session) => toolSizes(session, sessions.length > 1)),
  );
}

const COLUMNS = [
  ["", (s) => s.id],
  ["era", (s) => s.era],
  ["over", (s) => s.transport],
  ["trips before the first call", (s) => amount(s.round_trips.before_first_call)],
  ["trips", (s) => amount(s.round_trips.total)],
  ["tool calls", (s) => amount(s.calls.count)],
  ["fixed bytes", (s) => amount(s.calls.bytes_per_call.fixed)],
  ["bytes a call", (s) => amount(s.calls.bytes_per_call.marginal)],
  ["amortised a call", (s) => amount(s.calls.bytes_per_call.amortised)],
  ["envelope, request", (s) => amount(s.envelope.request_bytes)],
  ["envelope, result", (s) => amount(s.envelope.result_bytes)],
];

function totals(sessions) {
  const rows = sessions.map((session) => COLUMNS.map(([, say]) => say(session)));
  const numbers = COLUMNS.map((_, place) => place).slice(3);
  return table(
    "Each session",
    COLUMNS.map(([title]) => title),
    rows,
    numbers,
  );
}

// where the bytes of a call go

function callBytes(sessions) {
  const known = sessions.map((session) => [session, partsOf(session)]).filter(([, parts]) => parts !== null);
  if (known.length === 0) return null;
  const most = Math.max(...known.map(([, { means }]) => PARTS.reduce((sum, part) => sum + means[part], 0)));
  const rows = known.map(([session, { means, calls }]) => [
    session.id,
    session.era,
    session.transport,
    amount(calls),
    ...PARTS.map((part) => amount(means[part])),
    stacked(
      PARTS.map((part) => [part, means[part]]),
      most,
    ),
  ]);
  const legend = PARTS.map((part) => el("span.legend", {}, el(`i.part-${part}`), part));
  return el(
    "section",
    {},
    el(
      "h3",
      {},
      "Where the bytes of a tool call go ",
      el("small", {}, "means over the answered calls on this page, request and answer"),
    ),
    el("p.quiet", {}, legend),
    table("Bytes of a tool call", ["", "era", "over", "calls", ...PARTS, ""], rows, [3, 4, 5, 6, 7]),
  );
}

function partsOf(session) {
  const sums = Object.fromEntries(PARTS.map((part) => [part, 0]));
  let calls = 0;
  for (const row of ROWS.filter((one) => one.session === session.id)) {
    const answer =
      row.kind === "request" && row.method === CALL && row.answer !== null ? rowOf(row.capture, row.answer) : undefined;
    if (answer === undefined || row.from !== "client") continue;
    calls++;
    for (const one of [row, answer]) {
      sums.envelope += one.envelope;
      sums.framing += one.framing;
      sums.payload += Math.max(0, one.size - one.envelope - one.framing); // sizes of foreign captures may be wrong
    }
    sums.heads += row.x === null ? 0 : (exchangeOf(row)?.heads ?? 0);
  }
  if (calls === 0) return null;
  return { calls, means: Object.fromEntries(PARTS.map((part) => [part, sums[part] / calls])) };
}
