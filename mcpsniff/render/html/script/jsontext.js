// A JSON text as a tree of its own tokens: spelling of numbers and strings, order and doubled members stay as sent.

const TOKEN = /[ \t\r\n]*("(?:[^"\\]|\\.)*"|[-+.\w]+|[{}[\]:,])/y;

/**
 * Gives the root {start, end, kind, pointer, items}; null where the text is no JSON. Kinds: object, array, string,
 * number, word. Items are {key, value}: `key` is the member's name as written, null in arrays. Never recurses.
 */
export function parse(text) {
  const root = { kind: "array", items: [], pointer: null };
  const open = [root];
  let key = null;
  TOKEN.lastIndex = 0;
  for (let found = TOKEN.exec(text); found !== null; found = TOKEN.exec(text)) {
    const token = found[1];
    const end = TOKEN.lastIndex;
    const parent = open.at(-1);
    if (token === "," || token === ":") continue;
    if (token === "}" || token === "]") {
      if (open.length < 2) return null;
      open.pop().end = end;
    } else if (parent.kind === "object" && key === null && token[0] === '"') {
      key = token;
    } else {
      const node = nodeOf(token, end - token.length, end, place(parent, key));
      parent.items.push({ key, value: node });
      key = null;
      if (node.items !== null) open.push(node);
    }
  }
  const whole = open.length === 1 && root.items.length === 1 && text.slice(root.items[0].value.end).trim() === "";
  return whole ? root.items[0].value : null;
}

function nodeOf(token, start, end, pointer) {
  const kind = { "{": "object", "[": "array", '"': "string" }[token[0]] ?? (/^[-\d]/.test(token) ? "number" : "word");
  return { kind, start, end, pointer, items: kind === "object" || kind === "array" ? [] : null };
}

function place(parent, key) {
  if (parent.pointer === null) return "";
  const name = key === null ? String(parent.items.length) : unquoted(key);
  return `${parent.pointer}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;
}

/** Gives what a JSON string says; as written where it cannot be read. */
export function unquoted(token) {
  try {
    return JSON.parse(token);
  } catch {
    return token;
  }
}

/** Gives the pointer of the deepest value on the way to a pointer: the culprit, or where it is missing. */
export function nearest(root, pointer) {
  let here = root;
  let deeper = root;
  while (deeper !== undefined) {
    here = deeper;
    deeper = here.items?.findLast(({ value }) => within(pointer, value.pointer))?.value;
  }
  return here.pointer;
}

const within = (pointer, above) => pointer === above || pointer.startsWith(`${above}/`);
