import type { Image, Seo, Translations } from "./product.ts";

export interface Article {
  readonly kind: "article";
  readonly id: string;
  readonly handle: string;
  readonly title: string;
  /** Handle of its blog. */
  readonly blog: string;
  readonly content: string;
  readonly excerpt: string;
  readonly author: string;
  readonly tags: readonly string[];
  readonly image?: Image;
  /** ISO 8601; an article dated in the future is not shown yet. */
  readonly publishedAt?: string;
  readonly published: boolean;
  readonly seo?: Seo;
  /** Which alternate template of the theme its page has: "wide" for `article.wide`. */
  readonly templateSuffix?: string;
  readonly translations: Translations;
}

/** Whether an article's day has come. @param now milliseconds since 1970 */
export function isArticleOut(article: Pick<Article, "publishedAt">, now: number): boolean {
  return article.publishedAt === undefined || !(Date.parse(article.publishedAt) > now);
}
