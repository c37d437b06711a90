import { findMessages } from "../../cart/quantity-issues.ts";
import { type Catalog, formatOfferTitle, type OfferedVariant } from "../../catalog/catalog.ts";
import { localizeOffer } from "../../catalog/localize.ts";
import { isAvailable } from "../../catalog/stock.ts";
import { listCountryCodes } from "../../pricing/countries.ts";
import { formatMoney } from "../../pricing/money.ts";
import { createFieldProblem, createFieldsProblem, type FieldError, Problem } from "../../problem.ts";
import type { Shop } from "../../shop.ts";
import { type Body, isObject } from "../bodies/body.ts";
import { parseQuantity } from "../cart/cart-bodies.ts";
import type { StoreRequest } from "../wire/request.ts";
import { readObject, readText } from "./payload.ts";
import { readPriceQuote } from "./quotes.ts";

/** An item of a cart, as an agent sent it. */
export interface AgentCartLine {
  readonly variantId: string;
  readonly quantity: number;
  /** Signed price and availability that the agent received earlier; undefined if it sent none. */
  readonly quote: string | undefined;
}

const MAX_LINES = 100;

/** Parses the items of a cart.  @throws Problem `validation_failed` with all errors */
export function readLines(shop: Pick<Shop, "config">, payload: Body, catalog: Catalog): readonly AgentCartLine[] {
  const { line_items: items } = payload;
  if (!Array.isArray(items) || items.length === 0)
    throw createFieldProblem("line_items", "required", "Send a list of items, such as { item: { id }, quantity }.");
  if (items.length > MAX_LINES) throw createFieldProblem("line_items", "max", `Send at most ${MAX_LINES} items.`);
  const results = items.map((line: unknown, index) =>
    readLine(line, `line_items[${index}]`, shop.config.cart.maxQuantity, catalog),
  );
  const errors = results.flatMap((result) => ("variantId" in result ? [] : result));
  if (errors.length > 0) throw createFieldsProblem(errors);
  return results.filter((result) => "variantId" in result);
}

function readLine(
  line: unknown,
  path: string,
  maxQuantity: number,
  catalog: Catalog,
): AgentCartLine | readonly FieldError[] {
  try {
    const item = isObject(line) ? readObject(line, "item", `${path}.item`) : undefined;
    const variantId = item && readText(item, "id", `${path}.item.id`);
    if (!isObject(line) || item === undefined || variantId === undefined)
      return createFieldProblem(`${path}.item.id`, "required", "Name a variant by its id.").fields;
    const quantity = parseQuantity(line.quantity, `${path}.quantity`, 1, maxQuantity);
    if (quantity instanceof Problem) return quantity.fields;
    if (catalog.variant(variantId) === undefined)
      return createFieldProblem(`${path}.item.id`, "exists", "This product variant doesn’t exist.").fields;
    return { variantId, quantity, quote: readText(item, "quote", `${path}.item.quote`) };
  } catch (error) {
    if (error instanceof Problem) return error.fields;
    throw error;
  }
}

/**
 * Returns the country code of the destination; "" if the request contains none.
 * @throws Problem `validation_failed`
 */
export function readCountry(payload: Body): string {
  const context = readObject(payload, "context") ?? {};
  const country = (readText(context, "address_country", "context.address_country") ?? "").toUpperCase();
  if (country === "" || listCountryCodes().includes(country)) return country;
  throw createFieldProblem("context.address_country", "format", "A country is an ISO 3166-1 code, such as DE.");
}

/**
 * Compares the signed prices and availability that the agent sent with the current ones.
 * @throws Problem `quote_changed`, with a field for each change
 */
export function checkPriceQuotes(
  shop: Pick<Shop, "keys" | "config">,
  { now, locale }: Pick<StoreRequest, "now" | "locale">,
  lines: readonly AgentCartLine[],
  catalog: Catalog,
): void {
  const changes = lines.flatMap(({ variantId, quote }, index): readonly FieldError[] => {
    const offer = catalog.variant(variantId);
    if (quote === undefined || offer === undefined) return [];
    const message = describeChange(offer, readPriceQuote(shop, quote, variantId, now), shop.config.currency, locale);
    return message === undefined ? [] : [{ field: `line_items[${index}].item`, rule: "quote", message }];
  });
  if (changes.length === 0) return;
  throw new Problem("quote_changed", changes.map(({ message }) => message).join(" "), changes);
}

/**
 * Describes how price or availability changed since the quote; undefined if the quote still applies.
 * @param quote undefined if the quote is invalid or has expired
 */
function describeChange(
  offer: OfferedVariant,
  quote: ReturnType<typeof readPriceQuote>,
  currency: string,
  locale: string,
): string | undefined {
  if (quote === undefined) return "The quote is invalid or has expired: read the product again.";
  const title = formatOfferTitle(localizeOffer(offer, locale));
  const messages = findMessages({ locale });
  const { price } = offer.variant;
  if (quote.isAvailable && !isAvailable(offer.variant)) return messages("cart.soldOut", { title });
  if (quote.price === price) return undefined;
  return messages("cart.priceChanged", {
    title,
    before: formatMoney(quote.price, currency, locale),
    after: formatMoney(price, currency, locale),
  });
}
