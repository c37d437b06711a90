import * as v from "valibot";
import {
  createIntegerSchema,
  defineGroup,
  describeSchema,
  flagSchema,
  optionalSetting,
  setting,
  textSchema,
} from "./value-kinds.ts";

/** A prefix must not end in a digit, because numbers of two series could then be equal. */
const prefixSchema = describeSchema(
  v.pipe(v.string(), v.regex(/^(([A-Za-z\d._-]|\{year\})*[A-Za-z._-])?$/), v.maxLength(30)),
  'letters, digits, ".", "_", "-", and {year}, not ending in a digit or {year}, like "{year}-" or "R"',
);

/** An IBAN, stored without spaces. */
const ibanSchema = describeSchema(
  v.pipe(
    v.string(),
    v.transform((input) => input.replaceAll(" ", "").toUpperCase()),
    v.check(isIban),
  ),
  'an IBAN like "DE89 3704 0044 0532 0130 00" with correct check digits',
);

const bicSchema = describeSchema(
  v.pipe(v.string(), v.regex(/^[A-Z]{6}[A-Z\d]{2}([A-Z\d]{3})?$/)),
  'a BIC of 8 or 11 characters, like "COBADEFFXXX"',
);

/** Settings of invoices and credit notes. */
export const invoicesSchema = v.optional(
  defineGroup({
    issue: optionalSetting(
      flagSchema,
      "issue an [invoice](../how-to/checkout-and-payments.md#issue-invoices) for each new order; `false` if another system sends them. The seller's address is `contact.address`",
    ),
    prefix: setting(
      prefixSchema,
      "{year}-",
      "prefix of invoice numbers, such as `2026-0001`; each prefix has its own series, so `{year}` starts a series each year",
    ),
    creditNotePrefix: setting(
      prefixSchema,
      "C{year}-",
      "prefix of credit notes; if it equals `prefix`, both share one series",
    ),
    firstNumber: setting(
      createIntegerSchema(1_000_000_000),
      1,
      "number of the first invoice of a series, to continue the series of another system",
    ),
    name: optionalSetting(textSchema, "legal name of the seller; default: `contact.address.company`, then `name`"),
    vatId: optionalSetting(textSchema, "VAT ID of the seller"),
    taxNumber: optionalSetting(textSchema, "tax number of the seller"),
    accountHolder: optionalSetting(textSchema, "holder of the bank account; default: the legal name"),
    iban: optionalSetting(ibanSchema, "bank account for transfers. Unpaid invoices in EUR show a QR code for it"),
    bic: optionalSetting(bicSchema, "BIC of the bank"),
    daysUntilDue: setting(createIntegerSchema(365), 14, "days from an unpaid invoice to its due date"),
    note: optionalSetting(textSchema, "text at the end of each invoice, such as the reason for an exemption from tax"),
  }),
  {},
);

/** Returns whether the check digits of an IBAN are correct (ISO 7064, mod 97-10).  @param iban without spaces */
function isIban(iban: string): boolean {
  if (!/^[A-Z]{2}\d{2}[A-Z\d]{11,30}$/.test(iban)) return false;
  const digits = (iban.slice(4) + iban.slice(0, 4)).replace(/[A-Z]/g, (letter) => String(parseInt(letter, 36)));
  return BigInt(digits) % 97n === 1n;
}
