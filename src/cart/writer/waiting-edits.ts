import { Problem } from "../../problem.ts";
import type { WrittenIds } from "../cart-ids.ts";
import type { StoredCart } from "../cart-store.ts";
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
  readonly ids: WrittenIds;
  readonly at: WriteTime;
  readonly keyed?: { readonly key: WriteKey; readonly cart: KeyedCart };
  /** Pure; called again where the cart has moved on.
   *  @param recorded keyed writes that were applied before  @throws what refuses this edit alone */
  apply(cart: StoredCart, recorded: readonly KeptWrite[]): AppliedEdit | Promise<AppliedEdit>;
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
export class WaitingEdits {
  #edits = new Set<PendingEdit>();
  readonly #onDeadline: (deadline: number) => void;

  /** @param onDeadline told of each edit's deadline: `dropLate` is to be called then */
  constructor(onDeadline: (deadline: number) => void) {
    this.#onDeadline = onDeadline;
  }

  get size(): number {
    return this.#edits.size;
  }

  add(edit: PendingEdit): void {
    this.#edits.add(edit);
    this.#onDeadline(edit.at.beginBy);
  }

  /** Edits that had begun and were not applied wait again, in front of the others. */
  putBack(begun: readonly PendingEdit[]): void {
    this.#edits = new Set([...begun, ...this.#edits]);
    for (const { at } of begun) this.#onDeadline(at.beginBy);
  }

  /** The first so many; they stay here until they begin. */
  first(count: number): readonly PendingEdit[] {
    return [...this.#edits.values().take(count)];
  }

  has(edit: PendingEdit): boolean {
    return this.#edits.has(edit);
  }

  /** From now on none of these is dropped: they are answered by what becomes of them.
   *  @returns false where one of them was dropped already: then none of them begins */
  begin(some: readonly PendingEdit[]): boolean {
    if (!some.every((edit) => this.#edits.has(edit))) return false;
    for (const edit of some) this.#edits.delete(edit);
    return true;
  }

  /** Refuses those that are late. @returns the next deadline; infinity where nothing waits */
  dropLate(now: number): number {
    let next = Number.POSITIVE_INFINITY;
    for (const edit of this.#edits) {
      if (edit.at.beginBy > now) {
        next = Math.min(next, edit.at.beginBy);
        continue;
      }
      this.#edits.delete(edit);
      edit.refuse(tooLate());
    }
    return next;
  }
}

/** Of a write that has not begun by its deadline. */
export function tooLate(): Problem {
  return new Problem(
    "cart_service_unavailable",
    "The cart could not be written in time, and nothing was changed: try again in a moment.",
  );
}
