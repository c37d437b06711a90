import { setTimeout as sleep } from "node:timers/promises";
import type { CookieJar } from "./cookie-jar.ts";
import { VitrineError } from "./vitrine-error.ts";

export interface ConnectionOptions {
  /** "https://shop.example" */
  readonly origin: string;
  /** A token of `vitrine token create`, for what the merchant's other systems ask. */
  readonly token?: string;
  /** One of the shop's languages; absent: its default one. */
  readonly locale?: string;
  /** Milliseconds for which one answer is waited for; 10,000 unless told. */
  readonly timeout?: number;
  /** Milliseconds before the second, third … try; 300, 1,200 unless told. The shop's `Retry-After` counts before them. */
  readonly pauses?: readonly number[];
  readonly fetch?: typeof fetch;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
}

export interface Call extends CallOptions {
  readonly method?: "GET" | "POST";
  /** Without the language's prefix. */
  readonly path: string;
  /** Parameters that are undefined are left out. */
  readonly query?: Readonly<Record<string, string | number | readonly string[] | undefined>>;
  /** Sent as JSON. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** A shopper's; absent: no cookie is sent or kept. */
  readonly cookies?: CookieJar;
  /** The merchant's token goes along, and the path has no language. */
  readonly isManagement?: boolean;
}

export interface Reply {
  /** The JSON of the answer; the caller says what openapi.yaml says of it. */
  readonly body: unknown;
  readonly headers: Headers;
}

/** Sends what openapi.yaml describes. Every call may be sent again without harm: reads, and writes that bear a key or a reference. */
export interface Connection {
  /** @throws VitrineError for all but success  @throws the signal's reason where the caller gave up */
  send(call: Call): Promise<Reply>;
}

const TIMEOUT_MS = 10_000;
const PAUSES_MS: readonly number[] = [300, 1_200];
/** Where the shop asks for a longer pause, the caller is told instead. */
const MAX_PAUSE_MS = 30_000;
/** The same request may succeed a little later; 0: no answer came. */
const passing: ReadonlySet<number> = new Set([0, 429, 502, 503, 504]);

export function createConnection(options: ConnectionOptions): Connection {
  const { timeout = TIMEOUT_MS, pauses = PAUSES_MS } = options;
  const ask = options.fetch ?? fetch;

  /** @returns an answer; or why none came whole */
  const once = async (call: Call): Promise<{ readonly response: Response; readonly body: unknown } | VitrineError> => {
    const signals = [AbortSignal.timeout(timeout), ...(call.signal === undefined ? [] : [call.signal])];
    try {
      const response = await ask(addressOf(options, call), {
        method: call.method ?? "GET",
        headers: headersOf(options, call),
        redirect: "manual",
        signal: AbortSignal.any(signals),
        ...(call.body === undefined ? {} : { body: JSON.stringify(call.body) }),
      });
      const text = await response.text();
      call.cookies?.take(response.headers.getSetCookie());
      return { response, body: parsed(text) };
    } catch (cause) {
      call.signal?.throwIfAborted();
      return new VitrineError(0, undefined, { cause });
    }
  };

  return {
    async send(call) {
      for (let tries = 0; ; tries += 1) {
        call.signal?.throwIfAborted();
        const outcome = await once(call);
        const error = outcome instanceof VitrineError ? outcome : errorOf(outcome.response, outcome.body);
        if (error === undefined && !(outcome instanceof VitrineError))
          return { body: outcome.body, headers: outcome.response.headers };
        const failed = error ?? new VitrineError(0, undefined);
        const pause = failed.retryAfter === undefined ? pauses[tries] : failed.retryAfter * 1_000;
        if (!passing.has(failed.status) || tries >= pauses.length || pause === undefined || pause > MAX_PAUSE_MS)
          throw failed;
        await sleep(pause, undefined, call.signal === undefined ? {} : { signal: call.signal });
      }
    },
  };
}

function errorOf({ ok, status, headers }: Response, body: unknown): VitrineError | undefined {
  // What is no JSON was answered by something else on the way.
  if (ok && body !== undefined) return undefined;
  const after = headers.get("retry-after");
  const seconds = after !== null && /^\d{1,6}$/.test(after) ? { retryAfter: Number(after) } : {};
  return new VitrineError(status, body, seconds);
}

function addressOf({ origin, locale }: ConnectionOptions, { path, query = {}, isManagement = false }: Call): string {
  const prefix = isManagement || locale === undefined ? "" : `/${locale}`;
  const url = new URL(`${prefix}${path}`, origin);
  for (const [name, value] of Object.entries(query))
    for (const one of typeof value === "object" ? value : [value])
      if (one !== undefined) url.searchParams.append(name, String(one));
  return url.href;
}

function headersOf({ token }: ConnectionOptions, call: Call): Readonly<Record<string, string>> {
  const cookie = call.cookies?.header();
  return {
    accept: "application/json",
    ...(call.body === undefined ? {} : { "content-type": "application/json" }),
    ...(cookie === undefined ? {} : { cookie }),
    ...(call.isManagement === true && token !== undefined ? { authorization: `Bearer ${token}` } : {}),
    ...call.headers,
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
