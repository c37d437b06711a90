import type { Issue, Line } from "../cart.ts";
import { applyQuantityRule, countRemainingStock, countSellableUnits } from "../quantity.ts";
import { createQuantityIssue, createStockIssue, findMessages, joinSentences } from "../quantity-issues.ts";
import { type EditContext, enforceQuantityLimit, requireCustomer } from "./edit-context.ts";
import { createEditableLines, type EditableLines } from "./line-draft.ts";
import { createStockError, type StockShortage } from "./stock-error.ts";

/** A requested quantity of one line. `field` is the path of the quantity in the request, for errors. */
export interface RequestedQuantity {
  /** New number of units; 0 removes the line. */
  readonly quantity: number;
  readonly field: string;
}

/**
 * Sets the quantities of lines. Quantity 0 removes a line. A quantity limited by a rule or by stock gets an issue (a
 * notice for the shopper) with the resulting quantity. A decrease is always allowed.
 * @param lines the lines of the cart, and new lines with quantity 0
 * @param requestedQuantities requested quantities by line key
 * @throws Problem `validation_failed`, `customer_required`, or a stock error if no unit is available for an increase, or
 * too few with `rejectsShortages`
 * @see spec 4.4, 4.5
 */
export function setQuantities(
  lines: readonly Line[],
  requestedQuantities: ReadonlyMap<string, RequestedQuantity>,
  context: EditContext,
): { readonly lines: readonly Line[]; readonly issues: readonly Issue[] } {
  const draft = createEditableLines(lines);
  let originalDraft: EditableLines | undefined;
  const issues: Issue[] = [];
  const shortages: StockShortage[] = [];
  for (const [key, request] of sortDecreasesFirst(requestedQuantities, draft)) {
    const line = draft.get(key);
    const offer = line && context.catalog.variant(line.variantId);
    if (line === undefined || offer === undefined) continue;
    if (request.quantity === 0) {
      draft.delete(key);
      continue;
    }
    if (request.quantity > line.quantity) {
      enforceQuantityLimit(request.quantity, request.field, context);
      requireCustomer(offer, context);
    }
    const allowedQuantity = applyQuantityRule(request.quantity, offer.variant.quantityRule, line.quantity);
    if (allowedQuantity > line.quantity) enforceQuantityLimit(allowedQuantity, request.field, context);
    const otherLineUnits = draft.countUnits(line.variantId) - line.quantity;
    const sellableQuantity = countSellableUnits(offer.variant, otherLineUnits);
    const mustReject = sellableQuantity === 0 || context.rejectsShortages === true;
    if (allowedQuantity > sellableQuantity && mustReject && allowedQuantity > line.quantity) {
      originalDraft ??= createEditableLines(lines);
      const cartQuantity = originalDraft.countUnits(line.variantId);
      shortages.push({
        offer,
        field: request.field,
        requestedQuantity: allowedQuantity + otherLineUnits,
        cartQuantity,
        ...(line.quantity === 0 ? {} : { key }),
      });
      continue;
    }
    const quantity = sellableQuantity === 0 ? allowedQuantity : Math.min(allowedQuantity, sellableQuantity);
    if (allowedQuantity > sellableQuantity && request.quantity > countRemainingStock(offer.variant, otherLineUnits))
      issues.push(
        addResultingQuantity(
          createStockIssue(offer, { requestedQuantity: request.quantity, quantity, key }, context),
          context,
        ),
      );
    else if (quantity !== request.quantity)
      issues.push(createQuantityIssue(offer, line, { requestedQuantity: request.quantity, quantity }, context));
    if (quantity === 0) draft.delete(key);
    else draft.set({ ...line, quantity });
  }
  if (shortages.length > 0) throw createStockError(shortages, context);
  return { lines: draft.lines().filter((line) => line.quantity > 0), issues };
}

/**
 * Sorts decreases before increases, because an increase may use the released units.
 * @param draft the lines before any change
 */
function sortDecreasesFirst(
  requestedQuantities: ReadonlyMap<string, RequestedQuantity>,
  draft: EditableLines,
): Iterable<readonly [string, RequestedQuantity]> {
  if (requestedQuantities.size === 1) return requestedQuantities;
  const increasesQuantity = ([key, { quantity }]: readonly [string, RequestedQuantity]): boolean =>
    quantity > (draft.get(key)?.quantity ?? 0);
  const entries = [...requestedQuantities];
  return [...entries.filter((entry) => !increasesQuantity(entry)), ...entries.filter(increasesQuantity)];
}

/** Adds the resulting quantity to the message of a notice if it differs from the requested quantity. */
function addResultingQuantity(issue: Issue, context: EditContext): Issue {
  if (issue.quantity === issue.requestedQuantity) return issue;
  const resultMessage = findMessages(context)("cart.setTo", { count: issue.quantity ?? 0 });
  return { ...issue, message: joinSentences(issue.message, resultMessage, context) };
}
