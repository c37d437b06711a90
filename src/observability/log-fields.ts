import type { TraceContext } from "../runtime/trace-context.ts";

/** Allowed fields of a log line. They contain no personal data, and no text from clients except the ids of a trace. */
export interface LogFields {
  readonly route?: string;
  readonly method?: string;
  readonly status?: number;
  readonly code?: string;
  readonly durationMs?: number;
  readonly requestId?: string;
  readonly trace_id?: string;
  readonly span_id?: string;
  readonly revision?: number;
  readonly count?: number;
  readonly error?: unknown;
}

/** Returns the fields of a trace, with the names that log systems expect. */
export function formatTraceFields(trace: TraceContext | undefined): Pick<LogFields, "trace_id" | "span_id"> {
  return trace === undefined ? {} : { trace_id: trace.traceId, span_id: trace.spanId };
}
