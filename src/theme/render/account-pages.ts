import type { TitledPage } from "./page-title.ts";

/** A page under `/account`. */
export interface AccountPage {
  /** Type of the page. The template has the same name. */
  readonly type: `customers/${"account" | "activate_account" | "addresses" | "login" | "order" | "register" | "reset_password"}`;
  readonly title: TitledPage;
  /** Whether the page requires a signed-in customer. */
  readonly isPrivate: boolean;
  /**
   * Number of path parts after the page's name. The page of an order has the order's id. The pages that emails link to
   * have the customer's id and a secret.
   */
  readonly tokenCount: 0 | 1 | 2;
}

/** Finds the account page with these path parts after "/account". */
export function findAccountPage([name = "", ...tokens]: readonly string[]): AccountPage | undefined {
  const page = pages.get(name);
  return page?.tokenCount === tokens.length ? page : undefined;
}

/**
 * Returns the customer id and the secret in an email link, or undefined on other pages.
 * @param path "/account/reset/7/x8Zk"
 */
export function readMailTokens(path: string): { readonly id: string; readonly token: string } | undefined {
  const [, id, token] = /^\/account\/(?:reset|activate)\/([^/]+)\/([^/]+)$/.exec(path) ?? [];
  if (id === undefined || token === undefined) return undefined;
  try {
    return { id: decodeURIComponent(id), token: decodeURIComponent(token) };
  } catch {
    return undefined;
  }
}

const pages: ReadonlyMap<string, AccountPage> = new Map(
  (
    [
      ["", "customers/account", "account", true, 0],
      ["addresses", "customers/addresses", "addresses", true, 0],
      ["orders", "customers/order", "order", true, 1],
      ["login", "customers/login", "login", false, 0],
      ["register", "customers/register", "register", false, 0],
      ["reset", "customers/reset_password", "reset_password", false, 2],
      ["activate", "customers/activate_account", "activate_account", false, 2],
    ] as const
  ).map(([name, type, title, isPrivate, tokenCount]) => [name, { type, title, isPrivate, tokenCount }]),
);
