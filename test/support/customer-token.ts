import { createHmac } from "node:crypto";
import { testSecret } from "./shop.ts";

/** Returns the JWT that a merchant's login writes to the cookie `customer`.  @param expires seconds since 1970 */
export function customerToken(
  sub: string,
  { expires = Math.floor(Date.now() / 1_000) + 600, secret = testSecret, algorithm = "HS256" } = {},
): string {
  const encode = (part: object): string => Buffer.from(JSON.stringify(part)).toString("base64url");
  const signed = `${encode({ alg: algorithm, typ: "JWT" })}.${encode({ sub, exp: expires })}`;
  const signature = algorithm === "none" ? "" : createHmac("sha256", secret).update(signed).digest("base64url");
  return `${signed}.${signature}`;
}
