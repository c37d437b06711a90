import { Agent, type IncomingHttpHeaders, request } from "node:http";
import { createDocumentedCheck } from "./documented.ts";

export interface Reply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** Parses the body as JSON of a type that the caller declares. */
  json<T = Record<string, unknown>>(): T;
}

/** Request headers. `undefined` omits a header, even a default one. */
export type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;
/** Request body. Text and bytes are sent unchanged, objects as JSON. */
export type Body = string | Uint8Array | object;

/** Test files whose responses are compared with openapi.yaml. */
const documentedTests = /[\\/]test[\\/](?:abuse|checkout|openapi|spec|stock)[\\/]/;
const assertDocumented = createDocumentedCheck();

const agent = new Agent({ keepAlive: true, maxSockets: 64 });

/** Sends one request. It adds no headers except `Host` and the length of the body. */
export function send(
  origin: string,
  method: string,
  path: string,
  { headers = {}, body }: { headers?: Headers; body?: string | Uint8Array } = {},
): Promise<Reply> {
  const { hostname, port } = new URL(origin);
  return new Promise((resolve, reject) => {
    const present = Object.entries(headers).filter((entry) => entry[1] !== undefined) as [string, string | string[]][];
    const length = body === undefined ? {} : { "content-length": String(Buffer.byteLength(body)) };
    const options = { hostname, port, method, path, agent, headers: { ...length, ...Object.fromEntries(present) } };
    const outgoing = request(options, (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
      incoming.on("error", reject);
      incoming.on("end", () => {
        const text = Buffer.concat(chunks).toString("utf8");
        const { headers, statusCode: status = 0 } = incoming;
        try {
          if (documentedTests.test(process.argv[1] ?? "")) assertDocumented(method, path, { status, headers, text });
        } catch (fault) {
          return reject(fault);
        }
        resolve({ status, headers, text, json: <T>() => JSON.parse(text) as T });
      });
    });
    outgoing.on("error", reject);
    outgoing.end(body);
  });
}

/** Client that behaves like a browser: it stores cookies, and fetches the CSRF token before its first write. */
export interface Client {
  readonly cookies: Map<string, string>;
  get(path: string, headers?: Headers): Promise<Reply>;
  /** Sends a write like a theme, as JSON with the token. */
  post(path: string, body?: Body, headers?: Headers): Promise<Reply>;
  send(method: string, path: string, options?: { headers?: Headers; body?: string | Uint8Array }): Promise<Reply>;
  token(): Promise<string>;
}

export function createClient(origin: string): Client {
  const cookies = new Map<string, string>();
  let pendingToken: Promise<string> | undefined;

  const client: Client = {
    cookies,
    get: (path, headers = {}) => client.send("GET", path, { headers }),
    async post(path, body = {}, headers = {}) {
      const token = await client.token();
      const bytes = typeof body === "string" || body instanceof Uint8Array ? body : JSON.stringify(body);
      const usual = { "content-type": "application/json", "x-csrf-token": token };
      return client.send("POST", path, { headers: { ...usual, ...headers }, body: bytes });
    },
    async send(method, path, { headers = {}, ...rest } = {}) {
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
      const withCookies = cookie === "" ? headers : { cookie, ...headers };
      const reply = await send(origin, method, path, { ...rest, headers: withCookies });
      keepCookies(cookies, reply.headers["set-cookie"] ?? []);
      return reply;
    },
    token() {
      const known = cookies.get("csrf_token");
      if (known !== undefined) return Promise.resolve(known);
      pendingToken ??= client.get("/api/csrf").then((reply) => {
        pendingToken = undefined;
        return String(reply.headers["x-csrf-token"]);
      });
      return pendingToken;
    },
  };
  return client;
}

function keepCookies(cookies: Map<string, string>, lines: readonly string[]): void {
  for (const line of lines) {
    const [pair = "", ...attributes] = line.split(";");
    const [name = "", ...value] = pair.split("=");
    const isExpired = attributes.some((text) => /^\s*(max-age=0|expires=thu, 01 jan 1970)/i.test(text));
    if (isExpired) cookies.delete(name.trim());
    else cookies.set(name.trim(), value.join("=").trim());
  }
}
