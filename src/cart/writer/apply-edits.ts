import type { StoredCart } from "../cart-store.ts";
import type { AppliedWrite, IdempotencyRecord } from "./applied-write.ts";
import type { AppliedEdit, EditQueue, PendingEdit } from "./edit-queue.ts";

/** Edits that were applied to a cart and are saved in one commit. */
export interface EditBatch {
  readonly cart: StoredCart;
  /** Edits in the order of application. A rejected edit leaves the cart unchanged. */
  readonly appliedEdits: ReadonlyMap<PendingEdit, Pick<AppliedEdit, "resolve">>;
  readonly records: readonly AppliedWrite[];
  /** Whether all edits were rejected. */
  readonly isRejected: boolean;
}

/** Applies edits in order, each to the result of the previous edit, for at most `MAX_APPLY_TIME_MS`. */
export async function applyEdits(
  oldCart: StoredCart,
  earlierRecords: readonly IdempotencyRecord[],
  queue: EditQueue,
  edits: readonly PendingEdit[],
): Promise<EditBatch> {
  const start = performance.now();
  const appliedEdits = new Map<PendingEdit, Pick<AppliedEdit, "resolve">>();
  const records: AppliedWrite[] = [];
  const knownRecords: IdempotencyRecord[] = [...earlierRecords];
  let cart = oldCart;
  let isRejected = true;
  for (const edit of edits) {
    if (!queue.has(edit)) continue;
    if (appliedEdits.size > 0 && performance.now() - start > MAX_APPLY_TIME_MS) break;
    try {
      const result = await edit.apply(cart, knownRecords);
      cart = result.cart;
      isRejected = false;
      if (result.record !== undefined) {
        records.push(result.record);
        knownRecords.push(result.record);
      }
      appliedEdits.set(edit, result);
    } catch (error) {
      appliedEdits.set(edit, { resolve: () => edit.reject(error) });
    }
  }
  return { cart, appliedEdits, records, isRejected };
}

/** Maximum milliseconds for which one batch occupies the event loop. */
const MAX_APPLY_TIME_MS = 20;
