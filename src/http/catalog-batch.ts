import type { ApiSource, BatchErrors, BatchOutcome, ChangeLine } from "../catalog/catalog-changes.ts";
import { type FieldError, Problem } from "../problem.ts";
import type { Shop } from "../shop.ts";
import { createBatchProblem } from "./bodies/json-lines.ts";

/**
 * Adds, changes, or deletes catalog rows. If any line of the batch is invalid, nothing changes.
 * @throws Problem `validation_failed`, `catalog_changed`, `idempotency_conflict`, `catalog_busy`
 */
export async function changeCatalog(
  shop: Pick<Shop, "management">,
  lines: readonly ChangeLine[],
  source: Omit<ApiSource, "name">,
): Promise<Extract<BatchOutcome, { readonly kind: "done" }>> {
  const outcome = await shop.management.catalog.apply({ lines }, "partial", { name: "api", ...source });
  switch (outcome.kind) {
    case "done":
      return outcome;
    case "errors":
      throw createBatchProblem(toFieldErrors(outcome.errors, "catalog"), outcome.errors.count);
    case "outdated":
      throw new Problem(
        "catalog_changed",
        "Nothing was changed: a row has another revision than `if_match`. Read it again, and repeat the change.",
        toFieldErrors(outcome.errors, "equals"),
      );
    case "key used":
      throw new Problem(
        "idempotency_conflict",
        "This Idempotency-Key was already used with other rows. Send a new key.",
      );
    case "busy":
      throw new Problem("catalog_busy", "Another import is in progress. Retry in a moment.");
  }
}

function toFieldErrors({ firstErrors }: BatchErrors, rule: string): readonly FieldError[] {
  return firstErrors.map(({ line, field, message }) => ({ line, field, rule, message }));
}
