import type { IncomingMessage, ServerResponse } from "node:http";
import type { Shop } from "../../shop.ts";

/** Counts and logs a request once its answer has left, or its client.
 *  @returns takes the pattern of its route, once that is known; undefined where nobody counts or logs requests */
export function observeRequest(
  { metrics, log }: Pick<Shop, "metrics" | "log">,
  { method = "" }: IncomingMessage,
  response: ServerResponse,
): ((pattern: string) => void) | undefined {
  if (metrics === undefined && !log.hasInfo) return undefined;
  const start = performance.now();
  let route = "*";
  metrics?.requestBegan();
  response.once("close", () => {
    const status = response.headersSent ? response.statusCode : undefined;
    const ms = performance.now() - start;
    metrics?.requestEnded(route, method, status, ms);
    if (!log.hasInfo) return;
    const fields = { route, method, durationMs: Math.round(ms * 10) / 10 };
    if (status === undefined) log.info(fields, "a client left before its answer");
    else log.info({ ...fields, status }, "a request was answered");
  });
  return (pattern) => {
    route = pattern;
  };
}
