import { randomBytes, randomFillSync } from "node:crypto";

const ID_BYTES = 18;
/**
 * Number of ids that are generated with one call of the random number generator. One call per id would be much slower.
 */
const IDS_PER_BATCH = 256;

/** The clock and random number generator of this machine. Entry points pass them as arguments. */
export const system = {
  /** Returns the current time in milliseconds since 1970. */
  now: (): number => Date.now(),
  /**
   * Returns an id with 143 random bits in base64url. It begins with a letter, because a leading "-" would be parsed as
   * an option on the command line.
   */
  newId(): string {
    const bytes = randomBytes(ID_BYTES);
    bytes[0] = toLetterByte(bytes[0]);
    return bytes.toString("base64url");
  },
  /** Returns a secret of 288 random bits in base64url. */
  newSecret: (): string => randomBytes(36).toString("base64url"),
};

/** Returns a function like `system.newId` that is faster if many ids are needed. */
export function createIdGenerator(): () => string {
  const bytes = Buffer.alloc(ID_BYTES * IDS_PER_BATCH);
  let usedBytes = bytes.length;
  return () => {
    if (usedBytes === bytes.length) {
      randomFillSync(bytes);
      usedBytes = 0;
    }
    bytes[usedBytes] = toLetterByte(bytes[usedBytes]);
    const id = bytes.toString("base64url", usedBytes, usedBytes + ID_BYTES);
    // The bytes of the id are erased from memory.
    bytes.fill(0, usedBytes, usedBytes + ID_BYTES);
    usedBytes += ID_BYTES;
    return id;
  };
}

/** Clears the highest bit. The first character is then among the first 32 of base64url, which are letters. */
function toLetterByte(byte = 0): number {
  return byte & 0x7f;
}
