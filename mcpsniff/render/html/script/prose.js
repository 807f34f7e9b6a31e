// The page of a rule: paragraphs, headings, lists and code as its docstring has them.

import { el } from "./dom.js";

/** Gives the element for a text of blocks between blank lines. */
export function prose(text) {
  return el("div.prose", {}, text.split(/\n\s*\n/).map(block));
}

function block(text) {
  const head = /^#+ (.*)(?:\n([\s\S]*))?$/.exec(text);
  if (head !== null) return [el("p.prose-head", {}, head[1]), head[2] ? block(head[2]) : null];
  const lines = text.split("\n");
  if (lines.every((line) => /^([-*] |  )/.test(line))) return list(lines);
  if (lines.every((line) => line.startsWith("    ")))
    return el("pre", {}, lines.map((line) => line.slice(4)).join("\n"));
  return el("p", {}, spans(lines.join(" ")));
}

function list(lines) {
  const items = [];
  for (const line of lines) {
    if (/^[-*] /.test(line)) items.push(line.slice(2));
    else if (items.length > 0) items[items.length - 1] += ` ${line.trim()}`;
  }
  return el(
    "ul",
    {},
    items.map((item) => el("li", {}, spans(item))),
  );
}

const spans = (text) => text.split("`").map((part, place) => (place % 2 === 1 ? el("code", {}, part) : part));
