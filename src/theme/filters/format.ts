import { gramsPerUnit } from "../../catalog/unit-price.ts";
import { formatMoney } from "../../pricing/money.ts";
import { escapeHtml, SafeHtml } from "../liquid/safe-html.ts";
import { stateOf } from "../render-state.ts";
import { type FilterFamily, fieldText, numberOf, objectField, textOf } from "./filter.ts";

export const formatFilters: FilterFamily = {
  /** Formats grams in a suitable unit. `weight_with_unit: 'lb'` selects the unit. */
  weight_with_unit(value, unit) {
    const grams = numberOf(value);
    if (grams === undefined) return "";
    const requested = units.get(textOf(unit));
    const [name, size] =
      requested ?? (Math.abs(grams) < 1_000 ? (["gram", 1] as const) : (["kilogram", 1_000] as const));
    const { locale } = stateOf(this).view.request;
    const format = { style: "unit", unit: name, maximumFractionDigits: 2 } as const;
    return new Intl.NumberFormat(locale, format).format(grams / size);
  },
  /** Returns a unit price with the reference amount of its measurement: "$2.50/100 ml". */
  unit_price_with_measurement(value, measurement) {
    const { view } = stateOf(this);
    const amount = numberOf(value);
    const price =
      amount === undefined ? textOf(value) : formatMoney(Math.round(amount), view.config.currency, view.request.locale);
    const of = (name: string): string => fieldText(measurement, name);
    const unit = of("reference_unit");
    if (price === "" || unit === "") return price;
    const count = of("reference_value");
    return `${price}/${count === "1" || count === "" ? "" : `${count} `}${unit}`;
  },
  /** Formats an address with the line order of its country. */
  format_address(value) {
    const of = (name: string): string => textOf(objectField(value, name));
    const lines = [
      [of("first_name"), of("last_name")],
      [of("company")],
      [of("address1")],
      [of("address2")],
      [of("zip"), of("city"), of("province")],
      [of("country")],
    ].map((parts) => parts.filter((part) => part !== "").join(" "));
    const shown = lines.filter((line) => line !== "");
    return shown.length === 0 ? "" : new SafeHtml(`<p>${shown.map(escapeHtml).join("<br>")}</p>`, shown.join("\n"));
  },
  /** Formats a gift card code in groups of four characters: "ABCD EFGH IJKL". */
  format_code: (value) =>
    (
      textOf(value)
        .slice(0, 100)
        .match(/.{1,4}/gsu) ?? []
    ).join(" "),
  /** Returns the error messages of a rejected form. */
  default_errors(value) {
    const names = objectField(value, "translated_fields");
    const texts = Object.entries(hashOf(objectField(value, "messages"))).map(([field, message]) =>
      `${textOf(hashOf(names)[field])} ${textOf(message)}`.trim(),
    );
    if (texts.length === 0) return "";
    const items = texts.map((text) => `<li>${escapeHtml(text)}</li>`).join("");
    return new SafeHtml(`<div class="errors"><ul>${items}</ul></div>`, texts.join("\n"));
  },
};

function hashOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}

const units: ReadonlyMap<string, readonly [name: string, grams: number]> = new Map([
  ["g", ["gram", gramsPerUnit.g]],
  ["kg", ["kilogram", gramsPerUnit.kg]],
  ["oz", ["ounce", gramsPerUnit.oz]],
  ["lb", ["pound", gramsPerUnit.lb]],
]);
