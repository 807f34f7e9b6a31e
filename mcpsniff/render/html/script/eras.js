// Both eras side by side: the handshake's fixed cost against the cost of each call, and where they break even.

import { REPORT, SESSIONS } from "./data.js";
import { el } from "./dom.js";
import { lines } from "./plots.js";
import { amount, count } from "./units.js";

/** Gives the section on the pair that the report compares; a hint where there is none. */
export function breakEven() {
  const both = REPORT.comparison;
  if (both === null) return el("p.quiet", {}, "Give captures of both eras to see where they break even.");
  const [legacy, modern] = both.sessions.map((id) => SESSIONS.get(id));
  const series = [
    ["legacy", legacy],
    ["modern", modern],
  ].map(([name, session]) => {
    const { fixed, marginal } = session.calls.bytes_per_call;
    return { name, fixed, each: marginal };
  });
  return el(
    "section",
    {},
    el("h3", {}, "The eras side by side ", el("small", {}, `${legacy.id} legacy, ${modern.id} modern`)),
    el("p", {}, sentence(both, series)),
    series.every(isKnown) ? plot(series, both.break_even_calls) : null,
  );
}

function plot(series, meet) {
  const calls = Math.max(10, Math.ceil((meet ?? 0) * 2.5));
  const said = el("figcaption", {}, "Bytes of the opening and of all calls, over the number of calls.");
  return el("figure", {}, lines(series, calls, meet), said);
}

function sentence(both, [legacy, modern]) {
  const opening = ({ name, fixed, each }, trips) =>
    `the ${name} session opens with ${amount(fixed)} bytes and ${count(trips ?? 0, "round trip")}, ` +
    `then takes ${amount(each)} bytes a call`;
  const costs = `${opening(legacy, both.round_trips[0])}; ${opening(modern, both.round_trips[1])}.`;
  return `${costs[0].toUpperCase()}${costs.slice(1)} ${conclusion(both, legacy, modern)}`;
}

function conclusion(both, legacy, modern) {
  if (!isKnown(legacy) || !isKnown(modern)) return "What opened one of them is not in the capture.";
  const cheaper = legacy.each < modern.each ? "legacy" : "modern";
  if (both.break_even_calls === null) return `The ${cheaper} session costs less from the first call on.`;
  const calls = amount(both.break_even_calls);
  return `Both cost the same after ${calls} calls; from then on the ${cheaper} session costs less.`;
}

const isKnown = ({ fixed }) => fixed !== null;
