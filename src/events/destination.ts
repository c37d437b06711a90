import type { EventType } from "../config/event-settings.ts";
import type { StoredEvent } from "../storage/events/delivery-store.ts";

/** A receiver of events. */
export interface Destination {
  /** Permanent name, under which its pending events are stored. */
  readonly name: string;
  readonly kind: "webhook" | "mail";
  /** Name for the log, without secret and path. */
  readonly label: string;
  readonly types: readonly EventType[];
  /** Maximum milliseconds of one attempt. */
  readonly attemptMs: number;
  /** Delivers an event. Never throws.  @param now milliseconds since 1970  @param signal aborts the attempt */
  deliver(event: OutgoingEvent, now: number, signal: AbortSignal): Promise<Outcome>;
}

/** "ping" is a test event that is not in the outbox. */
export type OutgoingEvent = Omit<StoredEvent, "type"> & { readonly type: EventType | "ping" };

export type Outcome =
  | { readonly isDone: true }
  | {
      readonly isDone: false;
      /** The failure, for the merchant. */
      readonly failure: string;
      /** Milliseconds that the receiver asks to wait. */
      readonly retryAfterMs?: number;
      /** Milliseconds by which the event was postponed without an attempt. */
      readonly postponedMs?: number;
    };
