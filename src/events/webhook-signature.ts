import { createHmac } from "node:crypto";

/** Signature headers of a webhook request. */
export interface WebhookHeaders {
  readonly "webhook-id": string;
  readonly "webhook-timestamp": string;
  readonly "webhook-signature": string;
}

/**
 * Signs a message with every secret, so that a receiver can rotate secrets.
 * @param secrets "whsec_" followed by base64
 * @param now current time in milliseconds since 1970
 * @see https://github.com/standard-webhooks/standard-webhooks
 */
export function signWebhook(id: string, body: string, secrets: readonly string[], now: number): WebhookHeaders {
  const timestamp = String(Math.floor(now / 1_000));
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(SECRET_PREFIX.length), "base64");
    return `v1,${createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64")}`;
  });
  return {
    "webhook-id": id,
    "webhook-timestamp": timestamp,
    "webhook-signature": signatures.join(" "),
  };
}

const SECRET_PREFIX = "whsec_";
