/**
 * Plays the steps of a job with a client of either TypeScript SDK, and says what the client made of them.
 *
 * The steps are those of ../programs/steps.py, in the words of the Python clients; so are jobs and outcomes.
 */
import { createHash } from "node:crypto";
import { createInterface } from "node:readline";

const INFO = { name: "peer-client", version: "1.0.0" };
export const CAPABILITIES = { elicitation: {}, sampling: {}, roots: {} };
export const ANSWERS = {
  "elicitation/create": { action: "accept", content: { sure: true } },
  "sampling/createMessage": { role: "assistant", content: { type: "text", text: "a thought" }, model: "none" },
  "roots/list": { roots: [{ uri: "file:///work", name: "work" }] },
};

const PATIENCE = 150_000; // milliseconds for a job; reached only when something is broken

const LISTEN = { resourceSubscriptions: ["note://today"] };

const CALLS = {
  list_tools: (client) => client.listTools(),
  call_tool: (client, name, args) => client.callTool({ name, arguments: args ?? {} }),
  read_resource: (client, uri) => client.readResource({ uri }),
  get_prompt: (client, name, args) => client.getPrompt({ name, arguments: args ?? {} }),
};

/** What came without being asked for, by method, and whoever waits for some of it. */
export class Heard {
  byMethod = {};
  #waiting = [];

  /** Takes a notification. */
  take({ method, params }) {
    (this.byMethod[method] ??= []).push(params ?? null);
    this.#wake();
  }

  /** A `fetch` that sees when the standing stream is there. */
  fetch = async (url, options) => {
    const response = await fetch(url, options);
    if ((options?.method ?? "GET") === "GET" && response.ok) {
      this.stream = true;
      this.#wake();
    }
    return response;
  };

  /** Waits until `condition` holds. */
  async until(condition) {
    while (!condition()) await new Promise((resolve) => this.#waiting.push(resolve));
  }

  #wake() {
    for (const resolve of this.#waiting.splice(0)) resolve();
  }
}

async function step(client, heard, what, ...args) {
  try {
    if (what in CALLS) return await CALLS[what](client, ...args);
    return await OWN[what](client, heard, ...args);
  } catch (error) {
    if (typeof error.code !== "number") throw error;
    return { code: error.code, message: error.message };
  }
}

const OWN = {
  heard: (_, heard, method) => heard.until(() => method in heard.byMethod).then(() => null),
  stream: (_, heard) => heard.until(() => heard.stream).then(() => null),

  async watch(client, _, name, args) {
    const progress = [];
    const onprogress = (step) => progress.push([step.progress, step.total, step.message]);
    const result = await client.callTool({ name, arguments: args }, ...options(client, { onprogress }));
    return { result, progress };
  },

  async weigh(client, _, name, args) {
    const [{ text }] = (await client.callTool({ name, arguments: args })).content;
    return [text.length, createHash("sha256").update(text).digest("hex")];
  },

  async abandon(client, _, name) {
    const leaving = new AbortController();
    const onprogress = () => leaving.abort("enough");
    try {
      await client.callTool({ name, arguments: {} }, ...options(client, { onprogress, signal: leaving.signal }));
    } catch (error) {
      if (leaving.signal.aborted) return "abandoned";
      throw error;
    }
    return "answered";
  },

  async listen(client, heard, ...inside) {
    const open = await client.listen(LISTEN);
    const done = await played(client, heard, inside);
    const method = "notifications/resources/updated";
    await heard.until(() => method in heard.byMethod);
    await open.close();
    return [open.honoredFilter, ...done, method];
  },

  async crowd(client, _, count) {
    const open = await Promise.all(Array.from({ length: count }, () => client.listen(LISTEN)));
    await Promise.all(open.map((one) => one.close()));
    return open.length;
  },
};

/** The options of `callTool`, which stand second in SDK 2 and third in SDK 1. */
function options(client, given) {
  return client.setVersionNegotiation ? [given] : [undefined, given];
}

async function played(client, heard, steps) {
  const done = [];
  for (const one of steps) done.push(await step(client, heard, ...one));
  return done;
}

async function outcome({ clientFor, transports }, job) {
  const heard = new Heard();
  try {
    const client = clientFor({ ...INFO, name: job.name ?? INFO.name }, job.mode);
    client.fallbackNotificationHandler = async (notification) => heard.take(notification);
    const Transport = job.url.endsWith("/sse") ? transports.sse : transports.http;
    await client.connect(new Transport(new URL(job.url), { fetch: heard.fetch }));
    const steps = await played(client, heard, job.steps);
    const server = client.getServerVersion();
    await client.close();
    return { server, steps, heard: heard.byMethod };
  } catch (error) {
    return { failed: `${error.name}: ${error.message}` };
  }
}

function inTime(playing) {
  let timer;
  const late = new Promise((resolve) => (timer = setTimeout(resolve, PATIENCE, { failed: "it took too long" })));
  return Promise.race([playing, late]).finally(() => clearTimeout(timer));
}

/**
 * Plays jobs: a line on stdin holds jobs that are played side by side, a line on stdout their outcomes.
 *
 * `sdk.clientFor` makes a client that answers the server's requests; `sdk.transports` are the SDK's classes.
 */
export async function serve(sdk) {
  for await (const line of createInterface({ input: process.stdin })) {
    const outcomes = await Promise.all(JSON.parse(line).map((job) => inTime(outcome(sdk, job))));
    process.stdout.write(`${JSON.stringify(outcomes)}\n`);
  }
}
