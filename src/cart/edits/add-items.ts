import type { OfferedVariant } from "../../catalog/catalog.ts";
import { createFieldsProblem, type FieldError } from "../../problem.ts";
import type { Cart, Issue, Line } from "../cart.ts";
import { enforceCartLimits } from "../cart-limits.ts";
import { applyQuantityRule, countSellableUnits } from "../quantity.ts";
import { createQuantityIssue, findMessages } from "../quantity-issues.ts";
import { reconcileCart } from "../reconcile.ts";
import { createLine, type Edit, type EditContext, enforceQuantityLimit, requireCustomer } from "./edit-context.ts";
import { createEditableLines, type EditableLines } from "./line-draft.ts";
import { formatLineIdentity } from "./line-identity.ts";
import { createStockError, type StockShortage } from "./stock-error.ts";

/** One parsed item of a request that adds items. */
export interface ItemToAdd {
  readonly variantId: string;
  /** Number of units, at least 1. */
  readonly quantity: number;
  readonly properties: Readonly<Record<string, string>>;
  /** Parent of a nested line: a line of the cart by its key, or another item of the request by its variant. */
  readonly parent?: { readonly lineKey: string } | { readonly variantId: string };
  /** Path of the item in the request body: "", "items.0" or "item.product". */
  readonly field: string;
}

/**
 * Adds all items or none. Items with the same variant, parent, and properties share a line.
 * @throws Problem `validation_failed`, `customer_required`, `insufficient_stock`, `out_of_stock`
 * @see spec 4.3
 */
export function addItems<C extends Cart>(cart: C, items: readonly ItemToAdd[], context: EditContext): Edit<C> {
  const reconcileResult = reconcileCart(cart, context);
  const originalDraft = createEditableLines(reconcileResult.cart.lines);
  const draft = createEditableLines(reconcileResult.cart.lines);
  // A Map keeps the last value of equal keys. The reversed order makes it keep the first of several equal lines.
  const keysByIdentity = new Map(
    reconcileResult.cart.lines.toReversed().map((line) => [formatLineIdentity(line), line.key]),
  );
  const requestedItems = new Map<string, { readonly offer: OfferedVariant; readonly item: ItemToAdd }>();
  const itemKeys = new Map<ItemToAdd, string>();
  for (const [offer, item] of sortParentsFirst(findOffers(items, context))) {
    const parentKey = findParentKey(item, items, itemKeys, draft);
    const parentField = parentKey === undefined ? {} : { parentKey };
    const lineIdentity = formatLineIdentity({ ...item, ...parentField });
    const line = draft.get(keysByIdentity.get(lineIdentity) ?? "");
    const mergedLine = line
      ? { ...line, quantity: line.quantity + item.quantity }
      : { ...createLine(offer, item.quantity, item.properties, context), ...parentField };
    keysByIdentity.set(lineIdentity, mergedLine.key);
    draft.set(mergedLine);
    requestedItems.set(mergedLine.key, { offer, item });
    itemKeys.set(item, mergedLine.key);
  }
  const issues: Issue[] = [...reconcileResult.issues];
  const shortages: StockShortage[] = [];
  for (const [key, { offer, item }] of requestedItems) {
    const line = draft.get(key);
    if (line === undefined) continue;
    const previousLine = originalDraft.get(key);
    const quantity = applyQuantityRule(line.quantity, offer.variant.quantityRule, previousLine?.quantity ?? 0);
    if (quantity !== line.quantity)
      issues.push(createQuantityIssue(offer, line, { requestedQuantity: line.quantity, quantity }, context));
    enforceQuantityLimit(quantity, findErrorField(item, "quantity"), context);
    draft.set({ ...line, quantity });
    const otherLineUnits = draft.countUnits(item.variantId) - quantity;
    if (quantity > countSellableUnits(offer.variant, otherLineUnits)) {
      const cartQuantity = originalDraft.countUnits(item.variantId);
      const keyField = previousLine === undefined ? {} : { key };
      shortages.push({
        offer,
        field: findErrorField(item, "quantity"),
        requestedQuantity: quantity + otherLineUnits,
        cartQuantity,
        ...keyField,
      });
    }
  }
  if (shortages.length > 0) throw createStockError(shortages, context);
  const nextCart = { ...reconcileResult.cart, lines: draft.lines() };
  enforceCartLimits(reconcileResult.cart, nextCart, context);
  const changedKeys = new Set(items.map((item) => itemKeys.get(item) ?? ""));
  return { cart: nextCart, issues, changedKeys: [...changedKeys] };
}

function findOffers(
  items: readonly ItemToAdd[],
  context: EditContext,
): readonly (readonly [OfferedVariant, ItemToAdd])[] {
  const errors: FieldError[] = [];
  const matches: (readonly [OfferedVariant, ItemToAdd])[] = [];
  for (const item of items) {
    const offer = context.catalog.variant(item.variantId);
    if (offer !== undefined) matches.push([offer, item]);
    else
      errors.push({
        field: findErrorField(item, "id"),
        rule: "exists",
        message: findMessages(context)("cart.noVariant"),
      });
  }
  if (errors.length > 0) throw createFieldsProblem(errors);
  for (const [offer] of matches) requireCustomer(offer, context);
  return matches;
}

/** Sorts items of nested lines last, because their parents may follow them in the request. */
function sortParentsFirst<T>(offers: readonly (readonly [T, ItemToAdd])[]): readonly (readonly [T, ItemToAdd])[] {
  const nestedOffers = offers.filter(([, { parent }]) => parent !== undefined);
  return nestedOffers.length === 0
    ? offers
    : [...offers.filter(([, { parent }]) => parent === undefined), ...nestedOffers];
}

/**
 * Returns the key of the line to which an item belongs, or undefined for an item without a parent.
 * @param itemKeys keys of the lines of all items without a parent
 * @throws Problem `validation_failed` if the parent does not exist, is a nested line, or has the variant of the item
 */
function findParentKey(
  item: ItemToAdd,
  items: readonly ItemToAdd[],
  itemKeys: ReadonlyMap<ItemToAdd, string>,
  draft: EditableLines,
): string | undefined {
  if (item.parent === undefined) return undefined;
  const [field, parent] =
    "lineKey" in item.parent
      ? (["parent_line_key", toParentCandidate(draft.get(item.parent.lineKey))] as const)
      : (["parent_id", findParentItem(item, item.parent.variantId, items, itemKeys)] as const);
  const [rule, message] =
    parent === undefined
      ? ["exists", parentErrors[field]]
      : parent.variantId === item.variantId
        ? ["circular", "An item cannot belong to a line of the same variant."]
        : parent.isNested
          ? ["depth", "The parent belongs to another line. Name that line as the parent."]
          : [];
  if (rule !== undefined && message !== undefined)
    throw createFieldsProblem([{ field: findErrorField(item, field), rule, message }]);
  return parent?.key;
}

const parentErrors = {
  parent_line_key: "The cart has no line with this key.",
  parent_id: "The request has no item with this variant. Name a line of the cart by parent_line_key.",
};

interface ParentCandidate extends Pick<Line, "key" | "variantId"> {
  readonly isNested: boolean;
}

function toParentCandidate(line: Line | undefined): ParentCandidate | undefined {
  return line && { key: line.key, variantId: line.variantId, isNested: line.parentKey !== undefined };
}

/**
 * Returns the last item with the variant before a nested item, else the first one after it. If a request contains two
 * shirts, each shirt is the parent of the engraving after it.
 */
function findParentItem(
  item: ItemToAdd,
  variantId: string,
  items: readonly ItemToAdd[],
  itemKeys: ReadonlyMap<ItemToAdd, string>,
): ParentCandidate | undefined {
  const candidates = items.filter((candidate) => candidate.variantId === variantId);
  const isParentItem = (candidate: ItemToAdd): boolean =>
    candidate.variantId === variantId && candidate.parent === undefined;
  const precedingItems = items.slice(0, items.indexOf(item));
  const parentItem = precedingItems.findLast(isParentItem) ?? items.find(isParentItem) ?? candidates[0];
  if (parentItem === undefined) return undefined;
  return { key: itemKeys.get(parentItem) ?? "", variantId, isNested: parentItem.parent !== undefined };
}

function findErrorField(item: ItemToAdd, field: "id" | "quantity" | "parent_id" | "parent_line_key"): string {
  if (item.field === "item.product") return field === "id" ? "item.product.variantId" : `item.product.${field}`;
  return item.field === "" ? field : `${item.field}.${field}`;
}
