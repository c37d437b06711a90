import * as v from "valibot";
import type { Log } from "../observability/log.ts";
import { callHook, unitsSchema } from "./call-hook.ts";
import type { Destination, QuotedGoods, ShippingHook, ShippingQuote, TaxHook, TaxPercents } from "./delivery-hooks.ts";

/** Returns shipping rates from the merchant's hook.  @throws HookError */
export function callShippingHook(
  hook: ShippingHook,
  log: Pick<Log, "recurring">,
  to: Destination,
  quotedGoods: QuotedGoods,
): Promise<readonly ShippingQuote[]> {
  return callHook(
    "shipping.rates",
    log,
    (hookCall) => hook.rates(to, quotedGoods, hookCall),
    (answer) => {
      const quotes = v.parse(shippingQuotesSchema, answer);
      if (new Set(quotes.map(({ code }) => code)).size < quotes.length)
        throw new Error("two rates have the same code: use a different code for each rate");
      return quotes;
    },
  );
}

/** Returns tax percentages from the merchant's hook.  @throws HookError */
export function callTaxHook(
  hook: TaxHook,
  log: Pick<Log, "recurring">,
  to: Destination,
  quotedGoods: QuotedGoods,
): Promise<TaxPercents | undefined> {
  return callHook(
    "tax.percents",
    log,
    (hookCall) => hook.percents(to, quotedGoods, hookCall),
    (answer) => {
      const percents = v.parse(v.optional(taxPercentsSchema), answer);
      if (percents !== undefined && percents.lines.length !== quotedGoods.lines.length)
        throw new Error(
          `the result has ${percents.lines.length} percentages for ${quotedGoods.lines.length} lines: return one percentage per line`,
        );
      return percents;
    },
  );
}

const shippingQuotesSchema = v.message(
  v.pipe(
    v.array(
      v.object({
        code: v.pipe(v.string(), v.minLength(1), v.maxLength(200)),
        name: v.pipe(v.string(), v.minLength(1), v.maxLength(200)),
        price: unitsSchema,
      }),
    ),
    v.maxLength(50),
  ),
  "invalid result: return a list of at most 50 { code, name, price } with prices in minor units",
);

const percentSchema = v.pipe(v.number(), v.minValue(0), v.maxValue(100));

const taxPercentsSchema = v.message(
  v.object({ lines: v.array(percentSchema), shipping: percentSchema }),
  "invalid result: return { lines, shipping } in percent",
);
