import type { EntryFields, Image, Translations } from "./product.ts";

export interface Page extends EntryFields {
  readonly kind: "page";
  /** Page content as HTML, written by the merchant. */
  readonly content: string;
}

export interface Article extends EntryFields {
  readonly kind: "article";
  /** Handle of the blog that contains the article. */
  readonly blog: string;
  readonly content: string;
  readonly excerpt: string;
  readonly author: string;
  readonly tags: readonly string[];
  readonly image?: Image;
  /** Publication date in ISO 8601 format. The article is hidden until this date. */
  readonly publishedAt?: string;
}

/** Returns whether an article is published at `now`.  @param now milliseconds since 1970 */
export function isArticlePublished(article: Pick<Article, "publishedAt">, now: number): boolean {
  return article.publishedAt === undefined || !(Date.parse(article.publishedAt) > now);
}

/** An object of a type that the merchant defines, such as an expert, a size chart or a stockist. */
export interface Metaobject {
  readonly kind: "metaobject";
  readonly id: string;
  /** Type name that the merchant chose, such as "expert". */
  readonly type: string;
  /** Handle, unique within the type. */
  readonly handle: string;
  /** Maps the name of a field to its value, or to `{ type, value }` as in metafields. */
  readonly fields: Readonly<Record<string, unknown>>;
  readonly published: boolean;
  /** Maps a locale to the translated texts by field name. */
  readonly translations: Translations;
}

/** A reader's comment on an article, approved by the merchant. */
export interface Comment {
  readonly id: string;
  readonly author: string;
  readonly email: string;
  /** Comment as plain text with line breaks; never HTML. */
  readonly text: string;
  /** Submission time in milliseconds since 1970. */
  readonly sentAt: number;
  readonly approvedAt: number;
}

/** Comments that are needed to render a page. */
export interface Comments {
  /** Number of comments by path of the article's page, without locale prefix. */
  readonly counts: ReadonlyMap<string, number>;
  /** Comments of the rendered article, oldest first. For other articles, only the number of comments is available. */
  readonly articleComments: { readonly path: string; readonly comments: readonly Comment[] };
}

/** Returns the path of an article's page without locale prefix, which is also the key of its comments. */
export function formatArticlePath({ blog, handle }: { readonly blog: string; readonly handle: string }): string {
  return `/blogs/${encodeURIComponent(blog)}/${encodeURIComponent(handle)}`;
}

/** Handles of pages that contain the shop's policies. */
export const policyHandles: readonly string[] = [
  "privacy-policy",
  "refund-policy",
  "shipping-policy",
  "subscription-policy",
  "terms-of-service",
  "legal-notice",
  "contact-information",
];

/** Handles of the pages whose placeholders the console fills in. */
export const templatePageHandles: readonly string[] = [...policyHandles, "about"];

/** Returns whether a page is one of a new store's template pages and still has placeholders. Shoppers do not see it. */
export function isUnfinishedTemplate({ handle, content }: Pick<Page, "handle" | "content">): boolean {
  return templatePageHandles.includes(handle) && findPlaceholders(content).length > 0;
}

/** Returns the placeholders in the content of a page that a merchant has not filled in, such as `[[Address]]`. */
export function findPlaceholders(content: string): readonly string[] {
  return content.match(/\[\[[^[\]]{1,100}\]\]/g) ?? [];
}
