import { hash } from "node:crypto";

/** Permissions that a token can have. */
export const scopes = [
  "catalog:read",
  "catalog:write",
  "stock:write",
  "checkouts:read",
  "checkouts:complete",
  "orders:read",
  "orders:write",
  "events:read",
  "settings:read",
  "settings:write",
  "console",
] as const;

export type TokenScope = (typeof scopes)[number];

/** A token with which another system of the merchant authenticates its API requests. */
export interface ApiToken {
  /** Public id that names the token but authorizes nothing. */
  readonly id: string;
  readonly name: string;
  readonly scopes: readonly TokenScope[];
}

export interface ApiTokens {
  /** Finds a token by its hash.  @returns undefined if the token is unknown, revoked, or expired */
  find(hash: string, now: number): Promise<ApiToken | undefined>;
  /** Returns whether a token with the scope `console` was ever created. */
  hasConsoleToken(): Promise<boolean>;
  /**
   * Stores the first token with the scope `console`.
   * @returns undefined if such a token was created before
   */
  addFirst(token: NewApiToken): Promise<ApiToken | undefined>;
}

/** A token to store. */
export interface NewApiToken extends Pick<ApiToken, "name" | "scopes"> {
  readonly hash: string;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  /** Milliseconds since 1970. Default: the token does not expire. */
  readonly expiresAt?: number;
}

/** Creates a token whose prefix secret scanners recognize.  @param secret at least 128 random bits as base64url */
export function createToken(secret: string): string {
  return `${TOKEN_PREFIX}${secret}`;
}

/** Returns whether a text has the form of `createToken`. */
export function isTokenText(text: string): boolean {
  return /^vitrine_[\w-]{40,100}$/.test(text);
}

/**
 * Returns the hash under which a token is stored. A fast hash is sufficient, because tokens are random.  @returns 64
 * hex digits
 */
export function hashToken(token: string): string {
  return hash("sha256", token, "hex");
}

/** Returns the API token of an `Authorization` header; undefined if the header contains none.  @see RFC 6750, 2.1 */
export function parseBearerToken(header: string | undefined): string | undefined {
  const token = /^bearer +([\w.~+/-]{1,256}=*) *$/i.exec(header ?? "")?.[1];
  return token?.startsWith(TOKEN_PREFIX) ? token : undefined;
}

const TOKEN_PREFIX = "vitrine_";
