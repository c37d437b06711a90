/** What a handler answers; `send-reply.ts` turns it into bytes. */
export interface Reply {
  readonly status: number;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body: string | Uint8Array | StaticFile;
  /** May be compressed: "fast", or "best" for bytes that are kept and asked for again and again. Absent where the body holds a secret
   *  of the visitor's beside something that the request's sender chose: its length would tell one by the other. */
  readonly compress?: "fast" | "best";
}

/** A file below `root` as the body, with its type, length, range and validators. */
export interface StaticFile {
  readonly root: string;
  /** Relative to `root`, percent-encoded as in a URL. */
  readonly path: string;
}

export const NO_STORE = "no-store";

export function json(
  status: number,
  value: unknown,
  headers: Readonly<Record<string, string | readonly string[]>> = {},
): Reply {
  return {
    status,
    headers: { "content-type": "application/json; charset=utf-8", "cache-control": NO_STORE, ...headers },
    body: toJson(value),
  };
}

export function text(status: number, body: string, headers: Readonly<Record<string, string>> = {}): Reply {
  return {
    status,
    headers: { "content-type": "text/plain; charset=utf-8", "cache-control": NO_STORE, ...headers },
    body,
  };
}

export function html(
  status: number,
  body: string,
  headers: Readonly<Record<string, string | readonly string[]>> = {},
): Reply {
  return {
    status,
    headers: { "content-type": "text/html; charset=utf-8", "cache-control": NO_STORE, ...headers },
    body,
  };
}

/** @param location a path of this store, or an address of the merchant's settings */
export function redirect(
  status: 301 | 302 | 303,
  location: string,
  headers: Readonly<Record<string, string>> = {},
): Reply {
  return {
    status,
    headers: { "content-type": "text/plain; charset=utf-8", "cache-control": NO_STORE, location, ...headers },
    body: "",
  };
}

/** JSON that stays inert where it is put into HTML. A list that stands in several places, as a cart's lines do in four, is made into text once. */
function toJson(value: unknown): string {
  const texts = new Map<readonly unknown[], string>();
  const textOf = (part: unknown, depth: number): string => {
    if (Array.isArray(part)) {
      const text = texts.get(part) ?? inert(JSON.stringify(part));
      texts.set(part, text);
      return text;
    }
    if (depth === LIST_DEPTH || typeof part !== "object" || part === null) return inert(JSON.stringify(part));
    const fields = Object.entries(part).filter(([, field]) => field !== undefined);
    return `{${fields.map(([name, field]) => `${inert(JSON.stringify(name))}:${textOf(field, depth + 1)}`).join(",")}}`;
  };
  return textOf(value, 0);
}

/** How deep in an answer a list may stand more than once: in `items` and in `cart.items`. */
const LIST_DEPTH = 2;

function inert(json: string): string {
  return json.replaceAll("<", "\\u003c").replaceAll("\u2028", "\\u2028").replaceAll("\u2029", "\\u2029");
}
