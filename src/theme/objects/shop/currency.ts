import { currencySign } from "../../../pricing/money.ts";
import type { View } from "../../view.ts";
import { objectType, TemplateObject } from "../template-object.ts";

/** The shop's currency with its symbol in the render's language. */
export function currencyObject(view: View): TemplateObject<View> {
  return new TemplateObject(currencyType, view);
}

const currencyType = objectType<View>("currency", {
  iso_code: ({ config }) => config.currency,
  symbol: ({ config, request }) => currencySign(config.currency, request.locale),
  name: ({ config, request }) =>
    new Intl.DisplayNames([request.locale], { type: "currency" }).of(config.currency) ?? config.currency,
});
