import type { Keyring } from "./keyring.ts";

/** How long the page of an order can be opened by its link. */
const LINK_MS = 2 * 365 * 86_400_000;

/** Path of an order's own page, which its signature opens to whoever has it. @param prefix "" or "/fr" */
export function orderPath(
  { keyring }: { readonly keyring: Keyring },
  prefix: string,
  { id, createdAt }: { readonly id: string; readonly createdAt: number },
): string {
  return `${prefix}/orders/${keyring.sign("order", id, createdAt + LINK_MS)}`;
}

/** The id of the order that a link opens. */
export function readOrderLink(
  { keyring }: { readonly keyring: Keyring },
  token: string,
  now: number,
): string | undefined {
  return keyring.verify("order", token, now)?.value;
}
