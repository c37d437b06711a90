import type { OfferedVariant } from "../../catalog/catalog.ts";
import { countUnitsInStock } from "../../catalog/stock.ts";
import { joinMessages, MAX_FIELD_ERRORS, Problem } from "../../problem.ts";
import type { Issue } from "../cart.ts";
import { createStockIssue, findMessages, joinSentences, type LocaleContext } from "../quantity-issues.ts";

/** A requested quantity that is not in stock. */
export interface StockShortage {
  readonly offer: OfferedVariant;
  readonly field: string;
  /** Units that the cart would contain after the write. */
  readonly requestedQuantity: number;
  /** Units that the cart contains now. */
  readonly cartQuantity: number;
  readonly key?: string;
}

/**
 * Creates the error for a write that exceeds the stock: `out_of_stock` if no unit is available, else
 * `insufficient_stock`. `detail.issues` contains the available quantities of the first shortages.
 * @param shortages at least one
 * @see spec 4.3, 7.2
 */
export function createStockError(shortages: readonly StockShortage[], context: LocaleContext): Problem {
  const reportedShortages = shortages.slice(0, MAX_FIELD_ERRORS);
  const issues = reportedShortages.map((shortage) => toIssue(shortage, context));
  const code = shortages.every(({ offer }) => countUnitsInStock(offer.variant) === 0)
    ? "out_of_stock"
    : "insufficient_stock";
  const fields = reportedShortages.map(({ field }, index) => ({
    field,
    rule: "stock",
    message: issues[index]?.message ?? "",
  }));
  return new Problem(code, joinMessages(issues, shortages.length), fields, { issues });
}

function toIssue({ offer, requestedQuantity, cartQuantity, key }: StockShortage, context: LocaleContext): Issue {
  const keyField = key === undefined ? {} : { key };
  const issue = createStockIssue(offer, { requestedQuantity, quantity: cartQuantity, ...keyField }, context);
  if (cartQuantity === 0 || countUnitsInStock(offer.variant) === 0) return issue;
  const cartQuantityMessage = findMessages(context)("cart.alreadyIn", { count: cartQuantity });
  return { ...issue, message: joinSentences(issue.message, cartQuantityMessage, context) };
}
