import type { BankAccount } from "../../checkout/checkout-snapshot.ts";
import { getSellerName } from "../../checkout/seller-name.ts";
import type { Config } from "../../config/settings.ts";
import { getMessages } from "../../messages/messages.ts";
import type { Shop } from "../../shop.ts";
import type { OrderForm } from "../../theme/checkout-pages.ts";

const paymentMethods = ["provider", "invoice", "bank_transfer"] as const;

type PaymentMethod = (typeof paymentMethods)[number];

type PaymentServices = Pick<Shop, "config" | "hooks">;

/** Returns the methods by which an order can be paid. A test order needs no provider, and is always possible. */
export function listPaymentMethods({ config, hooks }: PaymentServices, isTest: boolean): readonly PaymentMethod[] {
  const isOffered: Readonly<Record<PaymentMethod, boolean>> = {
    provider: hooks.payment !== undefined && !isTest,
    invoice: config.checkout.invoice || isTest,
    bank_transfer: findBankAccount(config) !== undefined,
  };
  return paymentMethods.filter((method) => isOffered[method]);
}

/**
 * Returns the method of a submitted checkout form: that of its button, or the selected one. Default: the first method
 * that needs no payment at once.
 * @returns undefined if the shop does not offer the method
 */
export function findSubmittedMethod(
  shop: PaymentServices,
  form: Readonly<Record<string, unknown>>,
  isTest: boolean,
): PaymentMethod | undefined {
  const methods = listPaymentMethods(shop, isTest);
  const [laterMethod] = methods.filter((method) => method !== "provider");
  const submittedMethod =
    form.pay === undefined ? (form.payment_method ?? laterMethod) : isTest ? "invoice" : "provider";
  return methods.find((method) => method === submittedMethod);
}

/** Returns the names of the methods for templates. */
export function describePaymentMethods(
  { hooks }: Pick<Shop, "hooks">,
  methods: readonly PaymentMethod[],
  locale: string,
): OrderForm["paymentMethods"] {
  const messages = getMessages(locale);
  const names: Readonly<Record<PaymentMethod, string>> = {
    provider: hooks.payment?.name ?? messages("payments.provider"),
    invoice: messages("payments.invoice"),
    bank_transfer: messages("payments.bankTransfer"),
  };
  return methods.map((value) => ({ value, name: names[value] }));
}

/** Returns the shop's account for bank transfers; undefined if the shop does not accept them. */
export function findBankAccount(config: Config): BankAccount | undefined {
  const { iban, bic, accountHolder = getSellerName(config) } = config.invoices;
  if (!config.checkout.bankTransfer || iban === undefined) return undefined;
  return { accountHolder, iban, ...(bic === undefined ? {} : { bic }) };
}
