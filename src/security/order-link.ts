import type { Keyring } from "./keyring.ts";

/** Validity of an order's link in milliseconds. */
const LINK_MS = 2 * 365 * 86_400_000;

/** Path of an order's page; its signature grants access to anyone who has the URL.  @param prefix "" or "/fr" */
export function orderPath(
  keyring: Pick<Keyring, "sign">,
  prefix: string,
  { id, createdAt }: { readonly id: string; readonly createdAt: number },
): string {
  return `${prefix}/orders/${keyring.sign("order", id, createdAt + LINK_MS)}`;
}

/** Returns the id of the order that a link opens. */
export function readOrderLink(keyring: Pick<Keyring, "verify">, token: string, now: number): string | undefined {
  return keyring.verify("order", token, now)?.value;
}
