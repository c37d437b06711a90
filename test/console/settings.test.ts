import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import type { Reply } from "../support/client.ts";
import { createApiToken } from "../support/command.ts";
import { logIn, postForm } from "../support/console.ts";
import { startMailReceiver } from "../support/mail-receiver.ts";
import { startShop } from "../support/shop.ts";
import { serverVariable } from "../support/test-database.ts";
import { until } from "../support/until.ts";

const isShared = process.env[serverVariable] !== undefined;
const start = 'import { defineStore } from "vitrine";\n\nexport default defineStore({';
const storeFiles = {
  "vitrine.config.ts": `${start}
  name: "My shop",
  currency: "EUR",
  console: true,
  server: { threads: 1, maxWait: 60_000 },
  shipping: { countries: ["DE", "AT"], rates: [{ name: "Standard", price: 490, translations: { fr: "Normal" } }] },
  invoices: { vatId: String(1 + 1), note: "Line 1\\nLine 2 ${"x".repeat(1_000)}" },
});
`,
  "catalog/pages.jsonl": [
    {
      kind: "page",
      handle: "legal-notice",
      title: "Legal notice",
      content: "<p>[[Address]]<br>[[Phone]]<br>[[VAT ID]]</p>",
    },
    { kind: "page", handle: "refund-policy", title: "Refunds", content: "<p>To: [[Address]]</p>" },
  ]
    .map((row) => `${JSON.stringify(row)}\n`)
    .join(""),
};
const shop = await startShop({ storeFiles, hasTheme: false });
const { client, csrf } = await logIn(shop, await createApiToken(shop, "console", "settings:write", "catalog:write"));
const readPage = async (): Promise<string> => (await client.get("/admin/settings")).text;
const readFileText = (): Promise<string> => readFile(join(shop.storeDir, "vitrine.config.ts"), "utf8");

/** Returns the fields of a section's form with their values, as a browser sends them. */
function fieldsOf(page: string, section: string): Record<string, string> {
  const [, form = ""] = new RegExp(`<section class="panel" id="${section}">(.*?)</section>`, "s").exec(page) ?? [];
  const decode = (text = "") =>
    text
      .replaceAll("&lt;", "<")
      .replaceAll("&gt;", ">")
      .replaceAll("&quot;", '"')
      .replaceAll("&#39;", "'")
      .replaceAll("&amp;", "&");
  const fields: Record<string, string> = {};
  for (const [input] of form.matchAll(/<input [^>]*>/g)) {
    const attribute = (name: string) => new RegExp(` ${name}="([^"]*)"`).exec(input)?.[1];
    if (/ disabled/.test(input) || (input.includes('type="checkbox"') && !/ checked/.test(input))) continue;
    // Browsers remove line breaks from the values of inputs.
    fields[attribute("name") ?? ""] = decode(attribute("value")).replaceAll(/[\r\n]/g, "");
  }
  for (const [, name = "", text] of form.matchAll(/<textarea [^>]*name="([^"]*)"[^>]*>(.*?)<\/textarea>/gs))
    fields[name] = decode(text).replaceAll("\n", "\r\n");
  for (const [, name = "", options = ""] of form.matchAll(/<select [^>]*name="([^"]*)"[^>]*>(.*?)<\/select>/gs))
    fields[name] = /value="([^"]*)" selected/.exec(options)?.[1] ?? "";
  return fields;
}

/** Fills in fields of a section and sends its form. */
async function send(section: string, values: Readonly<Record<string, string | undefined>>): Promise<Reply> {
  const fields: Record<string, string | undefined> = { ...fieldsOf(await readPage(), section), csrf, ...values };
  const sent = Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
  return postForm(shop, client, "/admin/settings", Object.fromEntries(sent));
}

async function save(section: string, values: Readonly<Record<string, string | undefined>>): Promise<void> {
  const reply = await send(section, values);
  assert.deepEqual([reply.status, reply.headers.location], [303, `/admin/settings?done=${section}`], reply.text);
}

/** Sends a form that is rejected.  @returns the section of the response */
async function fail(section: string, values: Readonly<Record<string, string | undefined>>): Promise<string> {
  const before = await readFileText();
  const reply = await send(section, values);
  assert.equal(reply.status, 400);
  assert.equal(await readFileText(), before);
  return new RegExp(`<section class="panel" id="${section}">(.*?)</section>`, "s").exec(reply.text)?.[1] ?? "";
}

test("settings of a shared database, and without the scope, are shown but not changed", async () => {
  const viewer = await logIn(shop, await createApiToken(shop, "console"));
  const page = (await viewer.client.get("/admin/settings")).text;
  assert.match(page, isShared ? /Several servers may use this database/ : /--scopes console,settings:write/);
  assert.match(page, /<fieldset class="plain stack" disabled>.*value="My shop"/s);
  assert.doesNotMatch(page, /<button>Save changes/);
});

test("each part of the checklist links to its settings", async () => {
  const { text } = await client.get("/admin");
  const links = Array.from(text.matchAll(/\/admin\/settings#([\w-]+)/g), ([, id = ""]) => id);
  const page = await readPage();
  const isSection = (id: string): boolean => page.includes(`<section class="panel" id="${id}">`);
  assert.deepEqual(links.filter(isSection), ["shop", "shipping", "invoices", "email", "policies", "domain"]);
  const fields = links.filter((id) => !isSection(id));
  assert.ok(fields.includes("contact-email"));
  for (const id of fields) assert.match(page, new RegExp(`<(?:input|select)[^>]* id="${id}"`));
});

test("policy pages are hidden until answers replace all their placeholders", async () => {
  const searchPages = async (): Promise<string> => (await client.get("/search/suggest.json?q=legal")).text;
  assert.equal((await client.get("/pages/legal-notice")).status, 404);
  assert.match(await readPage(), />VAT ID<\/label><textarea [^>]*>2<\/textarea>/, "the value of the setting");
  assert.doesNotMatch(await searchPages(), /legal-notice/);
  const fields = {
    csrf,
    "names[0]": "[[Address]]",
    "placeholders[0]": " Quay 1 & 2\r\nHamburg ",
    "placeholders[1]": "",
  };
  const reply = await postForm(shop, client, "/admin/settings/policies", { ...fields, "names[1]": "[[Phone]]" });
  assert.equal(reply.headers.location, "/admin/settings?done=policies");
  const page = (await client.get("/admin/settings?done=policies")).text;
  assert.match(page, /id="policies">.*Changes saved.*<label for="placeholder-0">Phone<\/label>/s);
  const hasText = async (handle: string): Promise<boolean> =>
    /Quay 1 &amp; 2<br>Hamburg/.test((await client.get(`/pages/${handle}`)).text);
  await until(() => hasText("refund-policy"), "the refund policy is shown");
  assert.equal((await client.get("/pages/legal-notice")).status, 404);
  await postForm(shop, client, "/admin/settings/policies", {
    csrf,
    "names[0]": "[[Phone]]",
    "names[1]": "[[VAT ID]]",
    "placeholders[0]": "040 1",
    "placeholders[1]": "2",
  });
  assert.match(await readPage(), /No text is missing/);
  await until(() => hasText("legal-notice"), "the legal notice is shown");
  assert.match(await searchPages(), /legal-notice/);
});

if (!isShared) {
  test("name and address are saved, apply at once, and are shown again", async () => {
    await save("shop", {
      name: 'Anna\'s "Kontor"',
      "contact.email": "a@shop.example",
      "contact.address.country": "DE",
    });
    const page = await readPage();
    assert.match(page, /name="name" value="Anna&#39;s &quot;Kontor&quot;"/);
    assert.match(page, /<option value="DE" selected>Germany</);
    assert.match((await client.get("/")).text, /<title>Anna(?:'|&#39;)s (?:"|&quot;)Kontor/);
    assert.match(await fail("shop", { "contact.email": "a at shop.example" }), /must be an address like &quot;hello@/);
    await save("shop", { "contact.email": "", "contact.address.country": "" });
    assert.doesNotMatch(await readFileText(), /contact/);
  });

  test("shipping rates are added, changed, and removed, and keep their translations", async () => {
    const rate = (index: number, name: string, price: string, freeFrom = "", countries = "") => ({
      [`rates[${index}][name]`]: name,
      [`rates[${index}][price]`]: price,
      [`rates[${index}][free_from]`]: freeFrom,
      [`rates[${index}][countries]`]: countries,
    });
    await save("shipping", { ...rate(0, "Standard", "5,90", "50"), ...rate(1, "Express", "12", "", "de at") });
    assert.match(
      await readFileText(),
      /\{ name: "Standard", price: 590, freeFrom: 5000, translations: \{ fr: "Normal" \} \},\s+\{ name: "Express", price: 1200, countries: \["DE", "AT"\] \}/,
    );
    assert.deepEqual(
      Object.entries(fieldsOf(await readPage(), "shipping")).filter(([name]) => name.startsWith("rates[1]")),
      Object.entries({ ...rate(1, "Express", "12.00", "", "DE, AT") }),
    );
    const section = await fail("shipping", rate(1, "Express", "twelve"));
    assert.match(
      section,
      /Correct the marked fields.*value="twelve"[^>]*aria-invalid="true".*Enter an amount such as 12\.50\./s,
    );
    assert.match(await fail("shipping", rate(2, "Abroad", "12", "", "XX")), /must be a country code/);
    await save("shipping", { ...rate(0, "", ""), ...rate(1, "Express", "12") });
    assert.match(await readFileText(), /rates: \[\{ name: "Express", price: 1200 \}\]/);
    await save("shipping", { "countries[AT]": undefined, "countries[CH]": "1" });
    assert.match(await readFileText(), /countries: \["DE", "CH"\]/);
  });

  test("taxes, payment, and invoices", async () => {
    await save("tax", { "tax.rates": "DE: 19, CH 8,1%", "tax.pricesIncludeTax": undefined });
    assert.match(
      await readFileText(),
      /tax: \{ rates: \{ DE: 19, CH: 8\.1 \}, pricesIncludeTax: false \}|tax: \{ pricesIncludeTax: false, rates: \{ DE: 19, CH: 8\.1 \} \}/,
    );
    await save("tax", { "tax.rates": "CH: 8.1" });
    assert.match(await readFileText(), /rates: \{ CH: 8\.1 \}/);
    assert.match(await fail("tax", { "tax.rates": "Germany" }), /Enter countries and percentages/);
    await save("payment", { "checkout.invoice": undefined });
    assert.match(await readFileText(), /checkout: \{ invoice: false \}/);
    const section = await fail("invoices", { "invoices.iban": "DE00", "invoices.daysUntilDue": "soon" });
    assert.match(section, /value="DE00"[^>]*aria-invalid="true".*must be an IBAN like/s);
    assert.match(section, /value="soon"[^>]*aria-invalid="true".*must be an integer from 1 to 365/s);
    // Code computes the VAT ID, so its field is disabled.
    assert.match(section, /name="invoices\.vatId" value="2"[^>]* disabled/);
    await save("invoices", {
      "invoices.iban": "DE89 3704 0044 0532 0130 00",
      "invoices.issue": "true",
      "invoices.daysUntilDue": "30",
    });
    assert.match(await readFileText(), /vatId: String\(1 \+ 1\),.*issue: true.*daysUntilDue: 30/s);
  });

  test("a text with several lines keeps them, and its length", async () => {
    await save("invoices", { "invoices.prefix": "R" });
    assert.match(await readFileText(), /note: "Line 1\\nLine 2 x{1000}"/);
    await save("invoices", { "invoices.note": " Line 3\t\r\n\r\nLine 4 " });
    assert.match(await readFileText(), /note: "Line 3\\n\\nLine 4"/);
    await save("invoices", { "invoices.note": "" });
    assert.doesNotMatch(await readFileText(), /note:/);
  });

  test("the password of the mail server is never shown, and is sent to no other server", async () => {
    const server = { smtp_host: "smtp.example", smtp_port: "465", smtp_user: "a@b", smtp_password: "s/cret" };
    assert.match(
      await fail("email", server),
      /name="mail\.from"[^>]*aria-invalid="true".*is required with mail\.smtp/s,
    );
    await save("email", { ...server, "mail.from": "Shop <a@b.example>" });
    assert.match(await readFileText(), /smtp: "smtps:\/\/a%40b:s%2Fcret@smtp\.example"/);
    const page = await readPage();
    assert.doesNotMatch(page, /s\/cret|s%2Fcret/);
    const { smtp_password, ...shown } = fieldsOf(page, "email");
    assert.deepEqual(
      [shown.smtp_host, shown.smtp_port, shown.smtp_user, smtp_password],
      ["smtp.example", "465", "a@b", ""],
    );
    await save("email", { "mail.newOrders": undefined });
    assert.match(await readFileText(), /s%2Fcret.*newOrders: false/);
    assert.match(await fail("email", { smtp_host: "evil.example" }), /Enter the password of the mail server/);
    await save("email", { smtp_host: "" });
    assert.doesNotMatch(await readFileText(), /s%2Fcret/);
  });

  test("a failed login to the mail server, and a server that is not reached, are explained with the fields to correct", async () => {
    const receiver = await startMailReceiver({ onAuth: (_, __, done) => done(new Error("Invalid credentials")) });
    const server = { smtp_host: "127.0.0.1", smtp_port: String(receiver.port), smtp_user: "ada", smtp_password: "x" };
    await save("email", { ...server, "mail.from": "a@b.example" });
    const login =
      /The mail server <bdi>127\.0\.0\.1:\d+<\/bdi> does not accept the user or the password\. Check: <a href="\/admin\/settings#smtp-user">User<\/a>, <a href="\/admin\/settings#smtp-password">/;
    assert.match((await client.get("/admin")).text, login);
    const { text } = await postForm(shop, client, "/admin/settings/test-email", { csrf });
    assert.match(text, /The test email was not sent: .*Invalid credentials/);
    assert.match(text, login);
    await save("email", { ...server, smtp_port: "1" });
    assert.match((await client.get("/admin")).text, /127\.0\.0\.1:1<\/bdi> cannot be reached\. Check: <a [^>]*>Host</);
    await save("email", { smtp_host: "", "mail.from": "" });
  });

  test("the public URL can be changed on this machine without an end of the session, and other sites stay rejected", async () => {
    await save("domain", { origin: "https://shop.example" });
    await save("shop", { "contact.address.address2": "2nd floor" });
    assert.match(await readFileText(), /address2: "2nd floor"/);
    await logIn(shop, await createApiToken(shop, "console"));
    const foreignForms = ["https://evil.example", "http://127.0.0.1:1"].map((origin) =>
      postForm({ origin }, client, "/admin/settings", { csrf, section: "shop" }),
    );
    for (const { status } of await Promise.all(foreignForms)) assert.equal(status, 403);
    const { status } = await postForm({ origin: "https://shop.example" }, client, "/admin/settings", { csrf });
    assert.equal(status, 400, "a form of the public URL is accepted, but has no section");
    await save("domain", { origin: "" });
  });

  test("a form of an older version of the file changes nothing and shows the current values", async () => {
    const before = await readFileText();
    const reply = await send("shop", { revision: "0123456789abcdef", name: "Old" });
    assert.equal(reply.status, 412);
    assert.match(reply.text, /Someone else changed the settings/);
    assert.doesNotMatch(reply.text, /value="Old"/);
    assert.equal(await readFileText(), before);
  });

  test("the list of changes names the settings", async () => {
    const { text } = await client.get("/admin/changes");
    assert.match(text, /<code>shipping\.rates<\/code>/);
    assert.match(text, /<code>mail\.smtp<\/code> <bdi>\(changed\)/);
  });
}
