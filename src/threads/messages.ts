import type { MessagePort } from "node:worker_threads";
import type { ConsoleState } from "../console/console.ts";
import type { CollectedMetrics } from "../observability/metrics.ts";
import { SetupError } from "../setup-error.ts";
import type { Preference, SearchClick, TrackedEvent, WeightedClick } from "../signals/signals.ts";
import type { TransferredSnapshot } from "../snapshot/transferred-parts.ts";
import type { ThreadRole } from "../storage/sqlite/worker.ts";

/** Messages from the main thread to an event-loop thread. */
export type MessageToThread =
  | { readonly kind: "parts"; readonly parts: TransferredSnapshot }
  | { readonly kind: "console"; readonly state: ConsoleState }
  | { readonly kind: "listen"; readonly host: string; readonly port: number }
  | { readonly kind: "collect"; readonly request: number }
  /** Clicks on search results. The loop computes their weights. */
  | { readonly kind: "clicks"; readonly clicks: readonly SearchClick[] }
  | { readonly kind: "close" };

/** Messages from an event-loop thread to the main thread. */
export type MessageFromThread =
  | { readonly kind: "open" }
  | { readonly kind: "listening" }
  /** The loop could not open, or could not listen. */
  | { readonly kind: "failed"; readonly error: SerializedError }
  /** A port that connects this thread to the thread of the database. */
  | { readonly kind: "connect"; readonly role: ThreadRole; readonly port: MessagePort }
  /** The loop no longer uses the base catalog and index with this number, so the main thread can release them. */
  | { readonly kind: "unused"; readonly base: number }
  /** The settings file was changed by this thread. */
  | { readonly kind: "settings" }
  | { readonly kind: "damaged"; readonly base: number }
  | { readonly kind: "collected"; readonly request: number; readonly metrics: CollectedMetrics }
  /** Tracked events of visitors, in order. */
  | { readonly kind: "events"; readonly events: readonly TrackedEvent[] }
  | { readonly kind: "weighed"; readonly clicks: readonly (Preference | WeightedClick)[] };

/** An error as plain data, for messages between threads. */
export interface SerializedError {
  readonly message: string;
  /** Error code of the system, such as "EADDRINUSE". */
  readonly code?: string;
  /** File that caused the error. */
  readonly path?: string;
  /** Whether the error is a `SetupError`, which the merchant can fix. */
  readonly isSetup: boolean;
  readonly stack?: string;
}

export function serializeError(error: unknown): SerializedError {
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  const code = error instanceof Error && "code" in error ? { code: String(error.code) } : {};
  const path = error instanceof Error && "path" in error ? { path: String(error.path) } : {};
  return { message, isSetup: error instanceof SetupError, ...code, ...path, ...(stack === undefined ? {} : { stack }) };
}

export function deserializeError({ message, isSetup: isSetupError, stack, ...details }: SerializedError): Error {
  if (isSetupError) return new SetupError(message);
  const error = Object.assign(new Error(message), details);
  if (stack !== undefined) error.stack = stack;
  return error;
}
