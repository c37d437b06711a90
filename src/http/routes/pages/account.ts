import { Problem } from "../../../problem.ts";
import { parseSameStorePath } from "../../../security/same-store-path.ts";
import type { Shop } from "../../../shop.ts";
import { findAccountPage } from "../../../theme/render/account-pages.ts";
import { isShopperNavigation } from "../../cart/write-links.ts";
import { listPrintableInvoices, toOrderPage } from "../../checkout/shown-order.ts";
import { awaitWithDeadline } from "../../deadline.ts";
import { readCustomer } from "../../sessions/customer-session.ts";
import { setCookie } from "../../wire/cookies.ts";
import { type Reply, redirect } from "../../wire/reply.ts";
import { formatLocalePrefix, type StoreRequest } from "../../wire/request.ts";
import { type PageServices, renderPage } from "./page.ts";

/**
 * Handles `GET /account…`: pages of a customer account, if the merchant has set up a login for customers. Visitors who
 * are not signed in are redirected to `/account/login`. Orders are shown only to the customer who placed them.
 */
export async function showAccount(shop: PageServices, request: StoreRequest): Promise<Reply> {
  const { config } = shop;
  const page = findAccountPage(request.path.split("/").slice(2));
  if (!config.customers.accounts || page === undefined) return renderPage(shop, request, {});
  const prefix = formatLocalePrefix(request.locale, config.locales);
  const customer = await readCustomer(shop, request, shop.snapshot().catalog);
  const isSignedIn = customer !== undefined;
  if (page.isPrivate && !isSignedIn)
    return redirect(302, `${prefix}/account/login?${new URLSearchParams({ return_url: prefix + request.path })}`);
  if (isSignedIn && /^customers\/(?:login|register)$/.test(page.type)) {
    const target = request.query.get("return_url") ?? request.query.get("checkout_url") ?? "";
    return redirect(302, parseSameStorePath(target) ?? `${prefix}/account`);
  }
  if (page.type !== "customers/order" || customer === undefined) return renderPage(shop, request, {});
  const order = await awaitWithDeadline(shop.checkouts.orders.find(request.path.split("/").at(-1) ?? ""));
  if (order?.content.customerId !== customer.id) return renderPage(shop, request, {});
  const invoices = await listPrintableInvoices(shop.checkouts.orders, order.id);
  return renderPage(shop, request, { order: toOrderPage(shop, order, request.locale, { invoices }) });
}

/** Handles `GET /account/logout`: signs out a shopper who followed a link of this shop. The cart remains. */
export function signOut({ config }: Pick<Shop, "config">, request: StoreRequest): Reply {
  const prefix = formatLocalePrefix(request.locale, config.locales);
  const isInternalLink = isShopperNavigation(request) && request.headers["sec-fetch-site"] === "same-origin";
  const headers = isInternalLink
    ? { "set-cookie": setCookie(request, "customer", "", { maxAge: 0, httpOnly: true }) }
    : {};
  return redirect(302, prefix === "" ? "/" : prefix, headers);
}

/**
 * Rejects `POST /account…`, the sign-in form of a theme, because customers sign in at the merchant's own login page.
 * @throws Problem `not_found`
 */
export function rejectSignIn(): never {
  throw new Problem("not_found", "Signing in is not possible here at the moment. You can buy without an account.");
}
