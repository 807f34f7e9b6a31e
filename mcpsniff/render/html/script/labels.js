// What a row is called: in parts for the eye, in one text for the ear.

import { requestOf } from "./data.js";
import { plain } from "./dom.js";

const LENGTH = 160; // characters of captured text in a row

/** What each kind of row is called. */
export const KINDS = {
  request: "request",
  result: "result",
  error: "error",
  notification: "notification",
  batch: "batch",
  malformed: "malformed",
  noise: "noise",
  stderr: "stderr",
  body: "body beside MCP",
  sse: "event without a message",
  "http-request": "HTTP request",
  "http-response": "HTTP response",
  "http-close": "end of an exchange",
  eof: "end of a stream",
  signal: "signal",
  exit: "end of the server",
  gap: "gap in the capture",
  lost: "loss",
};

/** Gives {lead, name, more}: the kind or method, what it is about, and what else there is to say. */
export function labelOf(row) {
  const make = LABELS[row.kind] ?? ((other) => ({ lead: "", more: other.says ?? KINDS[other.kind] ?? other.kind }));
  const { lead, name = "", more = "" } = make(row);
  return { lead: short(lead), name: short(name), more: short(more) };
}

const short = (text) => {
  const one = plain(String(text).slice(0, LENGTH + 1));
  return one.length > LENGTH ? `${one.slice(0, LENGTH)}…` : one;
};

function answer(row) {
  const request = requestOf(row);
  const about = [request?.method ?? row.method, request?.name ?? row.name].filter(Boolean).join(" ");
  const lead = { input_required: "input required", tool_error: "tool error" }[row.outcome] ?? row.kind;
  return { lead, name: about, more: row.asks ?? row.says ?? "" };
}

const said = (row) => ({ lead: row.method ?? KINDS[row.kind], name: row.name ?? "", more: row.asks ?? row.says ?? "" });

const LABELS = {
  request: said,
  notification: said,
  result: answer,
  error: answer,
  noise: (row) => ({ lead: "noise", more: row.says ?? "" }),
  batch: () => ({ lead: "batch" }),
  sse: (row) => ({ lead: "event", more: row.says ?? "" }),
};

/** Gives the label as one text. */
export function spoken(row) {
  const { lead, name, more } = labelOf(row);
  return [lead, name, more].filter(Boolean).join(" ");
}
