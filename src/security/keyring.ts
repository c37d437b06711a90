import { createHmac, hkdfSync, timingSafeEqual } from "node:crypto";
import { type Cache, createCache } from "../runtime/cache.ts";

/**
 * Signs values with the first key, and verifies signatures with all keys. HKDF derives a separate key for each purpose.
 */
export interface Keyring {
  /**
   * Signs a value.
   * @param value base64url characters only
   * @param expiresAt milliseconds since 1970
   * @param isRepeated whether the same value is often signed again. Its token is then cached. Default: false
   * @returns a token of base64url characters and dots
   */
  sign(purpose: string, value: string, expiresAt: number, isRepeated?: boolean): string;
  /**
   * Verifies a token.  @returns value and expiry; undefined if the token is invalid, expired, or for another purpose
   */
  verify(purpose: string, token: string, now: number): VerifiedToken | undefined;
  /** Returns a keyed digest (base64url, at least 128 bits) for values that must not be stored in clear text. */
  digest(purpose: string, value: string): string;
  /** The merchant's secrets as bytes; the first one signs. They also verify the JWT in the `customer` cookie. */
  readonly secrets: readonly Uint8Array[];
}

export interface VerifiedToken {
  readonly value: string;
  /** Expiry in milliseconds since 1970. */
  readonly expires: number;
}

/** Minimum length of a secret in bytes, equal to the length of a signature. */
export const MIN_SECRET_BYTES = 32;

/**
 * Creates a keyring from the merchant's secrets. A token has the format `v1.<key id>.<value>.<expires>.<signature>`.
 * @param secrets the first one signs, all verify
 * @throws Error that names a secret that is too short, without revealing its value
 */
export function createKeyring(secrets: readonly string[]): Keyring {
  const keys = secrets.map(createKey);
  const signingKey = keys[0];
  if (signingKey === undefined) throw new Error("No secret was given: set VITRINE_SECRET to 32 random bytes or more.");
  // Of two keys with the same id, the earlier one counts. This occurs only if the same secret is listed twice.
  const keysById = new Map(keys.toReversed().map((key) => [key.id, key]));
  // A cache lookup hashes the entire token, so its time does not reveal how many characters are correct.
  const verifiedTokens = createCacheLookup<VerifiedToken>("verified_tokens");
  const signedTokens = createCacheLookup<SignedToken>("signed_tokens");
  const checkToken = (purpose: string, token: string): VerifiedToken | undefined => {
    const match = token.length <= MAX_TOKEN_LENGTH ? TOKEN_PATTERN.exec(token) : null;
    if (match === null) return undefined;
    const [, body = "", id = "", value = "", expiryText = "", signature = ""] = match;
    const key = keysById.get(id);
    if (key === undefined || !isEqual(signature, computeMac(key, purpose, body))) return undefined;
    return { value, expires: Number(expiryText) };
  };
  return {
    sign(purpose, value, expiresAt, isRepeated = false) {
      const knownToken = isRepeated ? signedTokens(purpose).get(value) : undefined;
      if (knownToken?.expires === expiresAt) return knownToken.token;
      if (!/^[\w-]+$/.test(value)) throw new Error("A signed value is made of base64url characters.");
      const body = `v1.${signingKey.id}.${value}.${expiresAt}`;
      const token = `${body}.${computeMac(signingKey, purpose, body)}`;
      if (isRepeated) signedTokens(purpose).set(value, { token, expires: expiresAt });
      return token;
    },
    verify(purpose, token, now) {
      const cachedToken = verifiedTokens(purpose).get(token);
      const verifiedToken = cachedToken ?? checkToken(purpose, token);
      if (verifiedToken === undefined || verifiedToken.expires <= now) return undefined;
      if (cachedToken === undefined) verifiedTokens(purpose).set(token, verifiedToken);
      return verifiedToken;
    },
    digest: (purpose, value) => computeMac(signingKey, `digest ${purpose}`, value),
    secrets: keys.map(({ bytes }) => bytes),
  };
}

/** The latest token that was signed for a value. */
interface SignedToken {
  readonly token: string;
  readonly expires: number;
}

/**
 * Returns a function that returns the cache of a purpose. Each purpose has its own cache, because a combined key of
 * purpose and value would have to be built and hashed at each lookup.
 */
function createCacheLookup<T extends object>(name: string): (purpose: string) => Cache<string, T> {
  const caches = new Map<string, Cache<string, T>>();
  return (purpose) => {
    let cache = caches.get(purpose);
    if (cache === undefined) {
      cache = createCache({ name, maxWeight: MAX_CACHED_TOKENS });
      caches.set(purpose, cache);
    }
    return cache;
  };
}

/** Compares two strings in constant time. Their lengths are not secret. */
export function isEqual(a: string, b: string): boolean {
  const [firstBuffer, secondBuffer] = [Buffer.from(a), Buffer.from(b)];
  return firstBuffer.length === secondBuffer.length && timingSafeEqual(firstBuffer, secondBuffer);
}

interface Key {
  readonly id: string;
  readonly bytes: Uint8Array;
  /** Derived keys by purpose. Purposes are few and constant. */
  readonly derivedKeys: Map<string, Buffer>;
}

/** Maximum number of tokens in a cache. Each purpose has its own caches, which take about 5 MB each. */
const MAX_CACHED_TOKENS = 20_000;
const MAX_TOKEN_LENGTH = 512;
const TOKEN_PATTERN = /^(v1\.([\w-]{8})\.([\w-]{1,256})\.(\d{1,16}))\.([\w-]{43})$/;

function createKey(secret: string, index: number): Key {
  const bytes = new TextEncoder().encode(secret);
  if (bytes.length < MIN_SECRET_BYTES) {
    throw new Error(
      `Secret ${index + 1} has ${bytes.length} bytes: a secret needs ${MIN_SECRET_BYTES} or more. ` +
        "Make one with: openssl rand -base64 48",
    );
  }
  const id = deriveKeyBytes(bytes, "key id").toString("base64url").slice(0, 8);
  return { id, bytes, derivedKeys: new Map() };
}

function deriveKeyBytes(bytes: Uint8Array, purpose: string): Buffer {
  return Buffer.from(hkdfSync("sha256", bytes, "vitrine", purpose, 32));
}

function computeMac(key: Key, purpose: string, text: string): string {
  let derivedKeys = key.derivedKeys.get(purpose);
  if (derivedKeys === undefined) {
    derivedKeys = deriveKeyBytes(key.bytes, `sign ${purpose}`);
    key.derivedKeys.set(purpose, derivedKeys);
  }
  return createHmac("sha256", derivedKeys).update(text).digest("base64url");
}
