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
