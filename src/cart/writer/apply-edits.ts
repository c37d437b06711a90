import type { StoredCart } from "../cart-store.ts";
import type { AppliedWrite, IdempotencyRecord } from "./applied-write.ts";
import type { AppliedEdit, EditQueue, PendingEdit } from "./edit-queue.ts";

/** Edits applied to a cart, to be saved in one commit. */
export interface Batch {
  readonly after: StoredCart;
  /** In the order of application; a rejected edit leaves the cart unchanged. */
  readonly applied: ReadonlyMap<PendingEdit, Pick<AppliedEdit, "resolve">>;
  readonly records: readonly AppliedWrite[];
  /** All edits were rejected. */
  readonly isRejected: boolean;
}

/** Applies edits in order for at most `APPLY_MS`, each to the result of the previous one. */
export async function applyEdits(
  before: StoredCart,
  recorded: readonly IdempotencyRecord[],
  queue: EditQueue,
  edits: readonly PendingEdit[],
): Promise<Batch> {
  const start = performance.now();
  const applied = new Map<PendingEdit, Pick<AppliedEdit, "resolve">>();
  const records: AppliedWrite[] = [];
  const known: IdempotencyRecord[] = [...recorded];
  let after = before;
  let isRejected = true;
  for (const edit of edits) {
    if (!queue.has(edit)) continue;
    if (applied.size > 0 && performance.now() - start > APPLY_MS) break;
    try {
      const result = await edit.apply(after, known);
      after = result.cart;
      isRejected = false;
      if (result.record !== undefined) {
        records.push(result.record);
        known.push(result.record);
      }
      applied.set(edit, result);
    } catch (error) {
      applied.set(edit, { resolve: () => edit.reject(error) });
    }
  }
  return { after, applied, records, isRejected };
}

/** Milliseconds for which one batch may occupy the event loop. */
const APPLY_MS = 20;
