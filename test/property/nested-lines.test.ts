import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { type Cart, emptyCart } from "../../src/cart/cart.ts";
import { addItems, type ItemToAdd } from "../../src/cart/edits/add-items.ts";
import { changeLine, clearCart, updateCart } from "../../src/cart/edits/cart-edits.ts";
import type { Edit, EditContext } from "../../src/cart/edits/edit-context.ts";
import { reconcileCart } from "../../src/cart/reconcile.ts";
import type { Catalog } from "../../src/catalog/catalog.ts";
import { Problem } from "../../src/problem.ts";
import { product } from "../support/catalog.ts";
import { catalogOf } from "./random-shop.ts";

/** Number of runs, which `npm run test:soak` increases. */
const numRuns = Number(process.env.VITRINE_ROUNDS ?? 300);

const variantIds = ["1", "2", "3", "4"];
const catalog = catalogOf(
  variantIds.map((id) => product(Number(id), `p${id}`, `Thing ${id}`, [{ id: Number(id), price: 100 }])),
);
/** The catalog after a product was removed. */
const catalogWithout = (removedId: string): Catalog =>
  catalogOf(
    variantIds
      .filter((id) => id !== removedId)
      .map((id) => product(Number(id), `p${id}`, `Thing ${id}`, [{ id: Number(id), price: 100 }])),
  );
const smallerCatalogs = new Map(variantIds.map((id) => [id, catalogWithout(id)]));

const variantId = fc.constantFrom(...variantIds);
const quantity = fc.integer({ min: 1, max: 3 });
const properties = fc.constantFrom({}, { Name: "Ada" });
const position = fc.nat(7);
const parent = fc.option(fc.oneof(fc.record({ variantId }), fc.record({ position })), { nil: undefined });
const edit = fc.oneof(
  fc.record({
    kind: fc.constant("add" as const),
    items: fc.array(fc.record({ variantId, quantity, properties, parent }), { minLength: 1, maxLength: 4 }),
  }),
  fc.record({ kind: fc.constant("quantity" as const), position, quantity: fc.nat(3) }),
  fc.record({ kind: fc.constant("properties" as const), position, properties }),
  fc.record({ kind: fc.constant("update" as const), quantities: fc.array(fc.nat(3), { maxLength: 5 }) }),
  fc.record({ kind: fc.constant("remove product" as const), variantId }),
  fc.record({ kind: fc.constant("clear" as const) }),
);
type RandomEdit = typeof edit extends fc.Arbitrary<infer Value> ? Value : never;

/** Applies an edit; a rejected one does not change the cart. */
function apply(cart: Cart, step: RandomEdit, at: EditContext): Edit {
  const keyAt = (index: number): string => cart.lines[index]?.key ?? "none";
  try {
    if (step.kind === "clear") return clearCart(cart);
    if (step.kind === "remove product") {
      const smallerCatalog = smallerCatalogs.get(step.variantId) ?? catalog;
      return { ...reconcileCart(cart, { ...at, catalog: smallerCatalog }), changedKeys: [] };
    }
    if (step.kind === "quantity") return changeLine(cart, { keys: [keyAt(step.position)] }, step, at);
    if (step.kind === "properties")
      return changeLine(cart, { keys: [keyAt(step.position)] }, { properties: step.properties }, at);
    if (step.kind === "update") return updateCart(cart, { updates: step.quantities }, at);
    const items = step.items.map(({ parent: itemParent, ...item }, index): ItemToAdd => {
      const field = `items.${index}`;
      if (itemParent === undefined) return { ...item, field };
      return {
        ...item,
        field,
        parent: "variantId" in itemParent ? itemParent : { lineKey: keyAt(itemParent.position) },
      };
    });
    return addItems(cart, items, at);
  } catch (error) {
    assert.ok(error instanceof Problem && error.code === "validation_failed", String(error));
    return { cart, issues: [], changedKeys: [] };
  }
}

test(`nested lines follow their parent and are removed only alone or with it: ${numRuns} random histories`, () => {
  fc.assert(
    fc.property(fc.array(edit, { maxLength: 12 }), (steps) => {
      let cart: Cart = emptyCart;
      let tokens = 0;
      const at: EditContext = {
        ...{ catalog, currency: "USD", maxLines: 50, maxQuantity: 99, customer: undefined, now: 0, canTry: () => true },
        newToken: () => String(++tokens),
      };
      for (const step of steps) {
        const before = cart;
        ({ cart } = apply(before, step, at));
        assertNested(cart);
        assertRemovals(before, cart, step);
      }
    }),
    { numRuns },
  );
});

/** Asserts that each nested line follows its parent, which is not nested and has another variant. */
function assertNested({ lines }: Cart): void {
  assert.equal(new Set(lines.map(({ key }) => key)).size, lines.length);
  let current = lines[0];
  for (const line of lines) {
    if (line.parentKey === undefined) current = line;
    else {
      assert.equal(line.parentKey, current?.key);
      assert.notEqual(line.variantId, current?.variantId);
    }
    assert.ok(line.quantity > 0);
  }
}

/** Asserts which lines an edit removes, and that the other lines stay in order and keep their parent. */
function assertRemovals(before: Cart, after: Cart, step: RandomEdit): void {
  const remaining = after.lines.filter(({ key }) => before.lines.some((line) => line.key === key));
  const isRemoved = (line: Cart["lines"][number]): boolean => !remaining.some(({ key }) => key === line.key);
  for (const line of before.lines) {
    const parentLine = before.lines.find(({ key }) => key === line.parentKey);
    if (parentLine !== undefined && isRemoved(parentLine)) assert.ok(isRemoved(line), "removed with its parent");
    const index = before.lines.indexOf(line);
    const isRequested =
      (step.kind === "quantity" && step.quantity === 0 && step.position === index) ||
      (step.kind === "update" && step.quantities[index] === 0) ||
      (step.kind === "remove product" && step.variantId === line.variantId) ||
      // A line without nested lines is merged into a line that it now equals.
      (step.kind === "properties" && step.position === index) ||
      step.kind === "clear";
    if (isRemoved(line)) assert.ok(isRequested || (parentLine !== undefined && isRemoved(parentLine)), step.kind);
  }
  const kept = before.lines.filter((line) => !isRemoved(line));
  assert.deepEqual(
    remaining.map(({ key, parentKey }) => [key, parentKey]),
    kept.map(({ key, parentKey }) => [key, parentKey]),
  );
}
