import { randomBytes, randomFillSync } from "node:crypto";

const ID_BYTES = 18;
/** Ids whose random bytes are asked for at once: asking costs far more than the bytes. */
const AT_ONCE = 256;

/** This machine's clock and randomness, for what begins a thread or a process to hand on. */
export const system = {
  /** Milliseconds since 1970. */
  now: (): number => Date.now(),
  /** 144 random bits, base64url. */
  newId: (): string => randomBytes(ID_BYTES).toString("base64url"),
};

/** As `system.newId`, for who needs many. */
export function createIds(): () => string {
  const bytes = Buffer.alloc(ID_BYTES * AT_ONCE);
  let used = bytes.length;
  return () => {
    if (used === bytes.length) {
      randomFillSync(bytes);
      used = 0;
    }
    const id = bytes.toString("base64url", used, used + ID_BYTES);
    // What has been handed out is not kept.
    bytes.fill(0, used, used + ID_BYTES);
    used += ID_BYTES;
    return id;
  };
}
