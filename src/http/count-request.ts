import type { IncomingMessage, ServerResponse } from "node:http";
import type { HttpMetrics } from "../observability/metrics.ts";

/** Counts a request once its answer has left, or its client. @returns takes the pattern of its route, once that is known */
export function countRequest(
  metrics: HttpMetrics,
  { method = "" }: IncomingMessage,
  response: ServerResponse,
): (pattern: string) => void {
  const start = performance.now();
  let route = "*";
  metrics.requestBegan();
  response.once("close", () => {
    const status = response.headersSent ? response.statusCode : undefined;
    metrics.requestEnded(route, method, status, performance.now() - start);
  });
  return (pattern) => {
    route = pattern;
  };
}
