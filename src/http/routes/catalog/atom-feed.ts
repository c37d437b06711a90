import type { Reply } from "../../wire/reply.ts";
import { escapeXml, xml } from "../../wire/xml.ts";

/** A page's Atom feed.  @see RFC 4287 */
export interface AtomFeed {
  readonly title: string;
  /** Absolute URL of the page, without `.atom`. */
  readonly page: string;
  readonly locale: string;
  readonly author: string;
  readonly entries: readonly AtomEntry[];
}

export interface AtomEntry {
  readonly title: string;
  /** Absolute. */
  readonly url: string;
  /** ISO 8601; undefined for an entry that is older than all others. */
  readonly publishedAt?: string | undefined;
  readonly updatedAt?: string | undefined;
  /** "" if it has none. */
  readonly author: string;
  readonly tags?: readonly string[];
  /** HTML. */
  readonly content: string;
}

/** Maximum entries of a feed. */
export const MAX_ENTRIES = 50;

export function atomFeed({ title, page, locale, author, entries }: AtomFeed): Reply {
  const newest = entries.map(updatedOf).toSorted().at(-1) ?? timeOf(undefined);
  const elements = [
    element("title", title),
    element("id", page),
    `<link href="${escapeXml(page)}"/>`,
    `<link rel="self" href="${escapeXml(`${page}.atom`)}"/>`,
    element("updated", newest),
    element("author", undefined, element("name", author)),
    ...entries.map(entryOf),
  ];
  return xml(
    "application/atom+xml",
    `<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${locale}">\n${elements.join("\n")}\n</feed>\n`,
  );
}

function entryOf(entry: AtomEntry): string {
  const { title, url, publishedAt, author, tags = [], content } = entry;
  const elements = [
    element("title", title),
    element("id", url),
    `<link href="${escapeXml(url)}"/>`,
    element("published", timeOf(publishedAt)),
    element("updated", updatedOf(entry)),
    ...(author === "" ? [] : [element("author", undefined, element("name", author))]),
    ...tags.map((tag) => `<category term="${escapeXml(tag)}"/>`),
    `<content type="html">${escapeXml(content)}</content>`,
  ];
  return `<entry>${elements.join("")}</entry>`;
}

function updatedOf({ publishedAt, updatedAt }: AtomEntry): string {
  return timeOf(updatedAt ?? publishedAt);
}

/** An entry must have a time. */
function timeOf(text: string | undefined): string {
  const time = Date.parse(text ?? "");
  return new Date(Number.isNaN(time) ? 0 : time).toISOString();
}

function element(name: string, text: string | undefined, inner = ""): string {
  return `<${name}>${text === undefined ? inner : escapeXml(text)}</${name}>`;
}
