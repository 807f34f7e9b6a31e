// One session: who spoke in which era and why, what was negotiated, what it came to, how it ended.

import { captureBy } from "./data.js";
import { el, plain } from "./dom.js";
import { linkTo } from "./state.js";
import { table } from "./table.js";
import { amount, count, duration } from "./units.js";

/** Gives era and revision in words. */
export function eraOf(session) {
  if (session.era === "unknown") return "era unknown";
  if (session.revision !== null) return `${session.era} ${session.revision}`;
  return session.transport === "http" ? `${session.era}, 2025-03-26 or earlier` : `${session.era}, revision not seen`;
}

/** Gives name and version of a party. */
export const nameOf = (party) => plain([party?.name, party?.version].filter(Boolean).join(" ")) || "–";

/** Gives the section on a session. */
export function sessionCard(session) {
  const capture = captureBy(session.capture);
  const facts = FACTS.map(([name, say]) => [name, say(session, capture)]).filter(([, value]) => value !== null);
  return el(
    "section.session",
    {},
    el("h2", {}, `${session.id} `, el("small", {}, `${eraOf(session)} over ${session.transport}`)),
    el(
      "dl.facts",
      {},
      facts.map(([name, value]) => [el("dt", {}, name), el("dd", {}, value)]),
    ),
    evidence(session),
    unchecked(session),
  );
}

const FACTS = [
  ["capture", (session, capture) => [plain(capture.file), quiet(capture.upstream ?? capture.command?.join(" "))]],
  ["client", (session) => [el("b", {}, nameOf(session.client)), quiet(`shows itself ${session.client_era}`)]],
  ["server", (session) => [el("b", {}, nameOf(session.server)), quiet(`shows itself ${session.server_era}`)]],
  ["versions", (session) => negotiation(session.negotiation)],
  ["messages", (session) => messages(session.messages)],
  ["tool calls", (session) => (session.calls.count > 0 ? calls(session.calls) : null)],
  ["HTTP", (session) => (session.http === null ? null : http(session.http))],
  ["remembers", (session) => memory(session)],
  ["ended", (session) => ended(session)],
];

const quiet = (text) => (text ? el("span.quiet", {}, ` ${plain(text)}`) : "");

function negotiation(seen) {
  const list = (versions) => (versions.length > 0 ? versions.map(plain).join(", ") : "none named");
  return [
    seen.outcome ?? "not seen",
    el(
      "ul.versions",
      {},
      el("li", {}, `the client knows ${list(seen.client_versions)}`),
      el("li", {}, `the server knows ${list(seen.server_versions)}`),
      el("li", {}, `the newest that both named: ${plain(seen.common ?? "none")}`),
      el("li", {}, `in use: ${plain(seen.chosen ?? "not known")}`),
    ),
  ];
}

function messages(seen) {
  const sides = ["client", "server"].map((side) => {
    const { requests, responses, notifications, bytes } = seen[side];
    const said = [count(requests, "request"), count(responses, "answer"), count(notifications, "notification")];
    return `${side}: ${said.join(", ")}, ${count(bytes, "byte")}`;
  });
  const rest = [
    seen.text ? `${amount(seen.text)} not JSON` : null,
    seen.stderr ? `${amount(seen.stderr)} lines on stderr` : null,
  ];
  return [amount(seen.total), quiet([...sides, ...rest].filter(Boolean).join("; "))];
}

const OUTCOMES = {
  results: (number) => count(number, "result"),
  errors: (number) => count(number, "error"),
  tool_errors: (number) => count(number, "tool error"),
  input_required: (number) => `${amount(number)} input required`,
  cancelled: (number) => `${amount(number)} cancelled`,
  unanswered: (number) => `${amount(number)} unanswered`,
};

function calls(seen) {
  const said = Object.entries(OUTCOMES)
    .filter(([key]) => seen[key] > 0)
    .map(([key, say]) => say(seen[key]));
  const joined = seen.logical === seen.count ? "" : ` for ${count(seen.logical, "logical call")}`;
  return [`${amount(seen.count)}${joined}`, quiet(said.join(", "))];
}

function http(seen) {
  const statuses = Object.entries(seen.status).map(([code, number]) => `${number} × ${code}`);
  const sizes = [`${amount(seen.head_bytes)} bytes of heads`, `${amount(seen.framing_bytes)} of framing`];
  const on = seen.connections === null ? "" : ` on ${count(seen.connections, "connection")}`;
  return [
    `${count(seen.exchanges, "exchange")}${on}`,
    quiet([...statuses, ...sizes].join(", ")),
  ];
}

function memory(session) {
  const most = session.server_memory.reduce(
    (max, change) => (change.holds.length > max.length ? change.holds : max),
    [],
  );
  if (most.length === 0) return session.era === "modern" ? "nothing between requests" : null;
  return [
    `at most ${count(most.length, "thing")}`,
    el(
      "ul.versions",
      {},
      most.map((thing) => el("li", {}, plain(thing))),
    ),
  ];
}

function ended(session) {
  if (session.transport === "http" && session.era === "modern") return null; // there is nothing to end
  const { by, exit_code: code, signal, stdin_eof_to_exit_ms: ms } = session.shutdown;
  const parts = [
    signal === null ? null : `killed by ${plain(signal)}`,
    signal === null && code !== null ? `exit status ${code}` : null,
    ms === null ? null : `${duration(ms / 1000)} after the end of input`,
    session.complete ? null : "the capture does not hold all of it",
  ];
  return [by ? `by the ${by}` : "not seen", quiet(parts.filter(Boolean).join(", "))];
}

function evidence(session) {
  if (session.era_evidence.length === 0) return null;
  const rows = session.era_evidence.map((one) => [
    el("a", { href: linkTo(session.id, one.seq) }, `#${one.seq}`),
    one.side,
    one.says,
    plain(one.why),
  ]);
  return [el("h3", {}, "Why this era"), table("Evidence", ["record", "side", "says", "because"], rows)];
}

function unchecked(session) {
  if (session.unchecked.length === 0) return null;
  const rows = session.unchecked.map((one) => [one.rule, amount(one.count), plain(one.why)]);
  return el(
    "details",
    {},
    el("summary", {}, `Not checked: ${count(rows.length, "rule")}`),
    table("Not checked", ["rule", "times", "why"], rows, [1]),
  );
}
