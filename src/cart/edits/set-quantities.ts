import type { Issue, Line } from "../cart.ts";
import { byRule, leftFor, sellableHere } from "../quantity.ts";
import { capIssue, joinSentences, messagesFor, ruleIssue } from "../quantity-issues.ts";
import { type EditContext, requireCustomer, requireQuantity } from "./edit-context.ts";
import { draftOf, type LineDraft } from "./line-draft.ts";
import { type Shortage, stockRefusal } from "./stock-refusal.ts";

/** A requested quantity of one line; `field` names it in an error. */
export interface WantedQuantity {
  /** 0 removes the line. */
  readonly quantity: number;
  readonly field: string;
}

/**
 * Sets quantities of lines: 0 removes a line; rules and stock limit the others, each with an issue that states the
 * resulting quantity. Lowering is always allowed.
 * @param lines a line with quantity 0 is new
 * @param wanted requested quantities by line key
 * @throws Problem `validation_failed`, `customer_required`, and a stock error if an increase finds nothing left
 * @see spec 4.4, 4.5
 */
export function setQuantities(
  lines: readonly Line[],
  wanted: ReadonlyMap<string, WantedQuantity>,
  at: EditContext,
): { readonly lines: readonly Line[]; readonly issues: readonly Issue[] } {
  const draft = draftOf(lines);
  let held: LineDraft | undefined;
  const issues: Issue[] = [];
  const shortages: Shortage[] = [];
  for (const [key, want] of lowersFirst(wanted, draft)) {
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
    const most = sellableHere(offer.variant, elsewhere);
    if (ruled > most && most === 0 && ruled > line.quantity) {
      held ??= draftOf(lines);
      const inCart = held.unitsOf(line.variantId);
      shortages.push({
        offer,
        field: want.field,
        requested: ruled + elsewhere,
        inCart,
        ...(line.quantity === 0 ? {} : { key }),
      });
      continue;
    }
    const quantity = most === 0 ? ruled : Math.min(ruled, most);
    if (ruled > most && want.quantity > leftFor(offer.variant, elsewhere))
      issues.push(withOutcome(capIssue(offer, { requested: want.quantity, quantity, key }, at), at));
    else if (quantity !== want.quantity)
      issues.push(ruleIssue(offer, line, { requested: want.quantity, quantity }, at));
    if (quantity === 0) draft.delete(key);
    else draft.set({ ...line, quantity });
  }
  if (shortages.length > 0) throw stockRefusal(shortages, at);
  return { lines: draft.lines().filter((line) => line.quantity > 0), issues };
}

/** Applies decreases first, since other lines may use the released units.  @param draft before any change */
function lowersFirst(
  wanted: ReadonlyMap<string, WantedQuantity>,
  draft: LineDraft,
): Iterable<readonly [string, WantedQuantity]> {
  if (wanted.size === 1) return wanted;
  const isRaise = ([key, { quantity }]: readonly [string, WantedQuantity]): boolean =>
    quantity > (draft.get(key)?.quantity ?? 0);
  const all = [...wanted];
  return [...all.filter((one) => !isRaise(one)), ...all.filter(isRaise)];
}

/** Puts the resulting quantity into the issue's message if it differs from the requested one. */
function withOutcome(issue: Issue, at: EditContext): Issue {
  if (issue.quantity === issue.requestedQuantity) return issue;
  const outcome = messagesFor(at)("cart.setTo", { count: issue.quantity ?? 0 });
  return { ...issue, message: joinSentences(issue.message, outcome, at) };
}
