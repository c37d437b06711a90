import assert from "node:assert/strict";
import { test } from "node:test";
import { readCookieValues, setCookie } from "./cookies.ts";

test("every value of a cookie name is found, in order, among any other text", () => {
  const request = { headers: { cookie: 'cart=one; xcart=no; __proto__=x; cart="two"; bad=%zz;; cart=three' } };
  assert.deepEqual(readCookieValues(request, "cart"), ["one", '"two"', "three"]);
  assert.deepEqual(readCookieValues(request, "__proto__"), ["x"]);
  assert.deepEqual(readCookieValues(request, "absent"), []);
  assert.deepEqual(readCookieValues({ headers: {} }, "cart"), []);
});

test("a cookie applies to the entire store, and is Secure on https", () => {
  const options = { maxAge: 60, httpOnly: true };
  assert.equal(
    setCookie({ isSecure: false }, "cart", "v1.a", options),
    "cart=v1.a; Max-Age=60; Path=/; HttpOnly; SameSite=Lax",
  );
  assert.match(setCookie({ isSecure: true }, "__Host-cart", "v", options), /; Secure/);
  assert.doesNotMatch(
    setCookie({ isSecure: true }, "csrf_token", "v", { maxAge: 1, httpOnly: false }),
    /HttpOnly|Domain/,
  );
});
