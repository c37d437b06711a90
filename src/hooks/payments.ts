import * as v from "valibot";
import type { Log } from "../observability/log.ts";
import { callHook, unitsSchema } from "./call-hook.ts";
import type {
  PayableCheckout,
  PaymentCall,
  PaymentEvent,
  PaymentEventCall,
  PaymentHook,
  PaymentStart,
} from "./payment-hook.ts";

/** Calls the merchant's payment hook, and returns the URL or form with which the shopper pays.  @throws HookError */
export function startPayment(
  hook: PaymentHook,
  log: Pick<Log, "recurring">,
  checkout: PayableCheckout,
  urls: Omit<PaymentCall, "signal">,
): Promise<PaymentStart> {
  return callHook(
    "payment.start",
    log,
    (hookCall) => hook.start(checkout, { ...urls, ...hookCall }),
    (answer) => {
      const startedPayment = v.parse(paymentStartSchema, answer);
      const target = "form" in startedPayment ? startedPayment.form.action : startedPayment.redirect;
      const { origin } = new URL(target);
      if (!hook.origins.includes(origin))
        throw new Error(`${origin} is not an allowed origin: add it to payment.origins`);
      return startedPayment;
    },
  );
}

/**
 * Passes a request from the payment provider to the merchant's payment hook, and returns the payment result that the
 * request reports.
 * @throws HookError
 */
export function readPaymentEvent(
  hook: PaymentHook,
  log: Pick<Log, "recurring">,
  request: Request,
  kind: PaymentEventCall["kind"],
): Promise<PaymentEvent> {
  return callHook(
    "payment.event",
    log,
    (hookCall) => hook.event(request, { kind, ...hookCall }),
    (answer) => v.parse(paymentEventSchema, answer),
  );
}

const urlSchema = v.pipe(
  v.string(),
  v.check((text) => /^https?:$/.test(URL.parse(text)?.protocol ?? "")),
);

const paymentStartSchema = v.message(
  v.union([
    v.object({ redirect: urlSchema }),
    v.object({ form: v.object({ action: urlSchema, fields: v.record(v.string(), v.string()) }) }),
  ]),
  "invalid result: return { redirect: URL }, or { form: { action, fields } } with string values",
);

const paymentEventSchema = v.message(
  v.variant("outcome", [
    v.object({
      outcome: v.literal("completed"),
      checkoutId: v.pipe(v.string(), v.regex(/^[\w-]{1,128}$/)),
      amount: unitsSchema,
      currency: v.pipe(v.string(), v.regex(/^[A-Z]{3}$/)),
      reference: v.pipe(v.string(), v.regex(/^[\x21-\x7e]{1,255}$/)),
    }),
    v.object({ outcome: v.picklist(["failed", "ignored", "refused"]) }),
  ]),
  'invalid result: return { outcome: "completed", checkoutId, amount (minor units), currency (such as "EUR"), reference (without spaces) }, or { outcome: "failed", "ignored" or "refused" }',
);
