import { isDeepStrictEqual } from "node:util";
import { normalizeCode } from "../../catalog/rows/parse-offers.ts";
import { createFieldProblem, createFieldsProblem, type FieldError, Problem } from "../../problem.ts";
import type { Cart, Issue, Line } from "../cart.ts";
import { enforceCartLimits, enforceLineLimit } from "../cart-limits.ts";
import { reconcileCart } from "../reconcile.ts";
import { createLine, type Edit, type EditContext } from "./edit-context.ts";
import { formatLineIdentity } from "./line-identity.ts";
import { type RequestedQuantity, setQuantities } from "./set-quantities.ts";
import { limitNewCodes, maskCode } from "./submitted-codes.ts";

/** Identifies the line that a request changes. Members are tried in order until one matches.  @see spec 4.4 */
export interface LineSelector {
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
 * Changes a line's quantity (0 removes the line and its nested lines), its properties, or both. If the quantity
 * exceeds the stock, the line gets the available quantity and an issue (a notice for the shopper). A line that becomes
 * equal to another line is merged into that line.
 * @param lineChange the change, or its validation error, which is thrown only if the target is valid
 * @throws Problem `validation_failed` if no line matches the target; a stock error of `addItems` if no stock is left
 * @see spec 4.4
 */
export function changeLine<C extends Cart>(
  cart: C,
  target: LineSelector,
  lineChange: LineChange | Problem,
  context: EditContext,
): Edit<C> {
  const reconcileResult = reconcileCart(cart, context);
  const line = findTargetLine(reconcileResult.cart.lines, target);
  if (lineChange instanceof Problem) throw lineChange;
  const quantity = lineChange.quantity ?? line.quantity;
  const { properties } = lineChange;
  const changedLine = properties === undefined || quantity === 0 ? line : { ...line, properties };
  const matchingLine = changedLine === line ? undefined : findEqualLine(reconcileResult.cart.lines, line, changedLine);
  const lines =
    changedLine === line
      ? reconcileResult.cart.lines
      : reconcileResult.cart.lines.map((item) => (item.key === line.key ? changedLine : item));
  const requestedQuantities =
    matchingLine === undefined
      ? new Map([[line.key, { quantity, field: "quantity" }]])
      : new Map([
          [line.key, { quantity: 0, field: "quantity" }],
          [matchingLine.key, { quantity: matchingLine.quantity + quantity, field: "quantity" }],
        ]);
  return applyEdit(
    cart,
    reconcileResult,
    setQuantities(lines, requestedQuantities, context),
    {},
    requestedQuantities.keys(),
    context,
  );
}

/**
 * Returns the other line that equals the changed line; undefined if there is none or the line did not change. A line
 * with nested lines is not merged, because they belong to it.
 */
function findEqualLine(lines: readonly Line[], line: Line, changedLine: Line): Line | undefined {
  const lineIdentity = formatLineIdentity(changedLine);
  if (formatLineIdentity(line) === lineIdentity || lines.some(({ parentKey }) => parentKey === line.key))
    return undefined;
  return lines.find((candidate) => candidate.key !== line.key && formatLineIdentity(candidate) === lineIdentity);
}

/**
 * Sets quantities, note and codes, all or nothing. Adds variants that are not in the cart yet.
 * @throws Problem `validation_failed` for an unknown key or more quantities than lines; errors of {@link changeLine}
 * @see spec 4.5
 */
export function updateCart<C extends Cart>(cart: C, changes: CartChanges, context: EditContext): Edit<C> {
  const reconcileResult = reconcileCart(cart, context);
  const { lines, requestedQuantities } = planUpdates(reconcileResult.cart.lines, changes.updates ?? [], context);
  const result = setQuantities(lines, requestedQuantities, context);
  const { note, discountCodes, giftCards } = changes;
  const discountResult = discountCodes && limitNewCodes(cart, "discount", discountCodes, context);
  const cardCodes = giftCards?.flatMap((code) => readCardCode(code, cart, context));
  const giftCardResult = cardCodes && limitNewCodes(cart, "gift_cards", cardCodes, context);
  const changedFields = {
    ...(note === undefined ? {} : { note }),
    ...(discountResult === undefined ? {} : { discountCodes: discountResult.codes }),
    ...(giftCardResult === undefined ? {} : { giftCards: giftCardResult.codes }),
  };
  const issues = [...result.issues, ...(discountResult?.issues ?? []), ...(giftCardResult?.issues ?? [])];
  return applyEdit(cart, reconcileResult, { ...result, issues }, changedFields, requestedQuantities.keys(), context);
}

/**
 * Returns the code of a submitted gift card. A masked code, such as "••••1234", refers to a card of the cart. Pages show
 * codes with spaces, which are removed unless the code itself has spaces.
 */
function readCardCode(submittedCode: string, cart: Cart, { catalog }: EditContext): readonly string[] {
  const maskedCode = normalizeCode(submittedCode);
  const keptCodes = cart.giftCards.filter(
    (code) => normalizeCode(maskCode(code)) === maskedCode && catalog.giftCard(code) !== undefined,
  );
  if (keptCodes.length > 0) return keptCodes;
  return [catalog.giftCard(submittedCode) === undefined ? submittedCode.replaceAll(/\s/g, "") : submittedCode];
}

/** Removes every line, but not the note and the codes.  @see spec 4.6 */
export function clearCart<C extends Cart>(cart: C): Edit<C> {
  return { cart: cart.lines.length === 0 ? cart : { ...cart, lines: [] }, issues: [], changedKeys: [] };
}

function applyEdit<C extends Cart>(
  cart: C,
  cartState: { readonly cart: C; readonly issues: readonly Issue[] },
  result: { readonly lines: readonly Line[]; readonly issues: readonly Issue[] },
  changedFields: Partial<Cart>,
  keys: Iterable<string>,
  context: EditContext,
): Edit<C> {
  const { note: _, ...cartWithoutNote } = cartState.cart;
  const baseCart = changedFields.note === "" ? (cartWithoutNote as C) : cartState.cart;
  const { note, ...otherFields } = changedFields;
  const nextCart = { ...baseCart, ...otherFields, ...(note ? { note } : {}), lines: result.lines };
  enforceCartLimits(cartState.cart, nextCart, context);
  const remainingKeys = new Set(result.lines.map(({ key }) => key));
  const isUnchanged = isSameCart(nextCart, cart);
  return {
    cart: isUnchanged ? cart : nextCart,
    issues: [...cartState.issues, ...result.issues],
    changedKeys: [...keys].filter((key) => remainingKeys.has(key)),
  };
}

/** Returns whether two carts have the same content. */
function isSameCart(cart: Cart, otherCart: Cart): boolean {
  const isSameLine = (line: Line, index: number): boolean => {
    const otherLine = otherCart.lines[index];
    return line === otherLine || (line.quantity === otherLine?.quantity && isDeepStrictEqual(line, otherLine));
  };
  if (cart.lines.length !== otherCart.lines.length || !cart.lines.every(isSameLine)) return false;
  const [{ lines: _, ...content }, { lines: _otherLines, ...otherContent }] = [cart, otherCart];
  return isDeepStrictEqual(content, otherContent);
}

/** The plan of an update: the lines, including new lines with quantity 0, and the requested quantities by line key. */
interface PlannedUpdate {
  readonly lines: readonly Line[];
  readonly requestedQuantities: ReadonlyMap<string, RequestedQuantity>;
}

function planUpdates(
  lines: readonly Line[],
  updates: ReadonlyMap<string, number> | readonly number[],
  context: EditContext,
): PlannedUpdate {
  return updates instanceof Map
    ? planKeyUpdates(lines, updates, context)
    : planQuantities(lines, updates as readonly number[]);
}

function planQuantities(lines: readonly Line[], quantities: readonly number[]): PlannedUpdate {
  if (quantities.length > lines.length)
    throw createFieldProblem(
      "updates",
      "length",
      `Send at most one quantity for each line of the cart: ${lines.length}.`,
    );
  const requestedQuantities = quantities.map((quantity, index) => [
    lines[index]?.key ?? "",
    { quantity, field: `updates.${index}` },
  ]);
  return { lines, requestedQuantities: new Map(requestedQuantities as [string, RequestedQuantity][]) };
}

/**
 * Plans an update by line key or variant ID. Checks the line limit early, because a request may list thousands of
 * variants.
 */
function planKeyUpdates(
  currentLines: readonly Line[],
  updates: ReadonlyMap<string, number>,
  context: EditContext,
): PlannedUpdate {
  const keysByVariant = new Map(currentLines.toReversed().map((line) => [line.variantId, line.key]));
  const currentKeys = new Set(currentLines.map(({ key }) => key));
  const requestedQuantities = new Map<string, RequestedQuantity>();
  const newVariants: [string, number][] = [];
  for (const [id, quantity] of updates) {
    const key = currentKeys.has(id) ? id : keysByVariant.get(id);
    if (key === undefined) newVariants.push([id, quantity]);
    else requestedQuantities.set(key, { quantity, field: `updates.${id}` });
  }
  let lineCount = currentLines.length;
  for (const { quantity } of requestedQuantities.values()) if (quantity === 0) lineCount -= 1;
  const errors: FieldError[] = [];
  const newLines: Line[] = [];
  for (const [id, quantity] of newVariants) {
    const field = `updates.${id}`;
    const offer = context.catalog.variant(id);
    if (offer === undefined)
      errors.push({ field, rule: "exists", message: "No line of the cart and no variant has this id." });
    else if (quantity > 0) {
      // The line starts at quantity 0, so its entire quantity counts as an increase.
      const line = createLine(offer, 0, {}, context);
      newLines.push(line);
      requestedQuantities.set(line.key, { quantity, field });
      enforceLineLimit(currentLines.length, lineCount + newLines.length, context);
    }
  }
  if (errors.length > 0) throw createFieldsProblem(errors);
  return { lines: [...currentLines, ...newLines], requestedQuantities };
}

function findTargetLine(lines: readonly Line[], { line, keys, id }: LineSelector): Line {
  const match =
    (line === undefined ? undefined : lines[line - 1]) ??
    keys.map((key) => lines.find((candidate) => candidate.key === key)).find((candidate) => candidate !== undefined) ??
    (id === undefined ? undefined : findLineById(lines, id));
  if (match !== undefined) return match;
  const fields = "cartLineId|cart_line_id|key|line";
  throw createFieldProblem(fields, "required", "Identify a line of the cart by its key or position.");
}

function findLineById(lines: readonly Line[], id: string): Line | undefined {
  return lines.find((line) => line.key === id) ?? lines.find((line) => line.variantId === id);
}
