import { getMessages } from "../messages/messages.ts";
import { formatDecimalMoney, formatMoney } from "../pricing/money.ts";
import type { BankAccount } from "./checkout-snapshot.ts";
import type { Order } from "./order.ts";

/** A transfer that a customer has to make. */
export interface DueTransfer extends BankAccount {
  /** Minor units of `currency`. */
  readonly amount: number;
  /** ISO 4217 code. */
  readonly currency: string;
  /** Text with which the seller finds the order or invoice. */
  readonly reference: string;
}

/** The data of a transfer in the language of the customer. */
export interface TransferTexts {
  readonly facts: readonly (readonly [name: string, value: string])[];
  /** QR code for banking apps, as encoded text, with its label. Undefined if the currency is not supported. */
  readonly code?: { readonly text: string; readonly label: string };
}

/** Maximum amount of a SEPA transfer in a QR code, in cents. */
const MAX_CODE_AMOUNT = 99_999_999_999;

/** Returns the transfer for which an order waits. Undefined if it is paid, canceled, or has another payment method. */
export function findDueTransfer({ state, payment, number, content }: Order): DueTransfer | undefined {
  const { bankTransfer, amount, priced } = content;
  if (bankTransfer === undefined || state !== "open" || payment === "paid") return undefined;
  return { ...bankTransfer, amount, currency: priced.currency, reference: formatTransferReference(number) };
}

/** Returns the text with which the customer of a transfer in advance names the order.  @param number order number */
export function formatTransferReference(number: number): string {
  return String(number);
}

export function describeTransfer(transfer: DueTransfer, locale: string): TransferTexts {
  const { accountHolder, iban, bic, amount, currency, reference } = transfer;
  const messages = getMessages(locale);
  const hasCode = currency === "EUR" && amount <= MAX_CODE_AMOUNT;
  return {
    facts: [
      [messages("invoice.accountHolder"), accountHolder],
      ["IBAN", formatIban(iban)],
      ...(bic === undefined ? [] : [["BIC", bic] as const]),
      [messages("invoice.reference"), reference],
      [messages("mails.toPay"), formatMoney(amount, currency, locale)],
    ],
    ...(hasCode ? { code: { text: formatCodeText(transfer), label: messages("invoice.scan") } } : {}),
  };
}

/** Returns the text of a QR code for a SEPA credit transfer (EPC069-12, version 002). */
function formatCodeText({ accountHolder, iban, bic = "", amount, reference }: DueTransfer): string {
  const total = `EUR${formatDecimalMoney(amount, "EUR")}`;
  // "1" is the code of UTF-8. The empty lines are the purpose code and the structured reference, which are optional.
  const header = ["BCD", "002", "1", "SCT", bic, shortenText(accountHolder, 70), iban, total, "", ""];
  return [...header, shortenText(reference, 140)].join("\n");
}

function shortenText(text: string, maxLength: number): string {
  return [...text.replace(/\s+/g, " ")].slice(0, maxLength).join("");
}

/** Splits an IBAN into groups of four characters. */
export function formatIban(iban: string): string {
  return iban.replace(/.{4}(?=.)/g, "$& ");
}
