import type { OfferedVariant } from "../catalog/catalog.ts";
import type { ApiSource } from "../catalog/catalog-changes.ts";
import type { StockLogLine } from "../catalog/catalog-log.ts";
import type { StockBatch } from "../catalog/stock.ts";
import { type FieldError, Problem } from "../problem.ts";
import { truncateText } from "../runtime/truncate-text.ts";
import type { Shop } from "../shop.ts";
import type { Snapshot } from "../snapshot/snapshot.ts";
import { type BatchLine, createBatchProblem } from "./bodies/json-lines.ts";
import { awaitIndex, createUnavailableProblem, INDEX_TIMEOUT_MS } from "./deadline.ts";

export type StockServices = Pick<Shop, "snapshot" | "management" | "process">;

/** New stock of the variant in one line of a batch. */
export interface ChangedStock {
  readonly line: number;
  readonly variantId: string;
  readonly quantity: number;
  readonly reserved: number;
}

/**
 * Sets or adjusts the stock of variants. If any line is invalid, nothing changes.
 * @throws Problem `validation_failed`, `stock_changed`, `idempotency_conflict`, `cart_service_unavailable`
 */
export async function changeStockLevels(
  shop: StockServices,
  lines: readonly BatchLine[],
  source: Omit<ApiSource, "name">,
): Promise<{ readonly isRepeated: boolean; readonly lines: readonly ChangedStock[] }> {
  const indexDeadline = performance.now() + INDEX_TIMEOUT_MS;
  for (;;) {
    const snapshot = shop.snapshot();
    const { batch, variantIds } = await readBatch(lines, snapshot, shop);
    const outcome = await shop.management.stock.change(batch, source.key, source.now, {
      by: source.by,
      lines: createLogLines(lines, variantIds),
    });
    if (outcome === "too late") throw createUnavailableProblem();
    if (outcome === "key used")
      throw new Problem("idempotency_conflict", "This Idempotency-Key came with other changes before: send a new key.");
    if (outcome === "catalog changed") {
      // The catalog in the database is newer than the snapshot.
      if (!(await awaitIndex(() => shop.snapshot() !== snapshot, indexDeadline))) throw createUnavailableProblem();
      continue;
    }
    if ("changedVariants" in outcome)
      throw new Problem(
        "stock_changed",
        "Nothing was changed: the stock of a variant is not the expected quantity. Read it again.",
        variantIds.flatMap((id, index) =>
          outcome.changedVariants.includes(id)
            ? [
                {
                  ...{ line: lines[index]?.line ?? 0, field: "compare_quantity", rule: "equals" },
                  message: `is not the quantity of the variant ${id}`,
                },
              ]
            : [],
        ),
      );
    for (let start = 0; start < outcome.levels.length; start += LINES_PER_YIELD) {
      if (start > 0) await shop.process.scheduler.yield("background");
      shop.snapshot().stock.applyChanges(outcome.levels.slice(start, start + LINES_PER_YIELD));
    }
    const levels = new Map(outcome.levels.map((level) => [level.variantId, level]));
    const changes = lines.map(({ line }, index) => {
      const variantId = variantIds[index] ?? "";
      const { quantity = 0, reserved = 0 } = levels.get(variantId) ?? {};
      return { line, variantId, quantity, reserved };
    });
    return { isRepeated: outcome.isRepeated, lines: changes };
  }
}

function createLogLines(lines: readonly BatchLine[], variantIds: readonly string[]): readonly StockLogLine[] {
  return lines.map(({ value: { quantity, adjust } }, index) => ({
    variant_id: variantIds[index] ?? "",
    ...(quantity === undefined ? { adjust: Number(adjust) } : { quantity: Number(quantity) }),
  }));
}

/** Number of lines that are processed before other requests can run. They take less than a millisecond. */
const LINES_PER_YIELD = 64;
/** Maximum stock of a variant in units, and maximum adjustment in one line. */
const MAX_STOCK_UNITS = 1_000_000_000;

/** Reads the lines of a request and combines the changes to each variant.  @throws Problem `validation_failed` */
async function readBatch(
  lines: readonly BatchLine[],
  snapshot: Snapshot,
  shop: Pick<Shop, "process">,
): Promise<{ readonly batch: StockBatch; readonly variantIds: readonly string[] }> {
  const errors: FieldError[] = [];
  const changes = new Map<
    string,
    { readonly catalogStock: number | undefined; set?: number; units: number; expected?: number }
  >();
  const addChange = (batchLine: BatchLine): string => {
    const report = (field: string, rule: string, message: string): undefined => {
      errors.push({ line: batchLine.line, field, rule, message });
    };
    const variant = findVariant(batchLine, snapshot, report);
    const units = parseStockUnits(batchLine, report);
    if (variant === undefined || units === undefined) return "";
    const { id, catalogStock } = variant;
    const stockChange = changes.get(id) ?? { catalogStock, units: 0 };
    if (units.isAbsolute)
      Object.assign(stockChange, {
        ...{ set: units.count, units: 0 },
        ...(units.expected === undefined ? {} : { expected: units.expected }),
      });
    else stockChange.units += units.count;
    const newStock =
      (stockChange.set ?? snapshot.catalog.stock.remainingUnits(id) ?? catalogStock ?? 0) + stockChange.units;
    if (Math.abs(newStock) > MAX_STOCK_UNITS && newStock > 0 === units.count > 0)
      report("adjust", "max", `the stock of ${id} would exceed ${MAX_STOCK_UNITS} units in either direction`);
    changes.set(id, stockChange);
    return id;
  };
  const variantIds: string[] = [];
  for (let start = 0; start < lines.length; start += LINES_PER_YIELD) {
    await shop.process.scheduler.yield("background");
    variantIds.push(...lines.slice(start, start + LINES_PER_YIELD).map(addChange));
  }
  if (errors.length > 0) throw createBatchProblem(errors);
  const stockChangeEntries = [...changes];
  const stockLevelsToSet = stockChangeEntries.flatMap(([variantId, { set, units }]) =>
    set === undefined ? [] : [{ variantId, quantity: set + units }],
  );
  const relativeChanges = stockChangeEntries.flatMap(([variantId, { set, units, catalogStock }]) =>
    set === undefined ? [{ variantId, units, ...(catalogStock === undefined ? {} : { quantity: catalogStock }) }] : [],
  );
  const expectedLevels = stockChangeEntries.flatMap(
    ([variantId, { expected: quantity, catalogStock: catalogQuantity }]) =>
      quantity === undefined
        ? []
        : [{ variantId, quantity, ...(catalogQuantity === undefined ? {} : { catalogQuantity }) }],
  );
  const batch = {
    absolute: stockLevelsToSet,
    relative: relativeChanges,
    expected: expectedLevels,
    revision: snapshot.revision,
  };
  return { batch, variantIds };
}

type ErrorReporter = (field: string, rule: string, message: string) => undefined;

/**
 * Finds the variant that a line of a batch identifies.
 * @returns the variant's id. `catalogStock` is its stock in the catalog file, and is present only if the current stock
 * is not in memory
 */
function findVariant(
  batchLine: BatchLine,
  snapshot: Snapshot,
  report: ErrorReporter,
): { readonly id: string; readonly catalogStock?: number } | undefined {
  const { variant_id: variantId } = batchLine.value;
  if (typeof variantId === "string" || typeof variantId === "number") {
    const id = String(variantId);
    // Fast path: the current stock of most variants is in memory, so the variant need not be decoded.
    if (snapshot.catalog.stock.remainingUnits(id) !== undefined && snapshot.catalog.hasVariant(id)) return { id };
  }
  const offer = findOffer(batchLine, snapshot, report);
  if (offer === undefined) return undefined;
  const { id, inventoryQuantity: catalogStock } = offer.variant;
  if (catalogStock !== undefined) return { id, catalogStock };
  return report(
    "variant_id",
    "tracked",
    `stock of ${id} is not tracked: give it an inventory_quantity in the catalog first`,
  );
}

function findOffer({ value }: BatchLine, snapshot: Snapshot, report: ErrorReporter): OfferedVariant | undefined {
  const { variant_id: id, sku } = value;
  if (typeof id === "string" || typeof id === "number") {
    const offer = snapshot.catalog.findAnyVariant(String(id));
    return offer ?? report("variant_id", "known", `there is no variant ${truncateText(String(id), MAX_LISTED_LENGTH)}`);
  }
  if (id !== undefined) return report("variant_id", "format", "must be a string or a number");
  if (typeof sku !== "string" || sku === "") return report("variant_id", "required", "send a variant_id or an sku");
  const [variant, otherVariant] = snapshot.catalog.variantsBySku(sku);
  const truncatedSku = truncateText(sku, MAX_LISTED_LENGTH);
  if (variant === undefined) return report("sku", "known", `there is no variant with the sku ${truncatedSku}`);
  if (otherVariant !== undefined)
    return report("sku", "unique", `several variants have the sku ${truncatedSku}: name the variant_id`);
  return variant;
}

const MAX_LISTED_LENGTH = 100;

function parseStockUnits(
  { value }: BatchLine,
  report: ErrorReporter,
): { readonly isAbsolute: boolean; readonly count: number; readonly expected?: number } | undefined {
  const { quantity, adjust, compare_quantity: expectedQuantity } = value;
  if ((quantity === undefined) === (adjust === undefined))
    return report(
      "quantity",
      "required",
      "say either quantity (how many are on hand) or adjust (how many more or fewer)",
    );
  const field = quantity === undefined ? "adjust" : "quantity";
  const count = quantity ?? adjust;
  if (typeof count !== "number" || !Number.isSafeInteger(count) || Math.abs(count) > MAX_STOCK_UNITS)
    return report(field, "integer", `must be a whole number of at most ${MAX_STOCK_UNITS}`);
  if (expectedQuantity === undefined) return { isAbsolute: quantity !== undefined, count };
  if (quantity === undefined || !Number.isSafeInteger(expectedQuantity))
    return report("compare_quantity", "integer", "must be a whole number, next to a quantity");
  return { isAbsolute: true, count, expected: Number(expectedQuantity) };
}
