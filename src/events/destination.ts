import type { EventType } from "../config/event-types.ts";
import type { StoredEvent } from "../storage/events/delivery-store.ts";

/** Who is told of events. */
export interface Destination {
  /** Names it for ever: what it has to be told yet is kept under it. */
  readonly name: string;
  readonly kind: "webhook" | "mail";
  /** For the log: says neither a secret nor a path. */
  readonly label: string;
  readonly types: readonly EventType[];
  /** How long one attempt may take, in milliseconds. */
  readonly attemptMs: number;
  /** Never throws. @param now milliseconds since 1970  @param signal ends it before its time */
  tell(event: ToldEvent, now: number, signal: AbortSignal): Promise<Outcome>;
}

/** "ping": none of the outbox, to try a receiver. */
export type ToldEvent = Omit<StoredEvent, "type"> & { readonly type: EventType | "ping" };

export type Outcome =
  | { readonly isDone: true }
  | {
      readonly isDone: false;
      /** What went wrong, for the merchant. */
      readonly failure: string;
      /** Milliseconds for which the receiver asks to be left alone. */
      readonly retryAfterMs?: number;
      /** Milliseconds for which the event was postponed without an attempt. */
      readonly postponedMs?: number;
    };
