import { hash } from "node:crypto";
import type { ChangeLine } from "../../../catalog/catalog-changes.ts";
import type { FieldError } from "../../../problem.ts";
import type { Shop } from "../../../shop.ts";
import { type BatchLine, createBatchProblem, readJsonLines, receiveBatch } from "../../bodies/json-lines.ts";
import { readKeyHeader } from "../../cart/write-key.ts";
import { changeCatalog } from "../../catalog-batch.ts";
import { parseRevisions } from "../../if-match.ts";
import { type BearerServices, requireToken } from "../../sessions/bearer-session.ts";
import { createJsonReply, type Reply } from "../../wire/reply.ts";
import type { StoreRequest } from "../../wire/request.ts";
import { type RequestLimit, runInJobSlot } from "../../with-slot.ts";

export type CatalogServices = BearerServices & Pick<Shop, "management" | "process">;

/** Handles `POST /admin/catalog`: adds, changes, or deletes catalog rows. If any line is invalid, nothing changes. */
export async function editCatalog(shop: CatalogServices, limit: RequestLimit, request: StoreRequest): Promise<Reply> {
  const { id, name } = await requireToken(shop, request, "catalog:write");
  const key = readKeyHeader(request);
  const bytes = await receiveBatch(request);
  return runInJobSlot(limit, id, async () => {
    const lines = readConditions(await readJsonLines(shop, request, bytes), parseRevisions(request));
    const fingerprint = hash("sha256", bytes, "base64url");
    const outcome = await changeCatalog(shop, lines, {
      by: { source: "api", token: { id, name } },
      key: { scope: `catalog ${id}`, fingerprint, ...(key === undefined ? {} : { key }) },
      now: request.now,
    });
    return createJsonReply(200, { repeated: outcome.isRepeated, changed: outcome.changed, removed: outcome.removed });
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
