import assert from "node:assert/strict";
import { test } from "node:test";
import { Problem } from "../problem.ts";
import {
  checkOrigin,
  checkToken,
  getOrIssueToken,
  type RequestOrigin,
  type StoreOrigin,
  TOKEN_LIFETIME_MS,
} from "./csrf.ts";
import { createKeyring } from "./keyring.ts";

const originSelf: StoreOrigin = { origin: "https://shop.test" };
const hostSelf: StoreOrigin = { host: "shop.test" };
const noOrigin: RequestOrigin = { secFetchSite: undefined, origin: undefined, referer: undefined };

const origins: readonly (readonly [says: Partial<RequestOrigin>, self: StoreOrigin, passes: boolean])[] = [
  [{}, originSelf, true],
  [{ secFetchSite: "same-origin" }, originSelf, true],
  [{ secFetchSite: "none" }, originSelf, true],
  [{ secFetchSite: "cross-site" }, originSelf, false],
  [{ secFetchSite: "same-site" }, originSelf, false],
  [{ secFetchSite: "same-site", origin: "https://shop.test" }, originSelf, false],
  [{ secFetchSite: "foo" }, originSelf, false],
  [{ secFetchSite: "" }, originSelf, false],
  [{ secFetchSite: "same-origin", origin: "https://evil.test" }, originSelf, false],
  [{ origin: "https://shop.test" }, originSelf, true],
  [{ origin: "https://evil.test" }, originSelf, false],
  [{ origin: "null" }, originSelf, false],
  [{ origin: "" }, originSelf, false],
  [{ origin: "https://shop.test.evil.test" }, originSelf, false],
  [{ origin: "http://shop.test" }, originSelf, false],
  [{ origin: "https://shop.test:444" }, originSelf, false],
  [{ origin: "https://SUB.shop.test" }, originSelf, false],
  [{ origin: "https://shop.test/" }, originSelf, false],
  [{ origin: "https://shop.test, https://evil.test" }, originSelf, false],
  [{ origin: "https://x@shop.test" }, originSelf, false],
  [{ origin: "file://shop.test" }, hostSelf, false],
  [{ origin: "https://shop.test" }, hostSelf, true],
  [{ origin: "http://shop.test" }, hostSelf, true],
  [{ origin: "https://shop.test" }, { host: "shop.test:443" }, true],
  [{ origin: "https://shop.test:8443" }, hostSelf, false],
  [{ origin: "http://127.0.0.1:3000" }, { host: "127.0.0.1:3000" }, true],
  [{ origin: "http://127.0.0.1:3001" }, { host: "127.0.0.1:3000" }, false],
  [{ referer: "https://shop.test/products/x" }, originSelf, true],
  [{ referer: "https://evil.test/" }, originSelf, false],
  [{ referer: "shop.test" }, originSelf, false],
  [{ referer: "" }, originSelf, true],
  [{ origin: "https://shop.test", referer: "https://evil.test/" }, originSelf, true],
];

for (const [headers, self, isAllowed] of origins) {
  test(`a write with ${JSON.stringify(headers)} to ${JSON.stringify(self)} ${isAllowed ? "passes" : "is blocked"} (spec 5)`, () => {
    assert.equal(
      codeOf(() => checkOrigin({ ...noOrigin, ...headers }, self)),
      isAllowed ? undefined : "csrf_origin_blocked",
    );
  });
}

const now = 1_800_000_000_000;
const ring = createKeyring(["a".repeat(32)]);
let idCount = 0;
const newId = (): string => `id-${idCount++}`;
const { token } = getOrIssueToken([], ring, now, newId);
const otherToken = getOrIssueToken([], ring, now, newId).token;

const tokens: readonly (readonly [
  what: string,
  header: string | undefined,
  cookies: string[],
  code: string | undefined,
])[] = [
  ["a token and its cookie", token, [token], undefined],
  ["no header", undefined, [token], "csrf_missing"],
  ["an empty header", "", [token], "csrf_missing"],
  ["a blank header", "  ", [token], "csrf_missing"],
  ["no cookie", token, [], "csrf_missing"],
  ["an empty cookie", token, [""], "csrf_missing"],
  ["a header one character off", `${token.slice(0, -1)}${token.endsWith("A") ? "B" : "A"}`, [token], "csrf_mismatch"],
  ["the token of another visitor in the header", otherToken, [token], "csrf_mismatch"],
  ["two tokens in one header", `${token}, ${token}`, [token], "csrf_mismatch"],
  ["equal junk", "abc", ["abc"], "csrf_invalid"],
  ["a cart's cookie as token", ring.sign("cart", "x", now + 1), [ring.sign("cart", "x", now + 1)], "csrf_invalid"],
  ["a planted cookie before the real one", token, ["planted", token], undefined],
  ["a planted cookie and its header", "planted", ["planted", token], "csrf_invalid"],
  ["letters beyond ASCII", "é", ["é"], "csrf_invalid"],
];

for (const [description, header, cookies, code] of tokens) {
  test(`${description}: ${code ?? "passes"} (spec 5)`, () =>
    assert.equal(
      codeOf(() => checkToken(header, cookies, ring, now)),
      code,
    ));
}

test("a token is valid for thirty days", () => {
  assert.equal(
    codeOf(() => checkToken(token, [token], ring, now + TOKEN_LIFETIME_MS - 1)),
    undefined,
  );
  assert.equal(
    codeOf(() => checkToken(token, [token], ring, now + TOKEN_LIFETIME_MS)),
    "csrf_invalid",
  );
});

test("a valid token is reused, an invalid one replaced, one past half its lifetime renewed", () => {
  assert.equal(getOrIssueToken(["junk", token], ring, now, newId).token, token);
  assert.notEqual(getOrIssueToken(["junk"], ring, now, newId).token, "junk");
  assert.equal(getOrIssueToken([token], ring, now + TOKEN_LIFETIME_MS / 2 - 1, newId).token, token);
  assert.notEqual(getOrIssueToken([token], ring, now + TOKEN_LIFETIME_MS / 2, newId).token, token);
});

function codeOf(check: () => unknown): string | undefined {
  try {
    check();
  } catch (error) {
    assert.ok(error instanceof Problem);
    return error.code;
  }
  return undefined;
}
