import type { CartOperation, HttpMetrics } from "../../observability/metrics.ts";
import { codeOf } from "../error-responses.ts";
import type { Handler } from "../route.ts";
import { ClientDisconnected } from "../wire/read-body.ts";
import type { Reply } from "../wire/reply.ts";

/** Wraps a handler to count its writes by result. */
export function countCartWrites(
  metrics: HttpMetrics | undefined,
  operation: CartOperation,
  handler: (...given: Parameters<Handler>) => Promise<Reply>,
): Handler {
  if (metrics === undefined) return handler;
  return async (request) => {
    try {
      const reply = await handler(request);
      metrics.cartWritten(operation, "done");
      return reply;
    } catch (error) {
      metrics.cartWritten(operation, error instanceof ClientDisconnected ? "client_gone" : (codeOf(error) ?? "error"));
      throw error;
    }
  };
}
