// What the reader looks at: view, session or capture, chosen record. Kept in the address, told to who listens.

import { CAPTURES, FILTER, REPORT, SESSIONS } from "./data.js";

export const VIEWS = { overview: "Overview", talk: "Conversation", findings: "Findings", cost: "Cost" };

export const state = { view: "talk", scope: null, seq: null };

const listeners = [];

/** Calls `listener(changed)` after each change, with the names of what changed. */
export const onChange = (listener) => listeners.push(listener);

/** Changes some of the state, and the address with it. */
export function change(wanted, silent = false) {
  const changed = new Set(Object.keys(wanted).filter((key) => state[key] !== wanted[key]));
  if (changed.size === 0) return;
  Object.assign(state, wanted);
  if (!silent) keepAddress();
  for (const listener of listeners) listener(changed);
}

const PAUSE = 150; // milliseconds: browsers refuse addresses that change too often
let due = null;

function keepAddress() {
  due ??= setTimeout(() => {
    due = null;
    history.replaceState(null, "", `#${address()}`);
  }, PAUSE);
}

/** Gives the address of what is looked at: `s1/12` a record, `s1/findings` a view. */
export function address() {
  if (state.view !== "talk") return `${state.scope}/${state.view}`;
  return state.seq === null ? state.scope : `${state.scope}/${state.seq}`;
}

/** Gives the address of a record. */
export const linkTo = (scope, seq) => `#${scope}/${seq}`;

/** Goes where the address of the page says; to the beginning where it says nothing that is known. */
export function follow() {
  const [token, rest] = location.hash.slice(1).split("/");
  const scope = isScope(token) ? token : firstScope();
  if (rest in VIEWS) change({ scope, view: rest, seq: null }, true);
  else if (/^\d+$/.test(rest ?? "")) change({ scope, view: "talk", seq: Number(rest) }, true);
  else change({ scope, view: isScope(token) || talksFirst ? "talk" : "overview", seq: null }, true);
}

const talksFirst = REPORT.sessions.length === 1 || FILTER !== "";

const isScope = (token) => SESSIONS.has(token) || CAPTURES.some((capture) => capture.token === token);

const firstScope = () => REPORT.sessions[0]?.id ?? CAPTURES[0]?.token ?? "c1";

/** Gives the session that is looked at; undefined where it is a whole capture. */
export const session = () => SESSIONS.get(state.scope);

/** Gives the capture that is looked at. */
export const capture = () =>
  CAPTURES.find((one) => one.token === state.scope || one.id === SESSIONS.get(state.scope)?.capture);
