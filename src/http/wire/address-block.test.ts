import assert from "node:assert/strict";
import { test } from "node:test";
import { findAddressBlock } from "./address-block.ts";

test("IP addresses of one network share a block, in any notation", () => {
  const subscriberBlock = (address: string): string => findAddressBlock(address, { ipv4: 32, ipv6: 64 });
  const siteBlock = (address: string): string => findAddressBlock(address, { ipv4: 24, ipv6: 48 });
  assert.deepEqual(["203.0.113.9", "203.0.113.77"].map(siteBlock), ["203.0.113", "203.0.113"]);
  assert.equal(subscriberBlock("203.0.113.9"), "203.0.113.9");
  const equalAddresses = ["2001:db8:1:2::1", "2001:0DB8:0001:0002:ffff:ffff:ffff:ffff", "2001:db8:1:2:3::%eth0"];
  assert.deepEqual(equalAddresses.map(subscriberBlock), ["2001:db8:1:2", "2001:db8:1:2", "2001:db8:1:2"]);
  assert.equal(siteBlock("2001:db8:1:ffff::"), "2001:db8:1");
  assert.notEqual(subscriberBlock("2001:db8:1:3::1"), subscriberBlock("2001:db8:1:2::1"));
  assert.deepEqual(["::1", "::", "::ffff:203.0.113.9"].map(subscriberBlock), ["0:0:0:0", "0:0:0:0", "0:0:0:0"]);
  assert.equal(subscriberBlock("64:ff9b::192.0.2.33"), "64:ff9b:0:0");
  assert.equal(subscriberBlock("x".repeat(1_000)).length, 45);
});
