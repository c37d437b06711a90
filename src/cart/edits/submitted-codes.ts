import { normalizeCode } from "../../catalog/rows/parse-offers.ts";
import type { Cart, Issue } from "../cart.ts";
import { findMessages, type LocaleContext } from "../quantity-issues.ts";

/** A code that a shopper submitted, and its type. */
export interface SubmittedCode {
  readonly field: "discount" | "gift_cards";
  readonly code: string;
}

/**
 * Removes duplicate codes, and new codes beyond the rate limit. Each code beyond the limit gets an issue (a notice for
 * the shopper).
 */
export function limitNewCodes(
  cart: Cart,
  field: SubmittedCode["field"],
  submittedCodes: readonly string[],
  context: LocaleContext & { readonly canTry: (submittedCode: SubmittedCode) => boolean },
): { readonly codes: readonly string[]; readonly issues: readonly Issue[] } {
  const currentCodes = new Set((field === "discount" ? cart.discountCodes : cart.giftCards).map(normalizeCode));
  const uniqueCodes = removeDuplicates(submittedCodes);
  const codes = uniqueCodes.filter((code) => currentCodes.has(normalizeCode(code)) || context.canTry({ field, code }));
  const rejectedCodes = uniqueCodes.filter((code) => !codes.includes(code));
  return {
    codes,
    issues: rejectedCodes.map((code) => createIssue({ field, code }, findMessages(context)("tooManyAttempts"))),
  };
}

/**
 * Creates the notice for a discount or gift card code that does not apply. All reasons have the same message, so that a
 * visitor cannot find out which codes exist.
 */
export function createUnusableCodeIssue(submittedCode: SubmittedCode, context: LocaleContext): Issue {
  const key = submittedCode.field === "discount" ? "cart.codeNotApplicable" : "cart.cardNotApplicable";
  return createIssue(submittedCode, findMessages(context)(key, { code: formatCode(submittedCode) }));
}

/** Returns the last characters of a gift card code, for display. */
export function maskCode(code: string): string {
  return `••••${code.slice(-4)}`;
}

function formatCode({ field, code }: SubmittedCode): string {
  return field === "discount" ? code : maskCode(code);
}

function createIssue({ field }: SubmittedCode, message: string): Issue {
  return { code: field === "discount" ? "discount_not_applicable" : "gift_card_not_applicable", message, field };
}

function removeDuplicates(codes: readonly string[]): readonly string[] {
  const seenCodes = new Set<string>();
  return codes
    .map((code) => code.trim())
    .filter((code) => code !== "" && !seenCodes.has(normalizeCode(code)) && seenCodes.add(normalizeCode(code)));
}
