import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { getMessages } from "./messages.ts";

type Forms = Readonly<Record<string, string>>;

const languages = readdirSync(import.meta.dirname).flatMap((name) => /^(\w+)\.json$/.exec(name)?.[1] ?? []);

function textsOf(language: string): Readonly<Record<string, string | Forms>> {
  return JSON.parse(readFileSync(new URL(`${language}.json`, import.meta.url), "utf8"));
}

function formsOf(text: string | Forms | undefined): Forms {
  return typeof text === "object" ? text : { other: text ?? "" };
}

function placeholdersOf(text: string | undefined): readonly string[] {
  return [...new Set(text?.match(/\{\w+\}/g))].sort();
}

const english = textsOf("en");

for (const language of languages)
  test(`${language} has the keys, the placeholders and the plural forms of its language`, () => {
    const texts = textsOf(language);
    assert.deepEqual(Object.keys(texts), Object.keys(english));
    const { pluralCategories } = new Intl.PluralRules(language).resolvedOptions();
    for (const [key, text] of Object.entries(texts)) {
      const expected = placeholdersOf(formsOf(english[key]).other);
      for (const [category, form] of Object.entries(formsOf(text))) {
        assert.ok(pluralCategories.includes(category as Intl.LDMLPluralRule), `${key}: ${category}`);
        // The texts for one and two may contain the number as a word instead of `{count}`.
        const isWord = (category === "one" || category === "two") && !form.includes("{count}");
        const expectedPlaceholders = isWord ? expected.filter((name) => name !== "{count}") : expected;
        assert.deepEqual(placeholdersOf(form), expectedPlaceholders, `${key}: ${category}`);
      }
    }
  });

test("plurals follow the rules of the language", () => {
  const arabic = [1, 2, 3, 11].map((count) => getMessages("ar")("cart.only", { count, title: "معطف" }));
  assert.equal(new Set(arabic).size, 4);
  assert.match(getMessages("fr")("cart.only", { count: 1, title: "Tote" }), /1 exemplaire disponible/);
  assert.match(getMessages("fr")("cart.only", { count: 2, title: "Tote" }), /2 exemplaires disponibles/);
});

test("a region uses its language, a language without a file uses English", () => {
  assert.equal(getMessages("pt-BR")("facets.price"), "Preço");
  assert.equal(getMessages("fi")("facets.price"), "Price");
});

test("values are inserted unchanged, including placeholders in them", () => {
  assert.equal(getMessages("en")("cart.soldOut", { title: "{title} $& {count}" }), "{title} $& {count} is sold out.");
});
