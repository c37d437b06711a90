import { lookup as lookUp } from "node:dns";
import type { IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import { BlockList, isIP, type LookupFunction } from "node:net";
import { http } from "../../runtime/node-http.ts";

/** Error of a failed download. */
export class DownloadError extends Error {
  /** Whether another attempt may succeed, because the error does not concern the image itself. */
  readonly isTransient: boolean;

  constructor(message: string, isTransient = false) {
    super(message);
    this.isTransient = isTransient;
  }
}

export interface DownloadLimits {
  /** Maximum bytes of one image. */
  readonly maxBytes: number;
  /** Time limit of one image in milliseconds, including redirects. */
  readonly timeoutMs: number;
  /** Allowed hosts of the merchant's private network: "10.0.0.7:8080", "pim.internal". */
  readonly trustedHosts: ReadonlySet<string>;
}

export interface DownloadedImage {
  readonly bytes: Buffer;
  readonly format: NonNullable<ReturnType<typeof detectImageFormat>>;
}

const MAX_REDIRECTS = 5;

/**
 * Downloads an image from an untrusted server. Its format is detected from its bytes, and private networks are not
 * contacted.
 * @throws DownloadError, or the signal's reason if it was aborted
 */
export async function downloadImage(
  src: string,
  limits: DownloadLimits,
  signal: AbortSignal,
): Promise<DownloadedImage> {
  const deadline = AbortSignal.any([signal, AbortSignal.timeout(limits.timeoutMs)]);
  try {
    let url = parseUrl(src);
    for (let redirectCount = 0; redirectCount <= MAX_REDIRECTS; redirectCount += 1) {
      const response = await sendRequest(url, limits, deadline);
      const { statusCode = 0, headers } = response;
      if (statusCode >= 300 && statusCode < 400 && headers.location !== undefined) {
        response.destroy();
        url = parseUrl(headers.location, url);
        continue;
      }
      if (statusCode === 200) return await readBody(response, limits.maxBytes, deadline);
      response.destroy();
      throw new DownloadError(`failed with status ${statusCode}`, statusCode >= 500 || statusCode === 429);
    }
    throw new DownloadError(`redirects more than ${MAX_REDIRECTS} times`);
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    if (error instanceof DownloadError) throw error;
    if (deadline.aborted)
      throw new DownloadError(`was not downloaded within ${limits.timeoutMs / 1_000} seconds`, true);
    if (error instanceof PrivateAddressError) throw createPrivateNetworkError();
    throw new DownloadError(`could not be downloaded: ${getErrorReason(error)}`, true);
  }
}

function parseUrl(text: string, baseUrl?: URL): URL {
  const url = URL.parse(text, baseUrl);
  if (url === null || !/^https?:$/.test(url.protocol)) throw new DownloadError("is not an http(s) URL");
  return url;
}

function createPrivateNetworkError(): DownloadError {
  return new DownloadError("is in a private network: allow a host of your own with --trust-hosts");
}

function sendRequest(url: URL, { trustedHosts }: DownloadLimits, signal: AbortSignal): Promise<IncomingMessage> {
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const isTrusted = trustedHosts.has(url.host) || trustedHosts.has(url.hostname);
  if (!isTrusted && isIP(host) !== 0 && !isPublicAddress(host)) throw createPrivateNetworkError();
  const send = url.protocol === "https:" ? httpsRequest : http.request;
  return new Promise((resolve, reject) => {
    const request = send(url, {
      signal,
      headers: { accept: "image/avif,image/webp,image/*;q=0.8", "user-agent": "Vitrine" },
      ...(isTrusted ? {} : { lookup: resolvePublicAddress }),
    });
    request.once("error", reject);
    request.once("response", resolve);
    // The status 101 causes neither a response nor an error.
    request.once("close", () => reject(new Error("the connection was closed without a response")));
    request.end();
  });
}

async function readBody(response: IncomingMessage, maxBytes: number, signal: AbortSignal): Promise<DownloadedImage> {
  const createTooLargeError = (): DownloadError => new DownloadError(`is larger than ${maxBytes / 1_000_000} MB`);
  const chunks: Buffer[] = [];
  let length = 0;
  const abort = (): void => void response.destroy(new Error("too late"));
  signal.addEventListener("abort", abort, { once: true });
  try {
    if (Number(response.headers["content-length"]) > maxBytes) throw createTooLargeError();
    for await (const chunk of response as AsyncIterable<Buffer>) {
      const hasSignature = length >= SIGNATURE_BYTES;
      chunks.push(chunk);
      length += chunk.length;
      if (length > maxBytes) throw createTooLargeError();
      if (!hasSignature && length >= SIGNATURE_BYTES) detectFormat(Buffer.concat(chunks));
    }
    const bytes = Buffer.concat(chunks);
    return { bytes, format: detectFormat(bytes) };
  } finally {
    signal.removeEventListener("abort", abort);
    response.destroy();
  }
}

function detectFormat(bytes: Uint8Array): DownloadedImage["format"] {
  const format = detectImageFormat(bytes);
  if (format === undefined) throw new DownloadError("is not a JPEG, PNG, GIF, WebP or AVIF image");
  return format;
}

function getErrorReason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return "code" in error && typeof error.code === "string" ? error.code : error.message;
}

/**
 * Returns the file extension of an image, from its first bytes.
 * @param bytes at least 12 bytes
 * @returns undefined for any other content, including SVG
 */
function detectImageFormat(bytes: Uint8Array): "jpg" | "png" | "gif" | "webp" | "avif" | undefined {
  const readText = (from: number, to: number): string => String.fromCharCode(...bytes.subarray(from, to));
  if (readText(0, 3) === "\u00ff\u00d8\u00ff") return "jpg";
  if (readText(0, 8) === "\u0089PNG\r\n\u001a\n") return "png";
  if (/^GIF8[79]a$/.test(readText(0, 6))) return "gif";
  if (readText(0, 4) === "RIFF" && readText(8, 12) === "WEBP") return "webp";
  return readText(4, 8) === "ftyp" && /^avi[fs]$/.test(readText(8, 12)) ? "avif" : undefined;
}

/** Number of bytes that `detectImageFormat` reads. */
const SIGNATURE_BYTES = 12;

/** Error for a URL with a host in a private network, which an attacker could use to reach internal services. */
class PrivateAddressError extends Error {}

/**
 * Returns true for an IP address that is routed on the public internet.
 * @see https://www.iana.org/assignments/iana-ipv4-special-registry
 */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 4) return !reservedNetworks.check(address, "ipv4");
  return family === 6 && publicNetworks.check(address, "ipv6") && !reservedNetworks.check(address, "ipv6");
}

/**
 * Resolves a host name, and rejects it if one of its addresses is not public. The connection uses the checked
 * addresses.
 */
const resolvePublicAddress: LookupFunction = (hostname, options, callback) => {
  lookUp(hostname, { ...options, all: true }, (error, addresses) => {
    const privateAddress = error === null ? addresses.find(({ address }) => !isPublicAddress(address)) : undefined;
    const [firstAddress] = addresses ?? [];
    if (error !== null) callback(error, "", 0);
    else if (privateAddress !== undefined || firstAddress === undefined)
      callback(new PrivateAddressError(hostname), "", 0);
    else if (options.all === true) callback(null, addresses);
    else callback(null, firstAddress.address, firstAddress.family);
  });
};

/** IP ranges that are private or reserved. */
const reservedNetworks = new BlockList();
for (const network of [
  "0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 192.88.99.0/24",
  "192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4",
  // Tunnel networks, whose addresses can contain any IPv4 address, and networks for documentation.
  "2001::/23 2001:db8::/32 2002::/16 3fff::/20",
].flatMap((line) => line.split(" "))) {
  const [address = "", bits = ""] = network.split("/");
  reservedNetworks.addSubnet(address, Number(bits), address.includes(":") ? "ipv6" : "ipv4");
}
const publicNetworks = new BlockList();
publicNetworks.addSubnet("2000::", 3, "ipv6");
