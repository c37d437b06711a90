import { createHmac } from "node:crypto";
import type { IncomingHttpHeaders, OutgoingHttpHeaders } from "node:http";
import { request as httpsRequest } from "node:https";
import type { Config } from "../config/settings.ts";
import { http } from "../runtime/node-http.ts";
import { SetupError } from "../setup-error.ts";
import { type DeliveryOutcome, type EventDestination, getFailureReason } from "./destination.ts";

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
          failure: timeout.aborted ? `no response within ${timeoutMs} ms` : getFailureReason(error),
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

/** Signature headers of a webhook request. */
interface WebhookHeaders {
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
function signWebhook(id: string, body: string, secrets: readonly string[], now: number): WebhookHeaders {
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

/** The parts of an HTTP response that callers use. */
interface PostResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Start of the response body. */
  readonly text: string;
}

/** Maximum number of bytes that are read of a response, enough for an error message. */
const MAX_RESPONSE_BYTES = 1_024;

/**
 * Posts a text and reads the start of the response. Redirects are not followed, since the body is intended for this
 * receiver only. Certificates are verified by Node's rules.
 * @throws Error if there is no response, with a `code` for system errors
 */
function sendPost(url: URL, body: string, headers: OutgoingHttpHeaders, signal: AbortSignal): Promise<PostResponse> {
  const createRequest = url.protocol === "https:" ? httpsRequest : http.request;
  return new Promise((resolve, reject) => {
    const request = createRequest(url, {
      method: "POST",
      headers: { ...headers, "content-length": Buffer.byteLength(body) },
      // Use a new connection for each request. The receiver may already have closed a reused one.
      agent: false,
      signal,
    });
    request.once("error", reject);
    // The status 101 causes neither a response nor an error.
    const rejectClosed = (): void => reject(new Error("the connection was closed without a response"));
    request.once("close", rejectClosed);
    request.once("response", (response) => {
      request.off("close", rejectClosed);
      const chunks: Buffer[] = [];
      let receivedBytes = 0;
      const resolveResponse = (): void => {
        const text = Buffer.concat(chunks).subarray(0, MAX_RESPONSE_BYTES).toString("utf8");
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text });
        response.destroy();
      };
      response.on("data", (chunk: Buffer) => {
        chunks.push(chunk);
        receivedBytes += chunk.length;
        if (receivedBytes >= MAX_RESPONSE_BYTES) resolveResponse();
      });
      response.once("end", resolveResponse);
      // An error after the status line is ignored, since the status is sufficient.
      response.once("error", resolveResponse);
      response.once("close", resolveResponse);
    });
    request.end(body);
  });
}
