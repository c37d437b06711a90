import { Problem } from "../../problem.ts";
import type { WrittenIds } from "../cart-ids.ts";
import type { StoredCart } from "../cart-store.ts";
import type { AppliedWrite, IdempotencyRecord, KeyedCart, WriteKey } from "./applied-write.ts";

/** Arrival and latest start of a write. */
export interface WriteTime {
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Latest start on the monotonic clock of `performance.now()`; later, the write is dropped. */
  readonly beginBy: number;
}

/** An edit of a cart whose caller waits. */
export interface PendingEdit {
  readonly ids: WrittenIds;
  readonly at: WriteTime;
  readonly keyed?: { readonly key: WriteKey; readonly cart: KeyedCart };
  /**
   * Pure; called again if the cart has changed since.
   * @param recorded keyed writes applied before
   * @throws the error of this edit only
   */
  apply(cart: StoredCart, recorded: readonly IdempotencyRecord[]): AppliedEdit | Promise<AppliedEdit>;
  /** Rejects the edit: nothing of it was applied. */
  reject(error: unknown): void;
}

/** Result of an edit that is not saved yet. */
export interface AppliedEdit {
  /** The given object if nothing changed. */
  readonly cart: StoredCart;
  readonly record?: AppliedWrite;
  /** Resolves the edit after the cart was saved. */
  resolve(): void;
}

/** Edits of one cart that have not started, in order of arrival. Each is rejected at its deadline unless it started. */
export class EditQueue {
  #edits = new Set<PendingEdit>();
  readonly #onDeadline: (deadline: number) => void;

  /** @param onDeadline receives each edit's deadline, at which `dropLate` must be called */
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

  /** Returns started edits that were not applied to the front of the queue. */
  putBack(started: readonly PendingEdit[]): void {
    this.#edits = new Set([...started, ...this.#edits]);
    for (const { at } of started) this.#onDeadline(at.beginBy);
  }

  /** The first `count` edits, which stay until they start. */
  first(count: number): readonly PendingEdit[] {
    return [...this.#edits.values().take(count)];
  }

  has(edit: PendingEdit): boolean {
    return this.#edits.has(edit);
  }

  /**
   * Marks edits as started: they are no longer dropped, and their outcome is reported.
   * @returns false if one of them was already dropped: then none starts
   */
  begin(some: readonly PendingEdit[]): boolean {
    if (!some.every((edit) => this.#edits.has(edit))) return false;
    for (const edit of some) this.#edits.delete(edit);
    return true;
  }

  /** Rejects late edits.  @returns the next deadline; Infinity if the queue is empty */
  dropLate(now: number): number {
    let next = Number.POSITIVE_INFINITY;
    for (const edit of this.#edits) {
      if (edit.at.beginBy > now) {
        next = Math.min(next, edit.at.beginBy);
        continue;
      }
      this.#edits.delete(edit);
      edit.reject(tooLate());
    }
    return next;
  }
}

/** Error of a write that did not start before its deadline. */
export function tooLate(): Problem {
  return new Problem(
    "cart_service_unavailable",
    "The cart could not be written in time, and nothing was changed: try again in a moment.",
  );
}
