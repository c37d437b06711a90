import type { Cart, Issue } from "../cart.ts";
import { messagesFor, type Reader } from "../quantity-issues.ts";

/** A code that a shopper submitted, and its type. */
export interface SubmittedCode {
  readonly field: "discount" | "gift_cards";
  readonly code: string;
}

/** Removes duplicate codes, and new codes beyond the rate limit. Each code beyond the limit gets an issue. */
export function admitCodes(
  cart: Cart,
  field: SubmittedCode["field"],
  submitted: readonly string[],
  at: Reader & { readonly mayTry: (submitted: SubmittedCode) => boolean },
): { readonly codes: readonly string[]; readonly issues: readonly Issue[] } {
  const had = new Set((field === "discount" ? cart.discountCodes : cart.giftCards).map(normalizeCode));
  const distinct = unique(submitted);
  const codes = distinct.filter((code) => had.has(normalizeCode(code)) || at.mayTry({ field, code }));
  const left = distinct.filter((code) => !codes.includes(code));
  return { codes, issues: left.map((code) => slowedIssue({ field, code }, at)) };
}

/**
 * Returns the issue of a code that does not apply. All reasons have the same message, so that a visitor cannot find out
 * which codes exist.
 */
export function inapplicableIssue(submitted: SubmittedCode, at: Reader): Issue {
  const key = submitted.field === "discount" ? "cart.codeNotApplicable" : "cart.cardNotApplicable";
  return issue(submitted, messagesFor(at)(key, { code: shownCode(submitted) }));
}

/** Returns the last characters of a gift card code, for display. */
export function lastCharacters(code: string): string {
  return `••••${code.slice(-4)}`;
}

/** Normalizes a code for comparison, because codes are case-insensitive. */
export function normalizeCode(code: string): string {
  return code.toUpperCase();
}

function slowedIssue(submitted: SubmittedCode, at: Reader): Issue {
  return issue(submitted, messagesFor(at)("tooManyAttempts"));
}

function shownCode({ field, code }: SubmittedCode): string {
  return field === "discount" ? code : lastCharacters(code);
}

function issue({ field }: SubmittedCode, message: string): Issue {
  return { code: field === "discount" ? "discount_not_applicable" : "gift_card_not_applicable", message, field };
}

function unique(codes: readonly string[]): readonly string[] {
  const seen = new Set<string>();
  return codes
    .map((code) => code.trim())
    .filter((code) => code !== "" && !seen.has(normalizeCode(code)) && seen.add(normalizeCode(code)));
}
