import { Problem } from "../../problem.ts";
import type { CartIds, StoredCart } from "../cart-store.ts";
import type { AppliedWrite, KeptWrite, KeyedCart, WriteKey } from "./applied-write.ts";

/** When a write came, and until when it may begin. */
export interface WriteTime {
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Where it has not begun by then, it is dropped. On the clock of `performance.now()`, which nobody sets. */
  readonly beginBy: number;
}

/** An edit of a cart that somebody waits for. */
export interface PendingEdit {
  readonly ids: CartIds;
  readonly at: WriteTime;
  readonly keyed?: { readonly key: WriteKey; readonly cart: KeyedCart };
  /** Pure; called again where the cart has moved on.
   *  @param recorded keyed writes that were applied before  @throws what refuses this edit alone */
  apply(cart: StoredCart, recorded: readonly KeptWrite[]): Promise<AppliedEdit>;
  /** Tells the one who waits that nothing of it was applied, and why. */
  refuse(error: unknown): void;
}

/** What an edit makes of a cart, not saved yet. */
export interface AppliedEdit {
  /** The very cart that was given where nothing changes. */
  readonly cart: StoredCart;
  readonly record?: AppliedWrite;
  /** Tells the one who waits; once the cart is saved. */
  tell(): void;
}

/** Edits of one cart that have not begun, first come first. Each leaves at its deadline, refused, unless it has begun by then. */
export interface WaitingEdits {
  readonly size: number;
  add(edit: PendingEdit): void;
  /** Edits that had begun and were not applied wait again, in front of the others. */
  putBack(edits: readonly PendingEdit[]): void;
  /** The first so many; they stay here until they begin. */
  first(count: number): readonly PendingEdit[];
  has(edit: PendingEdit): boolean;
  /** From now on none of these is dropped: they are answered by what becomes of them.
   *  @returns false where one of them was dropped already: then none of them begins */
  begin(edits: readonly PendingEdit[]): boolean;
  /** Refuses those that are late. @returns the next deadline; infinity where nothing waits */
  dropLate(now: number): number;
}

/** @param onDeadline told of each edit's deadline: `dropLate` is to be called then */
export function createWaitingEdits(onDeadline: (deadline: number) => void): WaitingEdits {
  let edits = new Set<PendingEdit>();
  return {
    get size() {
      return edits.size;
    },
    add(edit) {
      edits.add(edit);
      onDeadline(edit.at.beginBy);
    },
    putBack(begun) {
      edits = new Set([...begun, ...edits]);
      for (const { at } of begun) onDeadline(at.beginBy);
    },
    first: (count) => [...edits.values().take(count)],
    has: (edit) => edits.has(edit),
    begin(some) {
      if (!some.every((edit) => edits.has(edit))) return false;
      for (const edit of some) edits.delete(edit);
      return true;
    },
    dropLate(now) {
      let next = Number.POSITIVE_INFINITY;
      for (const edit of edits) {
        if (edit.at.beginBy > now) {
          next = Math.min(next, edit.at.beginBy);
          continue;
        }
        edits.delete(edit);
        edit.refuse(tooLate());
      }
      return next;
    },
  };
}

function tooLate(): Problem {
  return new Problem(
    "cart_service_unavailable",
    "The cart could not be written in time, and nothing was changed: try again in a moment.",
  );
}
