import type { StockChanges, StockLevel, StockOutcome } from "../catalog/stock.ts";
import { findAppliedWrites, recordAppliedWrites } from "./applied-writes.ts";
import type { Database, SqlRow } from "./database.ts";
import { adjustStock, ensureLevels, readStockOf, setStock, takeStockNumber, toStockLevel } from "./stock-store.ts";
import { writeWithRetry } from "./write-with-retry.ts";

/**
 * Applies stock changes of other systems, each batch in one transaction. The key of a batch is recorded, so that a
 * retry after a lost response does not apply the batch twice. Default key: random.
 * @param newId returns at least 128 random bits
 */
export function createStockChanges(database: Database, newId: () => string): StockChanges {
  return {
    async change({ absolute, relative, revision }, { scope, key, fingerprint }, now): Promise<StockOutcome> {
      const isKnown = async (name: string): Promise<"same" | "other" | undefined> => {
        const [found] = await findAppliedWrites(database, [{ key: name, fingerprint, visitor: scope }], undefined, now);
        return found && (found.fingerprint === fingerprint ? "same" : "other");
      };
      const before = key === undefined ? undefined : await isKnown(key);
      if (before === "other") return "key used";
      const ids = [...absolute, ...relative].map(({ variantId }) => variantId);
      if (before === "same") return { levels: await readStockOf(database, ids), isRepeated: true };
      const name = key ?? newId();
      const statements = [
        ...recordAppliedWrites([{ key: name, fingerprint, scopes: [scope], response: "" }], now),
        takeStockNumber,
        ...ensureLevels(
          relative.flatMap(({ variantId, quantity }) => (quantity === undefined ? [] : [{ variantId, quantity }])),
          revision,
        ),
        ...setStock(absolute),
        ...adjustStock(relative),
      ];
      const beginBy = performance.now() + database.beginMs;
      let isOther = false;
      const isSaved = async (): Promise<boolean> => {
        const known = await isKnown(name);
        isOther = known === "other";
        return known === "same";
      };
      let levels: readonly StockLevel[] | undefined;
      const onRows = (rows: readonly (readonly SqlRow[])[]): void => {
        levels = rows.flat().flatMap((row) => (row.quantity === undefined ? [] : toStockLevel(row)));
      };
      const outcome = await writeWithRetry(database, statements, { beginBy, isSaved, onRows });
      if (outcome === "too late") return "too late";
      const isRepeated = outcome === "moved on" && (await isSaved());
      if (isOther) return "key used";
      if (outcome === "moved on" && !isRepeated) return "catalog changed";
      return { levels: levels ?? (await readStockOf(database, ids)), isRepeated };
    },
  };
}
