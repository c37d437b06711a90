import assert from "node:assert/strict";
import type { IncomingMessage } from "node:http";
import { test } from "node:test";
import { createClientFinder, isHost } from "./proxy.ts";

const createRequest = (remoteAddress: string, headers: Record<string, string>) =>
  ({ socket: { remoteAddress }, headers: { host: "inner:3000", ...headers } }) as unknown as IncomingMessage;
const forwardedHeaders = {
  "x-forwarded-for": "6.6.6.6, 203.0.113.9, 10.0.0.2",
  "x-forwarded-proto": "https",
  "x-forwarded-host": "shop.test",
};

test("X-Forwarded headers are ignored unless a trusted proxy sends them", () => {
  const directClient = { address: "10.0.0.1", scheme: "http", host: "inner:3000" };
  assert.deepEqual(createClientFinder(false)(createRequest("10.0.0.1", forwardedHeaders)), directClient);
  assert.deepEqual(
    createClientFinder(["10.9.0.0/16"])(createRequest("::ffff:10.0.0.1", forwardedHeaders)),
    directClient,
  );
});

test("behind trusted proxies the client is the last hop that is not one of them", () => {
  const client = { address: "203.0.113.9", scheme: "https", host: "shop.test" };
  assert.deepEqual(createClientFinder(["10.0.0.0/8"])(createRequest("::ffff:10.0.0.1", forwardedHeaders)), client);
  assert.equal(createClientFinder(true)(createRequest("10.0.0.1", {})).address, "10.0.0.1");
});

test("if every peer is trusted, the client is the last public forwarded address, or the first one if all are private", () => {
  const readClient = createClientFinder(true);
  assert.equal(readClient(createRequest("10.0.0.1", forwardedHeaders)).address, "203.0.113.9");
  // An external proxy, such as a CDN, that connects directly.
  assert.equal(
    readClient(createRequest("198.51.100.1", { "x-forwarded-for": "6.6.6.6, 203.0.113.9" })).address,
    "203.0.113.9",
  );
  assert.equal(readClient(createRequest("::1", { "x-forwarded-for": "192.168.1.5, fd00::1" })).address, "192.168.1.5");
  const hostHeaders = { "x-forwarded-host": "evil.test, shop.test, not a host" };
  for (const trustProxy of [true, ["10.0.0.0/8"]])
    assert.equal(createClientFinder(trustProxy)(createRequest("10.0.0.1", hostHeaders)).host, "shop.test");
});

test("forwarded addresses may have a port", () => {
  const readAddress = (forwardedFor: string) =>
    createClientFinder(["10.0.0.0/8", "fd00::/8"])(createRequest("10.0.0.1", { "x-forwarded-for": forwardedFor }))
      .address;
  assert.equal(readAddress("203.0.113.9:51234, 10.0.0.2:443"), "203.0.113.9");
  assert.equal(readAddress("[2001:db8::9]:51234, [fd00::2]"), "2001:db8::9");
  assert.equal(readAddress("[::ffff:203.0.113.9]:51234"), "203.0.113.9");
  assert.equal(readAddress("2001:db8::9:443"), "2001:db8::9:443");
});

test("an invalid proxy address prevents the start", () => {
  assert.throws(() => createClientFinder(["proxy.internal"]), /trustProxy: "proxy.internal"/);
});

test("a host is a name or IP address with an optional port", () => {
  for (const host of ["shop.test", "localhost:3000", "[::1]:3000", "a_b.c.", "x"]) assert.ok(isHost(host), host);
  for (const host of ["", "a b", "a/b", "a@b", "a:b", "a,b", "-a", ".", "a\\b", "x".repeat(300)])
    assert.ok(!isHost(host), host);
});
