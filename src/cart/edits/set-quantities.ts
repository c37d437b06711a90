import type { Issue, Line } from "../cart.ts";
import { byRule, remainingStock, sellableHere } from "../quantity.ts";
import { capIssue, joinSentences, messagesFor, ruleIssue } from "../quantity-issues.ts";
import { type EditContext, requireCustomer, requireQuantity } from "./edit-context.ts";
import { draftOf, type LineDraft } from "./line-draft.ts";
import { type Shortage, stockError } from "./stock-error.ts";

/** A requested quantity of one line. `field` is the path of the quantity in the request, for errors. */
export interface RequestedQuantity {
  /** New number of units; 0 removes the line. */
  readonly quantity: number;
  readonly field: string;
}

/**
 * Sets the quantities of lines. Quantity 0 removes a line. A quantity limited by a rule or by stock gets an issue with
 * the resulting quantity. A decrease is always allowed.
 * @param lines the lines of the cart, and new lines with quantity 0
 * @param requested requested quantities by line key
 * @throws Problem `validation_failed`, `customer_required`, or a stock error if no unit is available for an increase
 * @see spec 4.4, 4.5
 */
export function setQuantities(
  lines: readonly Line[],
  requested: ReadonlyMap<string, RequestedQuantity>,
  at: EditContext,
): { readonly lines: readonly Line[]; readonly issues: readonly Issue[] } {
  const draft = draftOf(lines);
  let unchanged: LineDraft | undefined;
  const issues: Issue[] = [];
  const shortages: Shortage[] = [];
  for (const [key, want] of lowersFirst(requested, draft)) {
    const line = draft.get(key);
    const offer = line && at.catalog.variant(line.variantId);
    if (line === undefined || offer === undefined) continue;
    if (want.quantity === 0) {
      draft.delete(key);
      continue;
    }
    if (want.quantity > line.quantity) {
      requireQuantity(want.quantity, want.field, at);
      requireCustomer(offer, at);
    }
    const ruled = byRule(want.quantity, offer.variant.quantityRule, line.quantity);
    if (ruled > line.quantity) requireQuantity(ruled, want.field, at);
    const elsewhere = draft.unitsOf(line.variantId) - line.quantity;
    const maximum = sellableHere(offer.variant, elsewhere);
    if (ruled > maximum && maximum === 0 && ruled > line.quantity) {
      unchanged ??= draftOf(lines);
      const inCart = unchanged.unitsOf(line.variantId);
      shortages.push({
        offer,
        field: want.field,
        requested: ruled + elsewhere,
        inCart,
        ...(line.quantity === 0 ? {} : { key }),
      });
      continue;
    }
    const quantity = maximum === 0 ? ruled : Math.min(ruled, maximum);
    if (ruled > maximum && want.quantity > remainingStock(offer.variant, elsewhere))
      issues.push(withOutcome(capIssue(offer, { requested: want.quantity, quantity, key }, at), at));
    else if (quantity !== want.quantity)
      issues.push(ruleIssue(offer, line, { requested: want.quantity, quantity }, at));
    if (quantity === 0) draft.delete(key);
    else draft.set({ ...line, quantity });
  }
  if (shortages.length > 0) throw stockError(shortages, at);
  return { lines: draft.lines().filter((line) => line.quantity > 0), issues };
}

/**
 * Sorts decreases before increases, because an increase may use the released units.
 * @param draft the lines before any change
 */
function lowersFirst(
  requested: ReadonlyMap<string, RequestedQuantity>,
  draft: LineDraft,
): Iterable<readonly [string, RequestedQuantity]> {
  if (requested.size === 1) return requested;
  const isRaise = ([key, { quantity }]: readonly [string, RequestedQuantity]): boolean =>
    quantity > (draft.get(key)?.quantity ?? 0);
  const all = [...requested];
  return [...all.filter((one) => !isRaise(one)), ...all.filter(isRaise)];
}

/** Adds the resulting quantity to the issue's message if it differs from the requested quantity. */
function withOutcome(issue: Issue, at: EditContext): Issue {
  if (issue.quantity === issue.requestedQuantity) return issue;
  const outcome = messagesFor(at)("cart.setTo", { count: issue.quantity ?? 0 });
  return { ...issue, message: joinSentences(issue.message, outcome, at) };
}
