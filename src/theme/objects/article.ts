import type { Article } from "../../catalog/article.ts";
import { localize } from "../../catalog/localize.ts";
import { localPath, type View } from "../view.ts";
import { blogObject } from "./blog.ts";
import { imageObject } from "./image.ts";
import { objectType, TemplateObject } from "./template-object.ts";
import { idOf } from "./variant.ts";

interface Subject {
  readonly view: View;
  readonly article: Article;
}

/** @param article in any language; it is translated here */
export function articleObject(view: View, article: Article): TemplateObject<Subject> {
  return new TemplateObject(articleType, { view, article: localize(article, view.request.locale) });
}

/** Whether an article's day has come. @param now milliseconds since 1970 */
export function isOut(article: Article, now: number): boolean {
  return article.publishedAt === undefined || !(Date.parse(article.publishedAt) > now);
}

const articleType = objectType<Subject>(
  "article",
  {
    id: ({ article }) => idOf(article.id),
    title: ({ article }) => article.title,
    handle: ({ article }) => `${article.blog}/${article.handle}`,
    url: ({ view, article }) =>
      localPath(view, `/blogs/${encodeURIComponent(article.blog)}/${encodeURIComponent(article.handle)}`),
    content: ({ article }) => article.content,
    excerpt: ({ article }) => article.excerpt,
    excerpt_or_content: ({ article }) => (article.excerpt === "" ? article.content : article.excerpt),
    author: ({ article }) => article.author,
    tags: ({ article }) => article.tags,
    published_at: ({ article }) => article.publishedAt,
    created_at: ({ article }) => article.publishedAt,
    image: ({ article }) => imageObject(article.image, article.title),
  },
  {
    featured_image: ({ article }) => imageObject(article.image, article.title),
    blog: ({ view, article }) => blogObject(view, article.blog),
    "comments_enabled?": () => false,
    comments_count: () => 0,
    comments: () => [],
  },
);
