import type { CompletionResult } from "../../src/checkout/order.ts";

/**
 * Outcome of an operation. "applied": a server acknowledged it. "rejected": a server promised that nothing was written.
 * "unknown": the response was lost, so that it may be applied once or not at all.
 */
export type Outcome = "applied" | "rejected" | "unknown";

/** An item that an edit adds to a cart. Its key is unique, so that each copy of it is counted. */
export interface AddedItem {
  readonly key: string;
  outcome: Outcome;
  /** Cart to which a server added the item. Undefined without an acknowledgment. */
  cartId?: string;
  /** Outcome of an edit that removes the item. Undefined if there is none. */
  removal?: Outcome;
}

export interface SentPayment {
  readonly reference: string;
  readonly checkoutId: string;
  readonly amount: number;
  readonly answers: CompletionResult[];
}

/** A write whose effect is counted at the end. */
export interface CountedWrite {
  readonly units: number;
  readonly outcome: Outcome;
}

/** All operations of a history, with the answers that clients received. */
export interface Model {
  readonly items: Map<string, AddedItem>;
  /** Latest revision that a server acknowledged, by cart ID. */
  readonly revisions: Map<string, number>;
  readonly payments: SentPayment[];
  /** Units added to stock by other systems, by variant ID. */
  readonly restocks: Map<string, CountedWrite[]>;
  /** IDs of orders whose cancellation was acknowledged. */
  readonly canceledOrders: Set<string>;
  /** IDs of orders that were acknowledged. */
  readonly orders: Set<string>;
  /** Notes of orders, by text. */
  readonly notes: Map<string, Outcome>;
  /** Violations that were found while the history ran. */
  readonly violations: Set<string>;
}

export function createModel(): Model {
  return {
    items: new Map(),
    revisions: new Map(),
    payments: [],
    restocks: new Map(),
    canceledOrders: new Set(),
    orders: new Set(),
    notes: new Map(),
    violations: new Set(),
  };
}

/** Returns the outcome of several attempts of one write with the same idempotency key. */
export function mergeOutcomes(outcomes: readonly Outcome[]): Outcome {
  if (outcomes.includes("applied")) return "applied";
  return outcomes.includes("unknown") ? "unknown" : "rejected";
}
