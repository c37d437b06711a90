import type { Cart, Issue } from "../cart.ts";
import { messagesFor, type Reader } from "../quantity-issues.ts";

/** A code as a shopper gave it, and what for. */
export interface GivenCode {
  readonly field: "discount" | "gift_cards";
  readonly code: string;
}

/** The codes that a write gives, each once, but for those that are new to the cart and tried too fast: of these an issue tells. */
export function admitCodes(
  cart: Cart,
  field: GivenCode["field"],
  given: readonly string[],
  at: Reader & { readonly mayTry: (given: GivenCode) => boolean },
): { readonly codes: readonly string[]; readonly issues: readonly Issue[] } {
  const had = new Set((field === "discount" ? cart.discountCodes : cart.giftCards).map(spelling));
  const wanted = unique(given);
  const codes = wanted.filter((code) => had.has(spelling(code)) || at.mayTry({ field, code }));
  const left = wanted.filter((code) => !codes.includes(code));
  return { codes, issues: left.map((code) => slowedIssue({ field, code }, at)) };
}

/** One sentence for every reason, so that a stranger who tries codes does not learn which ones there are. */
export function inapplicableIssue(given: GivenCode, at: Reader): Issue {
  const key = given.field === "discount" ? "cart.codeNotApplicable" : "cart.cardNotApplicable";
  return issue(given, messagesFor(at)(key, { code: shownCode(given) }));
}

/** How a gift card's code is shown: whoever sees it cannot spend it. */
export function lastCharacters(code: string): string {
  return `••••${code.slice(-4)}`;
}

/** Codes are the same in capitals and small letters. */
export function spelling(code: string): string {
  return code.toUpperCase();
}

function slowedIssue(given: GivenCode, at: Reader): Issue {
  return issue(given, messagesFor(at)("tooManyAttempts"));
}

function shownCode({ field, code }: GivenCode): string {
  return field === "discount" ? code : lastCharacters(code);
}

function issue({ field }: GivenCode, message: string): Issue {
  return { code: field === "discount" ? "discount_not_applicable" : "gift_card_not_applicable", message, field };
}

function unique(codes: readonly string[]): readonly string[] {
  const seen = new Set<string>();
  return codes
    .map((code) => code.trim())
    .filter((code) => code !== "" && !seen.has(spelling(code)) && seen.add(spelling(code)));
}
