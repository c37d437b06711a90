import { AsyncLocalStorage } from "node:async_hooks";

/**
 * A span in a distributed trace: that of the caller, or that of the request if spans are created (`spans.ts`).
 * @see https://www.w3.org/TR/trace-context/
 */
export interface TraceContext {
  /** Value of the header `traceparent` in requests to other systems. */
  readonly traceparent: string;
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  /** 16 hexadecimal digits. */
  readonly spanId: string;
  /** Bits of the last field of `traceparent`. */
  readonly flags: number;
}

// AsyncLocalStorage is used because a parameter would have to be added to every function between a request and the log,
// the hooks, and the outbox.
const traceStorage = new AsyncLocalStorage<TraceContext>();

/** Runs the work of a request. During the work, `getCurrentTrace` returns its trace. */
export function runInTrace<T>(trace: TraceContext, work: () => T): T {
  return traceStorage.run(trace, work);
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
  return { traceparent: `00-${traceId}-${spanId}-${flags}`, traceId, spanId, flags: Number.parseInt(flags, 16) };
}

export function formatTraceparent(traceId: string, spanId: string, flags: number): string {
  return `00-${traceId}-${spanId}-${flags.toString(16).padStart(2, "0")}`;
}
