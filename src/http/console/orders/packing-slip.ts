import { formatAddressLines } from "../../../checkout/checkout-snapshot.ts";
import { createLineTexts } from "../../../checkout/line-texts.ts";
import { findUnshippedItems } from "../../../checkout/order.ts";
import { getMessages } from "../../../messages/messages.ts";
import { getTextDirection } from "../../../messages/text-direction.ts";
import { Problem } from "../../../problem.ts";
import { type ConsolePage, type ConsoleServices, type ConsoleVisit, parseNumber } from "../console-page.ts";
import { markup } from "../markup.ts";
import { findOrder } from "./order.ts";

/**
 * Renders `GET /admin/orders/<number>/packing-slip`: the items to pack, in the language of the customer, without
 * prices. `?shipment=1` shows the items of the first shipment. Default: the items that are not shipped, or all items if
 * the order is shipped.
 */
export async function showPackingSlip(
  shop: ConsoleServices,
  { request, texts: consoleTexts }: ConsoleVisit,
): Promise<ConsolePage> {
  const order = await findOrder(shop, request);
  const { priced, delivery, locale } = order.content;
  const shipmentNumber = request.query.get("shipment");
  const shipment = shipmentNumber === null ? undefined : order.shipments[(parseNumber(shipmentNumber) ?? 0) - 1];
  if (shipmentNumber !== null && shipment === undefined)
    throw new Problem("not_found", "The order has no shipment with this number.");
  const unshippedItems = findUnshippedItems(order);
  const allItems = unshippedItems.length > 0 ? unshippedItems : priced.lines.map(({ line }) => line);
  const items = (shipment?.items ?? allItems).flatMap(({ key, quantity }) => {
    const pricedLine = priced.lines.find(({ line }) => line.key === key);
    if (pricedLine === undefined) return [];
    const texts = createLineTexts(pricedLine, locale);
    const details = texts.details.map((text) => markup`<div class="muted">${text}</div>`);
    return [markup`<tr><td class="number">${quantity} ×</td><th scope="row">${texts.title}${details}</th></tr>`];
  });
  const messages = getMessages(locale);
  const direction = getTextDirection(locale);
  const address =
    delivery &&
    markup`<h2>${messages("mails.sentTo")}</h2><address>${[delivery.name, ...(delivery.address === undefined ? [] : formatAddressLines(delivery.address, locale))].map((line) => markup`<bdi>${line}</bdi><br>`)}</address>`;
  const note = priced.cart.note;
  return {
    title: consoleTexts.get("order.packingSlipTitle", { number: String(order.number) }),
    body: markup`<p class="no-print"><button type="button" id="print" hidden>${consoleTexts.get("actions.print")}</button> <a href="/admin/orders/${order.number}">${consoleTexts.get("order.title", { number: String(order.number) })}</a></p>
<div class="slip" lang="${locale}" dir="${direction}"><h2>${messages("mails.ordered", { number: order.number, shop: shop.config.name })}</h2>
<p><time datetime="${new Date(order.createdAt).toISOString()}">${new Date(order.createdAt).toLocaleDateString(locale, { timeZone: shop.config.timezone, dateStyle: "long" })}</time></p>
${address}<table><tbody>${items}</tbody></table>${note !== undefined && markup`<p>${messages("mails.note")}: ${note}</p>`}</div>`,
  };
}
