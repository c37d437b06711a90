/** Path of a checkout's page. @param localePrefix "" or "/fr" @see spec 4.7 */
export function checkoutPath(localePrefix: string, checkoutId: string): string {
  return `${localePrefix}/checkout/${checkoutId}`;
}

/** Where a checkout goes on, at the merchant's own provider. @param handoffUrl holds "{id}" */
export function handoffAddress(handoffUrl: string, checkoutId: string): string {
  return handoffUrl.replaceAll("{id}", encodeURIComponent(checkoutId));
}
