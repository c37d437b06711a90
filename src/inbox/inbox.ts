import type { Comment } from "../catalog/content.ts";

/** Messages and comments that shoppers submit with forms. */
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
  /** Values by field name. */
  readonly fields: Readonly<Record<string, string>>;
  /** Time of submission in milliseconds since 1970. */
  readonly sentAt: number;
  /** Time of approval of a comment, in milliseconds since 1970; undefined if the comment is not published. */
  readonly approvedAt?: number;
}

export interface ContactStore {
  /**
   * Stores a message, a newsletter sign-up, or a comment, and resolves after the commit. A stored contact with the same
   * id is not changed.
   * @throws DatabaseUnavailableError
   */
  add(contact: Contact): Promise<void>;
}

/** Approved comments on blog articles. */
export interface CommentStore {
  /**
   * Returns the number of comments per article, by the path of its page without locale prefix. The counts may be a few
   * seconds old.
   */
  getCounts(): ReadonlyMap<string, number>;
  /** Returns the comments on an article, the oldest first.  @throws DatabaseUnavailableError */
  listComments(path: string): Promise<readonly Comment[]>;
}
