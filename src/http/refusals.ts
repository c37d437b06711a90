import type { Log } from "../observability/log.ts";
import { type Fault, Problem, type ProblemCode } from "../problem.ts";
import { PageError } from "../theme/page-error.ts";
import { unavailable } from "./deadline.ts";
import { html, json, type Reply, text } from "./wire/reply.ts";

/** In which form an endpoint says what went wrong. */
export type ErrorFormat = "text" | "search-json" | "json" | "page";

/** THE place where a refusal becomes an answer. What is no `Problem` is a bug: logged once, answered 500.
 *  @param route the pattern of the route, for the log  @param back path of the page that a refusal on a page leads back to @see spec 7 */
export function refuse(error: unknown, format: ErrorFormat, log: Log, route: string, back?: string): Reply {
  if (error instanceof PageError && format === "page") return html(500, error.html);
  const problem = toProblem(error);
  if (problem === undefined) {
    log.error({ error, route }, "a request failed");
    return failure(format);
  }
  if (problem.code === "cart_service_unavailable")
    log.recurring({ error, route, code: problem.code }, "carts are away");
  const [status] = refusals[problem.code];
  const headers = headersOf(problem);
  if (format === "text")
    return text(
      status,
      `${problem.code === "invalid_parameter" ? "Invalid parameter error: " : ""}${problem.message}`,
      headers,
    );
  if (format === "page") return page(status, problem.message, headers, back);
  if (format === "search-json") return json(status, searchBody(status, problem), headers);
  const body = errorBody(status, problem.code, problem.message, problem.fields);
  return json(status, { ...body, ...(problem.detail.reply as object | undefined) }, headers);
}

/** The code of a refusal; undefined for a bug. */
export function codeOf(error: unknown): ProblemCode | undefined {
  return toProblem(error)?.code;
}

/** The spec's `error` and `fields`, and the four that themes read: the number, and the same sentence under three names. @see spec 7.2 */
export function errorBody(
  status: number,
  error: string,
  message: string,
  fields: readonly Fault[] = [],
): Readonly<Record<string, unknown>> {
  return { error, fields, status, message, description: message, errors: message };
}

/** Fields of an address with what is wrong about each, and nothing else: calculators of themes print every entry. */
export function addressFaults(faults: Readonly<Record<string, readonly string[]>>): Reply {
  return json(422, faults);
}

/** A page without a theme, for when there is none to render. @param back path it leads to; absent: the shop's first page */
export function page(
  status: number,
  message: string,
  headers: Readonly<Record<string, string>> = {},
  back?: string,
): Reply {
  const title = titles[status] ?? "Something is wrong";
  const body = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title></head>
<body><main><h1>${title}</h1><p>${escapeHtml(message)}</p><p><a href="${escapeHtml(back ?? "/")}">${back === undefined ? "To the shop" : "Back"}</a></p></main></body>
</html>
`;
  return html(status, body, headers);
}

/** A page of the theme that says by itself what is refused, with the status of the refusal. */
export function refusedPage(reply: Reply, code: ProblemCode): Reply {
  return { ...reply, status: refusals[code][0] };
}

/** Code -> status, and when it is given; `npm run reference` makes the documents' table from this. */
export const refusals: Readonly<Record<ProblemCode, readonly [status: number, when: string]>> = {
  validation_failed: [
    400,
    "the request says what cannot be; `fields` names each fault: `{ field, rule, message }`, in batches with its `line`",
  ],
  unauthorized: [401, "no bearer token, or one that is unknown, revoked or over"],
  amount_differs: [422, "a payment of another amount or currency than the checkout's; nothing was done"],
  reference_taken: [409, "the payment's reference is that of another payment"],
  refund_due: [409, "the payment is kept without an order of its own and has to be given back"],
  order_cancelled: [409, "the order was cancelled, so it cannot be sent"],
  payment_unavailable: [503, "the payment hook is away; the provider tells it again"],
  quote_unavailable: [503, "a hook that knows what the order costs is away; the cart is kept"],
  insufficient_scope: [403, "the token may not do this; `WWW-Authenticate` names the scope"],
  payload_too_large: [413, "the body is larger than this address takes"],
  invalid_sections_url: [400, "`sections_url` is no path of this shop"],
  customer_required: [401, "the product is for signed-in customers"],
  csrf_missing: [403, "a write without the token's header or cookie: fetch `/api/csrf`"],
  csrf_mismatch: [403, "the header and the cookie are not the same token"],
  csrf_invalid: [403, "the token, or the cart's cookie, is not signed by this shop or is over"],
  csrf_origin_blocked: [403, "the write comes from another site's page"],
  insufficient_stock: [422, "less is left than was asked for; `issues` says how many, `cart` is unchanged"],
  out_of_stock: [422, "nothing is left; `cart` is unchanged"],
  cart_changed: [412, "`If-Match` named a revision that the cart has left behind; `cart` is as it is now"],
  idempotency_conflict: [409, "the `Idempotency-Key` was used for another request"],
  catalog_busy: [409, "another import is under way: send the batch again"],
  cart_service_unavailable: [502, "the database cannot be reached or written; what was refused so is not done later"],
  overloaded: [503, "more comes than can be answered: ask again after `Retry-After`; nothing was done"],
  rate_limited: [429, "too many of these from one address or token: ask again after `Retry-After`"],
  invalid_parameter: [422, "a search's parameter is missing or has no such value"],
  section_not_found: [404, "the theme has no section of this id"],
  not_found: [404, "there is nothing at this address, or of this id"],
  method_not_allowed: [405, "the address does not take this method; `Allow` names those it takes"],
  bad_request: [400, "the request is broken: a path that cannot be decoded, for one"],
};

const titles: Readonly<Record<number, string>> = {
  400: "Bad request",
  403: "Please try again",
  404: "Not found",
  405: "Not possible here",
  413: "Too long",
  422: "Not possible now",
  429: "One moment",
  500: "Something went wrong",
  502: "Out of reach",
  503: "Too much to do",
};

/** `http/` knows no storage: a database that is away is told by its error's name. */
function toProblem(error: unknown): Problem | undefined {
  if (error instanceof Problem) return error;
  return error instanceof Error && error.name === "DatabaseUnavailable" ? unavailable() : undefined;
}

function headersOf({ code, detail }: Problem): Readonly<Record<string, string>> {
  return {
    ...(typeof detail.setCookie === "string" ? { "set-cookie": detail.setCookie } : {}),
    ...(typeof detail.allow === "string" ? { allow: detail.allow } : {}),
    ...(code === "payload_too_large" ? { connection: "close" } : {}),
    ...(code === "payment_unavailable" || code === "quote_unavailable" ? { "retry-after": "30" } : {}),
    ...(code === "cart_service_unavailable" ? { "retry-after": "5" } : {}),
    ...(code === "unauthorized" ? { "www-authenticate": "Bearer" } : {}),
    ...(code === "insufficient_scope"
      ? { "www-authenticate": `Bearer error="insufficient_scope", scope="${detail.scope}"` }
      : {}),
    ...(code === "catalog_busy" ? { "retry-after": "5" } : {}),
    ...(code === "overloaded" ? { "retry-after": String(detail.retryAfter ?? 1) } : {}),
    ...(code === "rate_limited" ? { "retry-after": String(detail.retryAfter ?? 60) } : {}),
  };
}

/** Exactly the three keys of the spec; `status` is a text there. @see spec 7.1 */
function searchBody(status: number, { code, message }: Problem): object {
  const title = code === "invalid_parameter" ? "Invalid parameter error" : (titles[status] ?? "Error");
  return { status: String(status), message: title, description: message };
}

function failure(format: ErrorFormat): Reply {
  const message = "Something went wrong here: try again in a moment.";
  if (format === "text") return text(500, "Internal server error");
  if (format === "page") return page(500, message);
  if (format === "search-json")
    return json(500, { status: "500", message: "Internal Server Error", description: message });
  return json(500, errorBody(500, "internal_error", message));
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (one) => `&#${one.charCodeAt(0)};`);
}
