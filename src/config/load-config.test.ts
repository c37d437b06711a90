import assert from "node:assert/strict";
import { test } from "node:test";
import { SetupError } from "../setup-error.ts";
import { checkSettings } from "./load-config.ts";

test("every setting has a default", () => {
  const config = checkSettings({}, "vitrine.config.ts");
  assert.equal(config.currency, "USD");
  assert.deepEqual(config.cart, { maxLines: 250, maxQuantity: 9_999, cookieDays: 30 });
  assert.deepEqual(config.locales, { default: "en", others: [] });
});

test("proxies are given by IP address or network", () => {
  const trustProxy = ["10.0.0.7", "10.0.0.0/8", "fd00::/8"];
  assert.deepEqual(checkSettings({ trustProxy }, "f").trustProxy, trustProxy);
});

test("compat: true turns on all settings that a theme made for another storefront needs", () => {
  const fullCompatibility = { forms: true, script: true, sectionClass: "shopify-section" };
  assert.deepEqual(checkSettings({ compat: true }, "f").compat, fullCompatibility);
  for (const compat of [false, undefined, {}])
    assert.deepEqual(checkSettings({ compat }, "f").compat, { forms: false, script: false });
});

test("event receivers get all events by default, each URL once, over https or on this machine", () => {
  const secret = `whsec_${Buffer.alloc(24, 7).toString("base64")}`;
  const urls = ["https://erp.example", "http://localhost:8080/x", "http://127.0.0.1/", "http://[::1]:1/"];
  const webhooks = urls.map((url) => ({ url, secret: [secret, secret] }));
  const { events } = checkSettings({ events: { webhooks } }, "f");
  assert.equal(events.webhooks[0]?.url, "https://erp.example/");
  assert.ok(events.webhooks[3]?.types.includes("order.created"));
  assert.equal(checkSettings({ events: { webhooks: [{ url: urls[0] }] } }, "f").events.webhooks[0]?.secret, undefined);
  const duplicateWebhooks = ["https://erp.example", "https://erp.example/"].map((url) => ({ url, secret }));
  assert.throws(
    () => checkSettings({ events: { webhooks: duplicateWebhooks } }, "f"),
    /webhooks must be .* each URL once/,
  );
});

test("a shop without shipping settings ships to the countries of its currency, its own first", () => {
  const firstCountries = (written: object): readonly string[] =>
    checkSettings(written, "f").shipping.countries.slice(0, 2);
  assert.deepEqual(firstCountries({}), ["US"]);
  assert.deepEqual(firstCountries({ currency: "GBP" }), ["GB"]);
  assert.deepEqual(firstCountries({ currency: "EUR" }), ["DE", "FR"]);
  assert.deepEqual(firstCountries({ currency: "EUR", locales: { default: "fr" } }), ["FR", "DE"]);
  assert.deepEqual(firstCountries({ currency: "EUR", timezone: "Europe/Dublin" }), ["IE", "DE"]);
  assert.deepEqual(firstCountries({ currency: "EUR", contact: { address: { country: "GB" } } }), ["GB", "DE"]);
  assert.deepEqual(firstCountries({ currency: "XOF" }), [], "shared by many countries: everywhere");
  assert.deepEqual(firstCountries({ currency: "EUR", shipping: { countries: ["AT"] } }), ["AT"]);
  assert.deepEqual(firstCountries({ currency: "EUR", shipping: { countries: [] } }), []);
  assert.deepEqual(firstCountries({ currency: "EUR", shipping: { rates: [{ name: "Standard", price: 500 }] } }), []);
});

test("an unknown or invalid setting is rejected with its name", () => {
  const invalidSettings: readonly (readonly [unknown, RegExp])[] = [
    [{ curency: "USD" }, /curency is not a setting/],
    [{ currency: "DOLLAR" }, /currency must be a currency code/],
    [{ cart: { maxLines: 0 } }, /cart\.maxLines must be an integer from 1/],
    [{ cart: { maxLine: 3 } }, /cart\.maxLine is not a setting/],
    [{ locales: { default: "english" } }, /locales\.default must be a language code/],
    [{ locales: { default: "en", others: ["en"] } }, /locales\.others must not contain the default/],
    [{ origin: "https://shop.example/path" }, /origin must be a URL/],
    [{ trustProxy: ["proxy"] }, /trustProxy\[0\] must be an IP address or a network/],
    [{ trustProxy: ["10.0.0.0/33"] }, /trustProxy\[0\] must be an IP address or a network/],
    [{ trustProxy: "yes" }, /trustProxy must be true, false, or a list of IP addresses/],
    [{ invoices: { iban: "DE89 3704 0044 0532 0130 01" } }, /invoices\.iban must be an IBAN/],
    [{ invoices: { iban: "DE8937040044053201300" } }, /invoices\.iban must be an IBAN/],
    [{ contact: { email: "hello at shop.example" } }, /contact\.email must be an address like "hello@shop\.example"/],
    [{ contact: { email: "a@shop.example, b@shop.example" } }, /contact\.email must be an address/],
    [{ invoices: { prefix: "{year}" } }, /invoices\.prefix must be/],
    [{ invoices: { prefix: "2026/" } }, /invoices\.prefix must be/],
    [{ checkout: { handoffUrl: "https://pay.example/" } }, /checkout\.handoffUrl must be/],
    [{ checkout: { handoffUrl: "javascript:alert('{id}')" } }, /checkout\.handoffUrl must be/],
    [
      { events: { webhooks: [{ url: "http://erp.example/", secret: "x" }] } },
      /webhooks\[0\]\.url must be an https URL/,
    ],
    [{ events: { webhooks: [{ url: "https://a:b@erp.example/" }] } }, /webhooks\[0\]\.url must be an https URL/],
    [
      { events: { webhooks: [{ url: "https://erp.example/", secret: "whsec_c2hvcnQ=" }] } },
      /webhooks\[0\]\.secret must be a secret from/,
    ],
    [
      { events: { webhooks: [{ url: "https://erp.example/", types: ["order.lost"] }] } },
      /webhooks\[0\]\.types.* must be .*order\.created/,
    ],
    [{ compat: { sectionClass: '" onload="' } }, /compat\.sectionClass must be/],
    [{ compat: { sectionPrefix: "a b" } }, /compat\.sectionPrefix must be the start of an id/],
    [{ search: { synonyms: ["sofa"] } }, /search\.synonyms\[0\] must be a list of words/],
    [{ locales: { others: ["fr", "french"] } }, /locales\.others\[1\] must be a language code like "en"/],
    [{ toString: 1 }, /toString is not a setting/],
    [{ cart: [] }, /cart must be an object/],
    [{ menus: { main: [{ title: "X", url: "javascript:alert(1)" }] } }, /menus\.main\[0\]\.url must be/],
    [{ menus: { main: [{ url: "/" }] } }, /menus\.main\[0\]\.title must be a string/],
    [{ menus: [] }, /menus must be an object/],
    [{ compat: "yes" }, /compat must be an object/],
    [{ shipping: { countries: ["XX"] } }, /shipping\.countries\[0\] must be a country code/],
    [{ cdn: {} }, /cdn needs origin/],
    [{ origin: "https://shop.example", cdn: { purge: {} } }, /cdn\.purge needs url/],
    [{ cdn: { purge: { url: "ftp://cdn.example" } } }, /cdn\.purge\.url must be a URL like/],
    [
      { shipping: { rates: [{ name: "A", price: 1.5 }] } },
      /shipping\.rates\[0\]\.price must be an integer in the minor unit of the currency/,
    ],
    [{ shipping: { rates: [{ price: 1 }] } }, /shipping\.rates\[0\]\.name must be a string/],
    [{ brand: { logo: "logo.png" } }, /brand\.logo must be a path or an http/],
    [{ mail: { smtp: "smtp://100%:pw@mail.example", from: "a@b.example" } }, /mail\.smtp must be a URL like/],
    [{ mail: { smtp: "smtp://user:1/2@mail.example", from: "a@b.example" } }, /mail\.smtp must be a URL like/],
    [{ contact: { address: { country: "Germany" } } }, /contact\.address\.country must be a country code/],
    [{ paymentTypes: "visa" }, /paymentTypes must be a list of names/],
    [{ images: { cacheMegabytes: 0 } }, /images\.cacheMegabytes must be an integer from 1/],
    [{ rendering: { sectionSteps: 0 } }, /rendering\.sectionSteps must be an integer from 1/],
    [{ rendering: { sectionMs: 5 } }, /rendering\.sectionMs is not a setting/],
    [null, /the settings must be an object/],
  ];
  for (const [settings, message] of invalidSettings) {
    const isExpectedError = (error: unknown): boolean =>
      error instanceof SetupError &&
      message.test(error.message) &&
      error.message.startsWith("shop/vitrine.config.ts: ");
    assert.throws(() => checkSettings(settings, "shop/vitrine.config.ts"), isExpectedError, JSON.stringify(settings));
  }
});

test("all errors are reported together", () => {
  assert.throws(
    () => checkSettings({ name: 1, currency: "X" }, "f"),
    /^SetupError: f: name must be a string\.\nf: currency must be/,
  );
  assert.throws(
    () => checkSettings({ curency: "USD", cart: { maxLine: 3, maxPieces: 4, maxLines: 0 } }, "f"),
    /f: cart\.maxLines must be .*\nf: cart\.maxLine is not a setting \(.*\), and neither is maxPieces\.\nf: curency is not/,
  );
});

test("an error contains the line of its setting", () => {
  const text = 'export default {\n  name: "A",\n  cart: {\n    maxLines: 0,\n  },\n};\n';
  const settings = { name: "A", cart: { maxLines: 0 } };
  assert.throws(
    () => checkSettings(settings, "vitrine.config.ts", text),
    /^SetupError: vitrine\.config\.ts:4: cart\.maxLines must/,
  );
});
