import type { Customer } from "../../../catalog/customer.ts";
import type { View } from "../../view.ts";
import { Listing } from "../listing.ts";
import { emptyMetafields } from "../metafields.ts";
import { createObjectType, TemplateObject } from "../template-object.ts";
import { addressType } from "./address.ts";
import { createOrderObject } from "./order.ts";

interface CustomerData {
  readonly view: View;
  readonly customer: Customer;
}

/** Returns the `customer` object of the signed-in shopper, or undefined. */
export function createCustomerObject(view: View): TemplateObject<CustomerData> | undefined {
  const { customer } = view.request;
  return customer === undefined ? undefined : new TemplateObject(customerType, { view, customer });
}

const customerType = createObjectType<CustomerData>(
  "customer",
  {
    id: ({ customer }) => customer.id,
    email: ({ customer }) => customer.email,
    first_name: ({ customer }) => customer.firstName,
    last_name: ({ customer }) => customer.lastName,
    name: ({ customer }) => [customer.firstName, customer.lastName].filter(Boolean).join(" "),
    phone: ({ customer }) => customer.phone,
    store_credit: getStoreCredit,
  },
  {
    has_account: () => true,
    "has_avatar?": () => false,
    "b2b?": () => false,
    accepts_marketing: ({ customer }) => customer.acceptsMarketing === true,
    tax_exempt: () => false,
    orders: ({ view }) => {
      const orders = view.customerOrders.orders?.newestOrders ?? [];
      return new Listing(
        () => orders.length,
        (offset, limit) =>
          orders.slice(offset, offset + limit).map((createOrderPage) => createOrderObject(view, createOrderPage())),
      );
    },
    orders_count: ({ view }) => view.customerOrders.orders?.orderCount ?? 0,
    last_order: ({ view }) => {
      const [lastOrder] = view.customerOrders.orders?.newestOrders ?? [];
      return lastOrder === undefined ? undefined : createOrderObject(view, lastOrder());
    },
    total_spent: ({ view }) => view.customerOrders.orders?.totalSpent ?? 0,
    default_address: ({ view, customer }) => {
      const [firstAddress] = customer.addresses ?? [];
      return firstAddress === undefined ? undefined : new TemplateObject(addressType, { view, address: firstAddress });
    },
    new_address: ({ view }) => new TemplateObject(addressType, { view, address: {} }),
    addresses: ({ view, customer }) => {
      const addresses = customer.addresses ?? [];
      return new Listing(
        () => addresses.length,
        (offset, limit) =>
          addresses.slice(offset, offset + limit).map((address) => new TemplateObject(addressType, { view, address })),
      );
    },
    addresses_count: ({ customer }) => customer.addresses?.length ?? 0,
    tags: ({ customer }) => customer.tags ?? [],
    metafields: () => emptyMetafields,
    store_credit_account: (data) => new TemplateObject(storeCreditType, data),
  },
  {
    emptyFields:
      "payment_methods current_company current_location company_available_locations company_available_locations_count",
    fieldTypes: {
      orders: "order[]",
      last_order: "order",
      metafields: "metafields",
      default_address: "address",
      new_address: "address",
      addresses: "address[]",
      store_credit_account: "store_credit_account",
    },
    identity: ({ customer }) => customer.id,
  },
);

const storeCreditType = createObjectType<CustomerData>("store_credit_account", { balance: getStoreCredit });

function getStoreCredit({ view, customer }: CustomerData): number {
  return view.customerOrders.orders?.storeCredit ?? customer.storeCredit;
}
