import { randomBytes } from "node:crypto";

/** The clock and the randomness of commands that run beside a server. */
export const system = {
  /** Milliseconds since 1970. */
  now: (): number => Date.now(),
  /** 144 random bits, base64url. */
  newId: (): string => randomBytes(18).toString("base64url"),
};
