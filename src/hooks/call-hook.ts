import * as v from "valibot";
import type { Log } from "../observability/log.ts";
import { getCurrentTrace } from "../runtime/trace-context.ts";
import { withTimeout } from "../runtime/with-timeout.ts";
import type { HookCall } from "./hook-call.ts";

/** Schema of an amount in minor units, or of a number of units in stock. */
export const unitsSchema = v.pipe(v.number(), v.safeInteger(), v.minValue(0));

/** Error of a hook that threw, timed out or returned an invalid value. The cause was already logged. */
export class HookError extends Error {
  readonly hook: HookName;

  constructor(hook: HookName, message: string, options?: ErrorOptions) {
    super(`${hook}: ${message}`, options);
    this.name = "HookError";
    this.hook = hook;
  }
}

/**
 * Calls one of the merchant's hooks. Repeated failures are logged only when they start and when they end.
 * @param parse validates the result; throws an error for an invalid result
 * @throws HookError
 */
export async function callHook<T>(
  hook: HookName,
  log: Pick<Log, "recurring">,
  runHook: (hookCall: HookCall) => unknown,
  parse: (answer: unknown) => T,
): Promise<T> {
  const controller = new AbortController();
  const trace = getCurrentTrace();
  const timeoutMs = HOOK_TIMEOUTS_MS[hook];
  const createError = (): HookError => new HookError(hook, `no response within ${timeoutMs} ms`);
  try {
    // The async function turns a synchronous throw into a rejection.
    const result = (async () =>
      parse(
        await runHook({
          signal: controller.signal,
          ...(trace === undefined ? {} : { traceparent: trace.traceparent }),
        }),
      ))();
    return await withTimeout(result, timeoutMs, createError);
  } catch (hookError) {
    const message =
      hookError instanceof Error ? hookError.message : `the hook threw a value of type ${typeof hookError}`;
    const error = hookError instanceof HookError ? hookError : new HookError(hook, message, { cause: hookError });
    log.recurring({ error }, "a hook failed");
    throw error;
  } finally {
    controller.abort();
  }
}

/**
 * Timeouts of the hooks in milliseconds. Shoppers get a response within five seconds; payment notifications may take
 * longer.
 */
const HOOK_TIMEOUTS_MS = {
  "payment.start": 4_000,
  "payment.event": 10_000,
  "shipping.rates": 3_000,
  "tax.percents": 3_000,
  "customer.find": 2_000,
  "price.unitPrices": 1_500,
  "discounts.applying": 1_500,
  "stock.levels": 2_000,
} as const;

export type HookName = keyof typeof HOOK_TIMEOUTS_MS;
