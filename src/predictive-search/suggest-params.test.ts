import assert from "node:assert/strict";
import { test } from "node:test";
import { Problem } from "../problem.ts";
import { parseSuggestParams } from "./suggest-params.ts";

const parse = (query: string) => parseSuggestParams(new URLSearchParams(query));

function errorDetailOf(query: string): string {
  try {
    parse(query);
  } catch (error) {
    assert.ok(error instanceof Problem && error.code === "invalid_parameter");
    return error.message;
  }
  return "accepted";
}

test("defaults equal the spec (4.1)", () => {
  assert.deepEqual(parse("q=sno"), {
    q: "sno",
    types: ["query", "product", "collection", "page", "bundle"],
    limit: 10,
    limitScope: "all",
    unavailableProducts: "last",
  });
});

test("a missing, empty or blank q is rejected before any other error (7.1)", () => {
  for (const query of ["", "q=", "q=%20%20", "q=%09%0a", "q=%00", "type=foo&limit=0"])
    assert.equal(errorDetailOf(query), "Missing q param");
  assert.equal(errorDetailOf("q=a&q="), "accepted");
  assert.equal(errorDetailOf("q=%E2%80%8B"), "accepted");
});

test("errors are reported in the order type, limit, limit_scope, options", () => {
  const invalidParams = ["type=x", "limit=0", "limit_scope=x", "resources[options][unavailable_products]=x"];
  const names = ["type", "limit", "limit_scope", "unavailable_products"];
  invalidParams.forEach((_, index) => {
    assert.equal(
      errorDetailOf(`q=a&${invalidParams.slice(index).reverse().join("&")}`),
      `Invalid option for ${names[index]} parameter`,
    );
  });
  assert.equal(errorDetailOf("q=a&resources[options][fields]=title,nope"), "Invalid option for fields parameter");
});

test("a limit consists of decimal digits, 1 to 10", () => {
  for (const limit of [
    "0",
    "11",
    "-1",
    "99999999999999999999",
    "1.5",
    "1e1",
    "0x5",
    "abc",
    "NaN",
    "%D9%A3",
    "5%20",
    "%2B5",
    "",
  ])
    assert.equal(errorDetailOf(`q=a&limit=${limit}`), "Invalid option for limit parameter", limit);
  assert.equal(parse("q=a&limit=010").limit, 10);
  assert.equal(parse("q=a&limit=1").limit, 1);
});

test("types are trimmed, deduplicated and case-sensitive; an invalid one rejects the request", () => {
  assert.deepEqual(parse("q=a&type=product, article,product").types, ["product", "article"]);
  for (const type of ["foo", "product,foo", "Product", "product,,page", "", "__proto__", "constructor", "toString"])
    assert.equal(errorDetailOf(`q=a&type=${type}`), "Invalid option for type parameter", type);
  assert.deepEqual(parse(`q=a&type=${"product,".repeat(1_500)}page`).types, ["product", "page"]);
});

test("the bracketed name overrides the flat one, the first of several values applies, unknown names are ignored", () => {
  assert.equal(parse("q=a&limit=3&resources[limit]=5&resources[limit]=6").limit, 5);
  assert.equal(parse("q=a&limit=5&limit=6").limit, 5);
  assert.equal(parse("q=a&limit=5&limit=nonsense").limit, 5);
  assert.deepEqual(parse("q=a&resources[type][]=page&resources=page&__proto__[x]=1").types, parse("q=a").types);
});

test("field names in options are trimmed", () => {
  const query = "q=a&resources[options][fields]=title, variants.sku&resources[options][unavailable_products]=hide";
  assert.deepEqual(parse(query).fields, ["title", "variants.sku"]);
  assert.equal(parse(query).unavailableProducts, "hide");
});

test("terms contain no control characters and no lone surrogates", () => {
  assert.equal(parse("q=a%00b%0d%0ac").q, "a b  c");
  assert.ok(parse("q=%FF%ud83d").q.isWellFormed());
});
