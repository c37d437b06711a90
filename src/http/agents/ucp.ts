import { MAX_FIELD_ERRORS, type Problem, type ProblemCode } from "../../problem.ts";

/** Release of the Universal Commerce Protocol (UCP) that the server implements.  @see https://ucp.dev */
export const UCP_VERSION = "2026-04-08";

/** Base paths of the protocol's transports. */
export const REST_PATH = "/ucp/v1";
export const MCP_PATH = "/ucp/mcp";

/** Capabilities of the shop, with the paths of their specification and schema at ucp.dev. */
const capabilities = {
  "dev.ucp.shopping.catalog.search": ["catalog/search", "catalog_search"],
  "dev.ucp.shopping.catalog.lookup": ["catalog/lookup", "catalog_lookup"],
  "dev.ucp.shopping.cart": ["cart", "cart"],
  "dev.ucp.shopping.order": ["order", "order"],
} as const;

export type UcpCapability = keyof typeof capabilities;

/** Returns the profile at `/.well-known/ucp`, which lists the endpoints and capabilities of the shop for agents. */
export function describeBusiness(origin: string): object {
  const specUrl = `https://ucp.dev/${UCP_VERSION}`;
  const service = { version: UCP_VERSION, spec: `${specUrl}/specification/overview` };
  return {
    ucp: {
      version: UCP_VERSION,
      services: {
        "dev.ucp.shopping": [
          {
            ...service,
            transport: "rest",
            schema: `${specUrl}/services/shopping/rest.openapi.json`,
            endpoint: origin + REST_PATH,
          },
          {
            ...service,
            transport: "mcp",
            schema: `${specUrl}/services/shopping/mcp.openrpc.json`,
            endpoint: origin + MCP_PATH,
          },
        ],
      },
      capabilities: Object.fromEntries(
        Object.entries(capabilities).map(([name, [page, schema]]) => [
          name,
          [
            {
              version: UCP_VERSION,
              spec: `${specUrl}/specification/${page}`,
              schema: `${specUrl}/schemas/shopping/${schema}.json`,
            },
          ],
        ]),
      ),
      payment_handlers: {},
    },
  };
}

/** Adds the protocol's metadata to the content of a response. */
export function toUcpResponse(capability: UcpCapability, content: object): UcpResponse {
  return { ucp: metadataOf(capability), ...content };
}

/** A response of the protocol. `ucp.status` is "error" for errors. */
export type UcpResponse = Readonly<Record<string, unknown>> & { readonly ucp: { readonly status?: "error" } };

/** An error, warning, or notice in a response. `path` is the JSONPath of the field that it is about. */
export interface UcpMessage {
  readonly type: "error" | "warning" | "info";
  readonly code: string;
  readonly content: string;
  readonly path?: string;
  readonly severity?: "recoverable" | "unrecoverable";
}

/**
 * Returns the response for a business error, such as an item without stock.
 * @param problem the error. Its field paths refer to the request, such as "line_items[0].quantity"
 */
export function toUcpError(capability: UcpCapability, problem: Problem, origin: string): UcpResponse {
  const severity = fatalCodes.has(problem.code) ? "unrecoverable" : "recoverable";
  const fields = problem.fields.slice(0, MAX_FIELD_ERRORS);
  const createMessage = (code: string, content: string, path?: string): UcpMessage => ({
    type: "error",
    code,
    content,
    ...(path === undefined ? {} : { path: `$.${path}` }),
    severity,
  });
  return {
    ucp: { ...metadataOf(capability), status: "error" },
    messages:
      fields.length === 0
        ? [createMessage(messageCodes[problem.code] ?? problem.code, problem.message)]
        : fields.map(({ field, rule, message }) =>
            createMessage(ruleCodes[rule] ?? messageCodes[problem.code] ?? problem.code, message, field),
          ),
    continue_url: `${origin}/`,
  };
}

function metadataOf(capability: UcpCapability): object {
  return { version: UCP_VERSION, capabilities: { [capability]: [{ version: UCP_VERSION }] } };
}

/** Errors that the agent cannot resolve with another request. */
const fatalCodes: ReadonlySet<ProblemCode> = new Set(["not_found", "customer_required"]);

/** Error codes of the protocol that differ from the shop's own error codes. */
const messageCodes: Partial<Record<ProblemCode, string>> = {
  validation_failed: "invalid_input",
  invalid_parameter: "invalid_input",
  customer_required: "identity_required",
  insufficient_stock: "out_of_stock",
};

const ruleCodes: Readonly<Record<string, string>> = { exists: "item_unavailable" };
