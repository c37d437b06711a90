import type { IncomingMessage, ServerResponse } from "node:http";
import type { Shop } from "../../shop.ts";

/** A request that is counted and logged. */
export interface ObservedRequest {
  /** Receives the pattern of the route. */
  readonly onRoute: (pattern: string) => void;
  /** The response has started and is a stream, which is not a request in flight. */
  readonly onStream: () => void;
}

/**
 * Counts and logs a request when its response was sent or its client has left.
 * @returns undefined if requests are neither counted nor logged
 */
export function observeRequest(
  { process: { metrics, log } }: Pick<Shop, "process">,
  { method = "" }: IncomingMessage,
  response: ServerResponse,
): ObservedRequest | undefined {
  if (metrics === undefined && !log.hasInfo) return undefined;
  const start = performance.now();
  let route = "*";
  metrics?.requestBegan();
  const onEnd = (): void => {
    const status = response.headersSent ? response.statusCode : undefined;
    const ms = performance.now() - start;
    metrics?.requestEnded(route, method, status, ms);
    if (!log.hasInfo) return;
    const fields = { route, method, durationMs: Math.round(ms * 10) / 10 };
    if (status === undefined) log.info(fields, "a client left before its answer");
    else log.info({ ...fields, status }, "a request was answered");
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
