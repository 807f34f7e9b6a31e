// Puts the page together: views, the choice of session, the filter, printing.

import { CAPTURES, LEFT_OUT, REPORT, ROWS } from "./data.js";
import { drawCost } from "./cost.js";
import { byId, el, fill, plain } from "./dom.js";
import { drawFindings } from "./findings.js";
import { listenFilter, openFilter } from "./filterbox.js";
import { listen } from "./keys.js";
import { drawOverview, verdict } from "./overview.js";
import { eraOf } from "./session.js";
import { capture, change, follow, onChange, session, state, VIEWS } from "./state.js";
import { followSeq, printing, showTalk } from "./talk.js";

const DRAW = { overview: drawOverview, findings: drawFindings, cost: drawCost };

/** Gives the sessions that are looked at. */
function sessions() {
  return session() ? [session()] : REPORT.sessions.filter((one) => one.capture === capture()?.id);
}

function scopeChoices() {
  const groups = CAPTURES.map((one) => {
    const own = REPORT.sessions.filter((session) => session.capture === one.id);
    const titles = own.map((session) => [session.id, `${session.id} · ${eraOf(session)} over ${session.transport}`]);
    const choices = [...titles, [one.token, own.length > 1 ? `all ${own.length} sessions` : "the whole capture"]];
    const options = choices.map(([value, title]) => el("option", { value }, title));
    return el("optgroup", { label: plain(one.file) }, options);
  });
  const select = fill(byId("scope"), groups);
  select.addEventListener("change", () => change({ scope: select.value, seq: null }));
}

function tabs() {
  const buttons = Object.entries(VIEWS).map(([view, title]) =>
    el(
      "button",
      { type: "button", role: "tab", id: `tab-${view}`, "aria-controls": view, click: () => change({ view }) },
      title,
    ),
  );
  const list = fill(byId("tabs"), buttons);
  list.addEventListener("keydown", (event) => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (by === undefined) return;
    const names = Object.keys(VIEWS);
    change({ view: names[(names.indexOf(state.view) + by + names.length) % names.length] });
    byId(`tab-${state.view}`).focus();
  });
}

function showView() {
  for (const view of Object.keys(VIEWS)) {
    const here = view === state.view;
    byId(view).hidden = !here;
    byId(`tab-${view}`).setAttribute("aria-selected", String(here));
    byId(`tab-${view}`).tabIndex = here ? 0 : -1;
  }
  byId("tab-findings").textContent = `Findings ${sessions().reduce((sum, one) => sum + one.findings.length, 0)}`;
}

const stale = new Set();

/** Draws a view the first time that it is seen. */
function drawView(view) {
  if (!stale.delete(view)) return;
  DRAW[view](byId(view), sessions());
}

function changed(what) {
  if (what.has("scope")) {
    byId("scope").value = state.scope;
    for (const view of Object.keys(DRAW)) stale.add(view);
    showTalk();
  }
  showView();
  if (state.view !== "talk") drawView(state.view);
  else if (what.has("seq") || what.has("view")) followSeq();
}

function forPrinter(yes) {
  for (const view of Object.keys(DRAW)) drawView(view);
  printing(yes);
}

function leftOut() {
  if (LEFT_OUT === 0) return;
  byId("verdict").append(
    el("span.warning", {}, ` The page holds the first ${ROWS.length} rows; ${LEFT_OUT} more are left out.`),
  );
}

fill(byId("verdict"), verdict());
leftOut();
scopeChoices();
tabs();
onChange(changed);
listen();
listenFilter();
follow();
openFilter();
window.addEventListener("hashchange", follow);
window.addEventListener("beforeprint", () => forPrinter(true));
window.addEventListener("afterprint", () => forPrinter(false));
document.documentElement.dataset.ready = "";
