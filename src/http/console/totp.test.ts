import assert from "node:assert/strict";
import { test } from "node:test";
import { createRecoveryCodes, createTotpSecret, findTotpStep, formatTotpUrl, hashRecoveryCode } from "./totp.ts";

/** The ASCII secret "12345678901234567890" of RFC 6238, appendix B, in base32. */
const secret = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ";

test("codes equal the last six digits of the test vectors of RFC 6238", () => {
  for (const [seconds, code] of [
    [59, "287082"],
    [1_111_111_109, "081804"],
    [1_111_111_111, "050471"],
    [1_234_567_890, "005924"],
    [2_000_000_000, "279037"],
    [20_000_000_000, "353130"],
  ] as const)
    assert.equal(findTotpStep(secret, code, seconds * 1_000), Math.floor(seconds / 30), code);
});

test("a code is valid one step before and after its own, and wrong texts never are", () => {
  assert.equal(findTotpStep(secret, " 287 082", 89_000), 1);
  assert.equal(findTotpStep(secret, "287082", 29_000), 1);
  assert.equal(findTotpStep(secret, "287082", 90_000), undefined);
  for (const code of ["", "28708", "2870820", "28708x", "94287082"])
    assert.equal(findTotpStep(secret, code, 59_000), undefined);
});

test("secrets and recovery codes differ, and the URL names shop and account", () => {
  let count = 0;
  const newId = (): string => {
    count += 1;
    return `id${count}`;
  };
  const codes = createRecoveryCodes(newId);
  assert.equal(new Set(codes).size, 8);
  assert.match(codes[0] ?? "", /^[a-z2-7]{16}$/);
  assert.equal(hashRecoveryCode("ABCD efgh"), hashRecoveryCode("abcdefgh"));
  assert.match(createTotpSecret(newId), /^[A-Z2-7]{32}$/);
  assert.match(
    formatTotpUrl(secret, { issuer: "Käpt'n: Blau", account: "Office" }),
    new RegExp(`^otpauth://totp/.*Office\\?.*secret=${secret}`),
  );
});
