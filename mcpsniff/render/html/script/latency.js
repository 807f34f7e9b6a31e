// Latency by method and by tool: quantiles, and how the values spread.

import { CALL, requestOf, ROWS } from "./data.js";
import { el, plain } from "./dom.js";
import { spread } from "./plots.js";
import { table } from "./table.js";
import { amount, duration } from "./units.js";

const SHOWN = 40; // rows of one table
const FEW = 5; // values from which on their spread is drawn

/** Gives the section of a session; null where nothing was answered. */
export function latencies(session, several) {
  const timed = ROWS.filter((row) => row.session === session.id && row.latency !== null && row.latency > 0);
  if (timed.length === 0) return null;
  const least = Math.max(
    1e-6,
    timed.reduce((min, row) => Math.min(min, row.latency), Infinity),
  );
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
    .map((one) =>
      lineOf(
        one.direction === "server" ? `${one.method} (by the server)` : one.method,
        one,
        values.get(methodKey(one.direction, one.method)) ?? [],
      ),
    );
  const tools = session.tools
    .filter((one) => one.count > 0)
    .slice(0, SHOWN)
    .map((one) => lineOf(one.name, one, values.get(toolKey(one.name)) ?? []));
  const range = `${duration(least)} … ${duration(most)}`;
  const titles = (what) => [what, "count", "failed", "median", "p90", "p99", range];
  return el(
    "section",
    {},
    el(
      "h3",
      {},
      "Latency ",
      el(
        "small",
        {},
        several ? `${session.id}, ` : "",
        "the user's time between input_required and the retry is not in it",
      ),
    ),
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
    const request = requestOf(row);
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
