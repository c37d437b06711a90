import { formatDecimalMoney } from "../pricing/money.ts";

/** A SEPA credit transfer. */
export interface BankTransfer {
  readonly accountHolder: string;
  readonly iban: string;
  readonly bic?: string | undefined;
  /** Cents, from 1 to 99,999,999,999. */
  readonly amount: number;
  readonly reference: string;
}

/** Returns the text of a QR code for a SEPA credit transfer (EPC069-12, version 002). */
export function encodeBankTransfer({ accountHolder, iban, bic = "", amount, reference }: BankTransfer): string {
  const total = `EUR${formatDecimalMoney(amount, "EUR")}`;
  // "1" means UTF-8. The empty lines are the purpose and a structured reference.
  const lines = [
    "BCD",
    "002",
    "1",
    "SCT",
    bic,
    shortenText(accountHolder, 70),
    iban,
    total,
    "",
    "",
    shortenText(reference, 140),
  ];
  return lines.join("\n");
}

function shortenText(text: string, maxLength: number): string {
  return [...text.replace(/\s+/g, " ")].slice(0, maxLength).join("");
}
