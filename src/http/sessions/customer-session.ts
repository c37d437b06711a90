import { stringifyCookie } from "cookie";
import type { Catalog } from "../../catalog/catalog.ts";
import type { Customer } from "../../catalog/customer.ts";
import type { CustomerSessions } from "../../hooks/customer-sessions.ts";
import type { Shop } from "../../shop.ts";
import { findAddressBlock } from "../wire/address-block.ts";
import { formatCookieName, readCookieValues } from "../wire/cookies.ts";
import type { StoreRequest } from "../wire/request.ts";

/** Reports whether a request has a cookie that may identify a customer. */
export function hasCustomerCookie(
  { hooks: { customerSessions } }: Pick<Shop, "hooks">,
  request: Pick<StoreRequest, "headers">,
): boolean {
  const hasCookie = (name: string): boolean => readCookieValues(request, name).length > 0;
  return hasCookie("customer") || customerSessions.cookies.some(hasCookie);
}

/**
 * Returns the signed-in customer, or undefined. The cookie `customer` contains a JWT (HS256, with `sub` and `exp`).
 * Without this cookie, the merchant's hook may identify the customer.
 */
export async function readCustomer(
  { keys, hooks: { customerSessions } }: Pick<Shop, "keys" | "hooks">,
  request: StoreRequest,
  catalog: Pick<Catalog, "customer">,
): Promise<Customer | undefined> {
  for (const value of readCookieValues(request, "customer").slice(0, MAX_VERIFIED_COOKIES)) {
    for (const secret of keys.secrets) {
      const id = await readTokenSubject(value, secret, request.now);
      const customer = id === undefined ? undefined : catalog.customer(id);
      if (customer !== undefined) return customer;
    }
  }
  return customerSessions.cookies.length === 0 ? undefined : findExternalCustomer(customerSessions, request, catalog);
}

async function findExternalCustomer(
  customerSessions: CustomerSessions,
  request: StoreRequest,
  catalog: Pick<Catalog, "customer">,
): Promise<Customer | undefined> {
  const pairs = customerSessions.cookies.flatMap((name) =>
    readCookieValues(request, name).map((value) => ({ name, value })),
  );
  if (pairs.length === 0) return undefined;
  const header = pairs.map(({ name, value }) => stringifyCookie({ [name]: value })).join("; ");
  const { origin, prefix, path, search } = request;
  const session = await customerSessions.find(
    header,
    () => new Request(origin + prefix + path + search, { headers: { cookie: header } }),
    { network: findAddressBlock(request.client.address), now: request.now },
  );
  if (session === undefined) return undefined;
  return { kind: "customer", storeCredit: 0, ...catalog.customer(session.id), ...session };
}

/** Maximum number of cookies with the same name to verify. Sites on sibling domains may set additional ones. */
const MAX_VERIFIED_COOKIES = 4;

async function readTokenSubject(jwt: string, secret: Uint8Array, now: number): Promise<string | undefined> {
  // Imported dynamically, because most shops have no customer accounts.
  const { jwtVerify } = await import("jose");
  try {
    const { payload } = await jwtVerify(jwt, secret, {
      algorithms: ["HS256"],
      requiredClaims: ["sub", "exp"],
      currentDate: new Date(now),
    });
    return payload.sub;
  } catch {
    return undefined;
  }
}

/**
 * Reports whether the visitor has neither a cart cookie nor a customer cookie. All such visitors get the same pages.
 */
export function isAnonymous(shop: Pick<Shop, "hooks">, request: Pick<StoreRequest, "headers" | "isSecure">): boolean {
  return readCookieValues(request, formatCookieName(request, "cart")).length === 0 && !hasCustomerCookie(shop, request);
}
