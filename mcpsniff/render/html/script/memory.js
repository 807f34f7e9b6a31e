// What the server has to remember between requests, as it stood at a record.

import { SESSIONS } from "./data.js";
import { el, plain } from "./dom.js";
import { count } from "./units.js";

/** Gives {holds, before}: what is held after a record, and what was held by the change before the last. */
export function heldAt(session, seq) {
  const changes = session.server_memory.filter((change) => change.seq <= seq);
  const last = changes.at(-1);
  const fresh = last !== undefined && last.seq === seq;
  return { holds: last?.holds ?? [], before: fresh ? (changes.at(-2)?.holds ?? []) : (last?.holds ?? []) };
}

/** Gives the part of the detail that shows it; null where a row belongs to no session. */
export function memoryView(row) {
  const session = SESSIONS.get(row.session);
  if (session === undefined) return null;
  const { holds, before } = heldAt(session, row.seq);
  const gone = before.filter((thing) => !holds.includes(thing));
  return el(
    "section.remembers",
    {},
    el("h3", {}, "The server has to remember ", el("small", {}, `after record ${row.seq}`)),
    holds.length === 0 ? el("p.nothing", {}, nothing(session)) : el("p.unseen", {}, count(holds.length, "thing")),
    el(
      "ul",
      {},
      holds.map((thing) =>
        el(before.includes(thing) ? "li" : "li.new", {}, plain(thing), before.includes(thing) ? "" : " (new)"),
      ),
      gone.map((thing) => el("li.gone", {}, el("del", {}, plain(thing)), " (forgotten)")),
    ),
  );
}

const nothing = (session) =>
  session.era === "modern" ? "Nothing: each request brings what it needs." : "Nothing at this point.";
