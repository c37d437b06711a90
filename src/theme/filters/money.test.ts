import assert from "node:assert/strict";
import { test } from "node:test";
import { openTheme } from "../example-shop.fixture.ts";

/** Removes direction marks and normalizes spaces. */
const normalizeSpaces = (text: string): string =>
  text
    .replace(/[\u200e\u200f\u061c]/g, "")
    .replace(/[\u00a0\u202f]/g, " ")
    .trim();

test("amounts omit trailing zeros in the digits of every language", async (t) => {
  const template = [120000, 120050, 0].map((amount) => `{{ ${amount} | money_without_trailing_zeros }}`).join("|");
  const theme = await openTheme(t, { "sections/a.liquid": template }, { currency: "EUR" });
  for (const [locale, expectedText] of [
    ["en", "€1,200|€1,200.50|€0"],
    ["de", "1.200 €|1.200,50 €|0 €"],
    ["fa", "€۱٬۲۰۰|€۱٬۲۰۰٫۵۰|€۰"],
    ["ar-EG", "١٬٢٠٠ €|١٬٢٠٠٫٥٠ €|٠ €"],
    ["bn", "১,২০০€|১,২০০.৫০€|০€"],
    ["mr", "€१,२००|€१,२००.५०|€०"],
  ] as const)
    assert.equal(normalizeSpaces(await theme.section("a", { locale })), expectedText, locale);
  const yen = await openTheme(
    t,
    { "sections/a.liquid": "{{ 1200 | money_without_trailing_zeros }}" },
    { currency: "JPY" },
  );
  assert.equal(await yen.section("a", { locale: "en" }), "¥1,200");
  const dinar = await openTheme(
    t,
    { "sections/a.liquid": "{{ 1200000 | money_without_trailing_zeros }}" },
    { currency: "KWD" },
  );
  assert.equal(normalizeSpaces(await dinar.section("a", { locale: "en" })), "KWD 1,200");
});

test("in a theme made for Shopify, amounts without a currency sign have the decimal mark of the currency, because templates convert them to numbers", async (t) => {
  const files = { "sections/a.liquid": "{{ 123450 | money_without_currency }}" };
  for (const [currency, locale, expectedText] of [
    ["USD", "fr", "1,234.50"],
    ["USD", "ar-EG", "1,234.50"],
    ["EUR", "en", "1.234,50"],
    ["JPY", "de", "123,450"],
  ] as const) {
    const theme = await openTheme(t, files, { currency, compat: { forms: true, script: true } });
    assert.equal(await theme.section("a", { locale }), expectedText, `${currency} ${locale}`);
  }
});

test("scripts get the money format, and themes the currency's symbol, in every language", async (t) => {
  const template = "{{ shop.money_format }}|{{ localization.country.currency.symbol }}";
  const euroTheme = await openTheme(t, { "sections/a.liquid": template }, { currency: "EUR" });
  for (const [locale, expectedText] of [
    ["en", "€{{amount}}|€"],
    ["de", "{{amount_with_comma_separator}} €|€"],
    ["fa", "€{{amount}}|€"],
    ["ar-EG", "{{amount}} €|€"],
    ["bn", "{{amount}}€|€"],
  ] as const)
    assert.equal(normalizeSpaces(await euroTheme.section("a", { locale })), expectedText, locale);
  const yen = await openTheme(t, { "sections/a.liquid": template }, { currency: "JPY" });
  assert.equal(normalizeSpaces(await yen.section("a", { locale: "fa" })), "¥{{amount_no_decimals}}|¥");
});
