import { gramsPerUnit } from "../../catalog/unit-price.ts";
import { formatList } from "../../messages/format-list.ts";
import { getMessages } from "../../messages/messages.ts";
import { formatMoney } from "../../pricing/money.ts";
import { escapeHtml } from "../../runtime/escape-html.ts";
import { SafeHtml } from "../liquid/safe-html.ts";
import { stateOf } from "../render-state.ts";
import { type FilterFamily, getObjectField, readFieldText, readNumber, textOf } from "./filter.ts";

export const formattingFilters: FilterFamily = {
  /** Formats a weight in grams: `weight_with_unit: 'lb'`. Default unit: kilograms from 1,000 grams, else grams. */
  weight_with_unit(value, unit) {
    const grams = readNumber(value);
    if (grams === undefined) return "";
    const requestedUnit = units.get(textOf(unit));
    const [name, size] =
      requestedUnit ?? (Math.abs(grams) < 1_000 ? (["gram", 1] as const) : (["kilogram", 1_000] as const));
    const { locale } = stateOf(this).view.request;
    const format = { style: "unit", unit: name, maximumFractionDigits: 2 } as const;
    return new Intl.NumberFormat(locale, format).format(grams / size);
  },
  /** Formats a unit price with its reference quantity: "$2.50/100 ml". */
  unit_price_with_measurement(value, measurement) {
    const { config, request } = stateOf(this).view;
    const amount = readNumber(value);
    const price =
      amount === undefined ? textOf(value) : formatMoney(Math.round(amount), config.currency, request.locale);
    const readText = (name: string): string => readFieldText(measurement, name);
    const unit = readText("reference_unit");
    if (price === "" || unit === "") return price;
    const count = readText("reference_value");
    const unitText = unit === "item" ? getMessages(request.locale)("products.item") : unit;
    return `${price}/${count === "1" || count === "" ? "" : `${count} `}${unitText}`;
  },
  /** Formats a postal address as an HTML paragraph with one line each for name, company, street, city and country. */
  format_address(value) {
    const readText = (name: string): string => readFieldText(value, name);
    const lines = [
      [readText("first_name"), readText("last_name")],
      [readText("company")],
      [readText("address1")],
      [readText("address2")],
      [readText("zip"), readText("city"), readText("province")],
      [readText("country")],
    ].map((parts) => parts.filter((part) => part !== "").join(" "));
    const nonEmptyLines = lines.filter((line) => line !== "");
    return nonEmptyLines.length === 0
      ? ""
      : new SafeHtml(`<p>${nonEmptyLines.map(escapeHtml).join("<br>")}</p>`, nonEmptyLines.join("\n"));
  },
  /** Joins texts in the page's language: "a, b, and c". */
  format_list(value) {
    const items = Array.isArray(value) ? value : [value];
    return formatList(items.map(textOf), stateOf(this).view.request.locale);
  },
  /** Formats a gift card code in groups of four characters: "ABCD EFGH IJKL". */
  format_code: (value) =>
    (
      textOf(value)
        .slice(0, 100)
        .match(/.{1,4}/gsu) ?? []
    ).join(" "),
  /** Returns the error messages of a rejected form as an HTML list. */
  default_errors(value) {
    const names = getObjectField(value, "translated_fields");
    const texts = Object.entries(asRecord(getObjectField(value, "messages"))).map(([field, message]) =>
      `${textOf(asRecord(names)[field])} ${textOf(message)}`.trim(),
    );
    if (texts.length === 0) return "";
    const items = texts.map((text) => `<li>${escapeHtml(text)}</li>`).join("");
    return new SafeHtml(`<div class="errors"><ul>${items}</ul></div>`, texts.join("\n"));
  },
};

function asRecord(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}

const units: ReadonlyMap<string, readonly [name: string, grams: number]> = new Map([
  ["g", ["gram", gramsPerUnit.g]],
  ["kg", ["kilogram", gramsPerUnit.kg]],
  ["oz", ["ounce", gramsPerUnit.oz]],
  ["lb", ["pound", gramsPerUnit.lb]],
]);
