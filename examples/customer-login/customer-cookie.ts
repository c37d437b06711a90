import { createHmac } from "node:crypto";

/**
 * Returns the `Set-Cookie` header that signs a customer in to a Vitrine store.
 * @param customerId the `id` of a customer in the catalog
 * @param key the first key of `VITRINE_SECRET`, or the trimmed contents of `data/secret`
 * @param options.now milliseconds since 1970
 * @param options.days days that the customer stays signed in
 * @param options.isSecure false only on plain HTTP, for local tests
 */
export function signIn(
  customerId: string,
  key: string,
  { now, days = 14, isSecure = true }: { readonly now: number; readonly days?: number; readonly isSecure?: boolean },
): string {
  const seconds = days * 24 * 60 * 60;
  const encode = (part: object): string => Buffer.from(JSON.stringify(part)).toString("base64url");
  const token = `${encode({ alg: "HS256", typ: "JWT" })}.${encode({ sub: customerId, exp: Math.floor(now / 1_000) + seconds })}`;
  const signature = createHmac("sha256", key).update(token).digest("base64url");
  return `customer=${token}.${signature}; Max-Age=${seconds}; ${attributes(isSecure)}`;
}

/** Returns the `Set-Cookie` header that signs the customer out. Their cart stays. */
export function signOut({ isSecure = true }: { readonly isSecure?: boolean } = {}): string {
  return `customer=; Max-Age=0; ${attributes(isSecure)}`;
}

function attributes(isSecure: boolean): string {
  return `Path=/; HttpOnly; SameSite=Lax${isSecure ? "; Secure" : ""}`;
}
