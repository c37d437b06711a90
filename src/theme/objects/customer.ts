import type { Customer } from "../../catalog/customer.ts";
import { objectType, TemplateObject } from "./template-object.ts";

/** The shopper who is signed in; undefined where nobody is. */
export function customerObject(customer: Customer | undefined): TemplateObject<Customer> | undefined {
  return customer === undefined ? undefined : new TemplateObject(customerType, customer);
}

const customerType = objectType<Customer>("customer", {
  id: (customer) => customer.id,
  email: (customer) => customer.email,
  store_credit: (customer) => customer.storeCredit,
});
