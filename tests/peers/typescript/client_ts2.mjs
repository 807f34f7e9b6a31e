/** A client on the TypeScript SDK 2: `mode` of a job is legacy, auto or 2026-07-28, its target a URL. */
import { Client, SSEClientTransport, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { ANSWERS, CAPABILITIES, serve } from "./steps.mjs";

const PINNED = /^\d/;

function clientFor(info, mode) {
  const versionNegotiation = { mode: PINNED.test(mode) ? { pin: mode } : mode };
  const client = new Client(info, { capabilities: CAPABILITIES, versionNegotiation });
  for (const [method, answer] of Object.entries(ANSWERS)) client.setRequestHandler(method, async () => answer);
  return client;
}

await serve({ clientFor, transports: { http: StreamableHTTPClientTransport, sse: SSEClientTransport } });
