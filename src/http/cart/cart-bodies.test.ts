import assert from "node:assert/strict";
import { test } from "node:test";
import { Problem } from "../../problem.ts";
import { parseJson } from "../bodies/body.ts";
import { parseAddItems, parseBuyNowBody } from "./add-bodies.ts";
import { parseChange, parseUpdate } from "./cart-bodies.ts";

const MAX_QUANTITY = 9_999;
const body = (json: string) => parseJson(new TextEncoder().encode(json));

function errorsOf(parse: () => unknown): string {
  try {
    return `accepted ${JSON.stringify(parse())}`;
  } catch (error) {
    assert.ok(error instanceof Problem, String(error));
    assert.equal(error.code, "validation_failed");
    return error.fields.map(({ field, rule }) => `${field}/${rule}`).join(" ");
  }
}

const addCases: readonly (readonly [string, string])[] = [
  ["{}", "id|item|items/required"],
  ['{"quantity":1}', "id|item|items/required"],
  ['{"id":null}', "id|item|items/required"],
  ['{"items":[]}', "id|item|items/required"],
  ['{"items":{}}', "id|item|items/required"],
  ['{"items":"x"}', "id|item|items/required"],
  ['{"items":[null]}', "items.0.id/required"],
  ['{"items":[[1]]}', "items.0.id/required"],
  ['{"items":[{"id":1},{"id":2,"quantity":0}]}', "items.1.quantity/min"],
  ['{"items":[{"id":1,"quantity":"x"},{"quantity":1}]}', "items.0.quantity/integer items.1.id/required"],
  ['{"id":1,"quantity":0}', "quantity/min"],
  ['{"id":1,"quantity":10000}', "quantity/max"],
  ['{"id":9007199254740993}', "id/exists"],
  ['{"id":1,"properties":[]}', "properties/strings"],
  ['{"id":1,"properties":{"a":null}}', "properties/strings"],
  ['{"id":1,"properties":"x"}', "properties/strings"],
  ['{"id":1,"properties":{"a":"\\u0000"}}', "properties/strings"],
  ...["true", "[1]", "{}", '""', "1.5", '"\\ud800"', `"${"x".repeat(300)}"`].map(
    (id) => [`{"id":${id}}`, "id/exists"] as const,
  ),
  ...["-1", "-9007199254740991"].map((quantity) => [`{"id":1,"quantity":${quantity}}`, "quantity/min"] as const),
  ...[
    "1.5",
    "1e400",
    "1e1",
    "-0",
    '"abc"',
    '"2.5"',
    "true",
    "null",
    "[1]",
    "{}",
    '"0x10"',
    '" 1 "',
    '"+1"',
    '"-1"',
    '""',
  ].map((quantity) => [`{"id":1,"quantity":${quantity}}`, "quantity/integer"] as const),
];

for (const [json, expected] of addCases) {
  test(`add ${json.slice(0, 60)} is rejected: ${expected} (spec 4.3)`, () =>
    assert.equal(
      errorsOf(() => parseAddItems(body(json), MAX_QUANTITY)),
      expected,
    ));
}

test("an add accepts its forms and aliases (spec 4.3)", () => {
  const item = { variantId: "7", quantity: 1, properties: {}, field: "" };
  for (const json of [
    '{"id":7}',
    '{"id":"7"}',
    '{"variantId":7}',
    '{"variant_id":"7","quantity":"1"}',
    '{"id":7,"variantId":8}',
  ])
    assert.deepEqual(parseAddItems(body(json), MAX_QUANTITY), [item]);
  assert.deepEqual(
    parseAddItems(body('{"id":1,"items":[{"id":7,"properties":{"a":"b"},"quantity":3}]}'), MAX_QUANTITY),
    [{ variantId: "7", quantity: 3, properties: { a: "b" }, field: "items.0" }],
  );
  assert.equal(
    errorsOf(() => parseAddItems(body(JSON.stringify({ items: Array(101).fill({ id: 1 }) })), MAX_QUANTITY)),
    "items/max",
  );
});

test("a change keeps line identifiers unresolved, and reports an invalid quantity later (spec 4.4)", () => {
  const { target, change } = parseChange(body('{"line":"2","key":"k","cartLineId":"c","id":7,"quantity":0}'));
  assert.deepEqual(target, { line: 2, keys: ["c", "k"], id: "7" });
  assert.deepEqual(change, { quantity: 0 });
  for (const line of ["0", "-1", "1.5", '"1x"', "null", "true", "[1]"])
    assert.deepEqual(parseChange(body(`{"line":${line}}`)).target, { keys: [] });
  for (const json of ["{}", '{"quantity":null}', '{"quantity":-1}', '{"quantity":true}'])
    assert.ok(parseChange(body(json)).change instanceof Problem, json);
});

const updateCases: readonly (readonly [string, string])[] = [
  ["{}", "updates|note/required"],
  ['{"updates":null}', "updates/type"],
  ['{"updates":"x"}', "updates/type"],
  ['{"updates":1}', "updates/type"],
  ['{"updates":{"a":null,"b":1.5}}', "updates.a/integer updates.b/integer"],
  ['{"updates":[-1]}', "updates.0/min"],
  ['{"note":1}', "note/string"],
  ['{"note":{}}', "note/string"],
  ['{"note":"a\\u0000"}', "note/text"],
  ['{"note":"\\ud800"}', "note/text"],
  [`{"note":"${"x".repeat(5_001)}"}`, "note/max"],
  ['{"discount":1}', "discount/string"],
  ['{"discount":[1]}', "discount/string"],
  ['{"discount":{"toString":1}}', "discount/string"],
  ['{"gift_cards":true}', "gift_cards/string"],
];

for (const [json, expected] of updateCases) {
  test(`update ${json.slice(0, 50)} is rejected: ${expected} (spec 4.5)`, () =>
    assert.equal(
      errorsOf(() => parseUpdate(body(json))),
      expected,
    ));
}

test("an update accepts its forms (spec 4.5)", () => {
  const parse = (json: string) => parseUpdate(body(json));
  assert.deepEqual(
    parse('{"updates":{"k":2,"__x":"0"}}').updates,
    new Map([
      ["k", 2],
      ["__x", 0],
    ]),
  );
  assert.deepEqual(parse('{"updates":["1",0]}').updates, [1, 0]);
  assert.deepEqual(parse('{"updates":{}}').updates, new Map());
  assert.deepEqual(parse('{"note":null}'), { note: "" });
  assert.deepEqual(parse(JSON.stringify({ note: "😀".repeat(5_000) })).note?.length, 10_000);
  assert.deepEqual(parse('{"attributes":{"a":1}}'), {});
  assert.deepEqual(parse('{"discount":" A, B ,","gift_cards":""}'), { discountCodes: ["A", "B"], giftCards: [] });
});

const expressCases: readonly (readonly [string, string])[] = [
  ["{}", "item.product.variantId/required"],
  ['{"item":null}', "item.product.variantId/required"],
  ['{"item":[]}', "item.product.variantId/required"],
  ['{"item":{"product":null}}', "item.product.variantId/required"],
  ['{"item":{"product":{"variantId":null}}}', "item.product.variantId/required"],
  ['{"item":{"product":{"variantId":1,"quantity":0}}}', "item.product.quantity/min"],
  ['{"item":{"product":{"variantId":true}}}', "item.product.variantId/exists"],
  ['{"item":{"product":{"variantId":1}},"discountCode":1}', "discountCode/string"],
  ['{"item":{"product":{"variantId":1},"discountCode":{}}}', "item.discountCode/string"],
];

for (const [json, expected] of expressCases) {
  test(`express checkout ${json} is rejected: ${expected} (spec 4.7)`, () =>
    assert.equal(
      errorsOf(() => parseBuyNowBody(body(json), MAX_QUANTITY)),
      expected,
    ));
}

test("express checkout accepts its code at the top level or in the item (spec 4.7)", () => {
  const item = { variantId: "1", quantity: 1, properties: {}, field: "item.product" };
  assert.deepEqual(parseBuyNowBody(body('{"item":{"product":{"variantId":1}},"discountCode":"A"}'), MAX_QUANTITY), {
    item,
    discountCode: "A",
  });
  assert.deepEqual(
    parseBuyNowBody(body('{"item":{"product":{"variantId":1,"id":9},"discountCode":"A"}}'), MAX_QUANTITY),
    {
      item,
      discountCode: "A",
    },
  );
});
