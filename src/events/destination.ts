import type { OutboxEventType } from "../config/event-settings.ts";
import type { StoredEvent } from "../storage/events/delivery-store.ts";

/** A receiver of events. */
export interface EventDestination {
  /** Permanent name under which the receiver's pending events are stored. */
  readonly name: string;
  readonly kind: "webhook" | "mail";
  /** Name of the receiver in the log. It contains the host, but not the path or the secrets of the receiver's URL. */
  readonly label: string;
  readonly types: readonly OutboxEventType[];
  /** Maximum milliseconds of one attempt. */
  readonly attemptTimeoutMs: number;
  /**
   * Delivers an event. Never throws.  @param now current time in milliseconds since 1970  @param signal aborts the
   * attempt
   */
  deliver(event: OutgoingEvent, now: number, signal: AbortSignal): Promise<DeliveryOutcome>;
}

/** An event to deliver. The type "ping" is a test event, which is not stored in the outbox. */
export type OutgoingEvent = Omit<StoredEvent, "type"> & { readonly type: OutboxEventType | "ping" };

/** Returns the reason of a failed delivery. */
export function getFailureReason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // A host name with several addresses causes one error per address.
  const [firstError] = error instanceof AggregateError ? error.errors : [];
  return error.message === "" && firstError instanceof Error ? firstError.message : error.message;
}

export type DeliveryOutcome =
  | { readonly isDone: true }
  | {
      readonly isDone: false;
      /** Reason for the failure, shown to the merchant. */
      readonly failure: string;
      /**
       * Mistake in the store that causes the failure, with the next step. It is logged, so it contains no data of
       * customers or receivers.
       */
      readonly storeMistake?: string;
      /** Milliseconds that the receiver asked to wait. */
      readonly retryAfterMs?: number;
      /** Milliseconds by which the event was postponed. No attempt is counted in this case. */
      readonly postponeDelayMs?: number;
    };
