import { matchLanguages } from "../../messages/match-languages.ts";
import { createFieldProblem, Problem } from "../../problem.ts";
import type { Shop } from "../../shop.ts";
import { type Body, isObject } from "../bodies/body.ts";
import { errorStatuses } from "../error-responses.ts";
import { findAddressBlock } from "../wire/address-block.ts";
import type { StoreRequest } from "../wire/request.ts";
import type { AgentOperation } from "./agent-operation.ts";
import { cartOperations } from "./cart-operations.ts";
import { catalogOperations } from "./catalog-operations.ts";
import { orderOperations } from "./order-operations.ts";
import type { QuoteServices } from "./quotes.ts";
import { toUcpError, type UcpResponse } from "./ucp.ts";

/** All operations for agents. MCP and REST offer the same ones. */
export const agentOperations: readonly AgentOperation<QuoteServices>[] = [
  ...catalogOperations,
  ...cartOperations,
  ...orderOperations,
];

/** A call with the unvalidated values that the agent sent. */
interface ReceivedCall {
  readonly request: StoreRequest;
  readonly payload?: unknown;
  readonly id?: unknown;
  /** URL of the agent's profile; undefined if the agent sent none. */
  readonly profile?: string | undefined;
  readonly idempotencyKey?: string;
}

/**
 * Runs an operation with the rate limits for agents. An expected error, such as an unknown product, is returned as a
 * response.
 * @throws Problem for an error with an HTTP status, such as `rate_limited`, see {@link toTransportError}
 */
export async function runOperation(
  shop: QuoteServices,
  operation: AgentOperation<QuoteServices>,
  { request, payload = {}, id, profile, idempotencyKey }: ReceivedCall,
): Promise<UcpResponse> {
  if (profile !== undefined && !/^https:\/\/[^\s/]+/.test(profile))
    throw new Problem("invalid_profile_url", "The URL of the agent's profile must start with https://.");
  enforceAgentLimit(shop, request, operation.changesCart ? "agent write by address" : "agent read by address");
  try {
    if (!isObject(payload)) throw createFieldProblem("request", "object", "The request must be an object.");
    if (operation.endpoint.path.includes(":id") && typeof id !== "string")
      throw createFieldProblem("id", "required", "Send the id as a string.");
    if (idempotencyKey !== undefined && !UUID_PATTERN.test(idempotencyKey))
      throw createFieldProblem("idempotency-key", "format", "An idempotency key is a UUID.");
    return await operation.run(shop, {
      request: localizeRequest(shop, request, payload),
      payload,
      id: typeof id === "string" ? id : "",
      ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
    });
  } catch (error) {
    if (!(error instanceof Problem) || isTransportError(error)) throw error;
    return toUcpError(operation.capability, error, request.origin);
  }
}

/** Counts a request of an agent.  @throws Problem `rate_limited` */
export function enforceAgentLimit(
  { limits }: Pick<Shop, "limits">,
  { client, now }: Pick<StoreRequest, "client" | "now">,
  limit: "agent read by address" | "agent write by address",
): void {
  if (!limits.consume(limit, findAddressBlock(client.address), now))
    throw new Problem("rate_limited", "Too many requests of agents from this address.", [], { retryAfter: 10 });
}

/** Idempotency keys must be UUIDs: whoever guesses a key gets the stored response, which contains a cart id. */
const UUID_PATTERN = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i;

/**
 * Reports whether an error is sent as an HTTP error status. Other errors are sent as a response with the status 200.
 */
function isTransportError({ code, fields }: Problem): boolean {
  return transportCodes.has(code) || fields.some(({ field }) => field === "body");
}

const transportCodes: ReadonlySet<string> = new Set([
  "bad_request",
  "cart_service_unavailable",
  "idempotency_conflict",
  "invalid_profile_url",
  "overloaded",
  "payload_too_large",
  "rate_limited",
]);

/** HTTP status of an error, and the seconds after which the agent may retry, also as a header. */
interface TransportError {
  readonly status: number;
  readonly retryAfter?: number;
  readonly headers: Readonly<Record<string, string>>;
}

export function toTransportError({ code, detail }: Problem): TransportError {
  const [status] = errorStatuses[code];
  if (status !== 429 && status !== 502 && status !== 503) return { status, headers: {} };
  const retryAfter = Number(detail.retryAfter ?? 5);
  return { status, retryAfter, headers: { "retry-after": String(retryAfter) } };
}

/** Returns the code that agents receive for an error with an HTTP error status. */
export function errorCodeOf({ code, detail }: Problem): string {
  return typeof detail.agentCode === "string" ? detail.agentCode : code;
}

/** Returns the request with the shop language that best matches the language in the call's `context`. */
function localizeRequest({ config }: Pick<Shop, "config">, request: StoreRequest, { context }: Body): StoreRequest {
  const language = isObject(context) ? context.language : undefined;
  if (typeof language !== "string" || language.length > MAX_LANGUAGE_LENGTH) return request;
  const { default: defaultLocale, others } = config.locales;
  const [locale = defaultLocale] = matchLanguages(language, [defaultLocale, ...others]);
  return { ...request, locale };
}

/** Maximum length of a language code, in characters. */
const MAX_LANGUAGE_LENGTH = 35;
