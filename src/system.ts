import { randomBytes } from "node:crypto";

/** This machine's clock and randomness, for what begins a thread or a process to hand on. */
export const system = {
  /** Milliseconds since 1970. */
  now: (): number => Date.now(),
  /** 144 random bits, base64url. */
  newId: (): string => randomBytes(18).toString("base64url"),
};
