import type { Config } from "../config/settings.ts";
import { SetupError } from "../setup-error.ts";
import type { DeliveryOutcome, EventDestination } from "./destination.ts";
import { type PostResponse, sendPost } from "./post.ts";
import { signWebhook } from "./webhook-signature.ts";

export type WebhookSettings = Config["events"]["webhooks"][number];

/**
 * Creates a receiver that follows the Standard Webhooks specification.
 * @param timeoutMs maximum time until the response
 * @throws SetupError if the secret is not set
 * @see https://www.standardwebhooks.com
 */
export function createWebhook({ url, secret, types }: WebhookSettings, timeoutMs: number): EventDestination {
  const target = new URL(url);
  if (secret === undefined)
    throw new SetupError(
      `the setting events.webhooks has no secret for ${url}. Create one with "vitrine events secret", add it to the settings and to the receiver, and restart.`,
    );
  const secrets = typeof secret === "string" ? [secret] : secret;
  return {
    name: url,
    kind: "webhook",
    label: target.origin,
    types,
    attemptTimeoutMs: timeoutMs,
    async deliver({ id, type, payload, createdAt, traceparent }, now, signal): Promise<DeliveryOutcome> {
      const body = JSON.stringify({ type, timestamp: new Date(createdAt).toISOString(), data: payload });
      const headers = {
        "content-type": "application/json",
        accept: "*/*",
        "user-agent": "Vitrine",
        ...(traceparent === undefined ? {} : { traceparent }),
        ...signWebhook(id, body, secrets, now),
      };
      const timeout = AbortSignal.timeout(timeoutMs);
      try {
        return readOutcome(await sendPost(target, body, headers, AbortSignal.any([signal, timeout])));
      } catch (error) {
        return {
          isDone: false,
          failure: timeout.aborted ? `no response within ${timeoutMs} ms` : getErrorReason(error),
        };
      }
    },
  };
}

/** Converts a response to an outcome. Only a 2xx status means success. */
function readOutcome({ status, headers, text }: PostResponse): DeliveryOutcome {
  if (status >= 200 && status < 300) return { isDone: true };
  const failure = [`answered ${status}`, text.trim()].filter(Boolean).join(": ");
  const seconds = /^\d{1,9}$/.test(headers["retry-after"] ?? "") ? Number(headers["retry-after"]) : 0;
  return { isDone: false, failure, ...(seconds === 0 ? {} : { retryAfterMs: seconds * 1_000 }) };
}

function getErrorReason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // A host name with several addresses causes one error per address.
  const [firstError] = error instanceof AggregateError ? error.errors : [];
  return error.message === "" && firstError instanceof Error ? firstError.message : error.message;
}
