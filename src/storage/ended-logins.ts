import type { EndedLogins } from "../console/console.ts";
import { findAppliedWrites, recordAppliedWrites } from "./applied-writes.ts";
import { type Database, WriteConflict } from "./database.ts";

/** Beside the keys of carts, which are kept for a day: a login lasts no longer. */
export function createEndedLogins(database: Database): EndedLogins {
  return {
    async add(login, now) {
      try {
        const ended = { key: login, fingerprint: "", scopes: [SCOPE], answer: "" };
        await database.write(recordAppliedWrites([ended], now));
      } catch (error) {
        // It was ended before.
        if (!(error instanceof WriteConflict)) throw error;
      }
    },
    async has(login, now) {
      const key = { key: login, fingerprint: "", visitor: SCOPE };
      return (await findAppliedWrites(database, [key], undefined, now)).length > 0;
    },
  };
}

const SCOPE = "console logins that were ended";
