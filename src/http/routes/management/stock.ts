import { hash } from "node:crypto";
import { readJsonLines, receiveBatch } from "../../bodies/json-lines.ts";
import { readKeyHeader } from "../../cart/write-key.ts";
import { type BearerServices, requireToken } from "../../sessions/bearer-session.ts";
import { changeStockLevels, type StockServices } from "../../stock-batch.ts";
import { createJsonReply, type Reply } from "../../wire/reply.ts";
import type { StoreRequest } from "../../wire/request.ts";
import { type RequestLimit, runInJobSlot } from "../../with-slot.ts";

/** Handles `POST /admin/stock`: sets or adjusts the stock of variants. If any line is invalid, nothing changes. */
export async function changeStock(
  shop: BearerServices & StockServices,
  limit: RequestLimit,
  request: StoreRequest,
): Promise<Reply> {
  const { id, name } = await requireToken(shop, request, "stock:write");
  const key = readKeyHeader(request);
  const bytes = await receiveBatch(request);
  return runInJobSlot(limit, id, async () => {
    const lines = await readJsonLines(shop, request, bytes);
    const fingerprint = hash("sha256", bytes, "base64url");
    const batchKey = { scope: `stock ${id}`, fingerprint, ...(key === undefined ? {} : { key }) };
    const actor = { source: "api", token: { id, name } } as const;
    const outcome = await changeStockLevels(shop, lines, { key: batchKey, now: request.now, by: actor });
    return createJsonReply(200, {
      repeated: outcome.isRepeated,
      lines: outcome.lines.map(({ line, variantId, quantity, reserved }) => ({
        ...{ line, variant_id: variantId, quantity, held: reserved, available: quantity - reserved },
      })),
    });
  });
}
