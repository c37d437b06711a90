import type { Issue, Line } from "./cart.ts";
import { type EditContext, requireQuantity, unitsOf } from "./edit-context.ts";
import { byRule, sellableHere } from "./quantity.ts";
import { capIssue, ruleIssue } from "./quantity-issues.ts";
import { type Shortage, stockRefusal } from "./stock-refusal.ts";

/** A wanted quantity of one line; `field` names it in a refusal. */
export interface WantedQuantity {
  readonly key: string;
  /** 0 removes the line. */
  readonly quantity: number;
  readonly field: string;
}

/** Sets quantities of lines: 0 removes, rules and stock move the others, each with an issue. Lowering is always allowed.
 *  @param lines a line of quantity 0 is a new one
 *  @throws Problem `validation_failed`, and a stock refusal where a raise finds nothing left @see spec 4.4, 4.5 */
export function setQuantities(
  lines: readonly Line[],
  wanted: readonly WantedQuantity[],
  at: EditContext,
): { readonly lines: readonly Line[]; readonly issues: readonly Issue[] } {
  let current = lines;
  const issues: Issue[] = [];
  const shortages: Shortage[] = [];
  const isRaise = ({ key, quantity }: WantedQuantity): boolean =>
    quantity > (lines.find((line) => line.key === key)?.quantity ?? 0);
  // What some lines give up, others may have: lowering comes first.
  for (const want of [...wanted.filter((one) => !isRaise(one)), ...wanted.filter(isRaise)]) {
    requireQuantity(want.quantity, want.field, at);
    const line = current.find(({ key }) => key === want.key);
    const offer = line && at.catalog.variant(line.variantId);
    if (line === undefined || offer === undefined) continue;
    if (want.quantity === 0) {
      current = current.filter(({ key }) => key !== want.key);
      continue;
    }
    const ruled = byRule(want.quantity, offer.variant.quantityRule, want.quantity > line.quantity);
    if (ruled !== want.quantity) issues.push(ruleIssue(offer, { ...line, quantity: want.quantity }, ruled));
    requireQuantity(ruled, want.field, at);
    const elsewhere = unitsOf(line.variantId, current, line.key);
    const most = sellableHere(offer.variant, elsewhere);
    let quantity = ruled;
    if (ruled > most) {
      if (most === 0 && ruled > line.quantity) {
        const inCart = unitsOf(line.variantId, lines);
        const key = line.quantity === 0 ? {} : { key: line.key };
        shortages.push({ offer, field: want.field, requested: ruled + elsewhere, inCart, ...key });
        continue;
      }
      quantity = most === 0 ? ruled : most;
      issues.push(capIssue(offer, want.quantity, quantity, line.key));
    }
    current = current.map((other) => (other.key === line.key ? { ...other, quantity } : other));
  }
  if (shortages.length > 0) throw stockRefusal(shortages);
  return { lines: current.filter((line) => line.quantity > 0), issues };
}
