import { Problem } from "../../problem.ts";
import { type Body, parseJson } from "../bodies/body.ts";
import type { Handler, Route } from "../route.ts";
import { createJsonReply, type Reply } from "../wire/reply.ts";
import { headerOf, type StoreRequest } from "../wire/request.ts";
import type { AgentOperation } from "./agent-operation.ts";
import { agentOperations, errorCodeOf, runOperation, toTransportError } from "./agent-operations.ts";
import type { QuoteServices } from "./quotes.ts";
import { REST_PATH } from "./ucp.ts";

/** Returns the paths of the REST API for agents, each with the handlers of its HTTP methods. */
export function createUcpMethods(shop: QuoteServices): readonly (readonly [path: string, methods: Route["methods"]])[] {
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
  const { method, status = 200 } = operation.endpoint;
  try {
    const idempotencyKey = headerOf(request, "idempotency-key");
    const response = await runOperation(shop, operation, {
      request,
      payload: method === "GET" ? {} : await readPayload(request),
      id: request.params.id,
      profile: readProfile(request),
      ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
    });
    return createJsonReply(response.ucp.status === "error" ? 200 : status, response);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const { retryAfter, ...reply } = toTransportError(error);
    return createJsonReply(
      reply.status,
      { code: errorCodeOf(error), content: error.message, continue_url: `${request.origin}/` },
      retryAfter === undefined ? {} : { "retry-after": String(retryAfter) },
    );
  }
}

/** Parses the body; a missing body is an empty object. */
async function readPayload(request: StoreRequest): Promise<Body> {
  const bytes = await request.readBody();
  return bytes.length === 0 ? {} : parseJson(bytes);
}

/** Returns the URL in the header `UCP-Agent: profile="https://…"`; undefined without the header. */
function readProfile(request: StoreRequest): string | undefined {
  const header = headerOf(request, "ucp-agent");
  return header === undefined ? undefined : (/(?:^|[,\s])profile="([^"]*)"/.exec(header)?.[1] ?? "");
}
