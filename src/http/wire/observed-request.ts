import type { IncomingMessage, ServerResponse } from "node:http";
import { formatTraceFields } from "../../observability/log-fields.ts";
import { parseTraceparent } from "../../runtime/trace-context.ts";
import type { Shop } from "../../shop.ts";

/** A request that is counted in metrics and logged. */
export interface ObservedRequest {
  /** Called with the pattern of the matched route. */
  readonly onRoute: (pattern: string) => void;
  /** Called when the response is an event stream, which does not count as a running request. */
  readonly onStream: () => void;
}

/**
 * Counts and logs a request when its response is sent or the client disconnects.
 * @returns undefined if metrics and request logs are disabled
 */
export function observeRequest(
  { process: { metrics, log } }: Pick<Shop, "process">,
  { method = "", headers }: IncomingMessage,
  response: ServerResponse,
): ObservedRequest | undefined {
  if (metrics === undefined && !log.hasInfo) return undefined;
  const startTime = performance.now();
  let route = "*";
  metrics?.recordRequestStart();
  const onEnd = (): void => {
    const status = response.headersSent ? response.statusCode : undefined;
    const durationMs = performance.now() - startTime;
    metrics?.recordRequestEnd(route, method, status, durationMs);
    if (!log.hasInfo) return;
    const trace = parseTraceparent(headers.traceparent);
    const fields = { route, method, durationMs: Math.round(durationMs * 10) / 10, ...formatTraceFields(trace) };
    if (status === undefined) log.info(fields, "a client disconnected before its response");
    else log.info({ ...fields, status }, "a request was completed");
  };
  response.once("close", onEnd);
  return {
    onRoute(pattern) {
      route = pattern;
    },
    onStream() {
      response.off("close", onEnd);
      onEnd();
    },
  };
}
