import type { Image, Seo, Translations } from "./product.ts";

export interface Page {
  readonly kind: "page";
  readonly id: string;
  readonly handle: string;
  readonly title: string;
  /** HTML written by the merchant. */
  readonly content: string;
  readonly published: boolean;
  readonly seo?: Seo;
  /** Which alternate template of the theme its page has: "wide" for `page.wide`. */
  readonly templateSuffix?: string;
  readonly translations: Translations;
}

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

/** Something of the merchant's own kind: an expert, a size chart, a stockist. */
export interface Metaobject {
  readonly kind: "metaobject";
  readonly id: string;
  /** Of which kind it is, in the merchant's words: "expert". */
  readonly type: string;
  /** Unique within its type. */
  readonly handle: string;
  /** Name -> value, or -> `{ type, value }` as metafields have it. */
  readonly fields: Readonly<Record<string, unknown>>;
  readonly published: boolean;
  /** locale -> field -> text */
  readonly translations: Translations;
}

/** A reader's comment on an article, which the merchant lets be shown. */
export interface Comment {
  readonly id: string;
  readonly author: string;
  readonly email: string;
  /** As it was written, with its line breaks; never HTML. */
  readonly text: string;
  /** Milliseconds since 1970. */
  readonly sentAt: number;
  readonly approvedAt: number;
}

/** What a render knows of comments. */
export interface Comments {
  /** Path of an article's page, without language -> how many are shown there. */
  readonly counts: ReadonlyMap<string, number>;
  /** Those of the article whose page is rendered, oldest first; of other articles their number alone is known. */
  readonly shown: { readonly path: string; readonly comments: readonly Comment[] };
}

/** The address of an article's page, without language: what its comments are kept under. */
export function articlePath({ blog, handle }: { readonly blog: string; readonly handle: string }): string {
  return `/blogs/${encodeURIComponent(blog)}/${encodeURIComponent(handle)}`;
}
