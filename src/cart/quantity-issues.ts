import { formatOfferTitle, type OfferedVariant } from "../catalog/catalog.ts";
import { localizeOffer } from "../catalog/localize.ts";
import { countUnitsInStock } from "../catalog/stock.ts";
import { formatList } from "../messages/format-list.ts";
import { getMessages, type Messages } from "../messages/messages.ts";
import type { Issue, Line } from "./cart.ts";
import { computeLargestAllowedQuantity } from "./quantity.ts";

/** Context for writing messages to a shopper. */
export interface LocaleContext {
  /** Locale of the messages. Default: English. */
  readonly locale?: string;
}

export function findMessages({ locale = "en" }: LocaleContext): Messages {
  return getMessages(locale);
}

/** Joins two sentences in the reader's language. */
export function joinSentences(firstSentence: string, secondSentence: string, context: LocaleContext): string {
  return firstSentence + findMessages(context)("cart.gap") + secondSentence;
}

/** Returns the title of a variant in the reader's language. */
export function localizeTitle(offer: OfferedVariant, { locale }: LocaleContext): string {
  return formatOfferTitle(locale === undefined ? offer : localizeOffer(offer, locale));
}

/** Creates a notice for the shopper that stock is limited.  @param quantity units in the cart after the write */
export function createStockIssue(
  offer: OfferedVariant,
  {
    requestedQuantity,
    quantity,
    key,
  }: { readonly requestedQuantity: number; readonly quantity: number; readonly key?: string },
  context: LocaleContext,
): Issue {
  const availableUnits = countUnitsInStock(offer.variant);
  const needsRuleMessage = computeLargestAllowedQuantity(availableUnits, offer.variant.quantityRule) < availableUnits;
  const title = localizeTitle(offer, context);
  const message = findMessages(context)(availableUnits === 0 ? "cart.soldOut" : "cart.only", {
    title,
    count: availableUnits,
  });
  return {
    code: "inventory_cap",
    message: needsRuleMessage ? joinSentences(message, describeRule(offer, context), context) : message,
    field: "quantity",
    ...(key === undefined ? {} : { key }),
    variantId: offer.variant.id,
    requestedQuantity,
    quantity,
    availableQuantity: availableUnits,
  };
}

/** Creates a notice for the shopper that only signed-in customers can buy the product of a line. */
export function createLoginIssue(
  offer: OfferedVariant,
  line: Pick<Line, "quantity" | "key">,
  context: LocaleContext,
): Issue {
  const message = findMessages(context)("cart.membersOnly", { title: localizeTitle(offer, context) });
  return { code: "customer_required", message, variantId: offer.variant.id, ...line };
}

/**
 * Creates a notice for the shopper about a quantity that the product's quantity rule changed.
 * @param requestedQuantity quantity that the shopper requested
 * @param quantity quantity of the line after the change
 */
export function createQuantityIssue(
  offer: OfferedVariant,
  line: Line,
  { requestedQuantity, quantity }: { readonly requestedQuantity: number; readonly quantity: number },
  context: LocaleContext,
): Issue {
  const resultMessage = findMessages(context)(quantity === 0 ? "cart.takenOut" : "cart.setTo", { count: quantity });
  return {
    code: "quantity_rule",
    message: joinSentences(describeRule(offer, context), resultMessage, context),
    field: "quantity",
    key: line.key,
    variantId: line.variantId,
    requestedQuantity,
    quantity,
  };
}

function describeRule(offer: OfferedVariant, context: LocaleContext): string {
  const { min, max, increment } = offer.variant.quantityRule;
  const values = { title: localizeTitle(offer, context), min, increment };
  if (max === undefined) return findMessages(context)(increment > 1 ? "cart.multiples" : "cart.minimum", values);
  return findMessages(context)(increment > 1 ? "cart.multiplesRange" : "cart.range", { ...values, max });
}

/**
 * Maximum number of issues of a cart for which a substitute is searched. A search takes up to a few milliseconds.
 */
const MAX_SUBSTITUTES = 5;

/** Returns the issues for which a substitute is searched: the first ones about sold-out items. */
export function selectSoldOutIssues(issues: readonly Issue[]): ReadonlySet<Issue> {
  // A line is removed if its product was deleted, or together with its parent line. Neither gets a substitute.
  const soldOutIssues = issues.filter(
    ({ availableQuantity, code }) => availableQuantity === 0 && code !== "line_removed",
  );
  return new Set(soldOutIssues.slice(0, MAX_SUBSTITUTES));
}

/**
 * Merges the issues of a cart edit with those found when the cart is priced afterwards. An issue about the same line with
 * the same code is reported once.
 */
export function mergeIssues(editIssues: readonly Issue[], pricingIssues: readonly Issue[]): readonly Issue[] {
  const editIssueKeys = new Set(editIssues.map(({ code, key }) => `${code} ${key}`));
  return [
    ...editIssues,
    ...pricingIssues.filter(({ code, key }) => key === undefined || !editIssueKeys.has(`${code} ${key}`)),
  ];
}

/**
 * Creates a notice for the shopper if a write contains data that the cart does not store.
 * @param names names of the attributes or fields; empty for no notice
 */
export function createIgnoredDataIssue(
  code: "attributes_not_kept" | "fields_not_kept",
  names: readonly string[],
  context: LocaleContext,
): readonly Issue[] {
  if (names.length === 0) return [];
  const listedNames = names.slice(0, MAX_LISTED_NAMES).map((name) => [...name].slice(0, MAX_NAME_LENGTH).join(""));
  const message = findMessages(context)("cart.attributesNotKept", {
    names: formatList([...listedNames, ...(names.length > MAX_LISTED_NAMES ? ["…"] : [])], context.locale ?? "en"),
  });
  return [{ code, message, field: code === "attributes_not_kept" ? "attributes" : (names[0] ?? "") }];
}

/** Maximum names in a message, and maximum characters of each. */
const MAX_LISTED_NAMES = 10;
const MAX_NAME_LENGTH = 50;
