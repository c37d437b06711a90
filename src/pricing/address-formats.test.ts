import assert from "node:assert/strict";
import { test } from "node:test";
import { formatPlaceLines, isPostalCode, isPostalCodeFirst } from "./address-formats.ts";

test("places are written in the order of their country", () => {
  for (const [country, place, lines] of [
    ["DE", { zip: "20457", city: "Hamburg", province: "" }, ["20457 Hamburg"]],
    ["ES", { zip: "28013", city: "Madrid", province: "Madrid" }, ["28013 Madrid", "Madrid"]],
    ["IT", { zip: "20121", city: "Milano", province: "MI" }, ["20121 Milano MI"]],
    ["US", { zip: "97201", city: "Portland", province: "OR" }, ["Portland, OR 97201"]],
    ["US", { zip: "97201", city: "Portland", province: "" }, ["Portland, 97201"]],
    ["US", { zip: "", city: "Portland", province: "OR" }, ["Portland, OR"]],
    ["GB", { zip: "SW1A 1AA", city: "London", province: "" }, ["London", "SW1A 1AA"]],
    ["JP", { zip: "100-0001", city: "千代田区", province: "東京都" }, ["100-0001", "東京都 千代田区"]],
    ["", { zip: "", city: "Hamburg", province: "" }, ["Hamburg"]],
  ] as const)
    assert.deepEqual(formatPlaceLines(place, country), lines, country);
  assert.deepEqual(["DE", "JP", "US", "GB", "XX"].map(isPostalCodeFirst), [true, true, false, false, true]);
});

test("postal codes have the format of their country, in any spelling", () => {
  for (const [country, codes] of Object.entries({
    AR: ["1425", "C1425CLA"],
    AT: ["1010", "A-1010"],
    BR: ["01310-100", "01310100"],
    CA: ["K1A 0B1", "k1a0b1"],
    CZ: ["110 00"],
    DE: ["20457", "D-20457", " 20457 "],
    GB: ["SW1A 1AA", "m11ae", "EC1A-1BB"],
    IE: ["D02 AF30"],
    JP: ["100-0001", "１００-０００１"],
    LU: ["L-2530"],
    NL: ["1012 JS", "1012js"],
    PL: ["00-950"],
    PT: ["1000-205"],
    SA: ["١٢٢١١", "12211-3456"],
    SE: ["111 29"],
    TW: ["100", "10058", "100058"],
    US: ["97201", "97201-1234"],
    ZM: ["10101"],
  }))
    for (const code of codes) assert.ok(isPostalCode(code, country), `${country} ${code}`);
  for (const [country, code] of [
    ["DE", "2045"],
    ["DE", "204570"],
    ["DE", "Hamburg"],
    ["US", "9720"],
    ["CA", "97201"],
    ["GB", "97201"],
    ["NL", "1012"],
    ["JP", "1000"],
    ["ZM", "-"],
  ] as const)
    assert.ok(!isPostalCode(code, country), `${country} ${code}`);
});
