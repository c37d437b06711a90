import type { StoredCart } from "../cart-store.ts";
import type { AppliedWrite, IdempotencyRecord } from "./applied-write.ts";
import type { AppliedEdit, EditQueue, PendingEdit } from "./edit-queue.ts";

/** Edits that were applied to a cart, and that one commit saves. */
export interface Batch {
  readonly after: StoredCart;
  /** Edits in the order of application. A rejected edit leaves the cart unchanged. */
  readonly applied: ReadonlyMap<PendingEdit, Pick<AppliedEdit, "resolve">>;
  readonly records: readonly AppliedWrite[];
  /** Whether all edits were rejected. */
  readonly isRejected: boolean;
}

/** Applies edits in order, each to the result of the previous edit, for at most `APPLY_MS`. */
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

/** Maximum milliseconds for which one batch occupies the event loop. */
const APPLY_MS = 20;
