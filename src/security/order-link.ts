import { DAY_MS } from "../runtime/durations.ts";
import type { Keyring } from "./keyring.ts";

/** Validity of an order link in milliseconds. */
const LINK_LIFETIME_MS = 2 * 365 * DAY_MS;

/**
 * Returns the path of an order's page. Its signature grants access to anyone who has the URL.  @param prefix locale
 * prefix such as "/fr", or ""
 */
export function formatOrderPath(
  keyring: Pick<Keyring, "sign">,
  prefix: string,
  { id, createdAt }: { readonly id: string; readonly createdAt: number },
): string {
  return `${prefix}/orders/${keyring.sign("order", id, createdAt + LINK_LIFETIME_MS)}`;
}

/** Returns the path of an invoice below the path of its order's page. */
export function formatInvoicePath(orderPath: string, number: string): string {
  return `${orderPath}/invoices/${encodeURIComponent(number)}`;
}

/** Returns the id of the order that a link opens; undefined if the link is invalid or expired. */
export function readOrderLink(keyring: Pick<Keyring, "verify">, token: string, now: number): string | undefined {
  return keyring.verify("order", token, now)?.value;
}
