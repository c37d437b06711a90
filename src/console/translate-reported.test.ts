import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { describeProxyFix } from "../config/untrusted-proxy.ts";
import { readConsoleTexts } from "./console-messages.ts";
import { translateReportedText } from "./translate-reported.ts";

test("a reported text is recognized with its values, and translated with the texts in it", () => {
  const expected = {
    'Line 3: Tote: "cheap" is not a price. Enter an amount such as 12.50.':
      "Zeile 3: Tote: „cheap“ ist kein Preis. Geben Sie einen Betrag ein, etwa 12.50.",
    '"rain" as the beginning of "raincoat" in title (more than once, of 2 words), vendor, SKU':
      "„rain“ als Anfang von „raincoat“ in Titel (mehrmals, von 2 Wörtern), Anbieter, SKU",
    "usually names the vendor or type: counts 150%": "nennt meist den Anbieter oder den Typ: zählt 150%",
    '1 of "Tote" remains to be shipped.': "1 Stück von „Tote“ ist noch zu versenden.",
    "Order 1,001 {count}": undefined,
  };
  for (const [text, translation] of Object.entries(expected)) {
    assert.equal(translateReportedText(text, "de"), translation);
    assert.equal(translateReportedText(text, "en"), text);
  }
  for (const proxy of ["10.0.0.1", undefined])
    assert.match(translateReportedText(describeProxyFix(proxy), "de") ?? "", /^X-Forwarded-Header .* ignoriert/);
});

/** Texts that a module composes of several parts. Other tests report them. */
const composedTexts =
  /^reported\.(?:no(?:Reference|Note|Reason|Rates)|alreadyPaid|remaining|(?:public)?[pP]roxy|(?:otherM|m)easure|(?:margin|stock|newness)Boost|setting(?:Integer|Iban|Bic|Email|Sender|Country))$/;

test("each reported text is in the source of a module", () => {
  const root = fileURLToPath(new URL("../..", import.meta.url));
  const files = globSync("{src,packages/*/src}/**/*.ts", { cwd: root }).filter((file) => !file.endsWith(".test.ts"));
  const sources = files.map((file) => readFileSync(`${root}/${file}`, "utf8").toLowerCase()).join("\n");
  const missingTexts = Object.entries(readConsoleTexts("en"))
    .filter(([key]) => key.startsWith("reported.") && !composedTexts.test(key))
    .flatMap(([key, text]) => (typeof text === "string" ? [text] : Object.values(text)).map((form) => [key, form]))
    .filter(([, form = ""]) => {
      const parts = form.toLowerCase().split(/"?\{\w+\}"?/);
      return parts.some((part) => !sources.includes(part.trim().replace(/\.$/, "")));
    });
  assert.deepEqual(missingTexts, []);
});
