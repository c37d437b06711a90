import { memoizePerObject } from "../runtime/cache.ts";
import { parseSameStorePath } from "../security/same-store-path.ts";
import { PREVIEW_PURPOSE, PREVIEW_QUERY_PARAMETER, parsePreviewName } from "../security/theme-preview.ts";
import type { Shop } from "../shop.ts";
import { createPreviewTheme } from "../theme/preview-theme.ts";
import type { LoadedTheme, Themes } from "../theme/themes.ts";
import { renderPlainPage } from "./error-responses.ts";
import { IMMUTABLE_CACHE_CONTROL } from "./file-types.ts";
import type { Pipeline } from "./pipeline.ts";
import { formatCookieName, readCookieValues, setCookie } from "./wire/cookies.ts";
import { NO_STORE, type Reply, redirect } from "./wire/reply.ts";
import type { IncomingRequest } from "./wire/request.ts";

/** Name of the cookie with the token of a preview link. Over https, the name also gets a prefix. */
const PREVIEW_COOKIE = "preview_theme";

/**
 * Creates a pipeline that handles requests with the live theme. Visitors who opened the signed link of another theme
 * get that theme on all pages. Each theme has a pipeline with its own caches, so that responses never mix themes.
 * @param createValue creates the pipeline of one theme
 */
export function createThemePipeline(shop: Shop, themes: Themes, createValue: (shop: Shop) => Pipeline): Pipeline {
  const getLivePipeline = memoizePerObject(({ theme, config }: LoadedTheme) => createValue({ ...shop, theme, config }));
  const getPreviewPipeline = memoizePerObject(({ theme, config, name }: LoadedTheme) =>
    createValue({ ...shop, config, theme: createPreviewTheme(theme, name) }),
  );
  return (rawRequest) => {
    const linkToken = rawRequest.method === "GET" ? readLinkToken(rawRequest.url) : undefined;
    if (linkToken !== undefined) return openPreview(shop, themes, rawRequest, linkToken);
    const liveTheme = themes.getLiveTheme();
    const name = readPreviewTheme(shop, rawRequest);
    const preview = name === undefined || name === liveTheme.name ? undefined : themes.find(name);
    if (preview === undefined) return getLivePipeline(liveTheme)(rawRequest);
    const reply = getPreviewPipeline(preview)(rawRequest);
    return reply instanceof Promise ? reply.then(toPreviewReply) : toPreviewReply(reply);
  };
}

/** Returns the value of the parameter in a preview link; undefined if there is none. */
function readLinkToken(url: string): string | undefined {
  // Fast path: most URLs do not contain the name.
  if (!url.includes(PREVIEW_QUERY_PARAMETER)) return undefined;
  const queryStart = url.indexOf("?");
  const query = new URLSearchParams(queryStart === -1 ? "" : url.slice(queryStart));
  return query.get(PREVIEW_QUERY_PARAMETER) ?? undefined;
}

/** Starts a preview, or ends it if the token is empty, and redirects to the page without the token. */
function openPreview({ keys, process }: Shop, themes: Themes, rawRequest: IncomingRequest, token: string): Reply {
  const target = parseSameStorePath(removeToken(rawRequest.url)) ?? "/";
  const cookieName = formatCookieName(rawRequest, PREVIEW_COOKIE);
  const replyWithCookie = (value: string, maxAge: number): Reply => {
    const cookie = setCookie(rawRequest, cookieName, value, { maxAge, httpOnly: true });
    return redirect(302, target, { "set-cookie": cookie });
  };
  if (token === "") return replyWithCookie("", 0);
  const now = process.now();
  const verifiedToken = keys.verify(PREVIEW_PURPOSE, token, now);
  const name = verifiedToken && parsePreviewName(verifiedToken.value);
  if (verifiedToken === undefined || name === undefined)
    return renderPlainPage(404, "This preview link is invalid or has expired. Ask for another one.");
  if (themes.find(name) === undefined)
    return renderPlainPage(404, "The theme of this preview link does not exist, or cannot be loaded.");
  return replyWithCookie(token, Math.floor((verifiedToken.expires - now) / 1_000));
}

function removeToken(url: string): string {
  const queryStart = url.indexOf("?");
  const query = new URLSearchParams(url.slice(queryStart));
  query.delete(PREVIEW_QUERY_PARAMETER);
  return url.slice(0, queryStart) + (query.size === 0 ? "" : `?${query}`);
}

/** Returns the name of the theme in the visitor's cookie; undefined without a valid cookie. */
function readPreviewTheme({ keys, process }: Shop, rawRequest: IncomingRequest): string | undefined {
  if (rawRequest.headers.cookie?.includes(PREVIEW_COOKIE) !== true) return undefined;
  for (const token of readCookieValues(rawRequest, formatCookieName(rawRequest, PREVIEW_COOKIE))) {
    const verifiedToken = keys.verify(PREVIEW_PURPOSE, token, process.now());
    if (verifiedToken !== undefined) return parsePreviewName(verifiedToken.value);
  }
  return undefined;
}

/**
 * Forbids caches to store a response of a preview, because the live theme uses the same URL. Only files whose URL
 * contains their version may be stored.
 */
function toPreviewReply(reply: Reply): Reply {
  const headers = { ...reply.headers, "x-robots-tag": "noindex" };
  return reply.headers["cache-control"] === IMMUTABLE_CACHE_CONTROL
    ? { ...reply, headers }
    : { ...reply, headers: { ...headers, "cache-control": NO_STORE } };
}
