import { randomBytes, randomFillSync } from "node:crypto";

const ID_BYTES = 18;
/** Number of ids whose random bytes are requested at once: a request costs far more than the bytes. */
const AT_ONCE = 256;

/** This machine's clock and randomness, for entry points to pass on. */
export const system = {
  /** Milliseconds since 1970. */
  now: (): number => Date.now(),
  /** 143 random bits, base64url; begins with a letter, because the command line parses a leading "-" as an option. */
  newId(): string {
    const bytes = randomBytes(ID_BYTES);
    bytes[0] = letterFirst(bytes[0]);
    return bytes.toString("base64url");
  },
};

/** Like `system.newId`, for callers that need many. */
export function createIds(): () => string {
  const bytes = Buffer.alloc(ID_BYTES * AT_ONCE);
  let used = bytes.length;
  return () => {
    if (used === bytes.length) {
      randomFillSync(bytes);
      used = 0;
    }
    bytes[used] = letterFirst(bytes[used]);
    const id = bytes.toString("base64url", used, used + ID_BYTES);
    // Used bytes are erased from memory.
    bytes.fill(0, used, used + ID_BYTES);
    used += ID_BYTES;
    return id;
  };
}

/** The first 32 of the 64 characters of base64url are letters. */
function letterFirst(byte = 0): number {
  return byte & 0x7f;
}
