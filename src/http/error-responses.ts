import { chooseMessagesLanguage, getMessages, type MessageKey } from "../messages/messages.ts";
import { getTextDirection } from "../messages/text-direction.ts";
import type { Log } from "../observability/log.ts";
import { type FieldError, Problem, type ProblemCode } from "../problem.ts";
import { escapeHtml } from "../runtime/escape-html.ts";
import { PageError } from "../theme/page-error.ts";
import { createUnavailableProblem } from "./deadline.ts";
import { createHtmlReply, createJsonReply, createTextReply, type Reply } from "./wire/reply.ts";
import { createStylePolicy } from "./wire/security-headers.ts";

/** Format of a route's error responses. */
export type ErrorFormat = "text" | "search-json" | "json" | "page";

/** Language and links of an error page. */
export interface ErrorPageContext {
  readonly locale: string;
  /** Language prefix of the home page, such as "/fr". */
  readonly prefix: string;
  /** Path to which the page links. Default: the home page. */
  readonly returnPath?: string | undefined;
}

/**
 * Creates the response for an error. Errors other than `Problem` are bugs: they are logged and get the status 500.
 * @param route pattern of the route, for the log
 * @param context only for error pages. Default: English
 * @see spec 7
 */
export function respondToError(
  error: unknown,
  format: ErrorFormat,
  log: Log,
  route: string,
  context: ErrorPageContext = defaultContext,
): Reply {
  if (error instanceof PageError && format === "page") return createHtmlReply(500, error.html);
  const problem = toProblem(error);
  if (problem === undefined) {
    log.error({ error, route }, "a request failed");
    return createFailureReply(format, context);
  }
  if (problem.code === "cart_service_unavailable")
    log.recurring({ error, route, code: problem.code }, "carts are unavailable");
  const [status] = errorStatuses[problem.code];
  const headers = headersOf(problem);
  if (format === "text")
    return createTextReply(
      status,
      `${problem.code === "invalid_parameter" ? "Invalid parameter error: " : ""}${problem.message}`,
      headers,
    );
  if (format === "page") return renderPlainPage(status, explainToShopper(problem, context), headers, context);
  if (format === "search-json") return createJsonReply(status, createSearchErrorBody(status, problem), headers);
  const body = createErrorBody(status, problem.code, problem.message, problem.fields);
  return createJsonReply(status, { ...body, ...(problem.detail.reply as object | undefined) }, headers);
}

/** Returns the code of a Problem, or undefined for other errors. */
export function errorCodeOf(error: unknown): ProblemCode | undefined {
  return toProblem(error)?.code;
}

/**
 * Returns the JSON body of an error. `error` and `fields` are defined by the spec. Themes also read `status`,
 * `message`, `description`, and `errors`.
 * @see spec 7.2
 */
export function createErrorBody(
  status: number,
  error: string,
  message: string,
  fields: readonly FieldError[] = [],
): Readonly<Record<string, unknown>> {
  return { error, fields, status, message, description: message, errors: message };
}

/** Renders an HTML page without a theme, for errors that affect the theme itself. */
export function renderPlainPage(
  status: number,
  message: string,
  headers: Readonly<Record<string, string>> = {},
  { locale, prefix, returnPath }: ErrorPageContext = defaultContext,
): Reply {
  const language = chooseMessagesLanguage(locale);
  const text = escapeHtml(message);
  const path = escapeHtml(returnPath ?? `${prefix}/`);
  const label = escapeHtml(
    getMessages(locale)(returnPath === undefined ? "errorPages.continueShopping" : "errorPages.back"),
  );
  const body = `<!doctype html>
<html lang="${language}" dir="${getTextDirection(language)}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${text}</title><style>${style}</style></head>
<body><main><h1>${text}</h1><p><a href="${path}">${label}</a></p></main></body>
</html>
`;
  return createHtmlReply(status, body, { ...headers, "content-security-policy": stylePolicy });
}

const style =
  ":root{color-scheme:light dark}body{max-width:36rem;margin:15vh auto;padding:0 1rem;font:1.125rem/1.5 system-ui,sans-serif}h1{font-size:1.375rem}";
const stylePolicy = createStylePolicy(style);

/**
 * Returns the message of an error in the language of the page. Messages about the cart are translated where they are
 * created. Those about malformed requests, which people do not cause, are in English.
 */
function explainToShopper(problem: Problem, { locale }: ErrorPageContext): string {
  const key = problem.detail.isInDoubt === true ? "errorPages.uncertain" : shopperMessages[problem.code];
  return key === undefined ? problem.message : getMessages(locale)(key);
}

/** Messages to shoppers in place of those to developers. */
const shopperMessages: Readonly<Partial<Record<ProblemCode, MessageKey>>> = {
  csrf_missing: "errorPages.expired",
  csrf_mismatch: "errorPages.expired",
  csrf_invalid: "errorPages.expired",
  csrf_origin_blocked: "errorPages.expired",
  payload_too_large: "errorPages.tooLarge",
  rate_limited: "tooManyAttempts",
  overloaded: "errorPages.unavailable",
  payment_unavailable: "errorPages.unavailable",
  quote_unavailable: "errorPages.unavailable",
  cart_service_unavailable: "errorPages.unavailable",
};

const defaultContext: ErrorPageContext = { locale: "en", prefix: "" };

/** Returns a copy of the response that has the HTTP status of an error code. */
export function setErrorStatus(reply: Reply, code: ProblemCode): Reply {
  return { ...reply, status: errorStatuses[code][0] };
}

/** HTTP status and cause of each error code. `npm run reference` generates the table in the documentation from it. */
export const errorStatuses: Readonly<Record<ProblemCode, readonly [status: number, when: string]>> = {
  validation_failed: [
    400,
    "the request is invalid; `fields` contains `{ field, rule, message }` of each error, in batches with `line`",
  ],
  unauthorized: [
    401,
    "the bearer token is missing, unknown, revoked, or expired; or the search key is invalid or expired",
  ],
  amount_differs: [422, "amount or currency of the payment differ from the checkout; nothing was changed"],
  reference_taken: [409, "the reference belongs to another payment"],
  refund_due: [409, "the payment is recorded without an order and must be refunded"],
  order_cancelled: [409, "the order was canceled and cannot be paid or shipped"],
  order_changed: [412, "the order has another revision than `If-Match`; nothing was changed"],
  order_conflict: [409, "the state of the order does not allow the operation, as the message explains"],
  revision_required: [428, "`If-Match` with the revision of the order is missing"],
  payment_unavailable: [503, "the payment hook failed; the provider must retry"],
  quote_unavailable: [503, "a hook for the total of the order failed; the cart is unchanged"],
  quote_changed: [409, "values that an agent received have changed; the response lists the changes"],
  invalid_profile_url: [400, "the profile of an agent has no https URL"],
  insufficient_scope: [403, "the token lacks the scope that `WWW-Authenticate` names"],
  payload_too_large: [413, "the body is too large"],
  invalid_sections_url: [400, "`sections_url` is not a path of this shop"],
  customer_required: [401, "the product requires a signed-in customer"],
  csrf_missing: [403, "the token's header or cookie is missing: request `/api/csrf`"],
  csrf_mismatch: [403, "header and cookie contain different tokens"],
  csrf_invalid: [403, "the token or the cart cookie has an invalid signature or has expired"],
  csrf_origin_blocked: [403, "the write comes from another site"],
  insufficient_stock: [422, "the stock is too low; `issues` contains the available quantity, `cart` is unchanged"],
  out_of_stock: [422, "the item is out of stock; `cart` is unchanged"],
  cart_changed: [412, "the cart has another revision than `If-Match`; `cart` is the current cart"],
  idempotency_conflict: [409, "the `Idempotency-Key` was used for another request, or its response was removed"],
  catalog_changed: [412, "a row has another revision than `if_match` or `If-Match`; nothing was changed"],
  stock_changed: [412, "the stock of a variant is not its `compare_quantity`; nothing was changed"],
  settings_changed: [412, "the settings file has another revision than `If-Match`; nothing was changed"],
  settings_read_only: [409, "the settings file cannot be changed here, as the message explains"],
  catalog_busy: [409, "another import is running: retry the batch"],
  cart_service_unavailable: [
    502,
    "the database is unavailable; the change is not saved, unless `message` says that it may be",
  ],
  overloaded: [503, "the server is overloaded: retry after `Retry-After`; nothing was changed"],
  rate_limited: [429, "too many requests from one address or token: retry after `Retry-After`"],
  invalid_parameter: [422, "a search parameter is missing or invalid"],
  section_not_found: [404, "the theme has no section with this id"],
  not_found: [404, "the path or id does not exist"],
  method_not_allowed: [405, "the path does not support this method; `Allow` lists those it supports"],
  bad_request: [400, "the request is malformed, such as a path that cannot be decoded"],
};

const titles: Readonly<Record<number, string>> = {
  400: "Bad request",
  401: "Unauthorized",
  403: "Request rejected",
  404: "Not found",
  405: "Method not allowed",
  413: "Request too large",
  422: "Request not possible",
  429: "Too many requests",
  500: "Something went wrong",
  502: "Service unavailable",
  503: "Service unavailable",
};

/**
 * Converts a database error to a Problem. The error is recognized by its name, because this folder must not import
 * storage code.
 */
function toProblem(error: unknown): Problem | undefined {
  if (error instanceof Problem) return error;
  if (!(error instanceof Error) || error.name !== "DatabaseUnavailableError") return undefined;
  return createUnavailableProblem("isInDoubt" in error && error.isInDoubt === true);
}

/** Seconds after which a rejected request may be sent again, unless the error names others. */
export const retrySeconds: Readonly<Partial<Record<ProblemCode, number>>> = {
  payment_unavailable: 30,
  quote_unavailable: 30,
  cart_service_unavailable: 5,
  catalog_busy: 5,
  overloaded: 1,
  rate_limited: 60,
};

function headersOf({ code, detail }: Problem): Readonly<Record<string, string>> {
  return {
    ...(typeof detail.setCookie === "string" ? { "set-cookie": detail.setCookie } : {}),
    ...(typeof detail.allow === "string" ? { allow: detail.allow } : {}),
    ...(code === "payload_too_large" ? { connection: "close" } : {}),
    ...(code === "unauthorized" ? { "www-authenticate": "Bearer" } : {}),
    ...(code === "insufficient_scope"
      ? { "www-authenticate": `Bearer error="insufficient_scope", scope="${detail.scope}"` }
      : {}),
    ...(retrySeconds[code] === undefined ? {} : { "retry-after": String(detail.retryAfter ?? retrySeconds[code]) }),
  };
}

/**
 * Returns the error body of search endpoints. It has exactly three properties, and `status` is a string.  @see spec 7.1
 */
function createSearchErrorBody(status: number, { code, message }: Problem): object {
  const title = code === "invalid_parameter" ? "Invalid parameter error" : (titles[status] ?? "Error");
  return { status: String(status), message: title, description: message };
}

function createFailureReply(format: ErrorFormat, context: ErrorPageContext): Reply {
  if (format === "text") return createTextReply(500, "Internal server error");
  if (format === "page") return renderPlainPage(500, getMessages(context.locale)("errorPages.failed"), {}, context);
  const message = getMessages("en")("errorPages.failed");
  if (format === "search-json")
    return createJsonReply(500, { status: "500", message: "Internal Server Error", description: message });
  return createJsonReply(500, createErrorBody(500, "internal_error", message));
}
