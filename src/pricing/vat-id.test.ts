import assert from "node:assert/strict";
import { test } from "node:test";
import { isVatId, normalizeVatId } from "./vat-id.ts";

test("VAT IDs have the format of their country, in any spelling", () => {
  for (const id of [
    "DE123456789",
    "de 123 456 789",
    "ATU12345678",
    "NL123456789B01",
    "FR 1A 123456789",
    "CHE-123.456.789",
  ])
    assert.ok(isVatId(id), id);
  for (const id of ["DE12345678", "AT12345678", "12", "VAT", "<script>1"]) assert.ok(!isVatId(id), id);
  assert.equal(normalizeVatId(" de 123.456-789 "), "DE123456789");
});
