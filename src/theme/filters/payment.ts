import { capitalize } from "../../runtime/capitalize.ts";
import { escapeHtml } from "../../runtime/escape-html.ts";
import { renderAttribute, SafeHtml } from "../liquid/safe-html.ts";
import { getFormSubject } from "../objects/form.ts";
import { stateOf } from "../render-state.ts";
import { addPathPrefix } from "../view.ts";
import { type FilterFamily, getObjectField, readFieldText, splitArguments, textOf } from "./filter.ts";

export const paymentFilters: FilterFamily = {
  /**
   * Returns a button that opens the checkout with the product of a form. The button is hidden while the selected
   * variant is sold out.
   */
  payment_button(form) {
    const { view } = stateOf(this);
    const product = getFormSubject(form);
    const selectedVariant = getObjectField(product, "selected_or_first_available_variant");
    const isSoldOut = getObjectField(selectedVariant, "available") === false;
    const text = view.translate("products.product.buy_it_now")?.html ?? "Buy it now";
    const value = renderAttribute("value", addPathPrefix(view, "/checkout"));
    const html =
      `<div class="shopify-payment-button" data-shopify="payment-button"${renderAttribute("data-vitrine-sold-out", formatSoldOutIds(product))}` +
      `${renderAttribute("hidden", isSoldOut)}><button type="submit" name="return_to"` +
      `${value} data-vitrine-buy-now class="shopify-payment-button__button shopify-payment-button__button--unbranded">` +
      `${text}</button></div>`;
    return new SafeHtml(html, "");
  },
  /** Payment in installments is not supported. */
  payment_terms: () => "",
  /** Third-party sign-in ("Sign in with Shop") is not supported. */
  login_button: () => "",
  avatar: () => "",
  /** Returns a card with the name of a payment method: `{{ 'visa' | payment_type_svg_tag: class: 'icon' }}`. */
  payment_type_svg_tag(value, ...args) {
    const { namedArgs } = splitArguments(args);
    const card = drawCard(textOf(value));
    const openingTag = `<svg${renderAttribute("class", namedArgs.has("class") ? textOf(namedArgs.get("class")) : undefined)} `;
    return new SafeHtml(openingTag + card.slice("<svg ".length), "");
  },
  payment_type_img_url(value) {
    return `data:image/svg+xml,${encodeURIComponent(drawCard(textOf(value))).replace(/[()']/g, (character) => `%${character.charCodeAt(0).toString(16)}`)}`;
  },
};

/** Returns the ids of the product's sold-out variants, separated by spaces. A script hides the buy button for them. */
function formatSoldOutIds(product: unknown): string | undefined {
  const variants = getObjectField(product, "variants");
  if (!Array.isArray(variants)) return undefined;
  const ids = variants
    .filter((variant) => getObjectField(variant, "available") === false)
    .map((variant) => readFieldText(variant, "id"));
  return ids.length === 0 ? undefined : ids.join(" ");
}

/** Draws a card with the name of a payment method. Logos are not used, because they are trademarks. */
function drawCard(type: string): string {
  const words = type.slice(0, 40).split("_");
  const name = names.get(type) ?? words.map((word) => capitalize(word)).join(" ");
  const title = escapeHtml(name);
  const size = Math.min(10, 48 / Math.max(1, name.length));
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="0 0 38 24" width="38" height="24" aria-label="${title}">` +
    '<rect x=".5" y=".5" width="37" height="23" rx="3" fill="#fff" stroke="#ccc"/>' +
    `<text x="19" y="12" text-anchor="middle" dominant-baseline="central" font-family="sans-serif" font-weight="bold" font-size="${size.toFixed(1)}" fill="#333">${title}</text></svg>`
  );
}

const names: ReadonlyMap<string, string> = new Map([
  ["american_express", "Amex"],
  ["apple_pay", "Apple Pay"],
  ["google_pay", "Google Pay"],
  ["jcb", "JCB"],
  ["master", "Mastercard"],
  ["paypal", "PayPal"],
  ["unionpay", "UnionPay"],
]);
