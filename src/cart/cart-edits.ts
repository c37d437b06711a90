import type { Offer } from "../catalog/catalog.ts";
import { type Fault, invalid, Problem } from "../problem.ts";
import type { Cart, Issue, Line } from "./cart.ts";
import { type Edit, type EditContext, newLine, requireCustomer, requireQuantity, unitsOf } from "./edit-context.ts";
import { byRule, sellableHere } from "./quantity.ts";
import { ruleIssue } from "./quantity-issues.ts";
import { reconcile } from "./reconcile.ts";
import { setQuantities } from "./set-quantities.ts";
import { type Shortage, stockRefusal } from "./stock-refusal.ts";

/** One item of an add, already parsed. */
export interface AddItem {
  readonly variantId: string;
  /** 1 or more. */
  readonly quantity: number;
  readonly properties: Readonly<Record<string, string>>;
  /** Where it stood in the body: "", "items.0" or "item.product". */
  readonly field: string;
}

/** Which line is meant: the first of these that names one. @see spec 4.4 */
export interface LineTarget {
  /** 1-based place in `items`. */
  readonly line?: number;
  /** Line keys, in the order in which they are tried. */
  readonly keys: readonly string[];
  /** A line key, else the variant id of a line. */
  readonly id?: string;
}

/** What a bulk update changes; absent: left alone. */
export interface CartChanges {
  /** Line key or variant id -> quantity, or quantities by place. */
  readonly updates?: ReadonlyMap<string, number> | readonly number[];
  /** Empty: unset. */
  readonly note?: string;
  readonly discountCodes?: readonly string[];
  readonly giftCards?: readonly string[];
}

/** Adds items; equal variants with equal properties share a line. All or nothing.
 *  @throws Problem `validation_failed`, `customer_required`, `insufficient_stock`, `out_of_stock` @see spec 4.3 */
export function addItems<C extends Cart>(cart: C, items: readonly AddItem[], at: EditContext): Edit<C> {
  const current = reconcile(cart, at);
  const offers = findOffers(items, at);
  const lines = [...current.cart.lines];
  const asked = new Map<string, { readonly offer: Offer; readonly item: AddItem }>();
  items.forEach((item, index) => {
    const offer = offers[index];
    if (offer === undefined) return;
    const place = lines.findIndex((line) => isSameLine(line, item));
    const line = lines[place];
    const merged = line
      ? { ...line, quantity: line.quantity + item.quantity }
      : newLine(offer, item.quantity, item.properties, at);
    if (line === undefined) lines.push(merged);
    else lines[place] = merged;
    asked.set(merged.key, { offer, item });
  });
  const issues: Issue[] = [...current.issues];
  const shortages: Shortage[] = [];
  for (const [key, { offer, item }] of asked) {
    const place = lines.findIndex((line) => line.key === key);
    const line = lines[place];
    if (line === undefined) continue;
    const quantity = byRule(line.quantity, offer.variant.quantityRule, true);
    if (quantity !== line.quantity) issues.push(ruleIssue(offer, line, quantity));
    requireQuantity(quantity, fieldOf(item, "quantity"), at);
    lines[place] = { ...line, quantity };
    const elsewhere = unitsOf(item.variantId, lines, key);
    if (quantity > sellableHere(offer.variant, elsewhere)) {
      const inCart = unitsOf(item.variantId, current.cart.lines);
      shortages.push({ offer, field: fieldOf(item, "quantity"), requested: quantity + elsewhere, inCart, key });
    }
  }
  const known = new Set(cart.lines.map((line) => line.key));
  if (shortages.length > 0) throw stockRefusal(shortages.map((shortage) => withoutNewKey(shortage, known)));
  requireSize(lines, at);
  return { cart: { ...current.cart, lines }, issues, touched: [...asked.keys()] };
}

/** Sets one line's quantity; 0 removes it. Above stock the line is set to what stock allows, with an issue.
 *  @param quantity whole units, or the refusal of a bad one, which comes after that of a bad target
 *  @throws Problem `validation_failed` where the target names no line; as {@link addItems} where nothing is left @see spec 4.4 */
export function changeLine<C extends Cart>(
  cart: C,
  target: LineTarget,
  quantity: number | Problem,
  at: EditContext,
): Edit<C> {
  const current = reconcile(cart, at);
  const line = findTarget(current.cart.lines, target);
  if (quantity instanceof Problem) throw quantity;
  const set = setQuantities(current.cart.lines, [{ key: line.key, quantity, field: "quantity" }], at);
  return edited(cart, current, set, {}, [line.key]);
}

/** Sets quantities, note and codes, all or nothing. A variant that is not in the cart yet is added.
 *  @throws Problem `validation_failed` for a key that names nothing, or more quantities than lines; as {@link changeLine} @see spec 4.5 */
export function updateCart<C extends Cart>(cart: C, changes: CartChanges, at: EditContext): Edit<C> {
  const current = reconcile(cart, at);
  const { lines, quantities } = planUpdates(current.cart.lines, changes.updates ?? [], at);
  const set = setQuantities(lines, quantities, at);
  requireSize(set.lines, at);
  const { note, discountCodes, giftCards } = changes;
  const rest = {
    ...(note === undefined ? {} : { note }),
    ...(discountCodes === undefined ? {} : { discountCodes: unique(discountCodes) }),
    ...(giftCards === undefined ? {} : { giftCards: unique(giftCards) }),
  };
  return edited(
    cart,
    current,
    set,
    rest,
    quantities.map(({ key }) => key),
  );
}

/** Removes every line; note and codes stay. @see spec 4.6 */
export function clearCart<C extends Cart>(cart: C): Edit<C> {
  return { cart: cart.lines.length === 0 ? cart : { ...cart, lines: [] }, issues: [], touched: [] };
}

function edited<C extends Cart>(
  cart: C,
  current: { readonly cart: C; readonly issues: readonly Issue[] },
  set: { readonly lines: readonly Line[]; readonly issues: readonly Issue[] },
  rest: Partial<Cart>,
  keys: readonly string[],
): Edit<C> {
  const { note: _, ...unnoted } = current.cart;
  const base = rest.note === "" ? (unnoted as C) : current.cart;
  const { note, ...others } = rest;
  const next = { ...base, ...others, ...(note ? { note } : {}), lines: set.lines };
  const touched = keys.filter(
    (key, index) => keys.indexOf(key) === index && set.lines.some((line) => line.key === key),
  );
  const isSame = JSON.stringify(next) === JSON.stringify(cart);
  return { cart: isSame ? cart : next, issues: [...current.issues, ...set.issues], touched };
}

function planUpdates(
  current: readonly Line[],
  updates: ReadonlyMap<string, number> | readonly number[],
  at: EditContext,
): { lines: readonly Line[]; quantities: { key: string; quantity: number; field: string }[] } {
  const lines = [...current];
  if (!(updates instanceof Map)) {
    const list = updates as readonly number[];
    if (list.length > lines.length)
      throw invalid("updates", "length", `The cart has ${lines.length} lines: send no more quantities than that.`);
    return {
      lines,
      quantities: list.map((quantity, index) => ({
        key: lines[index]?.key ?? "",
        quantity,
        field: `updates.${index}`,
      })),
    };
  }
  const faults: Fault[] = [];
  const quantities = [];
  for (const [id, quantity] of updates as ReadonlyMap<string, number>) {
    const field = `updates.${id}`;
    const line = findById(lines, id);
    const offer = line === undefined ? at.catalog.variant(id) : undefined;
    if (line !== undefined) quantities.push({ key: line.key, quantity, field });
    else if (offer === undefined)
      faults.push({ field, rule: "exists", message: "No line of the cart and no variant has this id." });
    else if (quantity > 0) {
      // The line starts empty, so that what follows sees all of it as a raise.
      const added = newLine(offer, 0, {}, at);
      lines.push(added);
      quantities.push({ key: added.key, quantity, field });
    }
  }
  if (faults.length > 0) throw new Problem("validation_failed", faults[0]?.message ?? "", faults);
  return { lines, quantities };
}

function findOffers(items: readonly AddItem[], at: EditContext): readonly Offer[] {
  const faults: Fault[] = [];
  const offers: Offer[] = [];
  for (const item of items) {
    const offer = at.catalog.variant(item.variantId);
    if (offer !== undefined) offers.push(offer);
    else faults.push({ field: fieldOf(item, "id"), rule: "exists", message: "No variant has this id." });
  }
  if (faults.length > 0) throw new Problem("validation_failed", faults[0]?.message ?? "", faults);
  for (const offer of offers) requireCustomer(offer, at);
  return offers;
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

function isSameLine(line: Line, item: AddItem): boolean {
  if (line.variantId !== item.variantId) return false;
  const names = Object.keys(item.properties);
  return (
    names.length === Object.keys(line.properties).length &&
    names.every((name) => Object.hasOwn(line.properties, name) && line.properties[name] === item.properties[name])
  );
}

function fieldOf(item: AddItem, field: "id" | "quantity"): string {
  if (item.field === "item.product") return field === "id" ? "item.product.variantId" : "item.product.quantity";
  return item.field === "" ? field : `${item.field}.${field}`;
}

function withoutNewKey(shortage: Shortage, known: ReadonlySet<string>): Shortage {
  const { key, ...rest } = shortage;
  return key !== undefined && known.has(key) ? shortage : rest;
}

function requireSize(lines: readonly Line[], at: EditContext): void {
  if (lines.length > at.maxLines) throw invalid("items", "max", `A cart holds at most ${at.maxLines} lines.`);
  const total = lines.reduce((sum, line) => sum + line.quantity * line.seenPrice, 0);
  if (!Number.isSafeInteger(total))
    throw invalid("quantity", "max", "The cart's total would be too large: choose a smaller quantity.");
}

function unique(codes: readonly string[]): readonly string[] {
  const seen = new Set<string>();
  return codes
    .map((code) => code.trim())
    .filter((code) => code !== "" && !seen.has(code.toUpperCase()) && seen.add(code.toUpperCase()));
}
