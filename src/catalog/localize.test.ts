import assert from "node:assert/strict";
import { test } from "node:test";
import { localize, localizeTags } from "./localize.ts";
import type { Product } from "./product.ts";
import { parseRow } from "./rows/parse-row.ts";

function coat(translations: object): Product {
  const variants = [{ price: 1, options: ["S", "Red"] }];
  const json = {
    kind: "product",
    handle: "coat",
    title: "Coat",
    options: ["Size", "Colour"],
    tags: ["warm"],
    variants,
    translations,
  };
  return parseRow(json, undefined, (field, message) => assert.fail(`${field}: ${message}`)) as Product;
}

test("option names are translated all together or not at all", () => {
  assert.deepEqual(localize(coat({ fr: { options: ["Taille", "Couleur"] } }), "fr").options, ["Taille", "Couleur"]);
  for (const options of [["Taille"], [], ["Taille", "Couleur", "Matière"]])
    assert.deepEqual(localize(coat({ fr: { options, title: "Manteau" } }), "fr"), {
      ...coat({ fr: { options, title: "Manteau" } }),
      title: "Manteau",
      translations: {},
    });
});

test("a translated text is not translated again", () => {
  const product = coat({ fr: { option_values: { S: "M", M: "L" } } });
  const localized = localize(product, "fr");
  assert.deepEqual(localized.variants[0]?.options, ["M", "Red"]);
  assert.deepEqual(localize(localized, "fr"), localized);
});

test("descriptions for search engines in another language come from the translation, never from the default language", () => {
  const seo = { title: "Rain coats", description: "Coats for rain." };
  const seoOf = (fr: object): unknown => localize({ ...coat({ fr }), seo }, "fr").seo;
  assert.deepEqual(seoOf({ tags: ["pluie"] }), seo);
  assert.deepEqual(seoOf({ title: "Manteau" }), { description: seo.description });
  assert.deepEqual(seoOf({ title: "Manteau", body: "<p>Sec</p>" }), {});
  assert.deepEqual(seoOf({ title: "Manteau", body: "<p>Sec</p>", seo: { title: "Imperméables", description: " " } }), {
    title: "Imperméables",
  });
  assert.deepEqual(localize(coat({ fr: { seo: { description: "Des manteaux." } } }), "fr").seo, {
    description: "Des manteaux.",
  });
});

test("language names match in any case", () => {
  for (const locale of ["pt-BR", "pt-br", "pt-Br"]) {
    const product = coat({ [locale]: { title: "Casaco", tags: ["quente", "novo"] } });
    assert.equal(localize(product, "pt-BR").title, "Casaco");
    assert.deepEqual(localizeTags(product, "pt-BR"), ["quente", "novo"]);
    assert.equal(localize(product, "pt").title, "Coat");
  }
});
