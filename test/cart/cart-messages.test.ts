import assert from "node:assert/strict";
import { test } from "node:test";
import { variant } from "../support/catalog.ts";
import { startShop } from "../support/shop.ts";

const shop = await startShop({
  config: { locales: { default: "en", others: ["fr", "ja", "pt-BR", "he"] } },
  themeFiles: { "sections/issues.liquid": "{% for issue in cart.issues %}{{ issue.message }}{% endfor %}" },
});

interface Answer {
  readonly message: string;
  readonly fields: readonly { readonly message: string }[];
  readonly issues: readonly { readonly message: string }[];
}

async function messageOf(
  path: string,
  body: object,
): Promise<{ status: number; message: string; issue: string | undefined }> {
  const client = shop.client();
  const reply = await client.post(path, body);
  const { message, issues } = reply.json<Answer>();
  return { status: reply.status, message, issue: issues?.[0]?.message };
}

test("stock errors are in the language of the path, with the translated variant title", async () => {
  const body = { id: variant.tracked, quantity: 11 };
  assert.equal((await messageOf("/cart/add.js", body)).message, "Only 10 of Harbour Raincoat - S available.");
  const french = await messageOf("/fr/cart/add.js", body);
  assert.deepEqual([french.status, french.issue], [422, french.message]);
  assert.equal(french.message, "Seulement 10 exemplaires disponibles\u00a0: Imperméable du port - S.");
  assert.equal(
    (await messageOf("/ja/cart/add.js", { id: variant.soldOut })).message,
    "港のレインコート - Mは売り切れです。",
  );
  assert.match((await messageOf("/pt-BR/cart/add.js", body)).message, /^Apenas 10 unidades disponíveis de/);
  assert.match((await messageOf("/he/cart/add.js", body)).message, /^Only 10 of/);
});

test("messages about rules, codes, limits and members' products are in the language of the path", async () => {
  assert.equal(
    (await messageOf("/fr/cart/add.js", { id: variant.byTwos, quantity: 3 })).issue,
    "Rope by the Pair est vendu par multiples de 2, de 2 à 10. La quantité est maintenant de 4.",
  );
  assert.equal(
    (await messageOf("/fr/cart/add.js", { id: variant.unlimited, discount: "NOPE" })).issue,
    "Le code de réduction NOPE n’est pas valide.",
  );
  assert.match(
    (await messageOf("/fr/cart/add.js", { id: variant.membersOnly })).message,
    /^Connectez-vous pour acheter/,
  );
  assert.equal(
    (await messageOf("/fr/cart/add.js", { id: variant.unknown })).message,
    "Cette variante de produit n’existe pas.",
  );
});

test("a section shows issues in the language of the request", async () => {
  const client = shop.client();
  await client.post("/fr/cart/add.js", { id: variant.scarce, quantity: 2, discount: "NOPE" });
  const { sections } = (await client.get("/fr/cart.js?sections=issues")).json<{ sections: { issues: string } }>();
  assert.match(sections.issues, /Le code de réduction NOPE/);
  const english = (await client.get("/cart.js?sections=issues")).json<{ sections: { issues: string } }>();
  assert.match(english.sections.issues, /Discount code NOPE/);
});

test("the error for a country without shipping is in the language of the path", async () => {
  const reply = await shop.client().get("/fr/cart/shipping_rates.json");
  assert.deepEqual(reply.json(), { country: ["ne peut pas être vide"] });
});
