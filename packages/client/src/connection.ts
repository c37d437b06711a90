import { setTimeout as sleep } from "node:timers/promises";
import type { CookieJar } from "./cookie-jar.ts";
import { VitrineError } from "./vitrine-error.ts";

/** Options of a client. */
export interface ConnectionOptions {
  /** URL of the shop: "https://shop.example". */
  readonly origin: string;
  /** API token created by `vitrine token create`, required by methods with a scope. Default: no token. */
  readonly token?: string;
  /** Language of the responses, one of the shop's languages: "fr". Default: the default language of the shop. */
  readonly locale?: string;
  /** Timeout of one attempt in milliseconds. Default: 10,000. */
  readonly timeout?: number;
  /**
   * Milliseconds to wait before each retry, one number per retry. The `Retry-After` header of a response takes
   * precedence. Default: 300 and 1,200.
   */
  readonly pauses?: readonly number[];
  /** Function that sends the requests. Default: the global `fetch`. */
  readonly fetch?: typeof fetch;
}

/** Options of all methods. */
export interface CallOptions {
  /** Signal that cancels the call. The call then throws the signal's reason. */
  readonly signal?: AbortSignal;
}

export interface ClientRequest extends CallOptions {
  readonly method?: "GET" | "POST";
  /** Path without the language prefix. */
  readonly path: string;
  /** Query parameters. Parameters with the value undefined are not sent. */
  readonly query?: Readonly<Record<string, string | number | readonly string[] | undefined>>;
  /** Request body, sent as JSON. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Cookies of a customer. Default: cookies are neither sent nor stored. */
  readonly cookies?: CookieJar;
  /**
   * Whether the request uses the management API. Such a request sends the token, and its path has no language prefix.
   */
  readonly usesManagementApi?: boolean;
}

export interface ClientResponse {
  /** Parsed JSON of the response. Callers cast it to the response type generated from openapi.yaml. */
  readonly body: unknown;
  readonly headers: Headers;
}

/**
 * Sends requests to the shop. Every request is safe to retry, because each write has an idempotency key or a payment
 * reference.
 */
export interface Connection {
  /**
   * Sends a request, with retries, and returns the successful response.
   * @throws VitrineError for an error response or a network error
   * @throws the signal's reason if the call is canceled
   */
  send(request: ClientRequest): Promise<ClientResponse>;
}

const DEFAULT_TIMEOUT_MS = 10_000;
const RETRY_DELAYS_MS: readonly number[] = [300, 1_200];
/** Maximum milliseconds to wait before a retry. If `Retry-After` is longer, the call fails at once. */
const MAX_RETRY_DELAY_MS = 30_000;
/** HTTP statuses after which a request is retried. Status 0 means that no response was received. */
const retryableStatuses: ReadonlySet<number> = new Set([0, 429, 502, 503, 504]);

export function createConnection(options: ConnectionOptions): Connection {
  const { timeout = DEFAULT_TIMEOUT_MS, pauses = RETRY_DELAYS_MS } = options;
  const fetchFunction = options.fetch ?? fetch;

  const sendOnce = async (request: ClientRequest): Promise<ClientResponse | VitrineError> => {
    const signals = [AbortSignal.timeout(timeout), ...(request.signal === undefined ? [] : [request.signal])];
    try {
      const response = await fetchFunction(buildUrl(options, request), {
        method: request.method ?? "GET",
        headers: buildHeaders(options, request),
        redirect: "manual",
        signal: AbortSignal.any(signals),
        ...(request.body === undefined ? {} : { body: JSON.stringify(request.body) }),
      });
      const body = parseJson(await response.text());
      request.cookies?.store(response.headers.getSetCookie());
      // A successful response without JSON comes from a proxy instead of the shop, so it is an error.
      return response.ok && body !== undefined ? { body, headers: response.headers } : toError(response, body);
    } catch (cause) {
      request.signal?.throwIfAborted();
      return new VitrineError(0, undefined, { cause });
    }
  };

  return {
    async send(call) {
      for (let retryCount = 0; ; retryCount += 1) {
        call.signal?.throwIfAborted();
        const result = await sendOnce(call);
        if (!(result instanceof VitrineError)) return result;
        const retryDelay = result.retryAfter === undefined ? pauses[retryCount] : result.retryAfter * 1_000;
        if (
          !retryableStatuses.has(result.status) ||
          retryCount >= pauses.length ||
          retryDelay === undefined ||
          retryDelay > MAX_RETRY_DELAY_MS
        )
          throw result;
        await sleep(retryDelay, undefined, call.signal === undefined ? {} : { signal: call.signal });
      }
    },
  };
}

function toError({ status, headers }: Response, body: unknown): VitrineError {
  const retryAfter = headers.get("retry-after");
  return new VitrineError(
    status,
    body,
    retryAfter !== null && /^\d{1,6}$/.test(retryAfter) ? { retryAfter: Number(retryAfter) } : {},
  );
}

function buildUrl(
  { origin, locale }: ConnectionOptions,
  { path, query = {}, usesManagementApi = false }: ClientRequest,
): string {
  const prefix = usesManagementApi || locale === undefined ? "" : `/${locale}`;
  const url = new URL(`${prefix}${path}`, origin);
  for (const [name, values] of Object.entries(query))
    for (const value of typeof values === "object" ? values : [values])
      if (value !== undefined) url.searchParams.append(name, String(value));
  return url.href;
}

function buildHeaders({ token }: ConnectionOptions, request: ClientRequest): Readonly<Record<string, string>> {
  const cookie = request.cookies?.getHeader();
  return {
    accept: "application/json",
    ...(request.body === undefined ? {} : { "content-type": "application/json" }),
    ...(cookie === undefined ? {} : { cookie }),
    ...(request.usesManagementApi === true && token !== undefined ? { authorization: `Bearer ${token}` } : {}),
    ...request.headers,
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
