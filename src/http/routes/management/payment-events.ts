import { HookFailed } from "../../../hooks/call-hook.ts";
import { Problem } from "../../../problem.ts";
import type { Shop } from "../../../shop.ts";
import { takePaymentEvent } from "../../checkout/payment.ts";
import { json, type Reply } from "../../wire/reply.ts";
import type { StoreRequest } from "../../wire/request.ts";
import { errorOf } from "./checkouts.ts";

/**
 * `POST /api/payments/events`: a notification of the payment provider, which the merchant's hook reads and verifies.
 * The status is 200 if the provider need not repeat it.
 * @throws Problem if the provider should repeat it
 */
export async function paymentEvents(
  shop: Pick<Shop, "hooks" | "checkouts" | "process" | "limits">,
  request: StoreRequest,
): Promise<Reply> {
  const hook = shop.hooks.payment;
  if (hook === undefined) throw new Problem("not_found", "This shop has no payment provider that would notify it.");
  const result = await takePaymentEvent(shop, hook, request, { kind: "notification" }).catch((error: unknown) => {
    if (!(error instanceof HookFailed)) throw error;
    throw new Problem("payment_unavailable", "What was sent could not be read now: send it again.");
  });
  if (result === "refused")
    throw new Problem("bad_request", "This is not signed as the payment provider signs: nothing was done.");
  if (typeof result === "string") return json(200, { outcome: result });
  // The refund is recorded and the merchant notified: repeating it would change nothing.
  if (result.outcome === "refund_due") return json(200, { outcome: result.outcome, reason: result.reason });
  if (result.outcome !== "ordered") throw errorOf(result);
  return json(200, { outcome: result.outcome, order_number: result.order.number });
}
