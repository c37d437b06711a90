import { createHash, createHmac } from "node:crypto";
import { blake3 } from "@noble/hashes/blake3.js";
import { type FilterFamily, reportError, textOf } from "./filter.ts";

/**
 * Bytes; hashing them takes 15 ms, since BLAKE3 runs in JavaScript and is twenty times slower than the runtime's
 * digests.
 */
const maxBlake3 = 1_000_000;

/** Digests in hexadecimal of the UTF-8 bytes. */
export const digestFilters: FilterFamily = {
  blake3(value) {
    const bytes = Buffer.from(textOf(value));
    return bytes.length > maxBlake3
      ? reportError(this, `blake3 of more than ${maxBlake3} bytes`)
      : Buffer.from(blake3(bytes)).toString("hex");
  },
  md5: (value) => digest("md5", value),
  sha1: (value) => digest("sha1", value),
  sha256: (value) => digest("sha256", value),
  hmac_sha1: (value, key) => createHmac("sha1", textOf(key)).update(textOf(value)).digest("hex"),
  hmac_sha256: (value, key) => createHmac("sha256", textOf(key)).update(textOf(value)).digest("hex"),
};

function digest(name: string, value: unknown): string {
  return createHash(name).update(textOf(value)).digest("hex");
}
