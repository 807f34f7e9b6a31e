// Findings: by severity with clause and records, and each rule's page with the fix.

import { captureBy, MARK, NOUN, RANK, REPORT, RULES } from "./data.js";
import { el, fill, plain } from "./dom.js";
import { prose } from "./prose.js";
import { linkTo } from "./state.js";
import { count } from "./units.js";

/** Draws the view of the findings of some sessions. */
export function drawFindings(panel, sessions) {
  const found = sessions
    .flatMap((session) => session.findings.map((finding) => ({ ...finding, session })))
    .sort((a, b) => RANK[a.severity] - RANK[b.severity]);
  fill(panel, el("h2", {}, "Findings"), found.length === 0 ? el("p.good", {}, nothing()) : groups(found));
}

const nothing = () =>
  REPORT.tiers.length === 0 ? "Measured only, nothing judged." : "Nothing wrong found in these sessions.";

function groups(found) {
  return Object.keys(RANK).map((severity) => {
    const some = found.filter((finding) => finding.severity === severity);
    if (some.length === 0) return null;
    return [el(`h3.${severity}`, {}, `${MARK[severity]} ${count(some.length, NOUN[severity])}`), some.map(card)];
  });
}

function card(finding) {
  return el(
    `article.finding.${finding.severity}`,
    {},
    el("h4", {}, finding.rule, " ", el("small", {}, plain(finding.title))),
    el("p", {}, plain(finding.message)),
    finding.excerpt ? el("pre.excerpt", {}, finding.excerpt) : null,
    facts(finding),
    clauses(finding),
    page(finding.rule),
  );
}

/** Gives a finding as it stands beside its message. */
export function findingNote(finding) {
  return el(
    `div.finding.${finding.severity}`,
    {},
    el(
      "h3",
      {},
      `${MARK[finding.severity]} ${finding.rule} `,
      el("small", {}, `${NOUN[finding.severity]}, by the ${finding.violator}`),
    ),
    el("p", {}, plain(finding.message), finding.where ? [" at ", el("code", {}, plain(finding.where))] : ""),
    records(finding),
    clauses(finding),
    page(finding.rule),
  );
}

const facts = (finding) =>
  el(
    "p.quiet",
    {},
    `${finding.session.id}, by the ${finding.violator}, ${finding.confidence}`,
    finding.count > 1 ? `, ${finding.count} times` : "",
    finding.line === null ? "" : `, line ${finding.line} of ${plain(captureBy(finding.session.capture).file)}`,
    ". ",
    records(finding),
  );

function records(finding) {
  const links = finding.seq.map((seq) => el("a", { href: linkTo(finding.session.id, seq) }, `#${seq}`));
  return el(
    "span.records",
    {},
    "Records ",
    links.flatMap((link, place) => (place > 0 ? [" ", link] : [link])),
  );
}

const clauses = (finding) =>
  finding.spec.map((url) =>
    el("p.clause", {}, "§ ", outward(url, url.replace("https://modelcontextprotocol.io/specification/", ""))),
  );

/** Gives a link out of the page: only where it leads is said, and nothing is asked for before somebody follows it. */
export function outward(url, text) {
  const safe = /^https?:\/\//.test(url);
  return safe ? el("a", { href: url, rel: "noreferrer noopener", target: "_blank" }, text) : el("span", {}, text);
}

function page(rule) {
  const text = RULES[rule];
  return text === undefined
    ? null
    : el("details.rule", {}, el("summary", {}, "What it means, and how to fix it"), prose(text));
}
