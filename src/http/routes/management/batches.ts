import { hash } from "node:crypto";
import type { ApiSource, ChangeLine } from "../../../catalog/catalog-changes.ts";
import type { FieldError } from "../../../problem.ts";
import type { Shop } from "../../../shop.ts";
import { type BatchLine, createBatchProblem, MAX_BATCH_BYTES, readJsonLines } from "../../bodies/json-lines.ts";
import { readKeyHeader } from "../../cart/write-key.ts";
import { changeCatalog } from "../../catalog-batch.ts";
import { parseRevisions } from "../../if-match.ts";
import { type BearerServices, requireToken } from "../../sessions/bearer-session.ts";
import { changeStockLevels, type StockServices } from "../../stock-batch.ts";
import { createJsonReply, type Reply } from "../../wire/reply.ts";
import type { StoreRequest } from "../../wire/request.ts";
import { type RequestLimit, runInJobSlot } from "../../with-slot.ts";

type BatchServices = BearerServices & Pick<Shop, "process">;

/** Handles `POST /admin/stock`: sets or adjusts the stock of variants. If any line is invalid, nothing changes. */
export function changeStock(
  shop: BatchServices & StockServices,
  limit: RequestLimit,
  request: StoreRequest,
): Promise<Reply> {
  return applyBatch(shop, limit, request, "stock", async (batchLines, source) => {
    const { isRepeated, lines } = await changeStockLevels(shop, batchLines, source);
    return {
      repeated: isRepeated,
      lines: lines.map(({ line, variantId, quantity, reserved }) => ({
        ...{ line, variant_id: variantId, quantity, held: reserved, available: quantity - reserved },
      })),
    };
  });
}

/** Handles `POST /admin/catalog`: adds, changes, or deletes catalog rows. If any line is invalid, nothing changes. */
export function editCatalog(shop: BatchServices, limit: RequestLimit, request: StoreRequest): Promise<Reply> {
  return applyBatch(shop, limit, request, "catalog", async (batchLines, source) => {
    const lines = readConditions(batchLines, parseRevisions(request));
    const { isRepeated, changed, removed } = await changeCatalog(shop, lines, source);
    return { repeated: isRepeated, changed, removed };
  });
}

/** Reads the lines of a batch, applies them, and returns the result as JSON.  @throws Problem */
async function applyBatch(
  shop: BatchServices,
  limit: RequestLimit,
  request: StoreRequest,
  kind: "stock" | "catalog",
  apply: (lines: readonly BatchLine[], source: Omit<ApiSource, "name">) => Promise<object>,
): Promise<Reply> {
  const { id, name } = await requireToken(shop, request, `${kind}:write`);
  const key = readKeyHeader(request);
  const bytes = await request.readBody(MAX_BATCH_BYTES, "known");
  return runInJobSlot(limit, id, async () => {
    const lines = await readJsonLines(shop, request, bytes);
    const fingerprint = hash("sha256", bytes, "base64url");
    const result = await apply(lines, {
      by: { source: "api", token: { id, name } },
      key: { scope: `${kind} ${id}`, fingerprint, ...(key === undefined ? {} : { key }) },
      now: request.now,
    });
    return createJsonReply(200, result);
  });
}

/**
 * Removes the field `if_match` from each line, and returns its value as the required revision of the row.
 * @param revisions revisions in the header `If-Match`, for lines without a revision
 * @throws Problem `validation_failed`
 */
function readConditions(lines: readonly BatchLine[], revisions: readonly number[] | undefined): readonly ChangeLine[] {
  const errors: FieldError[] = [];
  const conditionalLines = lines.map(({ line, value }): ChangeLine => {
    const { if_match: revision, ...row } = value;
    if (revision === undefined) return { line, value, ...(revisions === undefined ? {} : { revisions }) };
    const isRevision = typeof revision === "number" && Number.isSafeInteger(revision) && revision >= 0;
    if (!isRevision)
      errors.push({ line, field: "if_match", rule: "integer", message: "must be a revision, or 0 for a new row" });
    return { line, value: row, revisions: isRevision ? [revision] : [] };
  });
  if (errors.length > 0) throw createBatchProblem(errors);
  return conditionalLines;
}
