import assert from "node:assert/strict";
import { test } from "node:test";
import { Problem } from "../../problem.ts";
import type { StoreRequest } from "../wire/request.ts";
import { NumberLiteral, parseJson, readRequestBody } from "./body.ts";

const compatFlags = { forms: false, script: false };

async function readTestBody(
  body: string | Uint8Array,
  headers: Record<string, string>,
  forms = false,
): Promise<unknown> {
  const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body;
  const request = { headers, readBody: async () => bytes } as unknown as StoreRequest;
  try {
    return await readRequestBody(request, { ...compatFlags, forms });
  } catch (error) {
    assert.ok(error instanceof Problem);
    return `${error.code} ${error.fields[0]?.field}/${error.fields[0]?.rule}`;
  }
}

const JSON_TYPE = { "content-type": "application/json" };

for (const type of [
  "application/json",
  "APPLICATION/JSON; charset=UTF-8",
  "application/json;",
  "application/json ; x=y",
]) {
  test(`Content-Type "${type}" is accepted (spec 5)`, async () =>
    assert.deepEqual(await readTestBody('{"id":1}', { "content-type": type }), { id: 1 }));
}

const otherTypes = [
  "",
  "text/plain",
  "application/x-www-form-urlencoded",
  "application/jsonx",
  "application/json\tx",
  "application/json garbage",
  "application/json, text/plain",
  "application/json; charset=utf-16",
];
for (const type of otherTypes) {
  test(`Content-Type "${type}" is rejected (spec 5)`, async () =>
    assert.equal(await readTestBody('{"id":1}', { "content-type": type }), "validation_failed body/content_type"));
}

const invalidBodies: readonly (readonly [string | Uint8Array, string])[] = [
  ["", "json"],
  ["null", "object"],
  ["[]", "object"],
  ['"x"', "object"],
  ["1", "object"],
  ["{", "json"],
  ['{"id":1,}', "json"],
  ['{"id":1}\0', "json"],
  ['{"id":1,"id":2}', "json"],
  ['{"id":1,"__proto__":{"quantity":9}}', "json"],
  ['{"id":1,"\\u005f_proto__":{"quantity":9}}', "json"],
  ['{"constructor":{"prototype":{"x":1}}}', "json"],
  [`${'{"a":'.repeat(21)}1${"}".repeat(21)}`, "json"],
  [Uint8Array.of(0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d), "encoding"],
  [Uint8Array.of(0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00), "encoding"],
];
for (const [body, rule] of invalidBodies) {
  test(`body ${JSON.stringify(body).slice(0, 40)} is rejected by its ${rule} (spec 7.2)`, async () =>
    assert.equal(await readTestBody(body, JSON_TYPE), `validation_failed body/${rule}`));
}

test("a compressed body is rejected, an identity-encoded one is accepted", async () => {
  assert.equal(
    await readTestBody("{}", { ...JSON_TYPE, "content-encoding": "gzip" }),
    "validation_failed body/encoding",
  );
  assert.deepEqual(await readTestBody("{}", { ...JSON_TYPE, "content-encoding": "identity" }), {});
});

test("cartId is rejected except in the properties of an item (spec 5)", async () => {
  const forbiddenBodies = [
    '{"id":1,"cartId":"x"}',
    '{"cartId":null}',
    '{"cart_id":1}',
    '{"items":[{"id":1,"cartId":"x"}]}',
    '{"a":{"b":[{"cartId":1}]}}',
    '{"item":{"cartId":1}}',
    '{"item":{"product":{"cartId":1}}}',
    '{"a":{"properties":{"cartId":"x"}}}',
  ];
  for (const body of forbiddenBodies)
    assert.equal(await readTestBody(body, JSON_TYPE), "validation_failed cartId/forbidden", body);
  for (const body of ['{"properties":{"cartId":"x"}}', '{"items":[{"properties":{"cartId":"x"}}]}'])
    assert.deepEqual(await readTestBody(body, JSON_TYPE), JSON.parse(body));
});

test("unsafe integers and numbers in other notations keep their source text", () => {
  const nonIntegerLiterals = ["1.0", "1e1", "-0", "1.5", "1e400", "9007199254740993"];
  const numbers = parseJson(new TextEncoder().encode(`{"n":[1,-1,0,${nonIntegerLiterals}]}`)).n;
  assert.deepEqual(numbers, [1, -1, 0, ...nonIntegerLiterals.map((source) => new NumberLiteral(source))]);
});

test("forms are parsed if the store allows them, and fields nest", async () => {
  const type = { "content-type": "application/x-www-form-urlencoded" };
  const form = "id=7&quantity=2&properties[Size]=L&updates[]=1&updates[]=2&items[0][id]=1&items[1][id]=2&id=8";
  assert.deepEqual(await readTestBody(form, type, true), {
    id: "7",
    quantity: "2",
    properties: { Size: "L" },
    updates: ["1", "2"],
    items: [{ id: "1" }, { id: "2" }],
  });
  assert.deepEqual(await readTestBody("updates[abc]=3", type, true), { updates: { abc: "3" } });
  assert.deepEqual(await readTestBody("a[__proto__][x]=1", type, true), {}, "a name of the theme's own");
  assert.equal(await readTestBody("properties[__proto__][x]=1", type, true), "validation_failed body/form");
  assert.equal(await readTestBody("cartId=1", type, true), "validation_failed cartId/forbidden");
  assert.equal(await readTestBody("items[7][id]=1", type, true), "validation_failed body/form");
  const multipart = '--b\r\nContent-Disposition: form-data; name="id"\r\n\r\n7\r\n--b--\r\n';
  assert.deepEqual(await readTestBody(multipart, { "content-type": "multipart/form-data; boundary=b" }, true), {
    id: "7",
  });
  assert.equal(
    await readTestBody("junk", { "content-type": "multipart/form-data" }, true),
    "validation_failed body/form",
  );
});
