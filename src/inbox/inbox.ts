import type { Comment } from "../catalog/content.ts";

/** Messages and comments that shoppers send with forms. */
export interface Inbox {
  readonly contacts: ContactStore;
  readonly comments: CommentStore;
}

export interface Contact {
  readonly id: string;
  readonly kind: "message" | "newsletter" | "comment";
  readonly email: string;
  readonly locale: string;
  /** Path and query of the page with the form. */
  readonly page: string;
  /** Values by name of the form field. */
  readonly fields: Readonly<Record<string, string>>;
  /** Milliseconds since 1970. */
  readonly sentAt: number;
  /** Milliseconds since 1970 from which a comment is shown; undefined if it is not shown. */
  readonly approvedAt?: number;
}

export interface ContactStore {
  /**
   * Stores a contact; resolves after the commit. A contact with the same id stays unchanged. @throws
   * DatabaseUnavailable
   */
  add(contact: Contact): Promise<void>;
}

/** Approved comments on articles. */
export interface CommentStore {
  /** Number of comments by path of the article's page, without locale; a few seconds old. */
  counts(): ReadonlyMap<string, number>;
  /** Comments of an article's page, the oldest first. @throws DatabaseUnavailable */
  of(path: string): Promise<readonly Comment[]>;
}
