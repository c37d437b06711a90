import { hash } from "node:crypto";

/** Permissions of a token. */
export const scopes = [
  "catalog:write",
  "stock:write",
  "checkouts:read",
  "checkouts:complete",
  "orders:read",
  "orders:write",
  "events:read",
  "console",
] as const;

export type Scope = (typeof scopes)[number];

/** The token of another system of the merchant. */
export interface ApiToken {
  /** Names the token; it authorizes nothing. */
  readonly id: string;
  readonly name: string;
  readonly scopes: readonly Scope[];
}

export interface ApiTokens {
  /** @param hash of the token  @returns undefined if the token is unknown, revoked, or expired */
  find(hash: string, now: number): Promise<ApiToken | undefined>;
}

/** @param secret 128 or more random bits, base64url  @returns a token whose prefix secret scanners recognize */
export function createToken(secret: string): string {
  return `${PREFIX}${secret}`;
}

/** Hash under which a token is stored: its bits are random, so a slow hash is not needed.  @returns 64 hex digits */
export function hashToken(token: string): string {
  return hash("sha256", token, "hex");
}

/** Returns the token of an `Authorization` header; undefined if it has none of ours.  @see RFC 6750, 2.1 */
export function bearerToken(header: string | undefined): string | undefined {
  const token = /^bearer +([\w.~+/-]{1,256}=*) *$/i.exec(header ?? "")?.[1];
  return token?.startsWith(PREFIX) ? token : undefined;
}

const PREFIX = "vitrine_";
