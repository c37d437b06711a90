import { createFieldProblem } from "../problem.ts";
import type { Cart } from "./cart.ts";
import type { EditContext } from "./edits/edit-context.ts";
import { findMessages } from "./quantity-issues.ts";

/** Maximum UTF-8 bytes of shopper input in one cart: property names and values, note, and codes. */
const MAX_TEXT_BYTES = 64 * 1_024;

/**
 * Throws if an edit lets the cart grow past a limit of the shop. Content that already exceeds a limit may stay or be
 * removed.
 * @param previousCart the cart before the edit, with the same prices
 * @throws Problem `validation_failed`
 */
export function enforceCartLimits(
  previousCart: Cart,
  newCart: Cart,
  context: Pick<EditContext, "maxLines" | "locale">,
): void {
  enforceLineLimit(previousCart.lines.length, newCart.lines.length, context);
  const total = computeTotalPrice(newCart);
  if (!Number.isSafeInteger(total) && total > computeTotalPrice(previousCart))
    throw createFieldProblem("quantity", "max", "The cart's total would be too large: choose a smaller quantity.");
  const bytes = countTextBytes(newCart);
  if (bytes > MAX_TEXT_BYTES && bytes > countTextBytes(previousCart))
    throw createFieldProblem(
      "properties|note|discount|gift_cards",
      "max",
      `The texts of a cart (properties, note and codes) have at most ${MAX_TEXT_BYTES} bytes together.`,
    );
}

/** Throws if an edit lets the number of lines grow past the shop's limit.  @throws Problem `validation_failed` */
export function enforceLineLimit(
  previousCart: number,
  lineCount: number,
  context: Pick<EditContext, "maxLines" | "locale">,
): void {
  const { maxLines } = context;
  if (lineCount > maxLines && lineCount > previousCart)
    throw createFieldProblem("items", "max", findMessages(context)("cart.tooManyLines", { max: maxLines }));
}

function computeTotalPrice({ lines }: Cart): number {
  return lines.reduce((sum, line) => sum + line.quantity * line.seenPrice, 0);
}

function countTextBytes({ lines, note = "", discountCodes, giftCards }: Cart): number {
  let bytes = Buffer.byteLength(note);
  for (const code of discountCodes) bytes += Buffer.byteLength(code);
  for (const code of giftCards) bytes += Buffer.byteLength(code);
  for (const { properties } of lines)
    for (const name in properties) bytes += Buffer.byteLength(name) + Buffer.byteLength(properties[name] ?? "");
  return bytes;
}
