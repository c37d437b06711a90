import assert from "node:assert/strict";
import { test } from "node:test";
import { parseTarget } from "./request.ts";

const locales = { default: "en", others: ["fr", "pt-BR"] };

const targets: readonly (readonly [url: string, prefix: string, path: string, search: string, locale: string])[] = [
  ["/", "", "/", "", "en"],
  ["/cart.js?a=1", "", "/cart.js", "?a=1", "en"],
  ["/fr", "/fr", "/", "", "fr"],
  ["/fr?x", "/fr", "/", "?x", "fr"],
  ["/fr/cart.js", "/fr", "/cart.js", "", "fr"],
  ["/en/cart.js", "/en", "/cart.js", "", "en"],
  ["/pt-BR/x", "/pt-BR", "/x", "", "pt-BR"],
  ["/FR/cart.js", "", "/FR/cart.js", "", "en"],
  ["/zz/cart.js", "", "/zz/cart.js", "", "en"],
  ["//fr/x", "", "//fr/x", "", "en"],
  ["/fr//x", "/fr", "//x", "", "fr"],
  ["/a?b=/fr/c", "", "/a", "?b=/fr/c", "en"],
];

for (const [url, prefix, path, search, locale] of targets) {
  test(`${url} resolves to ${path} in ${locale}`, () =>
    assert.deepEqual(parseTarget(url, locales), { prefix, path, search, locale }));
}
