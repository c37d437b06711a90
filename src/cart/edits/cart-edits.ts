import { isDeepStrictEqual } from "node:util";
import type { Offer } from "../../catalog/catalog.ts";
import { type FieldError, invalid, invalidAll, Problem } from "../../problem.ts";
import type { Cart, Issue, Line } from "../cart.ts";
import { requireLines, requireRoom } from "../cart-limits.ts";
import { byRule, sellableHere } from "../quantity.ts";
import { messagesFor, ruleIssue } from "../quantity-issues.ts";
import { reconcile } from "../reconcile.ts";
import { type Edit, type EditContext, newLine, requireCustomer, requireQuantity } from "./edit-context.ts";
import { draftOf } from "./line-draft.ts";
import { type RequestedQuantity, setQuantities } from "./set-quantities.ts";
import { type Shortage, stockError } from "./stock-error.ts";
import { admitCodes } from "./submitted-codes.ts";

/** One parsed item of a request that adds items. */
export interface AddItem {
  readonly variantId: string;
  /** Number of units, at least 1. */
  readonly quantity: number;
  readonly properties: Readonly<Record<string, string>>;
  /** Path of the item in the request body: "", "items.0" or "item.product". */
  readonly field: string;
}

/** The line that a request changes. The first member that matches a line is used.  @see spec 4.4 */
export interface LineTarget {
  /** 1-based position of the line in `items`. */
  readonly line?: number;
  /** Line keys in the order in which they are tried. */
  readonly keys: readonly string[];
  /** A line key, or the variant ID of a line. */
  readonly id?: string;
}

/** Changes of one line. Undefined members leave the line unchanged. */
export interface LineChange {
  /** New quantity, an integer of at least 0. */
  readonly quantity?: number;
  readonly properties?: Line["properties"];
}

/** Changes of a bulk update. Undefined members leave the cart unchanged. */
export interface CartChanges {
  /** Quantities by line key or variant ID, or by position. */
  readonly updates?: ReadonlyMap<string, number> | readonly number[];
  /** New note; an empty string deletes the note. */
  readonly note?: string;
  readonly discountCodes?: readonly string[];
  readonly giftCards?: readonly string[];
}

/**
 * Adds all items or none. Items with the same variant and properties share a line.
 * @throws Problem `validation_failed`, `customer_required`, `insufficient_stock`, `out_of_stock`
 * @see spec 4.3
 */
export function addItems<C extends Cart>(cart: C, items: readonly AddItem[], at: EditContext): Edit<C> {
  const current = reconcile(cart, at);
  const unchanged = draftOf(current.cart.lines);
  const draft = draftOf(current.cart.lines);
  // Reversed, so that the first of several equal lines is used.
  const keys = new Map(current.cart.lines.toReversed().map((line) => [identityOf(line), line.key]));
  const requestedItems = new Map<string, { readonly offer: Offer; readonly item: AddItem }>();
  for (const [offer, item] of findOffers(items, at)) {
    const identity = identityOf(item);
    const line = draft.get(keys.get(identity) ?? "");
    const merged = line
      ? { ...line, quantity: line.quantity + item.quantity }
      : newLine(offer, item.quantity, item.properties, at);
    keys.set(identity, merged.key);
    draft.set(merged);
    requestedItems.set(merged.key, { offer, item });
  }
  const issues: Issue[] = [...current.issues];
  const shortages: Shortage[] = [];
  for (const [key, { offer, item }] of requestedItems) {
    const line = draft.get(key);
    if (line === undefined) continue;
    const before = unchanged.get(key);
    const quantity = byRule(line.quantity, offer.variant.quantityRule, before?.quantity ?? 0);
    if (quantity !== line.quantity) issues.push(ruleIssue(offer, line, { requested: line.quantity, quantity }, at));
    requireQuantity(quantity, fieldOf(item, "quantity"), at);
    draft.set({ ...line, quantity });
    const elsewhere = draft.unitsOf(item.variantId) - quantity;
    if (quantity > sellableHere(offer.variant, elsewhere)) {
      const inCart = unchanged.unitsOf(item.variantId);
      const known = before === undefined ? {} : { key };
      shortages.push({ offer, field: fieldOf(item, "quantity"), requested: quantity + elsewhere, inCart, ...known });
    }
  }
  if (shortages.length > 0) throw stockError(shortages, at);
  const next = { ...current.cart, lines: draft.lines() };
  requireRoom(current.cart, next, at);
  return { cart: next, issues, touched: [...requestedItems.keys()] };
}

/**
 * Changes a line's quantity (0 removes the line), its properties, or both. If the quantity exceeds the stock, the line
 * gets the available quantity and an issue. A line that becomes equal to another line is merged into that line.
 * @param change the change, or the validation error of an invalid change; an invalid target is reported first
 * @throws Problem `validation_failed` if no line matches the target; as {@link addItems} if no stock is left
 * @see spec 4.4
 */
export function changeLine<C extends Cart>(
  cart: C,
  target: LineTarget,
  change: LineChange | Problem,
  at: EditContext,
): Edit<C> {
  const current = reconcile(cart, at);
  const line = findTarget(current.cart.lines, target);
  if (change instanceof Problem) throw change;
  const quantity = change.quantity ?? line.quantity;
  const { properties } = change;
  const changed = properties === undefined || quantity === 0 ? line : { ...line, properties };
  const equalLine = changed === line ? undefined : joinedBy(current.cart.lines, line, changed);
  const lines =
    changed === line ? current.cart.lines : current.cart.lines.map((one) => (one.key === line.key ? changed : one));
  const requested =
    equalLine === undefined
      ? new Map([[line.key, { quantity, field: "quantity" }]])
      : new Map([
          [line.key, { quantity: 0, field: "quantity" }],
          [equalLine.key, { quantity: equalLine.quantity + quantity, field: "quantity" }],
        ]);
  return applyEdit(cart, current, setQuantities(lines, requested, at), {}, requested.keys(), at);
}

/** Returns another line that the changed line became equal to; undefined if no line matches. */
function joinedBy(lines: readonly Line[], line: Line, changed: Line): Line | undefined {
  const identity = identityOf(changed);
  if (identityOf(line) === identity) return undefined;
  return lines.find((one) => one.key !== line.key && identityOf(one) === identity);
}

/**
 * Sets quantities, note and codes, all or nothing. Adds variants that are not in the cart yet.
 * @throws Problem `validation_failed` for an unknown key, or for more quantities than lines; as {@link changeLine}
 * @see spec 4.5
 */
export function updateCart<C extends Cart>(cart: C, changes: CartChanges, at: EditContext): Edit<C> {
  const current = reconcile(cart, at);
  const { lines, requested } = planUpdates(current.cart.lines, changes.updates ?? [], at);
  const set = setQuantities(lines, requested, at);
  const { note, discountCodes, giftCards } = changes;
  const discounts = discountCodes && admitCodes(cart, "discount", discountCodes, at);
  const cards = giftCards && admitCodes(cart, "gift_cards", giftCards, at);
  const rest = {
    ...(note === undefined ? {} : { note }),
    ...(discounts === undefined ? {} : { discountCodes: discounts.codes }),
    ...(cards === undefined ? {} : { giftCards: cards.codes }),
  };
  const issues = [...set.issues, ...(discounts?.issues ?? []), ...(cards?.issues ?? [])];
  return applyEdit(cart, current, { ...set, issues }, rest, requested.keys(), at);
}

/** Removes every line, but not the note and the codes.  @see spec 4.6 */
export function clearCart<C extends Cart>(cart: C): Edit<C> {
  return { cart: cart.lines.length === 0 ? cart : { ...cart, lines: [] }, issues: [], touched: [] };
}

function applyEdit<C extends Cart>(
  cart: C,
  current: { readonly cart: C; readonly issues: readonly Issue[] },
  set: { readonly lines: readonly Line[]; readonly issues: readonly Issue[] },
  rest: Partial<Cart>,
  keys: Iterable<string>,
  at: EditContext,
): Edit<C> {
  const { note: _, ...unnoted } = current.cart;
  const base = rest.note === "" ? (unnoted as C) : current.cart;
  const { note, ...unmatched } = rest;
  const next = { ...base, ...unmatched, ...(note ? { note } : {}), lines: set.lines };
  requireRoom(current.cart, next, at);
  const left = new Set(set.lines.map(({ key }) => key));
  const isSame = isSameCart(next, cart);
  return {
    cart: isSame ? cart : next,
    issues: [...current.issues, ...set.issues],
    touched: [...keys].filter((key) => left.has(key)),
  };
}

/** Returns whether two carts have the same content. */
function isSameCart(one: Cart, other: Cart): boolean {
  const isSameLine = (line: Line, index: number): boolean => {
    const before = other.lines[index];
    return line === before || (line.quantity === before?.quantity && isDeepStrictEqual(line, before));
  };
  if (one.lines.length !== other.lines.length || !one.lines.every(isSameLine)) return false;
  const [{ lines: _, ...rest }, { lines: __, ...otherRest }] = [one, other];
  return isDeepStrictEqual(rest, otherRest);
}

/** The plan of an update: the lines, including new lines with quantity 0, and the requested quantities by line key. */
interface UpdatePlan {
  readonly lines: readonly Line[];
  readonly requested: ReadonlyMap<string, RequestedQuantity>;
}

function planUpdates(
  lines: readonly Line[],
  updates: ReadonlyMap<string, number> | readonly number[],
  at: EditContext,
): UpdatePlan {
  return updates instanceof Map ? planByKey(lines, updates, at) : planByPlace(lines, updates as readonly number[]);
}

function planByPlace(lines: readonly Line[], quantities: readonly number[]): UpdatePlan {
  if (quantities.length > lines.length)
    throw invalid("updates", "length", `The cart has ${lines.length} lines: send no more quantities than that.`);
  const requested = quantities.map((quantity, index) => [
    lines[index]?.key ?? "",
    { quantity, field: `updates.${index}` },
  ]);
  return { lines, requested: new Map(requested as [string, RequestedQuantity][]) };
}

/**
 * Plans an update by line key or variant ID. Checks the line limit early, because a request may list thousands of
 * variants.
 */
function planByKey(current: readonly Line[], updates: ReadonlyMap<string, number>, at: EditContext): UpdatePlan {
  const byVariant = new Map(current.toReversed().map((line) => [line.variantId, line.key]));
  const byKey = new Set(current.map(({ key }) => key));
  const requested = new Map<string, RequestedQuantity>();
  const unmatched: [string, number][] = [];
  for (const [id, quantity] of updates) {
    const key = byKey.has(id) ? id : byVariant.get(id);
    if (key === undefined) unmatched.push([id, quantity]);
    else requested.set(key, { quantity, field: `updates.${id}` });
  }
  let left = current.length;
  for (const { quantity } of requested.values()) if (quantity === 0) left -= 1;
  const errors: FieldError[] = [];
  const added: Line[] = [];
  for (const [id, quantity] of unmatched) {
    const field = `updates.${id}`;
    const offer = at.catalog.variant(id);
    if (offer === undefined)
      errors.push({ field, rule: "exists", message: "No line of the cart and no variant has this id." });
    else if (quantity > 0) {
      // The line starts at quantity 0, so its entire quantity counts as an increase.
      const line = newLine(offer, 0, {}, at);
      added.push(line);
      requested.set(line.key, { quantity, field });
      requireLines(current.length, left + added.length, at);
    }
  }
  if (errors.length > 0) throw invalidAll(errors);
  return { lines: [...current, ...added], requested };
}

function findOffers(items: readonly AddItem[], at: EditContext): readonly (readonly [Offer, AddItem])[] {
  const errors: FieldError[] = [];
  const found: (readonly [Offer, AddItem])[] = [];
  for (const item of items) {
    const offer = at.catalog.variant(item.variantId);
    if (offer !== undefined) found.push([offer, item]);
    else errors.push({ field: fieldOf(item, "id"), rule: "exists", message: messagesFor(at)("cart.noVariant") });
  }
  if (errors.length > 0) throw invalidAll(errors);
  for (const [offer] of found) requireCustomer(offer, at);
  return found;
}

function findTarget(lines: readonly Line[], { line, keys, id }: LineTarget): Line {
  const found =
    (line === undefined ? undefined : lines[line - 1]) ??
    keys.map((key) => lines.find((candidate) => candidate.key === key)).find((candidate) => candidate !== undefined) ??
    (id === undefined ? undefined : findById(lines, id));
  if (found !== undefined) return found;
  throw invalid("cartLineId|cart_line_id|key|line", "required", "Name a line of the cart by its key or its place.");
}

function findById(lines: readonly Line[], id: string): Line | undefined {
  return lines.find((line) => line.key === id) ?? lines.find((line) => line.variantId === id);
}

/** Returns the same string for items that belong to one line: equal variant and equal properties in any order. */
function identityOf({ variantId, properties }: Pick<Line, "variantId" | "properties">): string {
  const names = Object.keys(properties).sort();
  return JSON.stringify([variantId, ...names.flatMap((name) => [name, properties[name]])]);
}

function fieldOf(item: AddItem, field: "id" | "quantity"): string {
  if (item.field === "item.product") return field === "id" ? "item.product.variantId" : "item.product.quantity";
  return item.field === "" ? field : `${item.field}.${field}`;
}
