// A payload as it came: text with what cannot be seen made visible, or bytes as a hex dump.

import { el, shown } from "./dom.js";

const LONG = 200_000; // characters or bytes that are shown at once
const WIDTH = 16; // bytes in a line of the dump

const ENDS = { "\n": "␊", "\r\n": "␍␊", "": "(no line end)" };

/** Gives the exact view of a row: its text and line end, or a dump where the bytes are no UTF-8. */
export function exactView(row) {
  if (row.text === null) return dump(decoded(row.b64 ?? ""));
  const end =
    row.x === null && row.eol !== null ? [el("span.eol", { title: "line end" }, ENDS[row.eol] ?? row.eol)] : [];
  return el("pre.exact", {}, clipped(row.text), end);
}

function clipped(text) {
  if (text.length <= LONG) return shown(text, "\n\t");
  return [...shown(text.slice(0, LONG), "\n\t"), el("span.cut", {}, `… ${text.length - LONG} characters more`)];
}

/** Gives the bytes that base64 stands for. */
export const decoded = (base64) => Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));

/** Gives a hex dump with offsets and the ASCII characters. */
export function dump(bytes) {
  const lines = [];
  for (let at = 0; at < Math.min(bytes.length, LONG / 10); at += WIDTH) {
    const some = [...bytes.slice(at, at + WIDTH)];
    const hex = some.map((byte) => byte.toString(16).padStart(2, "0")).join(" ");
    const ascii = some.map((byte) => (byte > 0x1f && byte < 0x7f ? String.fromCharCode(byte) : ".")).join("");
    lines.push(`${at.toString(16).padStart(6, "0")}  ${hex.padEnd(WIDTH * 3)} ${ascii}`);
  }
  const left = bytes.length - lines.length * WIDTH;
  return el("pre.exact.hex", {}, lines.join("\n"), left > 0 ? `\n… ${left} bytes more` : "");
}
