import { isDeepStrictEqual } from "node:util";
import type { StoreSettings } from "../../../config/settings.ts";
import type { SavedSettings } from "../../../config/settings-editor.ts";
import { listCountryNames } from "../../../pricing/countries.ts";
import { formatTypedMoney, parseTypedMoney } from "../../../pricing/money.ts";
import { createFieldProblem } from "../../../problem.ts";
import { limitFieldText } from "../console-page.ts";
import { type Markup, markup } from "../markup.ts";
import {
  getInputState,
  isComputed,
  type SettingField,
  type SettingsForm,
  type SettingsFormState,
} from "./setting-fields.ts";

type SavedRate = NonNullable<NonNullable<StoreSettings["shipping"]>["rates"]>[number];

/** Returns the items of a form field such as `countries[DE]` or `rates[0][name]`, by key. */
function readEntries(form: SettingsForm | undefined, name: string): readonly (readonly [string, unknown])[] {
  const value = form?.[name];
  return typeof value === "object" && value !== null ? Object.entries(value) : [];
}

/** The countries to which the shop ships, as a list of check boxes. */
export const shippingCountriesField: SettingField = {
  path: "shipping.countries",
  render(state) {
    const { texts, config, submitted } = state;
    const { id, attributes, notes } = getInputState(state, this.path, texts.get("settings.countriesHint"));
    const selected = new Set(
      submitted === undefined ? config.shipping.countries : readEntries(submitted, "countries").map(([code]) => code),
    );
    const countries = listCountryNames(texts.language);
    const names = countries.filter(([code]) => selected.has(code)).map(([, name]) => name);
    const summary = names.length === 0 ? texts.get("settings.allCountries") : texts.formatList(names);
    const boxes = countries.map(
      ([code, name]) =>
        markup`<li><label><input type="checkbox" name="countries[${code}]" value="1"${selected.has(code) && markup` checked`}${attributes}> ${name}</label></li>`,
    );
    return markup`<fieldset id="${id}"><legend>${texts.get("settings.countries")}</legend><input type="hidden" name="has_countries" value="1"><details><summary>${summary}</summary><ul class="options">${boxes}</ul></details>${notes}</fieldset>`;
  },
  read(form, saved, config, language) {
    const { shipping } = config;
    if (form.has_countries === undefined || isComputed(saved, "shipping.countries")) return [];
    const selected = readEntries(form, "countries").map(([code]) => code);
    // The first country is that of the shop, so the order stays the same.
    const countries = [
      ...shipping.countries.filter((code) => selected.includes(code)),
      ...selected.filter((code) => !shipping.countries.includes(code)),
    ];
    // Without this setting, a shop with rates ships to all countries, and a shop without them to those of its currency.
    const { countries: savedCountries, rates: savedRates = [] } = saved.settings.shipping ?? {};
    const [[, newRates] = ["", savedRates]] = shippingRatesField.read(form, saved, config, language);
    const changesDefault = savedCountries === undefined && isEmpty(newRates) !== isEmpty(savedRates);
    return isDeepStrictEqual(countries, shipping.countries) && !changesDefault
      ? []
      : [["shipping.countries", countries]];
  },
};

function isEmpty(rates: unknown): boolean {
  return Array.isArray(rates) && rates.length === 0;
}

/** The shipping rates, as a table with an empty row for another rate. */
export const shippingRatesField: SettingField = {
  path: "shipping.rates",
  render(state) {
    const { texts, config } = state;
    const { attributes, notes } = getInputState(state, this.path, texts.get("settings.ratesHint"));
    const { currency } = config;
    const columns = [
      ["name", texts.get("settings.rateName")],
      ["price", texts.get("product.priceIn", { currency })],
      ["free_from", texts.get("settings.freeFrom", { currency })],
      ["countries", texts.get("settings.onlyTo")],
    ] as const;
    const rows = listRateRows(state).map((row, index) => {
      const cells = columns.map(([name, label]) => {
        const format = name === "price" || name === "free_from" ? markup` inputmode="decimal"` : "";
        const placeholder = name === "countries" ? markup` placeholder="DE, AT"` : "";
        return markup`<div class="grow"><label for="rate-${index}-${name}">${label}</label><input id="rate-${index}-${name}" name="rates[${index}][${name}]" value="${row[name]}" maxlength="${MAX_LENGTH}" autocomplete="off"${format}${placeholder}${attributes}></div>`;
      });
      return markup`<div class="row" role="group" aria-label="${texts.get("settings.rate", { number: index + 1 })}">${cells}</div>`;
    });
    return markup`<fieldset><legend>${texts.get("settings.rates")}</legend>${rows}${notes}</fieldset>`;
  },
  read(form, saved, { currency }, language) {
    if (form.rates === undefined || isComputed(saved, "shipping.rates")) return [];
    const savedRates = saved.settings.shipping?.rates ?? [];
    const rates = readEntries(form, "rates").flatMap(([index, row]) => {
      const rate = readRate(row, `shipping.rates[${index}]`, { currency, language });
      return rate === undefined ? [] : [keepTranslations(rate, savedRates[Number(index)])];
    });
    return isDeepStrictEqual(rates, savedRates) ? [] : [["shipping.rates", rates]];
  },
};

const MAX_LENGTH = 300;

type RateRow = Readonly<Record<"name" | "price" | "free_from" | "countries", string>>;

function listRateRows({ texts, saved, config, submitted }: SettingsFormState): readonly RateRow[] {
  if (submitted?.rates !== undefined)
    return readEntries(submitted, "rates").map(([, row]) => {
      const text = (name: string): string => limitFieldText(Object(row)[name], MAX_LENGTH);
      return { name: text("name"), price: text("price"), free_from: text("free_from"), countries: text("countries") };
    });
  const { currency } = config;
  const rows = (saved.settings.shipping?.rates ?? []).map(({ name, price, freeFrom, countries = [] }) => ({
    name,
    price: formatTypedMoney(price, currency, texts.language),
    free_from: freeFrom === undefined ? "" : formatTypedMoney(freeFrom, currency, texts.language),
    countries: countries.join(", "),
  }));
  return [...rows, { name: "", price: "", free_from: "", countries: "" }];
}

/** Returns the rate of a row; undefined if the row has no name.  @throws Problem `validation_failed` */
function readRate(
  row: unknown,
  path: string,
  { currency, language }: { readonly currency: string; readonly language: string },
): SavedRate | undefined {
  const readText = (name: string): string => limitFieldText(Object(row)[name], MAX_LENGTH);
  const readAmount = (name: string, text: string): number => {
    const amount = parseTypedMoney(text, currency, language);
    if (amount === undefined)
      throw createFieldProblem(
        `${path}.${name}`,
        "format",
        `Enter an amount such as ${formatTypedMoney(1_250, currency, language)}.`,
      );
    return amount;
  };
  const name = readText("name");
  if (name === "") return undefined;
  const freeFrom = readText("free_from");
  const countries = readText("countries")
    .toUpperCase()
    .split(/[\s,;]+/)
    .filter(Boolean);
  return {
    name,
    price: readAmount("price", readText("price")),
    ...(countries.length === 0 ? {} : { countries }),
    ...(freeFrom === "" ? {} : { freeFrom: readAmount("freeFrom", freeFrom) }),
  };
}

/** Keeps the translations of a rate whose name did not change. */
function keepTranslations(rate: SavedRate, savedRate: SavedRate | undefined): SavedRate {
  const hasTranslations = savedRate?.name === rate.name && savedRate.translations !== undefined;
  return hasTranslations ? { ...rate, translations: savedRate.translations } : rate;
}

/** Tax rates as a text such as "DE: 19, AT: 20". */
export const taxRatesField: SettingField = {
  path: "tax.rates",
  render(state) {
    const { texts, saved, submitted } = state;
    const { id, attributes, notes } = getInputState(state, this.path);
    const text = submitted === undefined ? formatTaxRates(saved) : limitFieldText(submitted[this.path], MAX_LENGTH);
    return markup`<div><label for="${id}">${texts.get("settings.taxRates", { example: "DE: 19, AT: 20" })}</label><input id="${id}" name="${this.path}" value="${text}" maxlength="1000" autocomplete="off"${attributes}>${notes}</div>`;
  },
  read(form, saved) {
    if (typeof form[this.path] !== "string" || isComputed(saved, this.path)) return [];
    const text = limitFieldText(form[this.path], 1_000);
    if (text === formatTaxRates(saved)) return [];
    const rates = Object.fromEntries(
      [...text.matchAll(ratePattern)].map(([, code = "", rate = ""]) => [
        code.toUpperCase(),
        Number(rate.replace(",", ".")),
      ]),
    );
    if (/[\p{L}\d]/u.test(text.replaceAll(ratePattern, "")))
      throw createFieldProblem(this.path, "format", "Enter countries and percentages such as DE: 19, AT: 20.");
    // A list without rates removes the setting. Removed countries are removed one by one, since the change is a patch.
    const removedRates = Object.keys(saved.settings.tax?.rates ?? {}).filter((code) => !Object.hasOwn(rates, code));
    return [["tax.rates", { ...rates, ...Object.fromEntries(removedRates.map((code) => [code, null])) }]];
  },
};

const ratePattern = /([a-z]{2})\s*:?\s*(\d{1,3}(?:[.,]\d{1,3})?)\s*%?/gi;

function formatTaxRates({ settings }: SavedSettings): string {
  return Object.entries(settings.tax?.rates ?? {})
    .map(([code, rate]) => `${code}: ${rate}`)
    .join(", ");
}

/** Renders the fields of a section. */
export function renderFields(fields: readonly SettingField[], state: SettingsFormState): readonly Markup[] {
  return fields.map((field) => field.render(state));
}
