import { AsyncLocalStorage } from "node:async_hooks";

/**
 * The caller's span in a distributed trace. Vitrine creates no spans, so it passes the caller's span on unchanged.
 * @see https://www.w3.org/TR/trace-context/
 */
export interface TraceContext {
  /** Value of the header `traceparent` in requests to other systems. */
  readonly traceparent: string;
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  /** 16 hexadecimal digits. */
  readonly spanId: string;
}

// AsyncLocalStorage is used because a parameter would have to be added to every function between a request and the log,
// the hooks, and the outbox.
const traceStorage = new AsyncLocalStorage<TraceContext>();

/**
 * Runs the work of a request. During the work, `getCurrentTrace` returns the trace from the header `traceparent`, if
 * the header is valid.
 */
export function runWithTrace<T>(header: unknown, work: () => T): T {
  // Fast path: most requests have no header.
  const trace = header === undefined ? undefined : parseTraceparent(header);
  return trace === undefined ? work() : traceStorage.run(trace, work);
}

/** Returns the trace of the request that caused this call, or undefined. */
export function getCurrentTrace(): TraceContext | undefined {
  return traceStorage.getStore();
}

const TRACE_PATTERN = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;

/**
 * Parses a header `traceparent`. A header of a later version is also accepted, because its first four fields must be
 * the same as in version 00.
 */
export function parseTraceparent(header: unknown): TraceContext | undefined {
  const match = typeof header === "string" ? TRACE_PATTERN.exec(header) : null;
  if (match === null) return undefined;
  const [, version = "", traceId = "", spanId = "", flags = "", extraText] = match;
  const isUnsupported = version === "ff" || (version === "00" && extraText !== undefined);
  if (isUnsupported || /^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined;
  return { traceparent: `00-${traceId}-${spanId}-${flags}`, traceId, spanId };
}
