import { localize } from "../../../catalog/localize.ts";
import { articlePresenter } from "../../../catalog/presenters/content.ts";
import { Problem } from "../../../problem.ts";
import type { Shop } from "../../../shop.ts";
import { articlesByBlog } from "../../../theme/objects/content/blog.ts";
import type { Reply } from "../../wire/reply.ts";
import { localePrefix, type StoreRequest } from "../../wire/request.ts";
import { atomFeed, MAX_ENTRIES } from "./atom-feed.ts";

/** `GET /blogs/<blog>.atom`: the newest published articles, in the language of the path.  @see RFC 4287 */
export function blogFeed(shop: Pick<Shop, "config" | "snapshot">, request: StoreRequest): Reply | undefined {
  const { file = "" } = request.params;
  const { catalog } = shop.snapshot();
  const blogs = articlesByBlog(catalog);
  const handle = file.slice(0, -".atom".length);
  const written = blogs.get(handle);
  // A blog's handle may end in ".atom": then this is its page.
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
  return atomFeed({
    title: `${shop.config.name} - ${handle}`,
    page,
    locale: request.locale,
    author: shop.config.name,
    entries: articles.map((article) => ({
      title: article.title,
      url: request.origin + articlePresenter.url({ article, prefix }),
      publishedAt: article.publishedAt,
      author: article.author,
      content: article.content,
    })),
  });
}
