import assert from "node:assert/strict";
import { test } from "node:test";
import { Problem } from "../problem.ts";
import { checkOrigin, checkToken, keepOrIssueToken, type Self, TOKEN_LIFE, type WriteOrigin } from "./csrf.ts";
import { createKeyring } from "./keyring.ts";

const configured: Self = { origin: "https://shop.test" };
const byHost: Self = { host: "shop.test" };
const nothing: WriteOrigin = { secFetchSite: undefined, origin: undefined, referer: undefined };

const origins: readonly (readonly [says: Partial<WriteOrigin>, self: Self, passes: boolean])[] = [
  [{}, configured, true],
  [{ secFetchSite: "same-origin" }, configured, true],
  [{ secFetchSite: "none" }, configured, true],
  [{ secFetchSite: "cross-site" }, configured, false],
  [{ secFetchSite: "same-site" }, configured, false],
  [{ secFetchSite: "same-site", origin: "https://shop.test" }, configured, false],
  [{ secFetchSite: "foo" }, configured, false],
  [{ secFetchSite: "" }, configured, false],
  [{ secFetchSite: "same-origin", origin: "https://evil.test" }, configured, false],
  [{ origin: "https://shop.test" }, configured, true],
  [{ origin: "https://evil.test" }, configured, false],
  [{ origin: "null" }, configured, false],
  [{ origin: "" }, configured, false],
  [{ origin: "https://shop.test.evil.test" }, configured, false],
  [{ origin: "http://shop.test" }, configured, false],
  [{ origin: "https://shop.test:444" }, configured, false],
  [{ origin: "https://SUB.shop.test" }, configured, false],
  [{ origin: "https://shop.test/" }, configured, false],
  [{ origin: "https://shop.test, https://evil.test" }, configured, false],
  [{ origin: "https://x@shop.test" }, configured, false],
  [{ origin: "file://shop.test" }, byHost, false],
  [{ origin: "https://shop.test" }, byHost, true],
  [{ origin: "http://shop.test" }, byHost, true],
  [{ origin: "https://shop.test" }, { host: "shop.test:443" }, true],
  [{ origin: "https://shop.test:8443" }, byHost, false],
  [{ origin: "http://127.0.0.1:3000" }, { host: "127.0.0.1:3000" }, true],
  [{ origin: "http://127.0.0.1:3001" }, { host: "127.0.0.1:3000" }, false],
  [{ referer: "https://shop.test/products/x" }, configured, true],
  [{ referer: "https://evil.test/" }, configured, false],
  [{ referer: "shop.test" }, configured, false],
  [{ referer: "" }, configured, true],
  [{ origin: "https://shop.test", referer: "https://evil.test/" }, configured, true],
];

for (const [says, self, passes] of origins) {
  test(`a write with ${JSON.stringify(says)} to ${JSON.stringify(self)} ${passes ? "passes" : "is blocked"} (spec 5)`, () => {
    assert.equal(
      codeOf(() => checkOrigin({ ...nothing, ...says }, self)),
      passes ? undefined : "csrf_origin_blocked",
    );
  });
}

const now = 1_800_000_000_000;
const ring = createKeyring(["a".repeat(32)]);
let ids = 0;
const newId = (): string => `id-${ids++}`;
const { token } = keepOrIssueToken([], ring, now, newId);
const other = keepOrIssueToken([], ring, now, newId).token;

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
  ["the token of another visitor in the header", other, [token], "csrf_mismatch"],
  ["two tokens in one header", `${token}, ${token}`, [token], "csrf_mismatch"],
  ["equal junk", "abc", ["abc"], "csrf_invalid"],
  ["a cart's cookie as token", ring.sign("cart", "x", now + 1), [ring.sign("cart", "x", now + 1)], "csrf_invalid"],
  ["a planted cookie before the real one", token, ["planted", token], undefined],
  ["a planted cookie and its header", "planted", ["planted", token], "csrf_invalid"],
  ["letters beyond ASCII", "é", ["é"], "csrf_invalid"],
];

for (const [what, header, cookies, code] of tokens) {
  test(`${what}: ${code ?? "passes"} (spec 5)`, () =>
    assert.equal(
      codeOf(() => checkToken(header, cookies, ring, now)),
      code,
    ));
}

test("a token is valid for thirty days", () => {
  assert.equal(
    codeOf(() => checkToken(token, [token], ring, now + TOKEN_LIFE - 1)),
    undefined,
  );
  assert.equal(
    codeOf(() => checkToken(token, [token], ring, now + TOKEN_LIFE)),
    "csrf_invalid",
  );
});

test("a valid token is reused, an invalid one replaced, one past half its lifetime renewed", () => {
  assert.equal(keepOrIssueToken(["junk", token], ring, now, newId).token, token);
  assert.notEqual(keepOrIssueToken(["junk"], ring, now, newId).token, "junk");
  assert.equal(keepOrIssueToken([token], ring, now + TOKEN_LIFE / 2 - 1, newId).token, token);
  assert.notEqual(keepOrIssueToken([token], ring, now + TOKEN_LIFE / 2, newId).token, token);
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
