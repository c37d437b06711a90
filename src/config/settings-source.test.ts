import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { changeSettingsSource, findComputedSettings, type SettingChange } from "./settings-source.ts";

const start = 'import { defineStore } from "vitrine";\n\nconst vat = { DE: 19 };\n\nexport default defineStore({';
const source = `${start}
  name: "My shop", // shown in the header
  locales: { default: "de", others: [] },
  contact: {
    // Answered by the office.
    email: 'shop@shop.example',
    phone: "1"
  },
  tax: { rates: vat },
  mail: { smtp: process.env.SMTP },
  shipping: {
    rates: [
      { name: "Standard", price: 5_00 }, // by post
    ],
  },
  // The default menus are enough.
});
`;
const change = (path: string, value?: unknown, text = source): string | undefined =>
  changeSettingsSource(text, [{ path: path.split("."), value }]);
const linesOf = (text: string | undefined): readonly string[] => String(text).split("\n");

/** Returns the lines that differ: removed ones with "-", added ones with "+". */
function diff(text: string | undefined): readonly string[] {
  const [before, after] = [linesOf(source), linesOf(text)];
  return [
    ...before.filter((line) => !after.includes(line)).map((line) => `-${line}`),
    ...after.filter((line) => !before.includes(line)).map((line) => `+${line}`),
  ];
}

test("a changed setting leaves the rest of the file as it is, with its comments", () => {
  assert.deepEqual(diff(change("name", 'Anna\'s "Shop"')), [
    '-  name: "My shop", // shown in the header',
    `+  name: "Anna's \\"Shop\\"", // shown in the header`,
  ]);
  assert.deepEqual(diff(change("contact.email", "a@b.example")), [
    "-    email: 'shop@shop.example',",
    '+    email: "a@b.example",',
  ]);
  assert.deepEqual(diff(changeSettingsSource(source, [{ path: ["shipping", "rates", 0, "price"], value: 490 }])), [
    '-      { name: "Standard", price: 5_00 }, // by post',
    '+      { name: "Standard", price: 490 }, // by post',
  ]);
});

test("a new setting is added after the last one of its group, in the style of the group", () => {
  assert.deepEqual(diff(change("invoices.iban", "DE89")), ['+  invoices: { iban: "DE89" },']);
  assert.deepEqual(diff(change("contact.address.city", "Kiel")), [
    '-    phone: "1"',
    '+    phone: "1",',
    '+    address: { city: "Kiel" },',
  ]);
  assert.deepEqual(diff(change("mail.from", "a@b.example")), [
    "-  mail: { smtp: process.env.SMTP },",
    '+  mail: { smtp: process.env.SMTP, from: "a@b.example" },',
  ]);
  assert.equal(change("name", "A", "export default {};"), 'export default { name: "A" };');
});

test("a removed setting takes its line with it", () => {
  assert.deepEqual(diff(change("contact.email")), ["-    email: 'shop@shop.example',"]);
  assert.deepEqual(diff(change("contact.phone")), [
    "-    email: 'shop@shop.example',",
    '-    phone: "1"',
    "+    email: 'shop@shop.example'",
  ]);
  assert.deepEqual(diff(change("locales")), ['-  locales: { default: "de", others: [] },']);
  assert.equal(change("missing.setting"), source);
});

test("comments stay at the settings that they describe", () => {
  const lines = (...list: readonly string[]): string => ["export default {", ...list, "};", ""].join("\n");
  assert.equal(
    change("b", 2, lines("  a: 1, /* one */ // the first")),
    lines("  a: 1, /* one */ // the first", "  b: 2,"),
  );
  assert.equal(change("b", 2, lines("  a: 1 // the first")), lines("  a: 1, // the first", "  b: 2,"));
  const commented = ["  a: 1, // the first", "  // The second"] as const;
  assert.equal(change("b", undefined, lines(...commented, "  b: 2")), lines("  a: 1 // the first", "  // The second"));
  assert.equal(
    change("b", undefined, "export default { a: 1, // the first\n  b: 2 };"),
    "export default { a: 1 // the first\n   };",
  );
});

test("the exported object may have a type, or no semicolon, and the file may start with a byte order mark", () => {
  for (const end of [" as const;", " satisfies StoreSettings;", "\nfunction f() {}", ""]) {
    assert.equal(
      change("name", "B", `\uFEFFexport default { name: "A" }${end}`),
      `\uFEFFexport default { name: "B" }${end}`,
    );
  }
  for (const end of [" in settings;", ".name;", " || other;"])
    assert.equal(change("name", "B", `export default { name: "A" }${end}`), undefined);
});

test("settings that code computes are not changed", () => {
  assert.deepEqual(findComputedSettings(source), [
    ["tax", "rates"],
    ["mail", "smtp"],
  ]);
  assert.equal(change("tax.rates.DE", 7), undefined);
  assert.equal(change("mail.smtp", "smtp://a"), undefined);
  for (const text of ["export default settings;", "export default merge({ name: 'A' }, b);", "}{", ""]) {
    assert.equal(change("name", "A", text), undefined, text);
  }
});

test("only the default export itself is changed, not one in a comment or a text", () => {
  const settings = 'export default { name: "A" };';
  for (const otherText of [`/*\n${settings}\n*/`, `const old = \`\n${settings}\n\`;`, `// ${settings}`]) {
    assert.equal(change("name", "B", `${otherText}\n${settings}`), `${otherText}\nexport default { name: "B" };`);
    assert.equal(change("name", "B", otherText), undefined);
  }
  const code = "const quote = /'/;\n";
  assert.equal(change("name", "B", `${code}${settings} // it's`), `${code}export default { name: "B" }; // it's`);
});

test("a written text cannot end a comment or a template", () => {
  const name = ["*/ ` $", "{name} \\` \u2028"].join("");
  const text = change("name", name) ?? "";
  assert.doesNotMatch(text, /\*\/|`|\$\{|\u2028/);
  assert.equal(new Function(`return ${/name: (".*"),/.exec(text)?.[1]}`)(), name);
  assert.doesNotMatch(change("menus", { [name]: [] }) ?? "", /\*\/|`|\$\{|\u2028/);
});

const keys = fc.constantFrom("name", "a-b", "rates", "$x", "ünder", "7");
const values = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.string(),
    fc.integer(),
    fc.boolean(),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(keys, tie("value"), { maxKeys: 3, noNullPrototype: true }),
  ),
})).value;

/** Prints a value in one of the ways in which people write settings. */
function print(value: unknown, pick: () => number, indent = "  "): string {
  if (typeof value === "string" && pick() % 2 === 0 && !/['\\\n\r\u2028\u2029]/.test(value)) return `'${value}'`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const inner = `${indent}  `;
  const isList = Array.isArray(value);
  const items = Object.entries(value).map(([key, item]) => {
    const text = print(item, pick, inner);
    return isList ? text : `${/^[a-z$]\w*$/.test(key) ? key : JSON.stringify(key)}: ${text}`;
  });
  const [open, close] = isList ? "[]" : "{}";
  if (pick() % 2 === 0) return `${open} ${items.join(", /* , } */ ")} ${close}`;
  const comma = pick() % 2 === 0 ? "," : "";
  return `${open} // ] {\n${items.map((item, index) => `${inner}${item}${index < items.length - 1 ? "," : comma}\n`).join("")}${indent}${close}`;
}

/** The slow, obvious way to change a setting. */
function changeObject(settings: object, { path, value }: SettingChange): void {
  const [key = "", ...rest] = path;
  const group = settings as Record<string | number, unknown>;
  if (rest.length === 0) {
    if (value === undefined) delete group[key];
    else group[key] = value;
    return;
  }
  const child = group[key] ?? {};
  if (typeof child !== "object" || Array.isArray(child)) return;
  if (value !== undefined) group[key] = child;
  changeObject(child, { path: rest, value });
}

test("changes of random settings in random styles have the effect of changes of the object", () => {
  const settings = fc.dictionary(keys, values, { maxKeys: 4, noNullPrototype: true });
  const changes = fc.array(
    fc.tuple(fc.array(keys, { minLength: 1, maxLength: 2 }), fc.option(values, { nil: undefined })),
    {
      minLength: 1,
      maxLength: 4,
    },
  );
  const run = fc.property(settings, changes, fc.infiniteStream(fc.nat(9)), (before, list, numbers) => {
    const text = `export default ${print(before, () => numbers.next().value ?? 0, "")};\n`;
    const expected = structuredClone(before);
    const applied: SettingChange[] = [];
    for (const [path, value] of list) {
      const [key = ""] = path;
      const parent: unknown = expected[key];
      if (
        path.length > 1 &&
        (parent === undefined
          ? value === undefined
          : typeof parent !== "object" || parent === null || Array.isArray(parent) || Object.keys(parent).length === 0)
      )
        continue;
      applied.push({ path, value });
      changeObject(expected, { path, value });
    }
    const result = changeSettingsSource(text, applied);
    assert.ok(result !== undefined, text);
    const evaluated: unknown = new Function(
      `return (${result.slice("export default ".length).trimEnd().slice(0, -1)});`,
    )();
    assert.deepEqual(evaluated, expected, `${text}${result}`);
  });
  fc.assert(run, { numRuns: 300 });
});
