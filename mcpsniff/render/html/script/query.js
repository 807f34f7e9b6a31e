// Filter expressions: the same language as mcpsniff/query, which has its manual; both pass the same corpus.

const BLANKS = " \t\r\n";
const OPERATORS = ["!=", "<=", ">=", ":", "=", "<", ">"];
const DEEPEST = 100; // parentheses and nots within each other
const SEVERITIES = ["info", "warning", "error"];

/** The fields that hold one of few words. */
const WORDS = {
  from: ["client", "server"],
  violator: ["client", "server", "either", "unknown"],
  era: ["legacy", "modern", "mixed", "unknown"],
  severity: SEVERITIES,
  kind: [
    ...["request", "notification", "result", "error", "batch", "malformed", "noise", "body", "stderr"],
    ...["http-request", "http-response", "http-close", "sse"],
    ...["eof", "signal", "exit", "gap", "lost", "session", "era"],
  ],
};

/** What a field is counted in: the units of a number, and what they come to. */
const UNITS = {
  size: { "": 1, k: 2 ** 10, m: 2 ** 20, g: 2 ** 30 },
  latency: { us: 1, ms: 1000, s: 1000000 },
  t: { us: 1, ms: 1000, s: 1000000 },
  status: { "": 1 },
  seq: { "": 1 },
};
const EXAMPLES = { size: "512, 10k or 1.5M", latency: "250ms or 2s", t: "250ms or 2s", status: "404", seq: "12" };
const FIELDS = ["method", "name", "id", "session", "x", ...Object.keys(WORDS), "rule", ...Object.keys(UNITS)];

const NUMBER = /^([0-9]{1,15}(?:\.[0-9]{1,15})?)([A-Za-z]*)$/;
const FOREIGN = ["!", "&", "|", "~"]; // how other languages begin what is a word here

const COMPARE = {
  ":": (a, b) => a === b,
  "=": (a, b) => a === b,
  "!=": (a, b) => a !== b,
  "<": (a, b) => a < b,
  "<=": (a, b) => a <= b,
  ">": (a, b) => a > b,
  ">=": (a, b) => a >= b,
};

/** Says what is wrong with an expression, and where: `column` from 0, in characters. */
export class QueryError extends Error {
  constructor(said, column) {
    super(said);
    this.column = column;
  }
}

/** Gives what tells the rows that an expression means: a function of a look-up. A blank one means all. */
export function parse(text) {
  const parser = new Parser(text);
  if (parser.peek() === "") return () => true;
  const meant = parser.either();
  if (parser.peek() !== "") throw parser.wrong("this parenthesis was never opened");
  return meant;
}

class Parser {
  constructor(text) {
    this.text = [...text]; // characters, as Python counts them
    this.at = 0;
    this.depth = 0;
  }

  either() {
    const options = [this.all()];
    while (this.keyword("or")) options.push(this.all());
    return options.length === 1 ? options[0] : (lookup) => options.some((option) => option(lookup));
  }

  all() {
    const terms = [this.term()];
    while (this.keyword("and") || this.more()) terms.push(this.term());
    return terms.length === 1 ? terms[0] : (lookup) => terms.every((term) => term(lookup));
  }

  /** Whether another term follows without a word between. */
  more() {
    return !["", ")"].includes(this.peek()) && this.word().toLowerCase() !== "or";
  }

  term() {
    if (this.keyword("not")) {
      this.deeper();
      const term = this.term();
      this.depth -= 1;
      return (lookup) => !term(lookup);
    }
    if (this.peek() === "(") return this.group();
    if (["", ")"].includes(this.peek()) || ["and", "or"].includes(this.word().toLowerCase())) {
      throw this.wrong("something to look for is missing here");
    }
    return this.leaf();
  }

  group() {
    const opened = this.at;
    this.deeper();
    this.at += 1;
    const inside = this.either();
    if (this.peek() !== ")") throw this.wrong("this parenthesis is never closed", opened);
    this.at += 1;
    this.depth -= 1;
    return inside;
  }

  leaf() {
    if (`"'`.includes(this.peek())) return searched(this.quoted());
    const start = this.at;
    const word = this.word();
    if (FOREIGN.includes(word[0])) {
      throw this.wrong(`quote text that begins with ${word[0]}; the words here are and, or, not`);
    }
    this.at += [...word].length;
    return this.operator() === "" ? searched(word) : this.comparison(word, start);
  }

  comparison(field, start) {
    const at = this.at;
    const operator = this.operator();
    if (!FIELDS.includes(field)) {
      const known = field === "" ? "a field is missing before this operator" : `no field is called ${field}`;
      throw this.wrong(
        `${known} (quote text that is meant as it stands); fields are ${[...FIELDS].sort().join(", ")}`,
        start,
      );
    }
    const ordered = field in UNITS || field === "severity";
    if ("<>".includes(operator[0]) && !ordered) throw this.wrong(`${field} has no order: use : or = or !=`, at);
    this.at += operator.length;
    if (this.peek() === "") throw this.wrong(`the value of ${field} is missing here`);
    const place = this.at;
    const made = compared(field, operator, this.value());
    if (typeof made === "string") throw this.wrong(made, place);
    return made;
  }

  /** Gives the next character that is no blank, without reading it; empty at the end. */
  peek() {
    while (this.at < this.text.length && BLANKS.includes(this.text[this.at])) this.at += 1;
    return this.text[this.at] ?? "";
  }

  /** Gives the word that begins here: up to a blank, a parenthesis or an operator. */
  word() {
    let end = this.at;
    while (end < this.text.length && !`${BLANKS}()`.includes(this.text[end]) && this.operatorAt(end) === "") end += 1;
    return this.text.slice(this.at, end).join("");
  }

  /** Reads a word of the grammar if it comes next. */
  keyword(word) {
    this.peek();
    if (this.word().toLowerCase() !== word) return false;
    this.at += word.length;
    return true;
  }

  /** Gives the operator that comes next, without reading it; empty where there is none. */
  operator() {
    this.peek();
    return this.operatorAt(this.at);
  }

  operatorAt(at) {
    const two = (this.text[at] ?? "") + (this.text[at + 1] ?? "");
    return OPERATORS.find((operator) => two.startsWith(operator)) ?? "";
  }

  value() {
    if (`"'`.includes(this.peek())) return this.quoted();
    const start = this.at;
    while (this.at < this.text.length && !`${BLANKS}()`.includes(this.text[this.at])) this.at += 1;
    return this.text.slice(start, this.at).join("");
  }

  quoted() {
    const quote = this.text[this.at];
    const said = [];
    let at = this.at + 1;
    while (at < this.text.length && this.text[at] !== quote) {
      if (this.text[at] === "\\" && ['"', "'", "\\"].includes(this.text[at + 1])) at += 1;
      said.push(this.text[at]);
      at += 1;
    }
    if (at >= this.text.length) throw this.wrong("this quote is never closed");
    this.at = at + 1;
    return said.join("");
  }

  deeper() {
    this.depth += 1;
    if (this.depth > DEEPEST) throw this.wrong("this is nested too deeply");
  }

  /** Gives the mistake at a place, else where was read to. */
  wrong(said, place = this.at) {
    return new QueryError(said, place);
  }
}

function searched(word) {
  const sought = word.toLowerCase();
  return (lookup) => lookup("text").toLowerCase().includes(sought);
}

/** Gives the comparison of a field with a value; a text says what is wrong with the value. */
function compared(field, operator, value) {
  const test = testOf(field, operator, value);
  if (typeof test === "string") return test;
  return (lookup) => {
    const found = lookup(field) ?? [];
    const values = Array.isArray(found) ? found : [found];
    return values.length > 0 && (operator === "!=" ? values.every(test) : values.some(test));
  };
}

function testOf(field, operator, value) {
  const compare = COMPARE[operator];
  if (field in UNITS) return numberTest(field, compare, value);
  const fits = operator === ":" ? glob(value) : null;
  const words = WORDS[field];
  if (words !== undefined && !words.some((word) => (fits === null ? word === value : fits(word)))) {
    return `${field} is one of ${words.join(", ")}`;
  }
  if (fits !== null) return fits;
  if (field !== "severity") return (found) => compare(found, value);
  const rank = SEVERITIES.indexOf(value);
  return (found) => compare(SEVERITIES.indexOf(found), rank);
}

function numberTest(field, compare, value) {
  const [, digits, unit] = NUMBER.exec(value) ?? [];
  const units = UNITS[field];
  if (unit === undefined || !Object.hasOwn(units, unit.toLowerCase()))
    return `${field} is compared with a number such as ${EXAMPLES[field]}`;
  const wanted = Math.floor(Number(digits) * units[unit.toLowerCase()] + 0.5);
  const scale = field === "latency" || field === "t" ? 1000000 : 1;
  return (found) => compare(Math.floor(found * scale + 0.5), wanted);
}

function glob(pattern) {
  const parts = [...pattern.toLowerCase()].map(
    (one) => ({ "*": ".*", "?": "." })[one] ?? one.replace(/[\\^$.*+?()[\]{}|/]/gu, "\\$&"),
  );
  const fits = new RegExp(`^(?:${parts.join("")})$`, "su");
  return (found) => fits.test(String(found).toLowerCase());
}
