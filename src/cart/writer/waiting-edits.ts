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

/** Edits of one cart that have not begun. Each of them leaves at its deadline, refused, unless it has begun by then. */
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
}

export function createWaitingEdits(): WaitingEdits {
  let timers = new Map<PendingEdit, NodeJS.Timeout>();
  const drop = (edit: PendingEdit): void => {
    if (timers.delete(edit)) edit.refuse(tooLate());
  };
  const wait = (edit: PendingEdit, among: Map<PendingEdit, NodeJS.Timeout>): void => {
    const left = edit.at.beginBy - performance.now();
    if (left <= 0) edit.refuse(tooLate());
    else among.set(edit, setTimeout(drop, left, edit));
  };
  return {
    get size() {
      return timers.size;
    },
    add: (edit) => wait(edit, timers),
    putBack(edits) {
      const inFront = new Map<PendingEdit, NodeJS.Timeout>();
      for (const edit of edits) wait(edit, inFront);
      timers = new Map([...inFront, ...timers]);
    },
    first: (count) => [...timers.keys().take(count)],
    has: (edit) => timers.has(edit),
    begin(edits) {
      if (!edits.every((edit) => timers.has(edit))) return false;
      for (const edit of edits) {
        clearTimeout(timers.get(edit));
        timers.delete(edit);
      }
      return true;
    },
  };
}

function tooLate(): Problem {
  return new Problem(
    "cart_service_unavailable",
    "The cart could not be written in time, and nothing was changed: try again in a moment.",
  );
}
