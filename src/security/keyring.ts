import { createHmac, hkdfSync, timingSafeEqual } from "node:crypto";
import { LRUCache } from "lru-cache";

/** Signs values with the first key; verifies with all of them. Each purpose has its own key by HKDF. */
export interface Keyring {
  /** @param value base64url characters only  @param expires milliseconds since 1970  @returns base64url characters and dots */
  sign(purpose: string, value: string, expires: number): string;
  /** @returns the value and when it expires; undefined where signature, purpose, form or age is wrong */
  verify(purpose: string, token: string, now: number): Verified | undefined;
  /** Keyed digest (base64url, 128 bits or more) for what must not be kept in clear. */
  digest(purpose: string, value: string): string;
  /** The merchant's keys as bytes, the first signs: what the `customer` cookie's JWT is verified with. */
  readonly secrets: readonly Uint8Array[];
}

export interface Verified {
  readonly value: string;
  /** Milliseconds since 1970. */
  readonly expires: number;
}

/** Bytes of a secret below which it could be guessed: as many as the signature has. */
export const MIN_SECRET_BYTES = 32;

/** A keyring of the merchant's secrets. A token reads `v1.<key id>.<value>.<expires>.<signature>`.
 *  @param secrets the first signs, all verify  @throws Error that says which one is too short, never the secret itself */
export function createKeyring(secrets: readonly string[]): Keyring {
  const keys = secrets.map(toKey);
  const first = keys[0];
  if (first === undefined) throw new Error("No secret was given: set VITRINE_SECRET to 32 random bytes or more.");
  // Of two keys with one id the earlier counts: it is then the same secret given twice.
  const byId = new Map(keys.toReversed().map((key) => [key.id, key]));
  // Looked up by the hash of all of a token, so the time tells nothing of how much of it is right.
  const good = createMemory<Verified>();
  const made = createMemory<Made>();
  const verifyAnew = (purpose: string, token: string): Verified | undefined => {
    const match = token.length <= MAX_TOKEN_LENGTH ? tokenForm.exec(token) : null;
    if (match === null) return undefined;
    const [, body = "", id = "", value = "", expiry = "", signature = ""] = match;
    const key = byId.get(id);
    if (key === undefined || !isEqual(signature, mac(key, purpose, body))) return undefined;
    return { value, expires: Number(expiry) };
  };
  return {
    sign(purpose, value, expires) {
      const known = made(purpose).get(value);
      if (known?.expires === expires) return known.token;
      if (!/^[\w-]+$/.test(value)) throw new Error("A signed value is made of base64url characters.");
      const body = `v1.${first.id}.${value}.${expires}`;
      const token = `${body}.${mac(first, purpose, body)}`;
      made(purpose).set(value, { token, expires });
      return token;
    },
    verify(purpose, token, now) {
      const known = good(purpose).get(token);
      const verified = known ?? verifyAnew(purpose, token);
      if (verified === undefined || verified.expires <= now) return undefined;
      if (known === undefined) good(purpose).set(token, verified);
      return verified;
    },
    digest: (purpose, value) => mac(first, `digest ${purpose}`, value),
    secrets: keys.map(({ bytes }) => bytes),
  };
}

/** The token that was made last for a value. */
interface Made {
  readonly token: string;
  readonly expires: number;
}

/** What is remembered for each purpose, which are few and written in code. */
function createMemory<T extends object>(): (purpose: string) => LRUCache<string, T> {
  const all = new Map<string, LRUCache<string, T>>();
  return (purpose) => {
    let known = all.get(purpose);
    if (known === undefined) {
      known = new LRUCache({ max: MAX_REMEMBERED });
      all.set(purpose, known);
    }
    return known;
  };
}

/** Compares two texts in a time that does not tell where they differ; how long they are is no secret. */
export function isEqual(a: string, b: string): boolean {
  const [one, other] = [Buffer.from(a), Buffer.from(b)];
  return one.length === other.length && timingSafeEqual(one, other);
}

interface Key {
  readonly id: string;
  readonly bytes: Uint8Array;
  /** purpose -> its own key; the purposes are few and written in code. */
  readonly derived: Map<string, Buffer>;
}

/** Tokens of a purpose that are remembered, good ones so that they are verified once, made ones so that they are signed once: some 5 MB each. */
const MAX_REMEMBERED = 20_000;
const MAX_TOKEN_LENGTH = 512;
const tokenForm = /^(v1\.([\w-]{8})\.([\w-]{1,256})\.(\d{1,16}))\.([\w-]{43})$/;

function toKey(secret: string, index: number): Key {
  const bytes = new TextEncoder().encode(secret);
  if (bytes.length < MIN_SECRET_BYTES) {
    throw new Error(
      `Secret ${index + 1} has ${bytes.length} bytes: a secret needs ${MIN_SECRET_BYTES} or more. ` +
        "Make one with: openssl rand -base64 48",
    );
  }
  const id = derive(bytes, "key id").toString("base64url").slice(0, 8);
  return { id, bytes, derived: new Map() };
}

function derive(bytes: Uint8Array, purpose: string): Buffer {
  return Buffer.from(hkdfSync("sha256", bytes, "vitrine", purpose, 32));
}

function mac(key: Key, purpose: string, text: string): string {
  let derived = key.derived.get(purpose);
  if (derived === undefined) {
    derived = derive(key.bytes, `sign ${purpose}`);
    key.derived.set(purpose, derived);
  }
  return createHmac("sha256", derived).update(text).digest("base64url");
}
