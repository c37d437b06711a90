import { createMcpHandler, ProtocolError, Server } from "@modelcontextprotocol/server";
import { Problem } from "../../problem.ts";
import { isObject } from "../bodies/body.ts";
import type { Reply } from "../wire/reply.ts";
import type { StoreRequest } from "../wire/request.ts";
import type { AgentOperation } from "./agent-operation.ts";
import { agentOperations, errorCodeOf, runOperation, toTransportError } from "./agent-operations.ts";
import type { QuoteServices } from "./quotes.ts";
import { UCP_VERSION } from "./ucp.ts";

/** Error codes of JSON-RPC and of the Universal Commerce Protocol. */
const INVALID_PARAMS = -32_602;
const INTERNAL_ERROR = -32_603;
const TRANSPORT_ERROR = -32_000;
const DISCOVERY_ERROR = -32_001;

const metaSchema = {
  type: "object",
  properties: {
    "ucp-agent": {
      type: "object",
      properties: { profile: { type: "string", format: "uri", description: "URL of the agent's UCP profile." } },
    },
    "idempotency-key": { type: "string", description: "UUID. A repeated call with this key has no further effect." },
  },
};

const tools = agentOperations.map(({ name, description, arguments: properties, changesCart }) => ({
  name,
  description,
  inputSchema: {
    type: "object" as const,
    required: Object.keys(properties),
    properties: { meta: metaSchema, ...properties },
  },
  annotations: { readOnlyHint: !changesCart, openWorldHint: false },
}));

const operationsByName = new Map(agentOperations.map((operation) => [operation.name, operation]));

/** Answers one HTTP request of the Model Context Protocol.  @param bytes body of the request */
export async function serveMcp(shop: QuoteServices, request: StoreRequest, bytes: Uint8Array): Promise<Reply> {
  let failure: ReturnType<typeof toTransportError> | undefined;
  let unexpectedError: unknown;
  const handler = createMcpHandler(
    () => {
      const server = new Server(
        { name: shop.config.name, version: UCP_VERSION },
        { capabilities: { tools: {} }, instructions: MCP_INSTRUCTIONS },
      );
      server.setRequestHandler("tools/list", async () => ({ tools }));
      server.setRequestHandler("tools/call", async ({ params }) => {
        const operation = operationsByName.get(params.name);
        if (operation === undefined) throw new ProtocolError(INVALID_PARAMS, "There is no tool with this name.");
        try {
          return await callTool(shop, operation, request, params.arguments ?? {});
        } catch (error) {
          if (!(error instanceof Problem)) {
            unexpectedError = error;
            throw new ProtocolError(INTERNAL_ERROR, "Something went wrong.");
          }
          failure = toTransportError(error);
          throw toProtocolError(error, request.origin, failure.retryAfter);
        }
      });
      return server;
    },
    // The server never sends events, so a subscription would only occupy a connection.
    { maxSubscriptions: 0 },
  );
  const response = await handler.fetch(
    new Request(request.origin + request.path, {
      method: "POST",
      headers: collectHeaders(request),
      body: Buffer.from(bytes),
    }),
  );
  const body = await response.text();
  // The request pipeline logs the error and sends the error response, as for every other route.
  if (unexpectedError !== undefined) throw unexpectedError;
  const type = response.headers.get("content-type");
  return {
    status: failure?.status ?? response.status,
    headers: {
      ...(type === null ? {} : { "content-type": type }),
      "cache-control": "no-store",
      ...failure?.headers,
    },
    body,
  };
}

const MCP_INSTRUCTIONS =
  "Search products, fill a cart, and give the buyer the cart's continue_url to check the order and pay. Never claim that an order was placed without the buyer. Prices are in minor units and valid for ten minutes.";

async function callTool(
  shop: QuoteServices,
  operation: AgentOperation<QuoteServices>,
  request: StoreRequest,
  { meta, ...toolInput }: Readonly<Record<string, unknown>>,
): Promise<{ content: { type: "text"; text: string }[]; structuredContent: Record<string, unknown> }> {
  const metadata = isObject(meta) ? meta : {};
  const agent = metadata["ucp-agent"];
  const profile = isObject(agent) && typeof agent.profile === "string" ? agent.profile : "";
  const key = metadata["idempotency-key"];
  const response = await runOperation(shop, operation, {
    request,
    payload: toolInput.catalog ?? toolInput.cart,
    id: toolInput.id,
    profile: isObject(agent) ? profile : undefined,
    ...(typeof key === "string" ? { idempotencyKey: key } : {}),
  });
  return { content: [{ type: "text", text: JSON.stringify(response) }], structuredContent: { ...response } };
}

function toProtocolError(problem: Problem, origin: string, retryAfter: number | undefined): ProtocolError {
  const { code, message } = problem;
  const rpcCode = code === "invalid_profile_url" ? DISCOVERY_ERROR : TRANSPORT_ERROR;
  return new ProtocolError(code === "bad_request" ? INVALID_PARAMS : rpcCode, message, {
    code: errorCodeOf(problem),
    content: message,
    continue_url: `${origin}/`,
    ...(retryAfter === undefined ? {} : { retry_after: retryAfter }),
  });
}

/**
 * Returns the headers that the SDK reads. `accept` is fixed, so that clients that accept only JSON get a response, too.
 */
function collectHeaders(request: StoreRequest): Record<string, string> {
  const names = ["content-type", "mcp-protocol-version", "mcp-method", "mcp-name"];
  const headers = names.flatMap((name) => {
    const value = request.headers[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return { ...Object.fromEntries(headers), accept: "application/json, text/event-stream" };
}
