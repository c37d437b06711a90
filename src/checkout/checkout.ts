/** Path of a checkout's page.  @param localePrefix "" or "/fr"  @see spec 4.7 */
export function checkoutPath(localePrefix: string, checkoutId: string): string {
  return `${localePrefix}/checkout/${checkoutId}`;
}

/** URL at the merchant's provider where a checkout continues.  @param handoffUrl contains "{id}" */
export function handoffAddress(handoffUrl: string, checkoutId: string): string {
  return handoffUrl.replaceAll("{id}", encodeURIComponent(checkoutId));
}
