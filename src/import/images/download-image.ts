import { request as httpRequest, type IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import { isIP } from "node:net";
import { FORMAT_BYTES, imageFormat } from "./image-format.ts";
import { isPublicAddress, lookUpPublic, PrivateAddress } from "./public-addresses.ts";

/** Why a picture did not come. */
export class DownloadError extends Error {
  /** Worth another try: nobody said what is wrong with the picture itself. */
  readonly isTransient: boolean;

  constructor(message: string, isTransient = false) {
    super(message);
    this.isTransient = isTransient;
  }
}

export interface DownloadLimits {
  /** Of one picture. */
  readonly maxBytes: number;
  /** For one picture, from the question to its last byte, redirects with it. */
  readonly timeoutMs: number;
  /** Hosts ("10.0.0.7:8080", "pim.internal") of the merchant's own network that may be asked. */
  readonly trustedHosts: ReadonlySet<string>;
}

export interface Downloaded {
  readonly bytes: Buffer;
  readonly format: NonNullable<ReturnType<typeof imageFormat>>;
}

const MAX_REDIRECTS = 5;

/** Gets a picture from another server, which may be anybody's: it is told by its bytes, and nothing is asked inside this machine's own network.
 *  @throws PictureRefusal; the signal's reason where that ended it */
export async function downloadImage(src: string, limits: DownloadLimits, signal: AbortSignal): Promise<Downloaded> {
  const deadline = AbortSignal.any([signal, AbortSignal.timeout(limits.timeoutMs)]);
  try {
    let url = addressOf(src);
    for (let asked = 0; asked <= MAX_REDIRECTS; asked += 1) {
      const answer = await ask(url, limits, deadline);
      const { statusCode = 0, headers } = answer;
      if (statusCode >= 300 && statusCode < 400 && headers.location !== undefined) {
        answer.destroy();
        url = addressOf(headers.location, url);
        continue;
      }
      if (statusCode === 200) return await read(answer, limits.maxBytes, deadline);
      answer.destroy();
      throw new DownloadError(`was answered with status ${statusCode}`, statusCode >= 500 || statusCode === 429);
    }
    throw new DownloadError(`leads on more than ${MAX_REDIRECTS} times`);
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    if (error instanceof DownloadError) throw error;
    if (deadline.aborted) throw new DownloadError(`did not come within ${limits.timeoutMs / 1_000} seconds`, true);
    if (error instanceof PrivateAddress) throw insideNetwork();
    throw new DownloadError(`could not be fetched: ${reasonOf(error)}`, true);
  }
}

function addressOf(text: string, base?: URL): URL {
  const url = URL.parse(text, base);
  if (url === null || !/^https?:$/.test(url.protocol)) throw new DownloadError("has no web address");
  return url;
}

function insideNetwork(): DownloadError {
  return new DownloadError("is an address inside a private network (--trust-hosts lets a host of your own be asked)");
}

function ask(url: URL, { trustedHosts }: DownloadLimits, signal: AbortSignal): Promise<IncomingMessage> {
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const isTrusted = trustedHosts.has(url.host) || trustedHosts.has(url.hostname);
  if (!isTrusted && isIP(host) !== 0 && !isPublicAddress(host)) throw insideNetwork();
  const send = url.protocol === "https:" ? httpsRequest : httpRequest;
  return new Promise((resolve, reject) => {
    const sent = send(url, {
      signal,
      headers: { accept: "image/avif,image/webp,image/*;q=0.8", "user-agent": "Vitrine" },
      ...(isTrusted ? {} : { lookup: lookUpPublic }),
    });
    sent.once("error", reject);
    sent.once("response", resolve);
    sent.end();
  });
}

async function read(answer: IncomingMessage, maxBytes: number, signal: AbortSignal): Promise<Downloaded> {
  const tooMuch = (): DownloadError => new DownloadError(`has more than ${maxBytes / 1_000_000} MB`);
  const chunks: Buffer[] = [];
  let length = 0;
  const stop = (): void => void answer.destroy(new Error("too late"));
  signal.addEventListener("abort", stop, { once: true });
  try {
    if (Number(answer.headers["content-length"]) > maxBytes) throw tooMuch();
    for await (const chunk of answer as AsyncIterable<Buffer>) {
      const isBegun = length >= FORMAT_BYTES;
      chunks.push(chunk);
      length += chunk.length;
      if (length > maxBytes) throw tooMuch();
      if (!isBegun && length >= FORMAT_BYTES) formatOf(Buffer.concat(chunks));
    }
    const bytes = Buffer.concat(chunks);
    return { bytes, format: formatOf(bytes) };
  } finally {
    signal.removeEventListener("abort", stop);
    answer.destroy();
  }
}

function formatOf(bytes: Uint8Array): Downloaded["format"] {
  const format = imageFormat(bytes);
  if (format === undefined) throw new DownloadError("is no JPEG, PNG, GIF, WebP or AVIF");
  return format;
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return "code" in error && typeof error.code === "string" ? error.code : error.message;
}
