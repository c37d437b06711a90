import type { Image, Seo, Translations } from "./product.ts";

export interface Page {
  readonly kind: "page";
  readonly id: string;
  readonly handle: string;
  readonly title: string;
  /** The merchant's HTML. */
  readonly content: string;
  readonly published: boolean;
  readonly seo?: Seo;
  /** The alternate template of its page: "wide" for `page.wide`. */
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
  /** ISO 8601; an article with a future date is not shown yet. */
  readonly publishedAt?: string;
  readonly published: boolean;
  readonly seo?: Seo;
  /** The alternate template of its page: "wide" for `article.wide`. */
  readonly templateSuffix?: string;
  readonly translations: Translations;
}

/** Returns whether an article is published at `now`.  @param now milliseconds since 1970 */
export function isArticleOut(article: Pick<Article, "publishedAt">, now: number): boolean {
  return article.publishedAt === undefined || !(Date.parse(article.publishedAt) > now);
}

/** An object of a type that the merchant defines: an expert, a size chart, a stockist. */
export interface Metaobject {
  readonly kind: "metaobject";
  readonly id: string;
  /** The merchant's type name: "expert". */
  readonly type: string;
  /** Unique within its type. */
  readonly handle: string;
  /** Name -> value, or -> `{ type, value }` as in metafields. */
  readonly fields: Readonly<Record<string, unknown>>;
  readonly published: boolean;
  /** locale -> field -> text */
  readonly translations: Translations;
}

/** A reader's comment on an article, approved by the merchant. */
export interface Comment {
  readonly id: string;
  readonly author: string;
  readonly email: string;
  /** Plain text with line breaks; never HTML. */
  readonly text: string;
  /** Milliseconds since 1970. */
  readonly sentAt: number;
  readonly approvedAt: number;
}

/** Comments for a render. */
export interface Comments {
  /** Path of an article's page, without language -> its number of comments. */
  readonly counts: ReadonlyMap<string, number>;
  /** Comments of the rendered article, oldest first; of other articles, only the number is known. */
  readonly shown: { readonly path: string; readonly comments: readonly Comment[] };
}

/** Path of an article's page, without language; the key of its comments. */
export function articlePath({ blog, handle }: { readonly blog: string; readonly handle: string }): string {
  return `/blogs/${encodeURIComponent(blog)}/${encodeURIComponent(handle)}`;
}
