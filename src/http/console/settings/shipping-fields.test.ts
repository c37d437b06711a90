import assert from "node:assert/strict";
import { test } from "node:test";
import { parseSettings } from "../../../config/load-config.ts";
import type { StoreSettings } from "../../../config/settings.ts";
import { createPatch } from "./setting-fields.ts";
import { shippingCountriesField, shippingRatesField } from "./shipping-fields.ts";

/** Returns the patch of a form that shows the countries in use and has other rates. */
function saveRates(settings: StoreSettings, ...names: readonly string[]): object {
  const result = parseSettings({ currency: "CHF", ...settings });
  assert.ok("config" in result);
  const { config } = result;
  const form = {
    has_countries: "1",
    countries: Object.fromEntries(config.shipping.countries.map((code) => [code, "1"])),
    rates: Object.fromEntries(names.map((name, index) => [index, { name, price: "5" }])),
  };
  const saved = { settings, revision: "", readOnlyReason: undefined, computed: [] };
  return createPatch(
    [shippingRatesField, shippingCountriesField].flatMap((field) => field.read(form, saved, config, "de")),
  );
}

const rates = [{ name: "Standard", price: 500 }];

test("the first rate, and the removal of the last one, keep the countries that the form shows", () => {
  assert.deepEqual(saveRates({}, "Standard"), { shipping: { rates, countries: ["CH"] } });
  assert.deepEqual(saveRates({ shipping: { rates } }), { shipping: { rates: [], countries: [] } });
});

test("countries stay unset if the default does not change", () => {
  assert.deepEqual(saveRates({}), {});
  assert.deepEqual(saveRates({ shipping: { rates } }, "Express"), {
    shipping: { rates: [{ name: "Express", price: 500 }] },
  });
  assert.deepEqual(saveRates({ shipping: { countries: ["CH"] } }, "Standard"), { shipping: { rates } });
});
