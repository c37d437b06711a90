import assert from "node:assert/strict";
import fc from "fast-check";
import type { Cart, Line } from "../../src/cart/cart.ts";
import type { Catalog, Row } from "../../src/catalog/catalog.ts";
import { packCatalog } from "../../src/catalog/packed/pack-base.ts";
import { openCatalog } from "../../src/catalog/packed/packed-catalog.ts";
import { formatRow } from "../../src/catalog/rows/format-row.ts";
import { parseRow } from "../../src/catalog/rows/parse-row.ts";
import type { RowJson } from "../support/catalog.ts";

/** Rows of a few unusual entries, and a cart of their variants. */
export interface RandomShop {
  readonly rows: readonly RowJson[];
  readonly cart: Cart;
}

const word = fc.stringMatching(/^[a-zé"'<>&%#+日-]{1,5}$/);
const handle = (n: number) => fc.constantFrom(`h${n}`, `é-${n}`, `日本${n}`);
const amount = fc.constantFrom(0, 1, 3, 99, 333, 5_000, 9_999);
const perhaps = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
const html = fc.constantFrom("", "<p>Dry &amp; warm</p>", "</script>{{ 7 }}");
const image = fc.record(
  {
    src: fc.constantFrom("/media/a.jpg", "/media/b c.jpg", "https://files.example/d.png"),
    alt: word,
    width: fc.constantFrom(1, 300, 800),
    height: fc.constantFrom(300, 800),
  },
  { requiredKeys: ["src"] },
);
const rule = fc
  .record({ min: fc.integer({ min: 1, max: 4 }), increment: fc.integer({ min: 1, max: 3 }), steps: perhaps(fc.nat(5)) })
  .map(({ min, increment, steps }) => ({
    ...{ min, increment },
    ...(steps === undefined ? {} : { max: min + steps * increment }),
  }));
const texts = { title: "Titre", body: "<p>Sec</p>" };
const translations = fc.constantFrom({}, { fr: texts });
/** The translation of one option value is another value of the same option. */
const optionTexts = { options: ["Taille"], option_values: { S: "M", M: "G" } };

function variants(n: number, options: readonly string[]): fc.Arbitrary<readonly object[]> {
  const one = fc.record(
    {
      title: word,
      price: amount,
      compare_at_price: amount,
      inventory_quantity: fc.integer({ min: -1, max: 9 }),
      inventory_policy: fc.constantFrom("deny", "continue"),
      sku: word,
      barcode: word,
      requires_shipping: fc.boolean(),
      grams: fc.nat(900),
      image: fc.constantFrom("/media/a.jpg", "/media/b c.jpg"),
      quantity_rule: rule,
    },
    { requiredKeys: ["price"] },
  );
  const values =
    options.length === 0 ? fc.constant([undefined]) : fc.subarray(["S", "M", "Default Title"], { minLength: 1 });
  return values.chain((chosen) =>
    fc.tuple(
      ...chosen.map((value, index) => one.map((made) => ({ ...made, ...variantId(n, index), ...optionsOf(value) }))),
    ),
  );
}

function variantId(n: number, index: number): object {
  return { id: n % 2 === 0 ? 100 + n * 10 + index : `v-${n}-${index}` };
}

function optionsOf(value: string | undefined): object {
  return value === undefined ? {} : { options: [value] };
}

function product(n: number): fc.Arbitrary<RowJson> {
  return fc.constantFrom([], ["Size"]).chain((options) =>
    fc
      .record(
        {
          handle: handle(n),
          title: word,
          variants: variants(n, options),
          vendor: word,
          product_type: word,
          tags: fc.uniqueArray(word, { maxLength: 2 }),
          description: html,
          images: fc.uniqueArray(image, { maxLength: 3, selector: ({ src }) => src }),
          requires_customer: fc.boolean(),
          gift_card: fc.boolean(),
          translations: fc.constantFrom({}, { fr: options.length === 0 ? texts : { ...texts, ...optionTexts } }),
        },
        { requiredKeys: ["handle", "title", "variants"] },
      )
      .map((row) => ({ kind: "product", id: n + 1, options, ...withoutDanglingReferences(row) })),
  );
}

/** Makes each variant's image one of the product's images, and keeps only translations of existing options. */
function withoutDanglingReferences<R extends { readonly images?: readonly { readonly src: string }[] | undefined }>(
  row: R,
): R {
  const known = new Set(row.images?.map(({ src }) => src));
  const { variants: given } = row as unknown as { readonly variants: readonly { readonly image?: string }[] };
  const variants = given.map(({ image, ...one }) =>
    image !== undefined && known.has(image) ? { ...one, image } : one,
  );
  return { ...row, variants };
}

const otherRows: fc.Arbitrary<readonly RowJson[]> = fc.tuple(
  fc
    .record(
      {
        title: word,
        description: html,
        image,
        products: fc.constantFrom([], ["0"], ["1", "0"]),
        translations,
      },
      { requiredKeys: ["title", "products"] },
    )
    .map((row) => ({ kind: "collection", id: 50, handle: "list", ...row })),
  fc
    .record({ title: word, content: html, translations }, { requiredKeys: ["title"] })
    .map((row) => ({ kind: "page", id: "about-us", handle: "about", ...row })),
  fc
    .record(
      {
        ...{ title: word, content: html, excerpt: html, author: word, image, translations },
        tags: fc.uniqueArray(word, { maxLength: 2 }),
        published_at: fc.constant("2026-01-02T00:00:00Z"),
      },
      { requiredKeys: ["title"] },
    )
    .map((row) => ({ kind: "article", id: 52, handle: "premier-é", blog: "news", ...row })),
  fc
    .record({ name: word, title: word, ends_at: fc.constant("2999-01-02T00:00:00Z") }, { requiredKeys: ["name"] })
    .map((row) => ({ kind: "bundle", id: 53, handle: "kit", type: "box_builder", products: ["0"], ...row })),
  ...["A", "B", "C", ""].map((code) =>
    fc
      .record({ value: fc.integer({ min: 1, max: 100 }), value_type: fc.constantFrom("percentage", "fixed_amount") })
      .chain((row) =>
        fc.constantFrom({}, { products: ["0"] }, { collections: ["list"] }).map((of) => ({ ...row, ...of })),
      )
      .map((row) => ({ kind: "discount", title: `Off ${code}`, ...(code === "" ? {} : { code }), ...row })),
  ),
  amount.map((balance) => ({ kind: "gift_card", code: "CARD-1234", balance })),
);

/** Product handles are replaced last, because other rows refer to products by index. */
const rows = fc.tuple(product(0), product(1), product(2), otherRows).map(([a, b, c, more]): readonly RowJson[] => {
  const products = [a, b, c];
  const handlesOf = (places: unknown): unknown =>
    Array.isArray(places) ? places.map((place) => products[Number(place)]?.handle) : undefined;
  return [
    ...products,
    ...more.map((row) => (row.products === undefined ? row : { ...row, products: handlesOf(row.products) })),
  ];
});

const cartParts = fc.record({
  lines: fc.array(
    fc.record({
      place: fc.nat(9),
      quantity: fc.integer({ min: 1, max: 12 }),
      properties: fc.constantFrom({}, { Name: 'Ada "</b>"' }, { _hidden: "1", Note: "" }),
      isNested: fc.boolean(),
    }),
    { maxLength: 4 },
  ),
  discountCodes: fc.subarray(["A", "B", "C", "NONE"]),
  giftCards: fc.subarray(["CARD-1234", "GONE"]),
  note: perhaps(word),
  revision: fc.constantFrom(0, 3),
});

export const randomShops: fc.Arbitrary<RandomShop> = fc.tuple(rows, cartParts).map(([given, { note, ...parts }]) => {
  const offers = given.flatMap(
    (row) => (row.variants ?? []) as readonly { readonly id: unknown; readonly price: number }[],
  );
  const offerOf = (index: number) => offers[(parts.lines[index]?.place ?? 0) % offers.length];
  // Only the first line has nested lines.
  const parentOf = (isNested: boolean, index: number) =>
    isNested && index > 0 && parts.lines.slice(1, index).every((line) => line.isNested)
      ? { parentKey: `${offerOf(0)?.id}:k0` }
      : {};
  const lines = parts.lines.map(({ place, quantity, properties, isNested }, index): Line => {
    const { id, price } = offers[place % offers.length] ?? { id: "none", price: 0 };
    const seen = { seenPrice: place % 2 === 0 ? price : 1, seenTitle: "Once" };
    return {
      key: `${id}:k${index}`,
      variantId: String(id),
      quantity,
      properties,
      ...seen,
      ...parentOf(isNested, index),
    };
  });
  return { rows: given, cart: { id: "c1", ...parts, lines, ...(note === undefined ? {} : { note }) } };
});

/** Builds a catalog from the rows. */
export function catalogOf(given: readonly RowJson[]): Catalog {
  const storedRows = given.map((row, position) => {
    const parsed = parseRow(row, undefined, (field, message) => assert.fail(`${field} ${message}`)) as Row;
    return { kind: parsed.kind, position, isDeleted: false, json: formatRow(parsed) };
  });
  const bytes = storedRows.reduce((sum, { json }) => sum + Buffer.byteLength(json), 0);
  const size = { rows: storedRows.length, bytes };
  return openCatalog(
    packCatalog(
      { revision: 1, size, rows: (kinds) => storedRows.filter(({ kind }) => kinds.includes(kind)) },
      () => {},
      {
        locales: ["en"],
        metafields: [],
      },
    ),
  );
}
