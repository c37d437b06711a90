import { type Catalog, findEntry } from "../../../catalog/catalog.ts";
import type { Article } from "../../../catalog/content.ts";
import { memoizePerObject } from "../../../runtime/cache.ts";
import { capitalize } from "../../../runtime/capitalize.ts";
import { decodeUriPart } from "../../../runtime/decode-uri.ts";
import { addPathPrefix, type View } from "../../view.ts";
import { createEntryListing, type Listing } from "../listing.ts";
import { emptyMetafields } from "../metafields.ts";
import { collectTags, hasTags, parsePageList } from "../tags.ts";
import { createObjectType, TemplateObject } from "../template-object.ts";
import { readTemplateSuffix } from "../template-suffix.ts";
import { createArticleObject } from "./article.ts";

interface BlogData {
  readonly view: View;
  readonly handle: string;
  readonly articles: Listing;
  /** Returns the catalog's document numbers of the published articles, newest first. */
  readonly numbers: () => readonly number[];
}

/** Creates a `blog` object.  @returns undefined if no article belongs to a blog with this handle */
export function createBlogObject(view: View, handle: string): TemplateObject<BlogData> | undefined {
  const { catalog, locale, now } = view.request;
  if (!articlesByBlog(catalog).has(handle)) return undefined;
  const listEntryNumbers = (): readonly number[] => listArticleNumbers(catalog, handle, now);
  const list = parsePageList(view);
  const pageTags = list?.kind === "blog" && list.handle === handle ? list.tags : [];
  const hasPageTags = (number: number): boolean => {
    const article = findEntry(catalog, "article", number);
    return article !== undefined && hasTags(article, pageTags, locale);
  };
  const articles = createEntryListing(
    catalog,
    "article",
    (article) => createArticleObject(view, article),
    () => (pageTags.length === 0 ? listEntryNumbers() : listEntryNumbers().filter(hasPageTags)),
  );
  return new TemplateObject(blogType, { view, handle, articles, numbers: listEntryNumbers });
}

/** Returns the next newer (-1) or older (1) article of the same blog. */
function findNeighborArticle(view: View, article: Article, step: -1 | 1): unknown {
  const { catalog, now } = view.request;
  const numbers = listArticleNumbers(catalog, article.blog, now);
  const index = numbers.findIndex((number) => findEntry(catalog, "article", number)?.handle === article.handle);
  const neighborArticle = index < 0 ? undefined : findEntry(catalog, "article", numbers[index + step]);
  return neighborArticle && createArticleObject(view, neighborArticle);
}

/** Returns the title of a blog. It is derived from the handle, because the catalog stores articles but no blogs. */
export function readBlogTitle(view: View, handle: string): string {
  return view.translate(`blogs.${handle}.title`)?.text ?? capitalize(handle.replaceAll("-", " "));
}

const blogType = createObjectType<BlogData>(
  "blog",
  {
    id: ({ handle }) => handle,
    handle: ({ handle }) => handle,
    title: ({ view, handle }) => readBlogTitle(view, handle),
    url: ({ view, handle }) => addPathPrefix(view, `/blogs/${encodeURIComponent(handle)}`),
    articles_count: ({ articles }) => articles.count(),
  },
  {
    articles: ({ articles }) => articles,
    "comments_enabled?": ({ view }) => view.config.comments,
    "moderated?": ({ view }) => view.config.comments,
    all_tags: ({ view, numbers }) => collectTags(view.request.catalog, numbers(), view.request.locale),
    tags: ({ view, numbers }) => collectTags(view.request.catalog, numbers(), view.request.locale),
    metafields: () => emptyMetafields,
    template_suffix: ({ view, handle }) => readTemplateSuffix(view, `/blogs/${handle}`),
    next_article: ({ view }) => findNeighborPage(view, 1),
    previous_article: ({ view }) => findNeighborPage(view, -1),
  },
  {
    fieldTypes: {
      articles: "article[]",
      next_article: "article",
      previous_article: "article",
      metafields: "metafields",
    },
    identity: ({ handle }) => handle,
  },
);

/** On an article's page, returns the next newer or older article. On other pages, returns undefined. */
function findNeighborPage(view: View, step: -1 | 1): unknown {
  const [, blog = "", handle = ""] = /^\/blogs\/([^/]+)\/([^/]+)$/.exec(view.path) ?? [];
  if (handle === "") return undefined;
  const article = view.request.catalog.article(decodeUriPart(blog), decodeUriPart(handle));
  return article === undefined ? undefined : findNeighborArticle(view, article, step);
}

interface DatedArticle {
  readonly number: number;
  /** Publication time in milliseconds since 1970. -Infinity for an article without a date. */
  readonly time: number;
}

/** Returns the document numbers of a blog's published articles, newest first. */
export function listArticleNumbers(catalog: Catalog, blog: string, now: number): readonly number[] {
  const articles = articlesByBlog(catalog).get(blog) ?? [];
  return articles.filter(({ time }) => !(time > now)).map(({ number }) => number);
}

/** Articles of each blog, newest first. */
const articlesByBlog = memoizePerObject((catalog: Catalog): ReadonlyMap<string, readonly DatedArticle[]> => {
  const blogs = new Map<string, DatedArticle[]>();
  for (const number of catalog.numbers("article")) {
    const article = findEntry(catalog, "article", number);
    if (article === undefined) continue;
    const time = article.publishedAt === undefined ? Number.NEGATIVE_INFINITY : Date.parse(article.publishedAt);
    const blogArticles = blogs.get(article.blog);
    if (blogArticles === undefined) blogs.set(article.blog, [{ number, time }]);
    else blogArticles.push({ number, time });
  }
  for (const articles of blogs.values()) articles.sort(compareNewestFirst);
  return blogs;
});

function compareNewestFirst(left: DatedArticle, right: DatedArticle): number {
  return left.time === right.time ? 0 : left.time < right.time ? 1 : -1;
}
