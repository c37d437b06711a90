import type { Config } from "../config/settings.ts";

export type PurgeSettings = Pick<NonNullable<NonNullable<Config["cdn"]>["purge"]>, "format" | "token">;

/** A request that removes pages from a CDN. */
export interface PurgeRequest {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Maximum number of tags in a request, by format. */
const maxTags: Readonly<Record<PurgeSettings["format"], number>> = {
  fastly: 256,
  cloudflare: 30,
  varnish: 50,
  webhook: 1_000,
};

/** Returns the requests that remove all pages with one of the tags. */
export function createPurgeRequests(
  { format, token }: PurgeSettings,
  tags: readonly string[],
): readonly PurgeRequest[] {
  const size = maxTags[format];
  const batches = Array.from({ length: Math.ceil(tags.length / size) }, (_, index) =>
    tags.slice(index * size, (index + 1) * size),
  );
  const authHeaders: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const json = { "content-type": "application/json", ...authHeaders };
  return batches.map((batch) => {
    if (format === "fastly")
      return {
        method: "POST",
        headers: { "surrogate-key": batch.join(" "), ...(token === undefined ? {} : { "fastly-key": token }) },
      };
    if (format === "varnish") return { method: "PURGE", headers: { "x-purge-tags": formatBan(batch), ...authHeaders } };
    return { method: "POST", headers: json, body: JSON.stringify({ tags: batch }) };
  });
}

/**
 * Returns a regular expression that matches the header of pages with one of the tags. It has no spaces, quotes, or
 * backslashes, because Varnish parses bans like a command line.
 */
function formatBan(tags: readonly string[]): string {
  const patterns = tags.map((tag) => tag.replaceAll(/[.*()]/g, "[$&]"));
  return `(^|[[:space:]])(${patterns.join("|")})([[:space:]]|$)`;
}

/** Maximum length of a header with tags. Proxies accept at least 8 KB of response headers. */
const MAX_HEADER_LENGTH = 4_000;

/**
 * Returns the header with the tags of a page. A page with too many tags gets the tag "any" instead, which is purged
 * with each change.
 * @param tags tags of the data from which the page was rendered
 */
export function formatTagHeader(
  { format }: Pick<PurgeSettings, "format">,
  tags: Iterable<string>,
): Readonly<Record<string, string>> {
  const separator = format === "cloudflare" ? "," : " ";
  const joinedTags = ["shop", ...tags].join(separator);
  const value = joinedTags.length <= MAX_HEADER_LENGTH ? joinedTags : ["shop", "any"].join(separator);
  return { [format === "cloudflare" ? "cache-tag" : "surrogate-key"]: value };
}
