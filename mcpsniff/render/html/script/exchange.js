// A message as a line of stdio and as an HTTP exchange with its headers: as recorded, or as it would look, said so.

import { exactView } from "./bytes.js";
import { exchangeOf, requestOf, rowsOfCall, rowsOfExchange, SESSIONS } from "./data.js";
import { el, plain, shown } from "./dom.js";
import { bytesOf } from "./units.js";

const RECORDED = "Recorded.";
const LONG = 20_000; // characters of a body

/** Gives a row as the line that stdio carries. */
export function lineView(row) {
  if (row.x === null) return [said(RECORDED), exactView(row)];
  if (row.text === null || row.kind.startsWith("http") || row.kind === "sse")
    return said("Stdio has no counterpart of this.");
  return [said("Came over HTTP; on stdio it would be this line."), exactView({ ...row, x: null, eol: "\n" })];
}

/** Gives the HTTP exchange that a row belongs to. */
export function exchangeView(row) {
  if (row.x !== null) return recorded(row);
  if (row.text === null || row.kind === "noise" || row.kind === "stderr")
    return said("HTTP has no counterpart of this.");
  return imagined(row);
}

const said = (text) => el("p.said-so", {}, text);

// as it was

function recorded(row) {
  const exchange = exchangeOf(row);
  if (exchange === undefined) return said("The head of this exchange is not in the capture.");
  const bodies = rowsOfExchange(row.capture, row.x).filter((one) => one.text !== null || one.b64 !== null);
  const sent = bodies.filter((one) => one.from === "client");
  const answered = bodies.filter((one) => one.from === "server");
  return [
    said(RECORDED),
    half(
      "Request",
      `${exchange.method} ${exchange.url} HTTP/${exchange.http ?? "?"}`,
      exchange.headers,
      sent.map((one) => bodyOf(one, row, false)),
    ),
    exchange.status === null
      ? said(`No response. ${exchange.closed ?? ""}`)
      : half(
          "Response",
          `HTTP/${exchange.http ?? "?"} ${exchange.status}`,
          exchange.reply_headers,
          answered.map((one) => bodyOf(one, row, one.sse !== null)),
        ),
    exchange.closed ? el("p.quiet", {}, plain(exchange.closed)) : null,
  ];
}

function half(title, first, headers, bodies) {
  const lines = headers.map(([name, value]) => [el("span.header-name", {}, shown(name)), ": ", ...shown(value), "\n"]);
  return el(
    "section.half",
    {},
    el("h3", {}, title),
    el("pre.http-head", {}, el("b", {}, shown(first)), "\n", lines),
    bodies,
  );
}

function bodyOf(one, chosen, event) {
  const body = el(one === chosen ? "pre.body.chosen" : "pre.body");
  const text = one.text ?? `(${one.size} bytes that are no UTF-8)`;
  const short = text.length > LONG ? `${text.slice(0, LONG)}… ${text.length - LONG} characters more` : text;
  if (event) body.append(...sseFields(one), "data: ");
  body.append(...shown(short, "\n\t"));
  return body;
}

function sseFields(one) {
  return Object.entries(one.sse ?? {}).flatMap(([name, value]) => shown(`${name}: ${value}\n`, "\n"));
}

// as it would be

function imagined(row) {
  const request = row.kind === "request" ? row : requestOf(row);
  if (request === undefined) return alone(row);
  if (request.from === "server") return row === request ? asked(row) : alone(row);
  const answers = rowsOfCall(request).filter((one) => one.from === "server");
  return [
    said(`Came over stdio; over HTTP it would be this exchange${row.kind === "request" ? "" : " of the request"}.`),
    posted(request, row),
    answered(request, answers, row),
  ];
}

/** A notification or an answer of one side, that nothing answers. */
function alone(row) {
  if (row.from === "server") return asked(row);
  if (row.era === "modern" && row.method === "notifications/cancelled") {
    return said(
      "Came over stdio; over HTTP of this era the client would close the response stream instead, and say nothing.",
    );
  }
  return [
    said("Came over stdio; over HTTP it would be this exchange."),
    posted(row, row),
    half("Response", "HTTP/1.1 202 Accepted", [["Content-Length", "0"]], []),
  ];
}

/** What a server says of itself: an event on a stream that is open. */
function asked(row) {
  const stream =
    row.era === "modern"
      ? "the response of the request or of the listen stream that it belongs to"
      : "an open response, or the stream of a GET";
  return [
    said(`Came over stdio; over HTTP it would be an event in ${stream}.`),
    half("Event", "HTTP/1.1 200 OK", [["Content-Type", "text/event-stream"]], [bodyOf(row, row, true)]),
  ];
}

function posted(request, chosen) {
  const body = request.text ?? "";
  const headers = [
    ["Content-Type", "application/json"],
    ["Accept", "application/json, text/event-stream"],
    ...(request.headers ?? []),
    ["Content-Length", String(bytesOf(body))],
  ];
  return half("Request", "POST /mcp HTTP/1.1", headers, [bodyOf(request, chosen, false)]);
}

function answered(request, answers, chosen) {
  const streamed = answers.length > 1;
  const headers = [["Content-Type", streamed ? "text/event-stream" : "application/json"], ...sessionId(request)];
  if (answers.length === 0) return said("No answer to it is in the capture.");
  return half(
    "Response",
    `HTTP/1.1 ${status(request, answers)}`,
    headers,
    answers.map((one) => bodyOf(one, chosen, streamed)),
  );
}

const sessionId = (request) =>
  request.method === "initialize" ? [["Mcp-Session-Id", "(one that the server may give)"]] : [];

/** Modern servers refuse over HTTP with a status, too. */
function status(request, answers) {
  const refused =
    SESSIONS.get(request.session)?.era !== "legacy" && answers.length === 1 && answers[0].kind === "error";
  const known = {
    "-32601": "404 Not Found",
    "-32020": "400 Bad Request",
    "-32021": "400 Bad Request",
    "-32022": "400 Bad Request",
  };
  return (refused && known[answers[0].code]) || "200 OK";
}
