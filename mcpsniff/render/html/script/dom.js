// Makes elements. Whatever was captured goes in as text, never as markup.

const SVG = "http://www.w3.org/2000/svg";

/** Gives an element: `name` may carry classes ("span.kind.error"); functions among the attributes listen to events. */
export function el(name, attributes = {}, ...children) {
  const [tag, ...classes] = name.split(".");
  return filled(document.createElement(tag), classes, attributes, children);
}

/** Gives an SVG element, likewise. */
export function svg(name, attributes = {}, ...children) {
  const [tag, ...classes] = name.split(".");
  return filled(document.createElementNS(SVG, tag), classes, attributes, children);
}

function filled(element, classes, attributes, children) {
  if (classes.length > 0) element.classList.add(...classes);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") element.addEventListener(key, value);
    else element.setAttribute(key, value === true ? "" : value);
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined));
  return element;
}

export const byId = (id) => document.getElementById(id);

/** Puts children in the place of all that an element held. */
export function fill(element, ...children) {
  element.replaceChildren(...children.flat(Infinity).filter((child) => child !== null && child !== undefined));
  return element;
}

// Controls, marks of direction and other characters without a look of their own, and unpaired surrogates.
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/u;
const UNSEEN_ALL = new RegExp(`${UNSEEN.source}|[^${UNSEEN.source.slice(1)}+`, "gu");

/** Gives captured text on one line: characters that could reorder or hide it as escapes. */
export function plain(text) {
  return UNSEEN.test(text) ? text.replace(UNSEEN_ALL, (part) => (UNSEEN.test(part) ? escaped(part) : part)) : text;
}

/** Gives captured text as nodes: what cannot be seen stands as a marked escape, except the characters in `keep`. */
export function shown(text, keep = "") {
  if (!UNSEEN.test(text)) return [text];
  return text.match(UNSEEN_ALL).map((part) => {
    if (!UNSEEN.test(part) || keep.includes(part)) return part;
    return el("span.unseen-char", { title: "a character that cannot be seen" }, escaped(part));
  });
}

function escaped(character) {
  const code = character.codePointAt(0);
  const short = { 9: "\\t", 10: "\\n", 13: "\\r" }[code];
  return short ?? (code > 0xffff ? `\\u{${code.toString(16)}}` : `\\u${code.toString(16).padStart(4, "0")}`);
}
