// The verdict, all sessions, each of those looked at, and what only all captures show: clashes of names, losses.

import { captureBy, CAPTURES, MARK, NOUN, RANK, REPORT, SESSIONS } from "./data.js";
import { el, fill, plain } from "./dom.js";
import { eraOf, nameOf, sessionCard } from "./session.js";
import { table } from "./table.js";
import { amount, count } from "./units.js";

/** Gives the sentence on everything: what was found, in how much traffic. */
export function verdict() {
  const { sessions, messages, findings } = REPORT.summary;
  const where = `in ${count(sessions, "session")}, ${count(messages, "message")}`;
  const found = Object.keys(RANK).filter((severity) => findings[severity] > 0);
  if (sessions === 0) return [el("b", {}, "No MCP session here")];
  if (REPORT.tiers.length === 0) return [el("b", {}, "Measured only, nothing judged"), ` ${where}`];
  const clean = whole() ? "✓ Nothing wrong found" : "Nothing wrong found in what could be read";
  if (found.length === 0) return [el("b.good", {}, clean), ` ${where}`];
  const parts = found.map((severity) =>
    el(`b.${severity}`, {}, `${MARK[severity]} ${count(findings[severity], NOUN[severity])}`),
  );
  return [parts.flatMap((part, place) => (place > 0 ? [" ", part] : [part])), ` ${where}`];
}

const whole = () =>
  CAPTURES.every((capture) => capture.complete) && Object.values(REPORT.losses).every((list) => list.length === 0);

/** Draws the view: all sessions where there are several, then those that are looked at. */
export function drawOverview(panel, sessions) {
  fill(
    panel,
    el("h2.only-print", {}, verdict()),
    REPORT.sessions.length > 1 ? allSessions() : null,
    sessions.map(sessionCard),
    clashes(),
    losses(),
  );
}

function allSessions() {
  const rows = REPORT.sessions.map((session) => [
    el("a", { href: `#${session.id}` }, session.id),
    eraOf(session),
    session.transport,
    nameOf(session.client),
    nameOf(session.server),
    amount(session.messages.total),
    tally(session),
    plain(captureBy(session.capture).file),
  ]);
  return el(
    "section",
    {},
    el("h2", {}, "Sessions"),
    table("Sessions", ["", "era", "over", "client", "server", "messages", "found", "capture"], rows, [5]),
  );
}

function tally(session) {
  const parts = Object.keys(RANK).map((severity) => {
    const number = session.findings.filter((finding) => finding.severity === severity).length;
    return number > 0 ? el(`span.${severity}`, { title: NOUN[severity] }, `${MARK[severity]}${number} `) : null;
  });
  return parts.some(Boolean) ? parts : "–";
}

function clashes() {
  if (REPORT.tool_collisions.length === 0) return null;
  const rows = REPORT.tool_collisions.map((clash) => [
    plain(clash.name),
    clash.servers.map((id) => `${id} ${nameOf(SESSIONS.get(id)?.server)}`).join(", "),
  ]);
  return el(
    "section",
    {},
    el("h2", {}, "Tools of one name on several servers"),
    table("Tools of one name", ["tool", "servers"], rows),
  );
}

function losses() {
  const lines = [
    ...REPORT.losses.damaged_lines.map((one) => `${fileOf(one.capture)}: ${count(one.count, "damaged line")}`),
    ...REPORT.losses.gaps.map(
      (one) => `${fileOf(one.capture)}: ${count(one.count, "gap")}, ${count(one.records, "record")} not recorded`,
    ),
    ...REPORT.losses.missing_parts.map((one) => `${fileOf(one.capture)}: ${count(one.count, "part")} missing`),
    ...REPORT.losses.untimed.map(
      (one) => `${fileOf(one.capture)}: it is not known when the events of ${count(one.streams, "stream")} came`,
    ),
    ...REPORT.losses.crashed_rules.map((one) => `${fileOf(one.capture)}: the rule ${one.rule} failed (${one.error})`),
    ...REPORT.caps.map((one) => `more than ${amount(one.limit)} ${one.store}: ${amount(one.dropped)} not counted`),
    ...CAPTURES.filter((one) => !one.complete).map((one) => `${one.file}: cut off before its end`),
  ];
  return lines.length === 0
    ? null
    : el(
        "section",
        {},
        el("h2", {}, "What is missing"),
        el(
          "ul",
          {},
          lines.map((line) => el("li", {}, plain(line))),
        ),
      );
}

const fileOf = (id) => captureBy(id).file;
