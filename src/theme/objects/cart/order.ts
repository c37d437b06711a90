import type { OrderPage } from "../../checkout-pages.ts";
import type { View } from "../../view.ts";
import { objectType, TemplateObject } from "../template-object.ts";
import { cartObject } from "./cart.ts";

interface Subject extends OrderPage {
  readonly view: View;
}

/** An order, on its own page. */
export function orderObject(view: View, order: OrderPage): TemplateObject<Subject> {
  return new TemplateObject(orderType, { ...order, view });
}

const orderType = objectType<Subject>(
  "order",
  {
    name: ({ number }) => `#${number}`,
    order_number: ({ number }) => number,
    created_at: ({ createdAt }) => new Date(createdAt).toISOString(),
    cancelled: ({ state }) => state === "cancelled",
    financial_status: ({ payment }) => (payment === "paid" ? "paid" : "pending"),
    email: ({ email }) => email,
    customer_name: ({ name }) => name,
    address_lines: ({ address }) => address,
    shipping_title: ({ rate }) => rate?.name,
    shipping_price: ({ rate }) => rate?.price ?? 0,
    total_price: ({ priced, rate }) => priced.total + (rate?.price ?? 0),
    total_outstanding: ({ amount, payment }) => (payment === "paid" ? 0 : amount),
    amount: ({ amount }) => amount,
    "new?": ({ isNew }) => isNew,
  },
  { cart: ({ view, priced }) => cartObject(view, priced) },
  { returns: { cart: "cart" } },
);
