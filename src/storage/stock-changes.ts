import type { StockChanges, StockLevel, StockOutcome } from "../catalog/stock.ts";
import { findAppliedWrites, insertAppliedWrites } from "./applied-writes.ts";
import { insertCatalogLogEntry } from "./catalog/catalog-log-store.ts";
import { CommitInDoubtError, type Database, type SqlRow } from "./database.ts";
import {
  adjustStock,
  ensureStockRows,
  readStockLevels,
  requireQuantities,
  setStock,
  stockNumberStatement,
  toStockLevel,
} from "./stock-store.ts";
import { writeWithRetry } from "./write-with-retry.ts";

/** Maximum number of lines of a batch in the log. */
const MAX_LOGGED_LINES = 20;

/**
 * Applies batches of stock changes from other systems, each batch in one transaction. The key of a batch is stored, so
 * that a retry after a lost response does not apply the batch twice. A batch without a key gets a random key.
 * @param newId returns at least 128 random bits
 */
export function createStockChangeStore(database: Database, newId: () => string): StockChanges {
  return {
    async change(
      { absolute: stockToSet, relative: relativeStock, expected, revision },
      { scope, key, fingerprint },
      now,
      log,
    ): Promise<StockOutcome> {
      const findEarlierBatch = async (batchKey: string): Promise<"same" | "other" | undefined> => {
        const [record] = await findAppliedWrites(
          database,
          [{ key: batchKey, fingerprint, visitor: scope }],
          undefined,
          now,
        );
        return record && (record.fingerprint === fingerprint ? "same" : "other");
      };
      const earlierBatch = key === undefined ? undefined : await findEarlierBatch(key);
      if (earlierBatch === "other") return "key used";
      const ids = [...stockToSet, ...relativeStock].map(({ variantId }) => variantId);
      if (earlierBatch === "same") return { levels: await readStockLevels(database, ids), isRepeated: true };
      const batchKey = key ?? newId();
      const statements = [
        ...insertAppliedWrites([{ key: batchKey, fingerprint, scopes: [scope], response: "" }], now),
        stockNumberStatement,
        ...ensureStockRows(
          relativeStock.flatMap(({ variantId, quantity }) => (quantity === undefined ? [] : [{ variantId, quantity }])),
          revision,
        ),
        ...ensureStockRows(
          expected.flatMap(({ variantId, catalogQuantity: quantity }) =>
            quantity === undefined ? [] : [{ variantId, quantity }],
          ),
          revision,
        ),
        ...requireQuantities(expected),
        ...setStock(stockToSet),
        ...adjustStock(relativeStock),
        ...(log === undefined
          ? []
          : [
              insertCatalogLogEntry({
                ...{ id: newId(), at: now, by: log.by, operation: "stock" },
                details: { changed: log.lines.length, lines: log.lines.slice(0, MAX_LOGGED_LINES) },
              }),
            ]),
      ];
      const startDeadline = performance.now() + database.maxStartDelayMs;
      let isKeyTaken = false;
      const isSaved = async (): Promise<boolean> => {
        const earlierBatch = await findEarlierBatch(batchKey);
        isKeyTaken = earlierBatch === "other";
        return earlierBatch === "same";
      };
      let levels: readonly StockLevel[] | undefined;
      const onRows = (rows: readonly (readonly SqlRow[])[]): void => {
        levels = rows.flat().flatMap((row) => (row.quantity === undefined ? [] : toStockLevel(row)));
      };
      const outcome = await writeWithRetry(database, statements, { startDeadline, isSaved, onRows });
      if (outcome === "timed out") return "too late";
      const isRepeated = outcome === "conflict" && (await isSaved());
      if (isKeyTaken) return "key used";
      if (outcome === "conflict" && !isRepeated) {
        const stockById = new Map(
          (
            await readStockLevels(
              database,
              expected.map(({ variantId }) => variantId),
            )
          ).map((level) => [level.variantId, level]),
        );
        const changedVariants = expected.flatMap(({ variantId, quantity, catalogQuantity }) =>
          (stockById.get(variantId)?.quantity ?? catalogQuantity ?? quantity) === quantity ? [] : [variantId],
        );
        return changedVariants.length > 0 ? { changedVariants } : "catalog changed";
      }
      return { levels: levels ?? (await readWrittenLevels(database, ids)), isRepeated };
    },
  };
}

/** Reads stock levels after they were written. The error of a failed read says that the change may be saved. */
function readWrittenLevels(database: Database, variantIds: readonly string[]): Promise<readonly StockLevel[]> {
  return readStockLevels(database, variantIds).catch((cause: unknown) => {
    throw new CommitInDoubtError("the stock was changed, but could not be read", { cause });
  });
}
