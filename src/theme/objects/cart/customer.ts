import type { Customer } from "../../../catalog/customer.ts";
import { noMetafields } from "../metafields.ts";
import { objectType, TemplateObject } from "../template-object.ts";

/** The shopper who is signed in; undefined where nobody is. */
export function customerObject(customer: Customer | undefined): TemplateObject<Customer> | undefined {
  return customer === undefined ? undefined : new TemplateObject(customerType, customer);
}

const customerType = objectType<Customer>(
  "customer",
  {
    id: (customer) => customer.id,
    email: (customer) => customer.email,
    store_credit: (customer) => customer.storeCredit,
  },
  {
    has_account: () => true,
    "has_avatar?": () => false,
    "b2b?": () => false,
    accepts_marketing: () => false,
    tax_exempt: () => false,
    orders: () => [],
    orders_count: () => 0,
    addresses: () => [],
    addresses_count: () => 0,
    tags: () => [],
    metafields: () => noMetafields,
  },
  {
    absent:
      "first_name last_name name phone total_spent last_order default_address payment_methods current_company " +
      "current_location company_available_locations company_available_locations_count store_credit_account",
    returns: { metafields: "metafields" },
    identity: (customer) => customer.id,
  },
);
