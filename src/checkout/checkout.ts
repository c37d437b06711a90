/** Returns the path of a checkout's page.  @param localePrefix "" or "/fr"  @see spec 4.7 */
export function toCheckoutPath(localePrefix: string, checkoutId: string): string {
  return `${localePrefix}/checkout/${checkoutId}`;
}

/** Returns the URL of the payment provider's page for a checkout.  @param handoffUrl URL that contains "{id}" */
export function buildHandoffUrl(handoffUrl: string, checkoutId: string): string {
  return handoffUrl.replaceAll("{id}", encodeURIComponent(checkoutId));
}
