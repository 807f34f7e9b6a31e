// Tools: the size of each definition and of its results, and what the server claims of it.

import { el, plain } from "./dom.js";
import { stacked } from "./plots.js";
import { table } from "./table.js";
import { amount } from "./units.js";

const SHOWN = 40; // rows

const CLAIMS = {
  readOnlyHint: ["read-only", "writes"],
  destructiveHint: ["destructive", "not destructive"],
  idempotentHint: ["idempotent", "not idempotent"],
  openWorldHint: ["open world", "closed world"],
};

/** Gives the section of a session; null where it has no tools. */
export function toolSizes(session, several) {
  const known = session.tools.slice(0, SHOWN);
  if (known.length === 0) return null;
  const each = (tool) => (tool.count > 0 ? tool.result_bytes / tool.count : null);
  const most = Math.max(...known.map((tool) => Math.max(tool.definition_bytes ?? 0, each(tool) ?? 0)));
  const rows = known.map((tool) => [
    plain(tool.name),
    amount(tool.definition_bytes),
    tool.definition_bytes === null ? "" : stacked([["definition", tool.definition_bytes]], most),
    amount(each(tool)),
    each(tool) === null ? "" : stacked([["result", each(tool)]], most),
    claimed(tool.claims ?? {}),
  ]);
  const list = session.tools_list_bytes === null ? "" : `the whole list ${amount(session.tools_list_bytes)} bytes`;
  const left = session.tools.length - known.length;
  return el(
    "section",
    {},
    el("h3", {}, "Tools ", el("small", {}, [several ? session.id : null, list].filter(Boolean).join(", "))),
    table(
      `Sizes of tools in bytes, ${session.id}`,
      ["tool", "definition", "", "a result", "", "the server claims"],
      rows,
      [1, 3],
    ),
    left > 0 ? el("p.quiet", {}, `and ${amount(left)} more`) : null,
  );
}

const claimed = (claims) =>
  Object.entries(CLAIMS)
    .filter(([key]) => typeof claims[key] === "boolean")
    .map(([key, words]) => words[claims[key] ? 0 : 1])
    .join(", ");
