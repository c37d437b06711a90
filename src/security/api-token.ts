import { hash } from "node:crypto";

/** What a token may be allowed to do. */
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

/** @param secret 128 random bits or more, base64url  @returns a token that scanners for leaked secrets can tell by how it begins */
export function createToken(secret: string): string {
  return `${PREFIX}${secret}`;
}

/** What is kept of a token: its bits are random, so nothing slower is needed against guessing. @returns 64 hex digits */
export function hashToken(token: string): string {
  return hash("sha256", token, "hex");
}

/** The token of an `Authorization` header; undefined where it has none of ours. @see RFC 6750, 2.1 */
export function bearerToken(header: string | undefined): string | undefined {
  const token = /^bearer +([\w.~+/-]{1,256}=*) *$/i.exec(header ?? "")?.[1];
  return token?.startsWith(PREFIX) ? token : undefined;
}

const PREFIX = "vitrine_";
