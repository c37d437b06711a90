import assert from "node:assert/strict";
import { test } from "node:test";
import { createQuantitySplitter } from "./split-quantities.ts";

const split = createQuantitySplitter();
const describe = (text: string): string =>
  split(text)
    .map((part) => (part.isQuantity ? `<${part.text}>` : part.text))
    .join(" ");

test("quantities are parts of their own, independent of their notation", () => {
  for (const [text, expected] of [
    ["Dulux Paint 5 l White", "dulux paint <5l> white"],
    ["Cola, 6 x 330 ml", "cola <6x330ml>"],
    ["Pack of 6 socks, 2-pack", "<6pc> socks <2pc>"],
    ["2 in. x 4 in. x 8 ft. Stud", "<2inchx4inchx8ft> stud"],
    ["Bier 0,5 l", "bier <500ml>"],
    ["USB 2.0 hub, No. 8", "usb 2 0 hub <#8>"],
    ["iPhone 13", "iphone 13"],
    ["", ""],
  ] as const)
    assert.equal(describe(text), expected);
});

test("a text does not depend on the text before it", () => {
  const expected = split("Paint 5 l");
  split("A much longer text with 12 words, 3 kg and 4 x 8 ft, of which nothing remains");
  assert.deepEqual(split("Paint 5 l"), expected);
});
