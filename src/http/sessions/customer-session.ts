import { jwtVerify } from "jose";
import type { Catalog } from "../../catalog/catalog.ts";
import type { Customer } from "../../catalog/customer.ts";
import type { Shop } from "../../shop.ts";
import { cookieValues } from "../wire/cookies.ts";
import type { StoreRequest } from "../wire/request.ts";

/** The customer whom the merchant's own login names by the cookie `customer`, a JWT (HS256, `sub` and `exp` required); undefined
 *  where there is none, or it is not good. */
export function readCustomer(
  { keyring }: Pick<Shop, "keyring">,
  request: StoreRequest,
  catalog: Pick<Catalog, "customer">,
): Customer | undefined | Promise<Customer | undefined> {
  const values = cookieValues(request, "customer");
  return values.length === 0 ? undefined : verifyCustomer(keyring, values, catalog, request.now);
}

async function verifyCustomer(
  { secrets }: Shop["keyring"],
  values: readonly string[],
  catalog: Pick<Catalog, "customer">,
  now: number,
): Promise<Customer | undefined> {
  for (const value of values.slice(0, MAX_VERIFIED)) {
    for (const secret of secrets) {
      const id = await subjectOf(value, secret, now);
      const customer = id === undefined ? undefined : catalog.customer(id);
      if (customer !== undefined) return customer;
    }
  }
  return undefined;
}

/** Cookies of the name that are verified: one is the merchant's, and a sibling site may have set others beside it. */
const MAX_VERIFIED = 4;

async function subjectOf(jwt: string, secret: Uint8Array, now: number): Promise<string | undefined> {
  try {
    const { payload } = await jwtVerify(jwt, secret, {
      algorithms: ["HS256"],
      requiredClaims: ["sub", "exp"],
      currentDate: new Date(now),
    });
    return payload.sub;
  } catch {
    // Whatever is wrong with it: it names nobody.
    return undefined;
  }
}
