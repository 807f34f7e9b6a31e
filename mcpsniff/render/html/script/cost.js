// What sessions cost: round trips, bytes and where they go, latency by method and tool, and where the eras break even.

import { exchangeOf, REPORT, ROWS, rowOf, SESSIONS } from "./data.js";
import { el, fill, plain } from "./dom.js";
import { lines, spread, stacked } from "./plots.js";
import { table } from "./table.js";
import { amount, count, duration } from "./units.js";

const PARTS = ["payload", "envelope", "framing", "heads"];
const CALL = "tools/call";
const SHOWN = 40; // rows of one table
const FEW = 5; // values from which on their spread is drawn

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
  return table("Each session", COLUMNS.map(([title]) => title), rows, numbers);
}

// the eras side by side

function breakEven() {
  const both = REPORT.comparison;
  if (both === null) return el("p.quiet", {}, "Give captures of both eras to see where they break even.");
  const [legacy, modern] = both.sessions.map((id) => SESSIONS.get(id));
  const series = [["legacy", legacy], ["modern", modern]].map(([name, session]) => {
    const { fixed, marginal } = session.calls.bytes_per_call;
    return { name, fixed: fixed ?? 0, each: marginal };
  });
  const meet = both.break_even_calls;
  const calls = Math.max(10, Math.ceil((meet ?? 0) * 2.5));
  return el(
    "section",
    {},
    el("h3", {}, "The eras side by side ", el("small", {}, `${legacy.id} legacy, ${modern.id} modern`)),
    el("p", {}, sentence(both, series)),
    el("figure", {}, lines(series, calls, meet), el("figcaption", {}, "Bytes of the opening and of all calls, over the number of calls.")),
  );
}

function sentence(both, [legacy, modern]) {
  const costs = `The legacy session opens with ${amount(legacy.fixed)} bytes and ${count(both.round_trips[0] ?? 0, "round trip")}, then takes ${amount(legacy.each)} bytes a call; the modern one opens with ${amount(modern.fixed)} bytes and ${count(both.round_trips[1] ?? 0, "round trip")}, then takes ${amount(modern.each)} a call. `;
  const cheaper = legacy.each < modern.each ? "legacy" : "modern";
  if (both.break_even_calls === null) return `${costs}The ${cheaper} session costs less from the first call on.`;
  return `${costs}Both cost the same after ${amount(both.break_even_calls)} calls; from then on the ${cheaper} session costs less.`;
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
    stacked(PARTS.map((part) => [part, means[part]]), most),
  ]);
  const legend = PARTS.map((part) => el("span.legend", {}, el(`i.part-${part}`), part));
  return el(
    "section",
    {},
    el("h3", {}, "Where the bytes of a tool call go ", el("small", {}, "means over the answered calls on this page, request and answer")),
    el("p.quiet", {}, legend),
    table("Bytes of a tool call", ["", "era", "over", "calls", ...PARTS, ""], rows, [3, 4, 5, 6, 7]),
  );
}

function partsOf(session) {
  const sums = Object.fromEntries(PARTS.map((part) => [part, 0]));
  let calls = 0;
  for (const row of rowsOf(session)) {
    const answer = row.kind === "request" && row.method === CALL && row.answer !== null ? rowOf(row.capture, row.answer) : undefined;
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

const rowsOf = (session) => ROWS.filter((row) => row.session === session.id);

// latency

function latencies(session, several) {
  const timed = rowsOf(session).filter((row) => row.latency !== null && row.latency > 0);
  if (timed.length === 0) return null;
  const least = Math.max(1e-6, timed.reduce((min, row) => Math.min(min, row.latency), Infinity));
  const most = timed.reduce((max, row) => Math.max(max, row.latency), least * 1.01);
  const values = grouped(timed);
  const lineOf = (name, one, values) => [
    plain(name),
    amount(one.count),
    amount(one.errors + (one.tool_errors ?? 0)),
    ...["p50", "p90", "p99"].map((share) => duration(inSeconds(one.latency_ms[share]))),
    values.length >= FEW ? spread(values, least, most, inSeconds(one.latency_ms.p50) ?? least) : "",
  ];
  const methods = session.methods
    .filter((one) => one.latency_ms.p50 !== null)
    .slice(0, SHOWN)
    .map((one) => lineOf(one.direction === "server" ? `${one.method} (by the server)` : one.method, one, values.get(methodKey(one.direction, one.method)) ?? []));
  const tools = session.tools
    .filter((one) => one.count > 0)
    .slice(0, SHOWN)
    .map((one) => lineOf(one.name, one, values.get(toolKey(one.name)) ?? []));
  const titles = (what) => [what, "count", "failed", "median", "p90", "p99", `${duration(least)} … ${duration(most)}`];
  return el(
    "section",
    {},
    el("h3", {}, "Latency ", el("small", {}, several ? session.id : "", " the human's wait is not in it")),
    table(`Latency by method, ${session.id}`, titles("method"), methods, [1, 2, 3, 4, 5]),
    tools.length > 0 ? table(`Latency by tool, ${session.id}`, titles("tool"), tools, [1, 2, 3, 4, 5]) : null,
  );
}

const methodKey = (from, method) => `${from} ${method}`;
const toolKey = (name) => `${CALL} ${name}`;

/** Gives the latencies of answers by the method and by the tool of their requests. */
function grouped(timed) {
  const values = new Map();
  for (const row of timed) {
    const request = rowOf(row.capture, row.call ?? -1);
    if (request === undefined) continue;
    const keys = [methodKey(request.from, request.method)];
    if (request.method === CALL && request.from === "client") keys.push(toolKey(request.name));
    for (const key of keys) {
      if (!values.has(key)) values.set(key, []);
      values.get(key).push(row.latency);
    }
  }
  return values;
}

const inSeconds = (ms) => (ms === null ? null : ms / 1000);

// tools

const CLAIMS = {
  readOnlyHint: ["read-only", "writes"],
  destructiveHint: ["destructive", "not destructive"],
  idempotentHint: ["idempotent", "not idempotent"],
  openWorldHint: ["open world", "closed world"],
};

function toolSizes(session, several) {
  const known = session.tools.slice(0, SHOWN);
  if (known.length === 0) return null;
  const each = (tool) => (tool.count > 0 ? tool.result_bytes / tool.count : null);
  const most = Math.max(...known.map((tool) => Math.max(tool.definition_bytes ?? 0, each(tool) ?? 0)));
  const rows = known.map((tool) => [
    plain(tool.name),
    amount(tool.definition_bytes),
    tool.definition_bytes === null ? "" : stacked([["definition", tool.definition_bytes]], most),
    amount(each(tool)),
    each(tool) === null ? "" : stacked([["result", each(tool)]], most),
    claimed(tool.claims ?? {}),
  ]);
  const list = session.tools_list_bytes === null ? "" : `the whole list ${amount(session.tools_list_bytes)} bytes`;
  const left = session.tools.length - known.length;
  return el(
    "section",
    {},
    el("h3", {}, "Tools ", el("small", {}, [several ? session.id : null, list].filter(Boolean).join(", "))),
    table(`Sizes of tools in bytes, ${session.id}`, ["tool", "definition", "", "a result", "", "the server claims"], rows, [1, 3]),
    left > 0 ? el("p.quiet", {}, `and ${amount(left)} more`) : null,
  );
}

const claimed = (claims) =>
  Object.entries(CLAIMS).filter(([key]) => typeof claims[key] === "boolean").map(([key, words]) => words[claims[key] ? 0 : 1]).join(", ");
