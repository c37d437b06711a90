import { Problem } from "../../problem.ts";
import { parseJson } from "../bodies/body.ts";
import { createJsonReply, type Reply } from "../wire/reply.ts";
import type { StoreRequest } from "../wire/request.ts";
import { enforceAgentLimit, toTransportError } from "./agent-operations.ts";
import type { QuoteServices } from "./quotes.ts";

/**
 * Handles a message of the Model Context Protocol (streamable HTTP without sessions). The SDK is imported with the
 * first message, because it delays the start of the server and many shops never need it.
 */
export async function handleMcp(shop: QuoteServices, request: StoreRequest): Promise<Reply> {
  let bytes: Uint8Array;
  try {
    bytes = await request.readBody();
    // Rejects JSON that is malformed or deeply nested before the SDK parses it.
    const message = parseJson(bytes);
    // Tool calls are counted later, because reads and writes have different limits.
    if (message.method !== "tools/call") enforceAgentLimit(shop, request, "agent read by address");
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const { status, retryAfter } = toTransportError(error);
    const code = error.code === "validation_failed" ? PARSE_ERROR : TRANSPORT_ERROR;
    return createJsonReply(
      status,
      { jsonrpc: "2.0", id: null, error: { code, message: error.message } },
      retryAfter === undefined ? {} : { "retry-after": String(retryAfter) },
    );
  }
  const { serveMcp } = await import("./mcp-server.ts");
  return serveMcp(shop, request, bytes);
}

/** Error codes of JSON-RPC. */
const PARSE_ERROR = -32_700;
const TRANSPORT_ERROR = -32_000;
