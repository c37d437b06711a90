import { isBundleLive } from "../../../catalog/bundle.ts";
import { type Catalog, type Entry, entryKinds } from "../../../catalog/catalog.ts";
import { formatArticlePath, isArticlePublished } from "../../../catalog/content.ts";
import { Problem } from "../../../problem.ts";
import type { Shop } from "../../../shop.ts";
import type { Snapshot } from "../../../snapshot/snapshot.ts";
import { createRobotsRules } from "../../../theme/robots.ts";
import { renderTextFile, type TextFileServices } from "../../text-files.ts";
import { createTextReply, type Reply } from "../../wire/reply.ts";
import { formatLocalePrefix, type StoreRequest } from "../../wire/request.ts";
import { createXmlReply, escapeXml } from "../../wire/xml.ts";

/**
 * Handles `GET /sitemap.xml`: lists every page of the shop in every language. For a large shop, it lists the URLs of
 * partial sitemaps, `/sitemap.xml?part=1` and higher.
 * @see https://www.sitemaps.org/protocol.html
 */
export async function serveSitemap(shop: Pick<Shop, "config" | "snapshot">, request: StoreRequest): Promise<Reply> {
  const snapshot = shop.snapshot();
  const total = entryKinds.reduce((sum, kind) => sum + snapshot.catalog.numbers(kind).length, 0);
  const parts = Math.max(1, Math.ceil(total / URLS_PER_SITEMAP));
  const partIndexText = request.query.get("part");
  if (partIndexText === null && parts > 1) return createXmlReply("application/xml", renderIndex(parts, request.origin));
  const part = Number(partIndexText ?? 1);
  if (!Number.isInteger(part) || part < 1 || part > parts) throw new Problem("not_found", "There is no such part.");
  const catalogPages = readPages(snapshot, request.now, (part - 1) * URLS_PER_SITEMAP, part * URLS_PER_SITEMAP);
  const pages = part === 1 ? [...listPages(snapshot), ...catalogPages] : catalogPages;
  return createXmlReply("application/xml", renderUrls(pages, shop.config.locales, request.origin));
}

/** A page in the sitemap, without language. */
interface SitemapPage {
  /** Path of the page; "" for the home page. */
  readonly path: string;
  /** Time of the last change, in ISO 8601. */
  readonly changedAt?: string | undefined;
}

/** Returns the pages that do not belong to a single catalog entry: the home page, `/collections`, and the blogs. */
function listPages({ catalog }: Snapshot): readonly SitemapPage[] {
  const collections = catalog.numbers("collection").length === 0 ? [] : ["/collections"];
  const blogs = catalog.blogs().map((blog) => `/blogs/${encodeURIComponent(blog)}`);
  return ["", ...collections, ...blogs].map((path) => ({ path }));
}

/** Maximum number of entries in a partial sitemap. Reading this many takes only one time slice. */
const URLS_PER_SITEMAP = 1_000;

function readPages({ catalog }: Snapshot, now: number, from: number, to: number): readonly SitemapPage[] {
  const paths: SitemapPage[] = [];
  let precedingCount = 0;
  for (const kind of entryKinds) {
    const numbers = catalog.numbers(kind);
    for (const number of numbers.subarray(Math.max(0, from - precedingCount), Math.max(0, to - precedingCount))) {
      const entry = catalog.entry(number);
      if (entry === undefined || !isPublicEntry(entry, catalog, now)) continue;
      paths.push({ path: pathOf(entry), changedAt: entry.kind === "product" ? entry.updatedAt : undefined });
    }
    precedingCount += numbers.length;
  }
  return paths;
}

/**
 * Reports whether an entry is public now. Articles have a publication time, and bundles have a start and an end time.
 */
function isPublicEntry(entry: Entry, catalog: Catalog, now: number): boolean {
  if (entry.kind === "article") return isArticlePublished(entry, now);
  return entry.kind !== "bundle" || isBundleLive(entry, catalog, now);
}

function pathOf(entry: Entry): string {
  return entry.kind === "article" ? formatArticlePath(entry) : `/${entry.kind}s/${encodeURIComponent(entry.handle)}`;
}

function renderUrls(pages: readonly SitemapPage[], locales: Shop["config"]["locales"], origin: string): string {
  const allLocales = [locales.default, ...locales.others];
  // Returns the URL of a page. The home page in a language has no trailing slash, like in links of the shop.
  const formatUrl = (path: string, locale: string): string => {
    const localizedPath = formatLocalePrefix(locale, locales) + path;
    return origin + (localizedPath === "" ? "/" : localizedPath);
  };
  const urls = pages.flatMap(({ path, changedAt }) => {
    const links = allLocales.map((locale) => [locale, formatUrl(path, locale)] as const);
    const alternateLinks =
      links.length === 1
        ? ""
        : [...links, ["x-default", formatUrl(path, locales.default)] as const]
            .map(([locale, url]) => `<xhtml:link rel="alternate" hreflang="${locale}" href="${escapeXml(url)}"/>`)
            .join("");
    const date = changedAt === undefined ? "" : `<lastmod>${escapeXml(changedAt)}</lastmod>`;
    return links.map(([, url]) => `<url><loc>${escapeXml(url)}</loc>${date}${alternateLinks}</url>`);
  });
  const namespaces = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml"';
  return `<urlset ${namespaces}>\n${urls.join("\n")}\n</urlset>\n`;
}

function renderIndex(parts: number, origin: string): string {
  const renderPart = (part: number): string =>
    `<sitemap><loc>${escapeXml(`${origin}/sitemap.xml?part=${part}`)}</loc></sitemap>`;
  const sitemapEntries = Array.from({ length: parts }, (_, index) => renderPart(index + 1));
  return `<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${sitemapEntries.join("\n")}\n</sitemapindex>\n`;
}

/** Handles `GET /robots.txt`: renders `templates/robots.txt.liquid` of the theme, or else generates the text. */
export async function serveRobots(shop: TextFileServices, request: StoreRequest): Promise<Reply> {
  const text = await renderTextFile(shop, request, ["robots.txt"]);
  // A template that fails, such as by a limit, renders nothing, which would open private pages to crawlers.
  const robots = (text ?? "").trim() === "" ? generateRobots(shop, request) : formatRobots(String(text));
  return createTextReply(200, robots, { "cache-control": "public, max-age=3600" });
}

/** Moves blank lines between the groups, because for some crawlers a blank line ends a group. */
function formatRobots(text: string): string {
  const lines = text.split(/[\r\n]+/).map((line) => line.trim());
  const isAgent = (line: string): boolean => /^user-agent:/i.test(line);
  return lines
    .filter((line) => line !== "")
    .map((line, index, all) => `${isAgent(line) && index > 0 && !isAgent(all[index - 1] ?? "") ? "\n" : ""}${line}\n`)
    .join("");
}

function generateRobots({ config }: TextFileServices, { origin }: StoreRequest): string {
  const { disallowedPaths, sitemap } = createRobotsRules(config, origin);
  const rules = disallowedPaths.map((path) => `Disallow: ${path}`);
  return ["User-agent: *", ...rules, "", `Sitemap: ${sitemap}`, ""].join("\n");
}
