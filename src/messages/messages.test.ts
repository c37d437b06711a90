import assert from "node:assert/strict";
import { test } from "node:test";
import { chooseMessagesLanguage, getMessages } from "./messages.ts";

test("plurals follow the rules of the language", () => {
  const arabic = [1, 2, 3, 11].map((count) => getMessages("ar")("cart.only", { count, title: "معطف" }));
  assert.equal(new Set(arabic).size, 4);
  assert.match(getMessages("fr")("cart.only", { count: 1, title: "Tote" }), /1 exemplaire disponible/);
  assert.match(getMessages("fr")("cart.only", { count: 2, title: "Tote" }), /2 exemplaires disponibles/);
});

test("a region uses its language, a language without a file uses English", () => {
  assert.equal(getMessages("de-AT")("facets.price"), "Preis");
  assert.equal(getMessages("he")("facets.price"), "Price");
  assert.deepEqual([chooseMessagesLanguage("de-AT"), chooseMessagesLanguage("he")], ["de", "en"]);
});

test("values are inserted unchanged, including placeholders in them", () => {
  assert.equal(getMessages("en")("cart.soldOut", { title: "{title} $& {count}" }), "{title} $& {count} is sold out.");
});
