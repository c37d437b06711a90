import type { Article } from "../article.ts";
import { type ShownImage, shownImage } from "./image.ts";
import { type Presenter, shownId } from "./presenter.ts";

export interface ShownArticle {
  /** In the language in which it is shown. */
  readonly article: Article;
  /** Of links: "/fr", or "" for the default language. */
  readonly prefix: string;
}

export const articlePresenter = {
  id: ({ article }) => shownId(article.id),
  title: ({ article }) => article.title,
  /** With its blog's, as articles are looked up by it. */
  handle: ({ article }) => `${article.blog}/${article.handle}`,
  url: ({ article, prefix }) =>
    `${prefix}/blogs/${encodeURIComponent(article.blog)}/${encodeURIComponent(article.handle)}`,
  body: ({ article }) => article.content,
  content: ({ article }) => article.content,
  summary_html: ({ article }) => article.excerpt,
  excerpt: ({ article }) => article.excerpt,
  author: ({ article }) => article.author,
  tags: ({ article }) => article.tags,
  published_at: ({ article }) => article.publishedAt,
} satisfies Presenter<ShownArticle>;

export function articleImage({ image, title }: Article): ShownImage | undefined {
  return shownImage(image, title);
}
