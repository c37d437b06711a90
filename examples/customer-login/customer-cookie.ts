import { createHmac } from "node:crypto";

/** The `Set-Cookie` header that signs a customer in to a Vitrine store.
 *  @param customerId the `id` of a customer in the catalogue
 *  @param key the first key of `VITRINE_SECRET`, or what `data/secret` holds, without blanks around it
 *  @param options.now milliseconds since 1970  @param options.days how long the customer stays signed in
 *  @param options.isSecure false on plain http alone, as when trying it out */
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

/** The `Set-Cookie` header that signs the customer out. Their cart stays. */
export function signOut({ isSecure = true }: { readonly isSecure?: boolean } = {}): string {
  return `customer=; Max-Age=0; ${attributes(isSecure)}`;
}

function attributes(isSecure: boolean): string {
  return `Path=/; HttpOnly; SameSite=Lax${isSecure ? "; Secure" : ""}`;
}
