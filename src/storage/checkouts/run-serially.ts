import { createSlots } from "../../runtime/slots.ts";
import { WriteNotStarted } from "../database.ts";

/** Runs one piece of work after another. Transactions that start with the same row wait for each other at the database in any case; there, each
 *  would occupy a connection, and those behind many others would fail at the lock timeout.
 *  @param waitMs how long work may wait  @throws NotBegun if it waited longer: it did not start */
export function createSerialRunner(waitMs: number): <T>(work: () => Promise<T>) => Promise<T> {
  const slots = createSlots({ name: "checkout_transactions", capacity: 1 });
  return async (work) => {
    const startBy = performance.now() + waitMs;
    using _ = await slots.acquire("checkouts");
    if (performance.now() > startBy) throw new WriteNotStarted("too many were before it at the database");
    return await work();
  };
}
