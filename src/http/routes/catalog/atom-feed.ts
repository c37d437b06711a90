import { readEntries } from "../../../catalog/catalog.ts";
import { localize } from "../../../catalog/localize.ts";
import { articlePresenter } from "../../../catalog/presenters/content.ts";
import { formatProductPath } from "../../../catalog/presenters/product.ts";
import { Problem } from "../../../problem.ts";
import type { Shop } from "../../../shop.ts";
import { listArticleNumbers } from "../../../theme/objects/content/blog.ts";
import type { Reply } from "../../wire/reply.ts";
import { formatLocalePrefix, type StoreRequest } from "../../wire/request.ts";
import { createXmlReply, escapeXml } from "../../wire/xml.ts";

/** Content of an Atom feed.  @see RFC 4287 */
export interface AtomFeed {
  readonly title: string;
  /** Absolute URL of the HTML page with the same content. */
  readonly page: string;
  readonly locale: string;
  readonly author: string;
  readonly entries: readonly AtomEntry[];
}

export interface AtomEntry {
  readonly title: string;
  /** Absolute URL of the entry. */
  readonly url: string;
  /** ISO 8601 time. If undefined, the feed contains 1970-01-01. */
  readonly publishedAt?: string | undefined;
  readonly updatedAt?: string | undefined;
  /** Name of the author; "" if unknown. */
  readonly author: string;
  readonly tags?: readonly string[];
  /** HTML content. */
  readonly content: string;
}

/** Maximum number of entries in a feed. */
export const MAX_ENTRIES = 50;

export function renderAtomFeed({ title, page, locale, author, entries }: AtomFeed): Reply {
  const newestTime = entries.map(getUpdateTime).toSorted().at(-1) ?? formatTime(undefined);
  const elements = [
    renderElement("title", title),
    renderElement("id", page),
    `<link href="${escapeXml(page)}"/>`,
    `<link rel="self" href="${escapeXml(`${page}.atom`)}"/>`,
    renderElement("updated", newestTime),
    renderElement("author", undefined, renderElement("name", author)),
    ...entries.map(renderEntry),
  ];
  return createXmlReply(
    "application/atom+xml",
    `<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${locale}">\n${elements.join("\n")}\n</feed>\n`,
  );
}

function renderEntry(entry: AtomEntry): string {
  const { title, url, publishedAt, author, tags = [], content } = entry;
  const elements = [
    renderElement("title", title),
    renderElement("id", url),
    `<link href="${escapeXml(url)}"/>`,
    renderElement("published", formatTime(publishedAt)),
    renderElement("updated", getUpdateTime(entry)),
    ...(author === "" ? [] : [renderElement("author", undefined, renderElement("name", author))]),
    ...tags.map((tag) => `<category term="${escapeXml(tag)}"/>`),
    `<content type="html">${escapeXml(content)}</content>`,
  ];
  return `<entry>${elements.join("")}</entry>`;
}

function getUpdateTime({ publishedAt, updatedAt }: AtomEntry): string {
  return formatTime(updatedAt ?? publishedAt);
}

/** Formats the time of an entry. Atom requires one, so an unknown time becomes 1970-01-01. */
function formatTime(text: string | undefined): string {
  const time = Date.parse(text ?? "");
  return new Date(Number.isNaN(time) ? 0 : time).toISOString();
}

function renderElement(name: string, text: string | undefined, innerHtml = ""): string {
  return `<${name}>${text === undefined ? innerHtml : escapeXml(text)}</${name}>`;
}

/**
 * Handles `GET /blogs/<blog>.atom`: returns the newest articles as a feed, in the language of the path.  @see RFC 4287
 */
export function showBlogFeed(shop: Pick<Shop, "config" | "snapshot">, request: StoreRequest): Reply | undefined {
  const { file = "" } = request.params;
  const { catalog } = shop.snapshot();
  const blogs = catalog.blogs();
  const handle = file.slice(0, -".atom".length);
  // A blog's handle may end in ".atom". In this case, the URL is the page of that blog, not a feed.
  if (!blogs.includes(handle) && blogs.includes(file)) return undefined;
  if (!blogs.includes(handle)) throw new Problem("not_found", "There is no such blog.");
  const numbers = listArticleNumbers(catalog, handle, request.now).slice(0, MAX_ENTRIES);
  const prefix = formatLocalePrefix(request.locale, shop.config.locales);
  const page = `${request.origin}${prefix}/blogs/${encodeURIComponent(handle)}`;
  return renderAtomFeed({
    title: `${shop.config.name} - ${handle}`,
    page,
    locale: request.locale,
    author: shop.config.name,
    entries: Array.from(readEntries(catalog, "article", numbers), (entry) => {
      const article = localize(entry, request.locale);
      const { title, publishedAt, author, content } = article;
      return { title, url: request.origin + articlePresenter.url({ article, prefix }), publishedAt, author, content };
    }),
  });
}

/**
 * Handles `GET /collections/<collection>.atom`: returns the first products of a collection as a feed. The collection
 * "all" contains the entire catalog.
 * @returns undefined if a collection has a handle that ends in ".atom": the URL is then the page of this collection
 * @throws Problem `not_found`
 * @see RFC 4287
 */
export function getCollectionFeed(shop: Pick<Shop, "config" | "snapshot">, request: StoreRequest): Reply | undefined {
  const { file = "" } = request.params;
  const { catalog } = shop.snapshot();
  const handle = file.slice(0, -".atom".length);
  const collection = catalog.collection(handle);
  if (collection === undefined && catalog.collection(file) !== undefined) return undefined;
  if (collection === undefined && handle !== "all") throw new Problem("not_found", "There is no such collection.");
  const numbers = collection === undefined ? catalog.numbers("product") : catalog.collectionProducts(handle);
  const prefix = formatLocalePrefix(request.locale, shop.config.locales);
  const title = collection === undefined ? shop.config.name : localize(collection, request.locale).title;
  return renderAtomFeed({
    title: collection === undefined ? title : `${shop.config.name} - ${title}`,
    page: `${request.origin}${prefix}/collections/${encodeURIComponent(handle)}`,
    locale: request.locale,
    author: shop.config.name,
    entries: Array.from(readEntries(catalog, "product", numbers.subarray(0, MAX_ENTRIES)), (entry) => {
      const product = localize(entry, request.locale);
      return {
        title: product.title,
        url: request.origin + formatProductPath({ product, prefix }),
        publishedAt: product.publishedAt ?? product.createdAt,
        updatedAt: product.updatedAt,
        author: product.vendor,
        tags: product.tags,
        content: product.description,
      };
    }),
  });
}
