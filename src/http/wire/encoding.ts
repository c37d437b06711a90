import { promisify } from "node:util";
import { brotliCompress, brotliCompressSync, constants, gzip, gzipSync } from "node:zlib";
import type { Reply } from "./reply.ts";

/** A coding of bodies, as `Content-Encoding` names it. */
export type Coding = "br" | "gzip";

/** The reply as the client takes it best: compressed where its handler allows that and it pays. Bodies that are kept (the same bytes
 *  each time) are compressed once for each coding. Long ones are compressed beside the event loop.
 *  @param accepted the request's `Accept-Encoding` */
export async function encodeReply(reply: Reply, accepted: string | undefined): Promise<Reply> {
  const { body, compress, status } = reply;
  const isWorth = typeof body === "string" || body instanceof Uint8Array ? body.length >= MIN_LENGTH : false;
  if (compress === undefined || status !== 200 || !isWorth) return reply;
  const headers = { ...reply.headers, vary: "Accept-Encoding" };
  const coding = preferredCoding(accepted);
  if (coding === undefined) return { ...reply, headers };
  const bytes = await encode(body as string | Uint8Array, coding, compress);
  const { etag } = reply.headers;
  return {
    status,
    headers: {
      ...headers,
      "content-encoding": coding,
      ...(typeof etag === "string" ? { etag: etag.replace(/"$/, `-${coding}"`) } : {}),
    },
    body: bytes,
  };
}

/** The coding with the highest q-value, Brotli before gzip; undefined: the body as it is. */
export function preferredCoding(accepted: string | undefined): Coding | undefined {
  if (accepted === undefined) return undefined;
  const weights = new Map(
    accepted.split(",").map((part) => {
      const [name = "", ...parameters] = part.split(";").map((one) => one.trim().toLowerCase());
      const q = parameters.find((one) => one.startsWith("q="));
      return [name, q === undefined ? 1 : Number(q.slice(2)) || 0] as const;
    }),
  );
  const weightOf = (coding: string): number => weights.get(coding) ?? weights.get("*") ?? 0;
  const [best, weight] = (["br", "gzip"] as const)
    .map((coding) => [coding, weightOf(coding)] as const)
    .reduce((one, other) => (other[1] > one[1] ? other : one));
  return weight > 0 && weight >= (weights.get("identity") ?? 0) ? best : undefined;
}

/** An `ETag` without the coding that {@link encodeReply} put into it, and without the sign of weakness. */
export function plainTag(tag: string): string {
  return tag
    .trim()
    .replace(/^W\//, "")
    .replace(/-(?:br|gzip)"$/, '"');
}

/** Shorter bodies fit a packet as they are. */
const MIN_LENGTH = 1_024;
/** Characters up to which a body is compressed on the spot: at these levels it takes less time than to hand it over to a thread. */
const ON_THE_SPOT = 32_768;
/** Levels of Brotli and gzip: on the spot, beside the event loop, and the most they can do. */
const levels = { quick: { br: 1, gzip: 3 }, fast: { br: 4, gzip: 5 }, best: { br: 11, gzip: 9 } } as const;
/** Base-2 logarithm of the window: answers are seldom longer, and a larger one costs memory to set up. */
const WINDOW = 18;

const brotli = promisify(brotliCompress);
const deflate = promisify<Uint8Array | string, object, Buffer>(gzip);

type Level = NonNullable<Reply["compress"]>;

/** Bytes that are kept elsewhere -> what they are compressed. */
const kept = new WeakMap<Uint8Array, Map<Coding, Promise<Uint8Array>>>();

function encode(body: string | Uint8Array, coding: Coding, level: Level): Promise<Uint8Array> {
  if (typeof body === "string") return compressed(body, coding, "fast");
  const known = kept.get(body) ?? new Map<Coding, Promise<Uint8Array>>();
  kept.set(body, known);
  let encoded = known.get(coding);
  if (encoded === undefined) {
    encoded = compressed(body, coding, "fast");
    known.set(coding, encoded);
    // The first caller does not wait for the last percent; later ones get it.
    if (level === "best") improve(body, coding, known);
  }
  return encoded;
}

function improve(body: Uint8Array, coding: Coding, known: Map<Coding, Promise<Uint8Array>>): void {
  compressed(body, coding, "best").then(
    (bytes) => known.set(coding, Promise.resolve(bytes)),
    () => undefined,
  );
}

async function compressed(body: string | Uint8Array, coding: Coding, level: Level): Promise<Uint8Array> {
  const isShort = level === "fast" && body.length <= ON_THE_SPOT;
  const strength = levels[isShort ? "quick" : level][coding];
  if (coding === "gzip") return isShort ? gzipSync(body, { level: strength }) : deflate(body, { level: strength });
  const options = {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: strength,
      [constants.BROTLI_PARAM_LGWIN]: level === "best" ? constants.BROTLI_DEFAULT_WINDOW : WINDOW,
      [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
      [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
    },
  };
  return isShort ? brotliCompressSync(body, options) : brotli(body, options);
}
