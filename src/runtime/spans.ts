import type * as OpenTelemetry from "@opentelemetry/api";
import { formatTraceparent, parseTraceparent, runInTrace } from "./trace-context.ts";

type Api = typeof OpenTelemetry;
type Span = OpenTelemetry.Span;

/** Facts about the work of a span. They must contain no personal data. */
export type SpanAttributes = Readonly<Record<string, string | number>>;

/** An optional package, loaded only if an SDK uses it. */
const API_PACKAGE: string = "@opentelemetry/api";
/** Global variable that a started SDK sets. */
const SDK_KEY = Symbol.for("opentelemetry.js.api.1");

let api: Api | undefined;
let tracer: OpenTelemetry.Tracer | undefined;

/**
 * Starts to create spans in this thread, if an SDK of OpenTelemetry was started before. Without one, no package is
 * loaded.
 */
export async function loadTracer(): Promise<void> {
  if (!(SDK_KEY in globalThis)) return;
  api = await import(API_PACKAGE).catch(() => undefined);
  tracer = api?.trace.getTracer("vitrine");
}

export function isTracing(): boolean {
  return tracer !== undefined;
}

/** Runs work in a span, if an SDK is loaded. The span ends with the work, or when its promise is settled. */
export function withSpan<T>(name: string, attributes: SpanAttributes, work: () => T): T {
  if (tracer === undefined) return work();
  return tracer.startActiveSpan(name, { attributes }, (span) => endWithWork(span, work));
}

function endWithWork<T>(span: Span, work: () => T): T {
  let result: T;
  try {
    result = work();
  } catch (error) {
    endWithError(span, error);
    throw error;
  }
  if (!(result instanceof Promise)) {
    span.end();
    return result;
  }
  result.then(
    () => span.end(),
    (error: unknown) => endWithError(span, error),
  );
  return result;
}

function endWithError(span: Span, error: unknown): void {
  // The message of an error may contain text from clients, so only its class is added.
  span.setAttribute("error.type", error instanceof Error ? error.name : typeof error);
  span.setStatus({ code: (api as Api).SpanStatusCode.ERROR });
  span.end();
}

export interface RequestTrace {
  /** Runs a part of the request's work in its trace. */
  run<T>(work: () => T): T;
  /** Ends the span of the request, if it has one.  @param status undefined if the client has disconnected */
  end(status: number | undefined): void;
}

/**
 * Starts the trace of a request. With an SDK, the request has a span, whose parent is the span of the caller. Without
 * one, logs, hooks, and events get the span of the caller.
 * @param header value of the header `traceparent`. An invalid value is ignored
 * @returns undefined without an SDK and without a valid header
 */
export function startRequestTrace(header: unknown, method: string, route: string): RequestTrace | undefined {
  // Fast path: most requests have no header.
  const caller = header === undefined ? undefined : parseTraceparent(header);
  if (api === undefined || tracer === undefined)
    return caller && { run: (work) => runInTrace(caller, work), end: () => {} };
  const { ROOT_CONTEXT, SpanKind, SpanStatusCode, context, trace } = api;
  const headerContext =
    caller === undefined
      ? ROOT_CONTEXT
      : trace.setSpanContext(ROOT_CONTEXT, { ...caller, traceFlags: caller.flags, isRemote: true });
  // An instrumentation of Node may have created a span for the request.
  const callerContext = trace.getActiveSpan() === undefined ? headerContext : context.active();
  const attributes = { "http.request.method": method, "http.route": route };
  const span = tracer.startSpan(`${method} ${route}`, { kind: SpanKind.SERVER, attributes }, callerContext);
  const spanContext = trace.setSpan(callerContext, span);
  const { traceId, spanId, traceFlags: flags } = span.spanContext();
  const ownTrace = { traceId, spanId, flags, traceparent: formatTraceparent(traceId, spanId, flags) };
  return {
    run: (work) => runInTrace(ownTrace, () => context.with(spanContext, work)),
    end(status) {
      if (status !== undefined) span.setAttribute("http.response.status_code", status);
      if (status !== undefined && status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end();
    },
  };
}
