import { Problem } from "../../problem.ts";
import type { CartWriteIds } from "../cart-ids.ts";
import type { StoredCart } from "../cart-store.ts";
import type { AppliedWrite, IdempotencyRecord, IdempotentCart, WriteKey } from "./applied-write.ts";

/** Arrival time and latest start of a write. */
export interface WriteTiming {
  /** Arrival time in milliseconds since 1970. */
  readonly now: number;
  /** Latest start, as a time of `performance.now()`. A later write is rejected. */
  readonly startDeadline: number;
}

/** An edit of a cart that is not saved yet. */
export interface PendingEdit {
  readonly ids: CartWriteIds;
  readonly timing: WriteTiming;
  readonly keyedWrite?: { readonly key: WriteKey; readonly cart: IdempotentCart };
  /**
   * Applies the edit. Must be pure, because it is called again if the cart changed in the meantime.
   * @param records records of earlier writes that had idempotency keys
   * @throws an error that rejects only this edit
   */
  apply(cart: StoredCart, records: readonly IdempotencyRecord[]): AppliedEdit | Promise<AppliedEdit>;
  /** Rejects the edit, which changed nothing. */
  reject(error: unknown): void;
}

/** Result of an edit before it is saved. */
export interface AppliedEdit {
  /** The edited cart; the same object as before if nothing changed. */
  readonly cart: StoredCart;
  readonly record?: AppliedWrite;
  /** Resolves the edit after the commit. */
  resolve(): void;
}

/**
 * Edits of one cart that have not started, in order of arrival. An edit is rejected if it does not start by its
 * deadline.
 */
export class EditQueue {
  #edits = new Set<PendingEdit>();
  readonly #onDeadline: (deadline: number) => void;

  /** @param onDeadline receives the deadline of each edit; the receiver calls `rejectExpired` at that time */
  constructor(onDeadline: (deadline: number) => void) {
    this.#onDeadline = onDeadline;
  }

  get size(): number {
    return this.#edits.size;
  }

  add(edit: PendingEdit): void {
    this.#edits.add(edit);
    this.#onDeadline(edit.timing.startDeadline);
  }

  /** Returns started edits to the front of the queue after their save failed. */
  requeue(startedEdits: readonly PendingEdit[]): void {
    this.#edits = new Set([...startedEdits, ...this.#edits]);
    for (const { timing } of startedEdits) this.#onDeadline(timing.startDeadline);
  }

  /** Returns the first `count` edits without removing them. */
  peek(count: number): readonly PendingEdit[] {
    return [...this.#edits.values().take(count)];
  }

  has(edit: PendingEdit): boolean {
    return this.#edits.has(edit);
  }

  /**
   * Removes edits from the queue, so that their deadlines no longer apply.
   * @returns false, without a change, if an edit was already rejected
   */
  start(edits: readonly PendingEdit[]): boolean {
    if (!edits.every((edit) => this.#edits.has(edit))) return false;
    for (const edit of edits) this.#edits.delete(edit);
    return true;
  }

  /** Rejects edits whose deadline has passed.  @returns the next deadline; Infinity if the queue is empty */
  rejectExpired(now: number): number {
    let nextDeadline = Number.POSITIVE_INFINITY;
    for (const edit of this.#edits) {
      if (edit.timing.startDeadline > now) {
        nextDeadline = Math.min(nextDeadline, edit.timing.startDeadline);
        continue;
      }
      this.#edits.delete(edit);
      edit.reject(createTimeoutProblem());
    }
    return nextDeadline;
  }
}

/** Creates the error of a write that did not start before its deadline. */
export function createTimeoutProblem(): Problem {
  return new Problem(
    "cart_service_unavailable",
    "The cart could not be written in time, and nothing was changed: try again in a moment.",
  );
}
