/** Signs values with the first key; verifies with all of them. Each purpose has its own key by HKDF. */
export interface Keyring {
  /** @param value base64url characters only  @param expires milliseconds since 1970  @returns base64url characters and dots */
  sign(purpose: string, value: string, expires: number): string;
  /** @returns the value and when it expires; undefined where signature, purpose, form or age is wrong */
  verify(purpose: string, token: string, now: number): { readonly value: string; readonly expires: number } | undefined;
  /** Keyed digest (base64url, 128 bits or more) for what must not be kept in clear. */
  digest(purpose: string, value: string): string;
  /** The merchant's keys as bytes, the first signs: what the `customer` cookie's JWT is verified with. */
  readonly secrets: readonly Uint8Array[];
}
