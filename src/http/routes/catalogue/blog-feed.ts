import type { Article } from "../../../catalog/article.ts";
import { localize } from "../../../catalog/localize.ts";
import { articlePresenter } from "../../../catalog/presenters/article.ts";
import { Problem } from "../../../problem.ts";
import type { Shop } from "../../../shop.ts";
import { articlesByBlog } from "../../../theme/objects/content/blog.ts";
import type { Reply } from "../../wire/reply.ts";
import { localePrefix, type StoreRequest } from "../../wire/request.ts";
import { escapeXml, xml } from "../../wire/xml.ts";

/** `GET /blogs/<blog>.atom`: the newest articles that are out, in the language of the path. @see RFC 4287 */
export function blogFeed(shop: Pick<Shop, "config" | "snapshot">, request: StoreRequest): Reply | undefined {
  const { file = "" } = request.params;
  const { catalog } = shop.snapshot();
  const blogs = articlesByBlog(catalog);
  const handle = file.slice(0, -".atom".length);
  const written = blogs.get(handle);
  // A blog may be called so itself: then this is its page.
  if (written === undefined && blogs.has(file)) return undefined;
  if (written === undefined) throw new Problem("not_found", "There is no such blog.");
  const articles = written
    .filter(({ time }) => !(time > request.now))
    .slice(0, MAX_ENTRIES)
    .flatMap(({ number }) => {
      const entry = catalog.entry(number);
      return entry?.kind === "article" ? [localize(entry, request.locale)] : [];
    });
  const prefix = localePrefix(request.locale, shop.config.locales);
  const page = `${request.origin}${prefix}/blogs/${encodeURIComponent(handle)}`;
  const elements = [
    element("title", `${shop.config.name} - ${handle}`),
    element("id", page),
    `<link href="${escapeXml(page)}"/>`,
    `<link rel="self" href="${escapeXml(`${page}.atom`)}"/>`,
    element("updated", timeOf(articles[0])),
    element("author", undefined, element("name", shop.config.name)),
    ...articles.map((article) => entryOf(article, request.origin, prefix)),
  ];
  return xml(
    "application/atom+xml",
    `<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${request.locale}">\n${elements.join("\n")}\n</feed>\n`,
  );
}

const MAX_ENTRIES = 50;

function entryOf(article: Article, origin: string, prefix: string): string {
  const url = `${origin}${articlePresenter.url({ article, prefix })}`;
  const elements = [
    element("title", article.title),
    element("id", url),
    `<link href="${escapeXml(url)}"/>`,
    element("published", timeOf(article)),
    element("updated", timeOf(article)),
    ...(article.author === "" ? [] : [element("author", undefined, element("name", article.author))]),
    `<content type="html">${escapeXml(article.content)}</content>`,
  ];
  return `<entry>${elements.join("")}</entry>`;
}

/** An entry must have a time: one that has none is older than all others. */
function timeOf(article: Article | undefined): string {
  const time = Date.parse(article?.publishedAt ?? "");
  return new Date(Number.isNaN(time) ? 0 : time).toISOString();
}

function element(name: string, text: string | undefined, inner = ""): string {
  return `<${name}>${text === undefined ? inner : escapeXml(text)}</${name}>`;
}
