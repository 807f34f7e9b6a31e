// Latency by method and by tool: quantiles, and how the values spread. The numbers are those of mcpsniff's frames.

import { LATENCIES } from "./data.js";
import { el, plain } from "./dom.js";
import { spread } from "./plots.js";
import { table } from "./table.js";
import { amount, duration } from "./units.js";

const SHOWN = 40; // rows of one table
const FEW = 5; // values from which on their spread is drawn
const BESIDE = "of the answers on this page; the user's time between input_required and the retry is not in it";

/** Gives the section of a session; null where nothing was answered. */
export function latencies(session, several) {
  const found = LATENCIES.filter((one) => one.session === session.id);
  if (found.length === 0) return null;
  const methods = found.filter((one) => one.name === null).slice(0, SHOWN);
  const tools = found.filter((one) => one.name !== null).slice(0, SHOWN);
  const range = `${duration(found[0].least)} … ${duration(found[0].most)}`;
  const titles = (what) => [what, "count", "failed", "median", "p90", "p99", range];
  return el(
    "section",
    {},
    el("h3", {}, "Latency ", el("small", {}, several ? `${session.id}, ` : "", BESIDE)),
    table(
      `Latency by method, ${session.id}`,
      titles("method"),
      methods.map((one) => lineOf(methodOf(session, one), titleOf(one), one)),
      [1, 2, 3, 4, 5],
    ),
    tools.length === 0
      ? null
      : table(
          `Latency by tool, ${session.id}`,
          titles("tool"),
          tools.map((one) => lineOf(toolOf(session, one), one.name, one)),
          [1, 2, 3, 4, 5],
        ),
  );
}

const titleOf = (one) => (one.sender === "server" ? `${one.method} (by the server)` : one.method);

const methodOf = (session, { sender, method }) =>
  session.methods.find((one) => one.direction === sender && one.method === method);

const toolOf = (session, { name }) => session.tools.find((one) => one.name === name);

/** Gives the cells of a method or a tool: what the report counted of it, how long its answers took. */
function lineOf(counted, title, took) {
  return [
    plain(title),
    amount(counted?.count),
    amount(counted && counted.errors + (counted.tool_errors ?? 0)),
    ...[took.median, took.p90, took.p99].map(duration),
    took.answers < FEW ? "" : spread(took),
  ];
}
