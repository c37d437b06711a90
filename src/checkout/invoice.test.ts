import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { createCreditNote, type Invoice, type InvoiceDocument } from "./invoice.ts";

const amount = fc.nat({ max: 100_000 });
const taxes = fc.array(fc.record({ percent: fc.constant(19), netAmount: amount, amount }), {
  minLength: 1,
  maxLength: 4,
});
const refundAmounts = fc.array(fc.integer({ min: 1, max: 150_000 }), { maxLength: 6 });

test("credit notes of random refunds and a cancellation add up to the invoice, by tax rate", () => {
  fc.assert(
    fc.property(taxes, refundAmounts, (rates, refunds) => {
      const amounts = rates.flatMap((rate) => [rate.netAmount, rate.amount]);
      const total = sum(amounts);
      const document: InvoiceDocument = {
        ...{ kind: "invoice", orderNumber: 1, issuedAt: 0, locale: "en", timezone: "UTC", currency: "EUR" },
        ...{ seller: { name: "", address: [] }, lines: [], discounts: [], taxes: rates, pricesIncludeTax: true },
        ...{ total, balance: 0, due: 0, creditNotePrefix: "C{year}-" },
      };
      const issued: Invoice[] = [{ number: "1", document }];
      let rest = total;
      for (const refund of [...refunds, undefined]) {
        const credited = Math.min(refund ?? rest, rest);
        rest -= credited;
        const creditNote = createCreditNote(issued, 0, refund);
        assert.equal(creditNote?.document.total ?? 0, credited);
        if (creditNote === undefined) continue;
        assert.equal(creditNote.prefix, "C1970-");
        assert.ok(amountsOf(creditNote.document).every((part) => part >= 0));
        assert.equal(sum(amountsOf(creditNote.document)), credited);
        issued.push({ number: String(issued.length + 1), document: creditNote.document });
      }
      const creditNotes = issued.slice(1).map((invoice) => amountsOf(invoice.document));
      assert.deepEqual(
        amounts.map((_, index) => sum(creditNotes.map((parts) => parts[index] ?? 0))),
        amounts,
      );
    }),
  );
});

function amountsOf(document: InvoiceDocument): readonly number[] {
  return (document.taxes ?? []).flatMap((rate) => [rate.netAmount, rate.amount]);
}

function sum(amounts: readonly number[]): number {
  return amounts.reduce((a, b) => a + b, 0);
}
