// What the program wrote into the page, and what is looked up in it again and again.

const DATA = JSON.parse(document.getElementById("data").textContent);

export const REPORT = DATA.report;
export const RULES = DATA.rules;
export const LATENCIES = DATA.latencies; // by session, sender, method and tool
export const LEFT_OUT = DATA.left_out;
export const FILTER = DATA.filter; // that the page opens with

export const CALL = "tools/call";

export const RANK = { error: 0, warning: 1, info: 2 };
export const MARK = { error: "✗", warning: "▲", info: "•" };
export const NOUN = { error: "error", warning: "warning", info: "note" };

/** The captures, each with the token that stands for it in a link (c1, c2, …). */
export const CAPTURES = REPORT.captures.map((capture, place) => ({ ...capture, token: `c${place + 1}` }));

export const SESSIONS = new Map(REPORT.sessions.map((session) => [session.id, session]));

const captureOf = new Map(CAPTURES.map((capture) => [capture.id, capture]));

/** Gives a capture by its id. */
export const captureBy = (id) => captureOf.get(id);

const UNKNOWN = {
  session: null,
  from: null,
  id: null,
  method: null,
  name: null,
  size: null,
  latency: null,
  call: null,
  leg: null,
  x: null,
  era: null,
  says: null,
  sse: null,
  eol: null,
  text: null,
  b64: null,
  headers: null,
  words: null,
  status: null,
  asks: null,
  outcome: null,
  answer: null,
  retry: null,
  part: 0,
  envelope: 0,
  framing: 0,
  cut: 0, // bytes that are not on the page
  clipped: false, // the recorder kept the beginning alone
  findings: [],
};

/** All rows, by capture in the order in which they were seen; what is not known of one is null. */
export const ROWS = DATA.rows.map((row) => ({ ...UNKNOWN, ...row }));

const byRecord = new Map(CAPTURES.map((capture) => [capture.id, new Map()]));
const byExchange = new Map(CAPTURES.map((capture) => [capture.id, new Map()]));
const byCall = new Map(CAPTURES.map((capture) => [capture.id, new Map()]));
for (const row of ROWS) {
  if (!isChange(row)) note(byRecord, row, row.seq);
  if (row.x !== null) note(byExchange, row, row.x);
  if (row.call !== null) note(byCall, row, row.call);
}
for (const row of ROWS) {
  const request = requestOf(row);
  if (request !== undefined && (row.kind === "result" || row.kind === "error")) request.answer = row.seq;
  const question = rowOf(row.capture, row.leg);
  if (question !== undefined) question.retry = row.seq;
}

function note(index, row, key) {
  const rows = index.get(row.capture);
  if (!rows.has(key)) rows.set(key, []);
  rows.get(key).push(row);
}

/** Whether a row is a change that the analysis noticed, and no record. */
export function isChange(row) {
  return row.kind === "session" || row.kind === "era";
}

/** Gives the row of a record, or of a part of it (from 1); undefined where the record has none. */
export function rowOf(capture, seq, part = 0) {
  const rows = byRecord.get(capture)?.get(seq);
  return rows?.find((row) => row.part === part) ?? rows?.[0];
}

/** Gives the request that a row answers, reports on or cancels; undefined where there is none. */
export function requestOf(row) {
  const rows = byRecord.get(row.capture)?.get(row.call);
  return rows?.find((one) => one.kind === "request" && one.id === row.id) ?? rows?.[0]; // a batch has several
}

/** Gives the rows of an HTTP exchange. */
export const rowsOfExchange = (capture, x) => byExchange.get(capture).get(x) ?? [];

/** Gives the rows that answer, report on or cancel the request of a row. */
export const rowsOfCall = (request) => byCall.get(request.capture).get(request.seq) ?? [];

/** Gives the heads of an HTTP exchange; undefined where they were not seen. */
export const exchangeOf = (row) => DATA.exchanges[row.capture]?.[row.x];

const pins = new Map();

/** Gives the findings whose culprit a row is: those of the report, with what is said of this row. */
export function findingsAt(row) {
  if (row.findings.length === 0) return row.findings;
  if (!pins.has(row))
    pins.set(
      row,
      row.findings.map((pin) => reported(row, pin)).filter((finding) => finding !== undefined),
    );
  return pins.get(row);
}

function reported(row, pin) {
  const session = SESSIONS.get(row.session);
  const same = session?.findings.find(
    (finding) => finding.rule === pin.rule && finding.violator === pin.violator && names(finding, row.seq),
  );
  return same === undefined ? undefined : { ...same, ...pin, where: pin.where ?? null, session };
}

const NAMED = 12; // records that the report names in one finding: with as many there may be more

const names = (finding, seq) => finding.seq.includes(seq) || finding.seq.length >= NAMED;

const decoder = new TextDecoder();

/** Gives the text of a row in which one may search. */
function textOf(row) {
  if (row.text !== null) return row.text;
  if (row.b64 === null) return row.words ?? row.says ?? "";
  return decoder.decode(Uint8Array.from(atob(row.b64), (character) => character.charCodeAt(0)));
}

const FROM_FINDINGS = new Set(["rule", "severity", "violator"]);

/** Gives the look-up of a row for the filter language. */
export const lookupOf = (row) => (field) => {
  if (field === "text") return textOf(row);
  return FROM_FINDINGS.has(field) ? findingsAt(row).map((finding) => finding[field]) : row[field];
};
