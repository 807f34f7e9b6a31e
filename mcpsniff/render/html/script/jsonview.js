// A message as formatted JSON: one line a member, small objects on one line, the culprit marked.

import { el, shown } from "./dom.js";
import { nearest, parse } from "./jsontext.js";

const WIDE = 68; // characters that an object on one line may have
const LINES = 1000; // drawn before more are asked for
const DEEP = 60; // levels that are laid out; what is deeper stands on one line
const LONG = 3000; // characters of one string that are shown

/** Gives the element that shows a JSON text, with the members at `pointers` marked; null where it is no JSON. */
export function jsonView(text, pointers = []) {
  const root = parse(text);
  if (root === null) return null;
  const marked = new Set(pointers.map((pointer) => nearest(root, pointer)));
  const lines = [];
  layOut({ text, marked, lines }, root, 0, [], "");
  const box = el("div.json");
  drawSome(box, lines, 0);
  return box;
}

function drawSome(box, lines, from) {
  box.append(...lines.slice(from, from + LINES).map(lineOf));
  const left = lines.length - from - LINES;
  if (left <= 0) return;
  const more = el("button.more", { type: "button", click: () => (more.remove(), drawSome(box, lines, from + LINES)) });
  more.textContent = `Show more (${left.toLocaleString("en")} lines)`;
  box.append(more);
}

function lineOf({ depth, parts, culprit }) {
  const line = el(culprit ? "div.json-line.culprit" : "div.json-line", {}, parts);
  line.style.paddingInlineStart = `${2 + Math.min(depth, 30) * 1.4}ch`;
  return line;
}

function layOut(job, node, depth, head, tail) {
  const culprit = job.marked.has(node.pointer);
  if (node.items === null || depth > DEEP || isSmall(job.text, node)) {
    job.lines.push({ depth, culprit, parts: [...head, ...inline(job, node), tail] });
    return;
  }
  const [open, close] = node.kind === "object" ? "{}" : "[]";
  job.lines.push({ depth, culprit, parts: [...head, open] });
  node.items.forEach(({ key, value }, place) => {
    const comma = place < node.items.length - 1 ? "," : "";
    layOut(job, value, depth + 1, key === null ? [] : [keyOf(key), ": "], comma);
  });
  job.lines.push({ depth, culprit, parts: [close + tail] });
}

const isSmall = (text, node) => node.end - node.start <= WIDE && node.items.every(({ value }) => !value.items?.length);

function inline(job, node) {
  if (node.items === null) return [scalar(job.text.slice(node.start, node.end), node.kind)];
  if (!isSmall(job.text, node)) return shown(clipped(job.text.slice(node.start, node.end)));
  const inner = node.items.flatMap(({ key, value }, place) => [
    place > 0 ? ", " : "",
    ...(key === null ? [] : [keyOf(key), ": "]),
    marking(job.marked.has(value.pointer), inline(job, value)),
  ]);
  if (node.items.length === 0) return [node.kind === "object" ? "{}" : "[]"];
  return node.kind === "object" ? ["{ ", ...inner, " }"] : ["[", ...inner, "]"];
}

const marking = (marked, parts) => (marked ? [el("mark", {}, parts)] : parts);

const keyOf = (token) => el("span.json-key", {}, shown(clipped(token)));

const scalar = (token, kind) => el(`span.json-${kind}`, {}, shown(clipped(token)));

function clipped(text) {
  if (text.length <= LONG) return text;
  return `${text.slice(0, LONG)}… (${(text.length - LONG).toLocaleString("en")} characters more)`;
}
