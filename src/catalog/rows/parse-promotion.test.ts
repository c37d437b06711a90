import assert from "node:assert/strict";
import { test } from "node:test";
import { formatRow } from "./format-row.ts";
import { parseRow } from "./parse-row.ts";

const discount = (fields: object): object => ({ kind: "discount", id: 7, code: "A", title: "A", ...fields });

function errorsOf(fields: object): readonly string[] {
  const errors: string[] = [];
  parseRow(discount(fields), undefined, (field, message) => errors.push(`${field} ${message}`));
  return errors;
}

test("promotions are exported as they are imported", () => {
  for (const fields of [
    { value_type: "free_shipping", value: 0 },
    {
      ...{ value_type: "buy_x_get_y", value: 0, products: ["hat"] },
      buy: { quantity: 2, products: ["coat"], collections: [] },
      get: { quantity: 1, percentage: 50 },
    },
    {
      ...{ value_type: "percentage", value: 0, combines: false },
      quantity_breaks: [
        { quantity: 3, value: 10 },
        { quantity: 10, value: 20.5 },
      ],
    },
  ]) {
    assert.deepEqual(errorsOf(fields), []);
    const row = parseRow(discount(fields), undefined, assert.fail);
    assert.ok(row);
    assert.deepEqual(JSON.parse(formatRow(row)), discount(fields));
  }
});

test("fields that a type of discount does not use are rejected", () => {
  for (const [fields, error] of [
    [{ value_type: "free_shipping", value: 5 }, /^value is not for the type/],
    [{ value_type: "free_shipping", products: ["hat"] }, /^value_type applies to the entire cart/],
    [{ value_type: "percentage" }, /^value is required/],
    [{ value_type: "percentage", value: 5, buy: { quantity: 1 } }, /^buy is only for/],
    [{ value_type: "percentage", value: 5, quantity_breaks: [{ quantity: 2, value: 5 }] }, /^value is not used/],
    [{ value_type: "percentage", quantity_breaks: [{ quantity: 2 }] }, /^quantity_breaks\[0\]\.value is required/],
    [{ value_type: "percentage", quantity_breaks: [7] }, /^quantity_breaks\[0\] .*must be an object/],
    [
      {
        value_type: "percentage",
        quantity_breaks: [
          { quantity: 9, value: 1 },
          { quantity: 3, value: 2 },
        ],
      },
      /^quantity_breaks must be sorted/,
    ],
    [{ value_type: "buy_x_get_y", buy: { quantity: 2 }, get: { quantity: 1 } }, /^products is required/],
    [{ value_type: "buy_x_get_y", products: ["hat"], get: { quantity: 1 } }, /^buy is required/],
    [{ value_type: "buy_x_get_y", products: ["hat"], buy: { quantity: 0 }, get: { quantity: 1 } }, /^buy\.quantity/],
    [{ value_type: "buy_x_get_y", products: ["hat"], buy: { quantity: 1 }, get: { units: 1 } }, /^get\.units/],
  ] as const)
    assert.match(errorsOf(fields)[0] ?? "", error);
});
