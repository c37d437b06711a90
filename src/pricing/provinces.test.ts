import assert from "node:assert/strict";
import { test } from "node:test";
import { hasProvince, listCountryCodes } from "./countries.ts";
import { findProvince, listProvinces } from "./provinces.ts";

test("each state and province is found by its code and by its name, and by no other one", () => {
  for (const country of listCountryCodes()) {
    const provinces = listProvinces(country, "en");
    for (const { code, name } of provinces)
      for (const text of [code, name, ` ${name.toUpperCase()} `])
        assert.equal(findProvince(country, text), code, `${country} ${text}`);
    if (provinces.length > 0) assert.ok(hasProvince(country), country);
    assert.equal(findProvince(country, ""), undefined);
    assert.equal(findProvince(country, "Atlantis"), undefined);
  }
  assert.deepEqual(listProvinces("DE", "de"), []);
  assert.deepEqual(listProvinces("constructor", "de"), []);
});

test("names are sorted, and in the language of the reader if addresses have other letters", () => {
  const first = (country: string, locale: string) => listProvinces(country, locale)[0];
  assert.deepEqual(first("US", "de"), { code: "AL", name: "Alabama" });
  assert.deepEqual(first("ES", "es"), { code: "A Coruña", name: "A Coruña" });
  assert.deepEqual(first("JP", "en"), { code: "愛知県", name: "Aichi" });
  assert.equal(listProvinces("JP", "ja").find(({ code }) => code === "東京都")?.name, "東京都");
  assert.equal(findProvince("JP", "tokyo"), "東京都");
});
