import assert from "node:assert/strict";
import fc from "fast-check";
import type { Row } from "../catalog.ts";
import { type LiveStock, staticStock } from "../live/live-stock.ts";
import { type CatalogRow, packCatalog } from "../packed/pack-base.ts";
import { packChangeSet } from "../packed/pack-delta.ts";
import { openCatalog, type PackedCatalog, type PackedDelta } from "../packed/packed-catalog.ts";
import type { Product } from "../product.ts";
import { formatRow } from "../rows/format-row.ts";
import { parseRow } from "../rows/parse-row.ts";

/**
 * Rows of a catalog file, and successive changes. A change maps a product's position to its new version, or to
 * undefined for a removal.
 */
export interface RandomCatalog {
  readonly baseProducts: readonly Json[];
  readonly changes: readonly (readonly (readonly [position: number, product: Json | undefined])[])[];
}

type Json = Readonly<Record<string, unknown>>;

const text = fc.constantFrom("", "a", "b", "c");
const size = fc.constantFrom("S", "M", "a");
const variant = fc.record({
  size,
  colour: size,
  price: fc.nat(20),
  cost: fc.option(fc.nat(25), { nil: undefined }),
  inventory: fc.option(fc.nat(2), { nil: undefined }),
});

const product: fc.Arbitrary<Json> = fc
  .record({
    title: fc.constantFrom("Lamp", "lamp", "Été 2", "Ete 10", "Zed", "Ab", "Abc"),
    french: fc.option(fc.constantFrom("Lampe", "Zèbre", "Abc"), { nil: undefined }),
    vendor: text,
    product_type: text,
    tags: fc.uniqueArray(fc.constantFrom("a", "b", "c", "7", "12.5"), { maxLength: 4 }),
    wash: fc.option(fc.constantFrom("a", "b"), { nil: undefined }),
    popularity: fc.constantFrom(0, 0.25, 0.5),
    created_at: fc.constantFrom(undefined, "2024-05-01T00:00:00Z", "2025-01-01"),
    options: fc.constantFrom([], ["Size"], ["size", "Colour"]),
    variants: fc.uniqueArray(variant, {
      minLength: 1,
      maxLength: 4,
      selector: ({ size, colour }) => `${size}${colour}`,
    }),
  })
  .map(({ french, wash, options, variants, ...fields }) => ({
    ...fields,
    ...(options.length === 0 ? {} : { options }),
    variants: removeDuplicateVariants(variants, options.length).map(({ size, colour, price, cost, inventory }) => ({
      ...(options.length === 0 ? {} : { options: [size, colour].slice(0, options.length) }),
      price,
      ...(cost === undefined ? {} : { cost }),
      ...(inventory === undefined ? {} : { inventory_quantity: inventory }),
    })),
    ...(french === undefined ? {} : { translations: { fr: { title: french } } }),
    ...(wash === undefined ? {} : { metafields: { care: { wash } } }),
  }));

/** Returns the variants without duplicates: a product has one variant per combination of options. */
function removeDuplicateVariants<V extends { readonly size: string }>(
  variants: readonly V[],
  options: number,
): readonly V[] {
  if (options === 2) return variants;
  if (options === 0) return variants.slice(0, 1);
  return variants.filter((variant, index) => variants.findIndex(({ size }) => size === variant.size) === index);
}

export const layersArbitrary: fc.Arbitrary<RandomCatalog> = fc.record({
  baseProducts: fc.array(product, { maxLength: 8 }),
  changes: fc.array(fc.array(fc.tuple(fc.nat(11), fc.option(product, { nil: undefined, freq: 4 })), { maxLength: 4 }), {
    maxLength: 3,
  }),
});

/** Groups products by the length of their titles; products named "Zed" have no group. */
export function groupKeyOf({ title }: Pick<Product, "title">): number {
  return title === "Zed" ? 0 : title.length;
}

const settings = { locales: ["en", "fr"], metafields: ["care.wash"], groupKeyOf };

/**
 * Builds a catalog from a base catalog and deltas, and lists its final products in order. `olderCatalogs` are its
 * previous revisions.
 */
export function openLayers(
  { baseProducts, changes }: RandomCatalog,
  stock: LiveStock = staticStock,
): {
  readonly catalog: PackedCatalog;
  readonly products: readonly Product[];
  readonly olderCatalogs: readonly PackedCatalog[];
} {
  const rows = new Map(baseProducts.map((json, position) => [position, parseStoredRow(json, position)]));
  const packedBase = packCatalog(
    { revision: 1, size: computeTotalSize(rows), rows: createRowReader(rows) },
    () => {},
    settings,
  );
  const packedDeltas: PackedDelta[] = [];
  for (const [index, layerChanges] of changes.entries()) {
    const changedRows = new Map<number, CatalogRow>();
    for (const [position, json] of layerChanges) {
      // A product that does not exist cannot be removed.
      if (json === undefined && !rows.has(position)) continue;
      const newRow = json === undefined ? createDeletedRow(position) : parseStoredRow(json, position);
      changedRows.set(position, newRow);
      rows.set(position, newRow);
    }
    const testChanges = {
      since: index + 1,
      revision: index + 2,
      size: computeTotalSize(changedRows),
      rows: createRowReader(changedRows),
    };
    packedDeltas.push(packChangeSet(packedBase, packedDeltas, testChanges, () => {}, settings));
  }
  const catalog = openCatalog(packedBase, packedDeltas, undefined, stock);
  const products = [...rows.values()]
    .filter(({ isDeleted }) => !isDeleted)
    .sort((left, right) => left.position - right.position)
    .map(({ json }) => JSON.parse(json).handle as string)
    .map((handle) => catalog.product(handle) as Product);
  const olderCatalogs = packedDeltas.map((_, count) => openCatalog(packedBase, packedDeltas.slice(0, count)));
  return { catalog, products, olderCatalogs };
}

function parseStoredRow(json: Json, position: number): CatalogRow {
  const row = parseRow(
    {
      kind: "product",
      id: position + 1,
      handle: `p${position}`,
      ...json,
      variants: addVariantIds(json.variants as Json[], position),
    },
    undefined,
    (field, message) => assert.fail(`${field} ${message}`),
  ) as Row;
  return { kind: "product", position: position + 1, isDeleted: false, json: formatRow(row) };
}

function addVariantIds(variants: readonly Json[], position: number): readonly Json[] {
  return variants.map((fields, index) => ({ id: position * 10 + index + 100, ...fields }));
}

function createDeletedRow(position: number): CatalogRow {
  return { kind: "product", position: position + 1, isDeleted: true, json: "" };
}

function computeTotalSize(rows: ReadonlyMap<number, CatalogRow>): { readonly rows: number; readonly bytes: number } {
  return { rows: rows.size, bytes: [...rows.values()].reduce((sum, { json }) => sum + Buffer.byteLength(json), 0) };
}

function createRowReader(rows: ReadonlyMap<number, CatalogRow>) {
  return (kinds: readonly string[], start = -1, lastPosition = Number.POSITIVE_INFINITY): readonly CatalogRow[] =>
    [...rows.values()]
      .filter(({ kind, position }) => kinds.includes(kind) && position > start && position <= lastPosition)
      .sort((left, right) => left.position - right.position);
}
