import assert from "node:assert/strict";
import { test } from "node:test";
import { formatAddressLines } from "./checkout-snapshot.ts";

test("an address in Japanese or Chinese names the street after the place, and in other languages before", () => {
  const tokyo = { address1: "千代田1-1", address2: "101", zip: "100-0001", city: "千代田区", province: "東京都" };
  assert.deepEqual(formatAddressLines({ ...tokyo, country: "JP" }, "ja"), [
    "100-0001",
    "東京都 千代田区",
    "千代田1-1",
    "101",
    "日本",
  ]);
  const latin = { address1: "1-1 Chiyoda", zip: "100-0001", city: "Chiyoda-ku", province: "Tokyo", country: "JP" };
  assert.deepEqual(formatAddressLines(latin, "en"), ["1-1 Chiyoda", "100-0001", "Tokyo Chiyoda-ku", "Japan"]);
  const taipei = { address1: "重慶南路1號", zip: "100", city: "中正區", province: "臺北市", country: "TW", phone: "1" };
  const lines = ["100", "臺北市 中正區", "重慶南路1號", "台灣", "1"];
  assert.deepEqual(formatAddressLines(taipei, "zh-TW"), lines);
  assert.equal(formatAddressLines({ ...taipei, country: "DE" }, "zh-TW")[0], "重慶南路1號", "a foreign address");
});
