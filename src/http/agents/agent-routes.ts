import { Problem } from "../../problem.ts";
import { type Body, parseJson } from "../bodies/body.ts";
import type { Handler, Route } from "../route.ts";
import { createJsonReply, type Reply } from "../wire/reply.ts";
import type { StoreRequest } from "../wire/request.ts";
import { showAgentGuide } from "./agent-guide.ts";
import type { AgentOperation } from "./agent-operation.ts";
import { agentOperations, enforceAgentLimit, errorCodeOf, runOperation, toTransportError } from "./agent-operations.ts";
import type { QuoteServices } from "./quotes.ts";
import { describeBusiness, MCP_PATH, REST_PATH } from "./ucp.ts";

/** Returns the routes for shopping agents; none if the settings turn them off. */
export function listAgentRoutes(shop: QuoteServices & Parameters<typeof showAgentGuide>[0]): readonly Route[] {
  if (!shop.config.agents) return [];
  const createRoute = (path: string, methods: Route["methods"]): Route => ({
    path,
    format: "json",
    methods,
    isUnprefixed: true,
    // Agents must not delay the writes of shoppers, although their searches are POST requests.
    lane: "background",
    writeQueue: "background",
  });
  const guideFiles = ["agents.md", "llms.txt", "llms-full.txt"];
  return [
    createRoute("/.well-known/ucp", {
      GET: ({ origin }) => createJsonReply(200, describeBusiness(origin), { "cache-control": "public, max-age=300" }),
    }),
    createRoute(MCP_PATH, { POST: (request) => handleMcp(shop, request) }),
    ...createUcpMethods(shop).map(([path, methods]) => createRoute(path, methods)),
    ...guideFiles.map((file) => createRoute(`/${file}`, { GET: (request) => showAgentGuide(shop, request, file) })),
  ];
}

/**
 * Handles a message of the Model Context Protocol (streamable HTTP without sessions). The SDK is imported with the
 * first message, because it delays the start of the server and many shops never need it.
 */
async function handleMcp(shop: QuoteServices, request: StoreRequest): Promise<Reply> {
  let bytes: Uint8Array;
  try {
    bytes = await request.readBody();
    // Rejects JSON that is malformed or deeply nested before the SDK parses it.
    const message = parseJson(bytes);
    // Tool calls are counted later, because reads and writes have different limits.
    if (message.method !== "tools/call") enforceAgentLimit(shop, request, "agent read by address");
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const { status, headers } = toTransportError(error);
    const code = error.code === "validation_failed" ? PARSE_ERROR : TRANSPORT_ERROR;
    return createJsonReply(status, { jsonrpc: "2.0", id: null, error: { code, message: error.message } }, headers);
  }
  const { serveMcp } = await import("./mcp-server.ts");
  return serveMcp(shop, request, bytes);
}

/** Error codes of JSON-RPC. */
const PARSE_ERROR = -32_700;
const TRANSPORT_ERROR = -32_000;

/** Returns the paths of the REST API for agents, each with the handlers of its HTTP methods. */
function createUcpMethods(shop: QuoteServices): readonly (readonly [path: string, methods: Route["methods"]])[] {
  const operationsByPath = Map.groupBy(agentOperations, ({ endpoint }) => endpoint.path);
  return [...operationsByPath].map(([path, operations]) => {
    const handlers = operations.map((operation): [string, Handler] => [
      operation.endpoint.method,
      (request) => handleRestCall(shop, operation, request),
    ]);
    return [REST_PATH + path, Object.fromEntries(handlers)];
  });
}

async function handleRestCall(
  shop: QuoteServices,
  operation: AgentOperation<QuoteServices>,
  request: StoreRequest,
): Promise<Reply> {
  const { method, status: successStatus = 200 } = operation.endpoint;
  try {
    const idempotencyKey = request.headers["idempotency-key"];
    const response = await runOperation(shop, operation, {
      request,
      payload: method === "GET" ? {} : await readPayload(request),
      id: request.params.id,
      profile: readProfile(request),
      ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
    });
    return createJsonReply(response.ucp.status === "error" ? 200 : successStatus, response);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const { status, headers } = toTransportError(error);
    const body = { code: errorCodeOf(error), content: error.message, continue_url: `${request.origin}/` };
    return createJsonReply(status, body, headers);
  }
}

/** Parses the body; a missing body is an empty object. */
async function readPayload(request: StoreRequest): Promise<Body> {
  const bytes = await request.readBody();
  return bytes.length === 0 ? {} : parseJson(bytes);
}

/** Returns the URL in the header `UCP-Agent: profile="https://…"`; undefined without the header. */
function readProfile(request: StoreRequest): string | undefined {
  const header = request.headers["ucp-agent"];
  return header === undefined ? undefined : (/(?:^|[,\s])profile="([^"]*)"/.exec(header)?.[1] ?? "");
}
