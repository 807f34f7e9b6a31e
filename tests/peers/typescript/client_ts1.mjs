/** A client on the TypeScript SDK 1: legacy alone; the target of a job is a URL. */
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { SSEClientTransport } from "@modelcontextprotocol/sdk/client/sse.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
} from "@modelcontextprotocol/sdk/types.js";
import { ANSWERS, CAPABILITIES, serve } from "./steps.mjs";

const REQUESTS = [CreateMessageRequestSchema, ElicitRequestSchema, ListRootsRequestSchema];

function clientFor(info) {
  const client = new Client(info, { capabilities: CAPABILITIES });
  for (const schema of REQUESTS) client.setRequestHandler(schema, async (request) => ANSWERS[request.method]);
  return client;
}

await serve({ clientFor, transports: { http: StreamableHTTPClientTransport, sse: SSEClientTransport } });
