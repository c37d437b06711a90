import { hash } from "node:crypto";
import { Problem } from "../../../problem.ts";
import type { Shop } from "../../../shop.ts";
import { createBatchProblem, readJsonLines, receiveBatch } from "../../bodies/json-lines.ts";
import { readKeyHeader } from "../../cart/write-key.ts";
import { type BearerShop, requireToken } from "../../sessions/bearer-session.ts";
import { createJsonReply, type Reply } from "../../wire/reply.ts";
import type { StoreRequest } from "../../wire/request.ts";
import { type RequestLimit, withSlot } from "../../with-slot.ts";

export type CatalogShop = BearerShop & Pick<Shop, "management" | "process">;

/** Handles `POST /admin/catalog`: adds, changes, or deletes catalog rows. If any line is invalid, nothing changes. */
export async function editCatalog(shop: CatalogShop, limit: RequestLimit, request: StoreRequest): Promise<Reply> {
  const { id } = await requireToken(shop, request, "catalog:write");
  const key = readKeyHeader(request);
  const bytes = await receiveBatch(request);
  return withSlot(limit, id, async () => {
    const lines = await readJsonLines(shop, request, bytes);
    const fingerprint = hash("sha256", bytes, "base64url");
    const batchKey = { scope: `catalog ${id}`, fingerprint, ...(key === undefined ? {} : { key }) };
    const outcome = await shop.management.catalog.apply({ lines }, "partial", {
      name: "api",
      key: batchKey,
      now: request.now,
    });
    switch (outcome.kind) {
      case "done":
        return createJsonReply(200, {
          repeated: outcome.isRepeated,
          changed: outcome.changed,
          removed: outcome.removed,
        });
      case "errors":
        throw createBatchProblem(
          outcome.errors.firstErrors.map(({ line, field, message }) => ({ line, field, rule: "catalog", message })),
          outcome.errors.count,
        );
      case "key used":
        throw new Problem(
          "idempotency_conflict",
          "This Idempotency-Key was already used with other rows. Send a new key.",
        );
      case "busy":
        throw new Problem("catalog_busy", "Another import is in progress. Retry in a moment.");
    }
  });
}
