import assert from "node:assert/strict";
import { test } from "node:test";
import { run as contactsCommand } from "../../src/cli/commands/contacts.ts";
import { rows } from "../support/catalog.ts";
import type { Client, Headers, Reply } from "../support/client.ts";
import { startShop, type TestShop } from "../support/shop.ts";

let now = Date.parse("2026-06-01T09:00:00Z");
const shop = await startShop({
  rows,
  now: () => now,
  themeFiles: {
    "sections/shop-name.liquid": "<header>{{ shop.name }}</header>",
    "sections/context.liquid":
      "{% form 'contact' %}[{% if form.posted_successfully? %}thanks{% else %}write{% endif %}]{{ form.errors | default_errors }}<input name='contact[email]' value='{{ form.email }}'><textarea>{{ form.body }}</textarea>{{ form['Order number'] | escape }}{% endform %}{% form 'customer' %}[{{ form.posted_successfully? }}]{% if form.errors contains 'email' %}{{ form.errors.translated_fields.email | capitalize }} {{ form.errors.messages['email'] }} {{ form.errors.size }} {{ form.errors.first }}{% endif %}{% endform %}",
    "templates/article.liquid":
      "<h1>{{ article.title }}</h1>{% form 'new_comment', article %}{% for field in form.errors %}{{ field }}: {% if field == 'form' %}{{ form.errors.messages[field] }}{% else %}{{ form.errors.translated_fields[field] }} {{ form.errors.messages[field] }}{% endif %};{% endfor %}<b>{{ form.author }}</b>{% endform %}",
  },
});

async function submit(
  client: Client,
  path: string,
  fields: Readonly<Record<string, string>>,
  headers: Headers = {},
): Promise<Reply> {
  // Starts each test with full rate limits.
  now += 3_600_000;
  const csrf_token = await client.token();
  return client.send("POST", path, {
    headers: {
      "content-type": "application/x-www-form-urlencoded",
      accept: "text/html",
      "sec-fetch-mode": "navigate",
      "sec-fetch-site": "same-origin",
      referer: `${shop.origin}/pages/rain-care?x=1`,
      ...headers,
    },
    body: new URLSearchParams({ utf8: "✓", csrf_token, ...fields }).toString(),
  });
}

interface Listed {
  readonly id: string;
  readonly kind: string;
  readonly email: string;
  readonly locale: string;
  readonly page: string;
  readonly fields: Readonly<Record<string, string>>;
  readonly sent_at: string;
}

async function command(of: TestShop, ...args: readonly string[]): Promise<{ code: number; out: string; err: string }> {
  let out = "";
  let err = "";
  const sink = (add: (text: string) => void) => ({ write: (text: string) => add(text) }) as never;
  const io = {
    cwd: of.storeDir,
    env: of.env,
    stdout: sink((text) => (out += text)),
    stderr: sink((text) => (err += text)),
  };
  const code = await contactsCommand(args, io as never);
  return { code, out, err };
}

async function listed(...args: readonly string[]): Promise<readonly Listed[]> {
  const { out } = await command(shop, "--json", ...args);
  return out
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Listed);
}

test("a message is stored with all its fields, and the page confirms it", async () => {
  const reply = await submit(shop.client(), "/fr/contact#contact_form", {
    form_type: "contact",
    "contact[name]": "Ada",
    "contact[email]": " ada@example.com ",
    "contact[Order number]": "1001",
    "contact[body]": "Where is\nmy coat?",
  });
  assert.deepEqual([reply.status, reply.headers.location], [303, "/pages/rain-care?x=1&contact_posted=true"]);
  const page = await shop.client().get("/pages/rain-care?x=1&contact_posted=true");
  assert.match(page.text, /\[thanks\][\s\S]*\[false\]/);
  assert.match(
    page.text,
    /<div hidden><input type="text" name="website_address" tabindex="-1" autocomplete="off"><\/div>/,
  );
  assert.match((await shop.client().get("/pages/rain-care?x=1")).text, /\[write\]/);
  const [sent, ...others] = await listed("--kind", "message");
  assert.deepEqual(others, []);
  assert.deepEqual(
    { ...sent, id: "", sent_at: "" },
    {
      id: "",
      kind: "message",
      email: "ada@example.com",
      locale: "fr",
      page: "/pages/rain-care?x=1",
      fields: { name: "Ada", "Order number": "1001", body: "Where is\nmy coat?" },
      sent_at: "",
    },
  );
});

test("a repeated newsletter subscription stores one entry", async () => {
  const client = shop.client();
  for (const email of ["bob@example.com", "Bob@Example.com"]) {
    const fields = { form_type: "customer", "contact[email]": email, "contact[tags]": "newsletter", return_to: "/" };
    assert.equal((await submit(client, "/contact", fields)).headers.location, "/?customer_posted=true");
  }
  assert.deepEqual(
    (await listed("--kind", "newsletter")).map(({ email }) => email),
    ["bob@example.com"],
  );
});

test("scripts of a page with a rejected form, whose URL is that of the form, can request its sections", async () => {
  for (const path of ["/contact", "/fr/contact", "/blogs/journal/rain-at-sea/comments"]) {
    const section = await shop.client().get(`${path}?section_id=shop-name`);
    assert.deepEqual([section.status, /<header>.*<\/header>/.test(section.text)], [404, true], section.text);
    const page = await shop.client().get(path, { accept: "text/html" });
    assert.deepEqual([page.status, page.headers["content-type"]], [404, "text/html; charset=utf-8"]);
  }
});

test("a comment is stored with the page of its article; a missing article accepts none", async () => {
  const fields = {
    form_type: "new_comment",
    "comment[author]": "Grace",
    "comment[email]": "g@example.com",
    "comment[body]": "Wet!",
  };
  const reply = await submit(shop.client(), "/blogs/journal/rain-at-sea/comments", fields);
  assert.equal(reply.headers.location, "/blogs/journal/rain-at-sea?comment_posted=true");
  const [sent] = await listed("--kind", "comment");
  assert.deepEqual([sent?.page, sent?.fields], ["/blogs/journal/rain-at-sea", { author: "Grace", body: "Wet!" }]);
  assert.equal((await submit(shop.client(), "/blogs/journal/no-such/comments", fields)).status, 404);
});

const wrong: readonly (readonly [string, Readonly<Record<string, string>>, RegExp])[] = [
  ["no address", { "contact[body]": "Hello" }, /<li>Email can&#39;t be blank<\/li>/],
  ["an address that is none", { "contact[email]": "ada@example" }, /<li>Email must be an address like/],
  ["two addresses", { "contact[email]": "a@b.example,c@d.example" }, /<li>Email must be an address like/],
  [
    "a text that is too long",
    { "contact[email]": "a@b.example", "contact[body]": "x".repeat(5_001) },
    /<li>Text is too long \(maximum 5000 characters\)<\/li>/,
  ],
];
for (const [name, fields, message] of wrong) {
  test(`${name} is reported in the form, on a separate page, and to scripts as JSON`, async () => {
    const before = (await listed()).length;
    const page = await submit(shop.client(), "/contact", { form_type: "contact", ...fields });
    assert.equal(page.status, 400);
    assert.match(String(page.headers["content-type"]), /^text\/html/);
    assert.match(page.text, message);
    assert.match(page.text, /<title>[^<]*Rain Care|page=rain-care|Rain/i);
    const script = await submit(shop.client(), "/contact", fields, { "sec-fetch-mode": "cors", accept: "*/*" });
    assert.equal(script.json().error, "validation_failed");
    assert.equal((await listed()).length, before);
  });
}

test("a rejected form shows the previous input, escaped", async () => {
  const { text } = await submit(shop.client(), "/contact", {
    form_type: "contact",
    "contact[email]": "'><script>alert(1)</script>",
    "contact[body]": "</textarea><b>Hi",
    "contact[Order number]": "<1001>",
  });
  assert.match(text, /value='&#39;&gt;&lt;script&gt;alert\(1\)&lt;\/script&gt;'/);
  assert.match(text, /<textarea>&lt;\/textarea&gt;&lt;b&gt;Hi<\/textarea>&lt;1001&gt;/);
});

test("only the submitted form of a page shows errors, in the language of its page", async () => {
  const fields = { form_type: "customer", "contact[email]": "x" };
  const { text } = await submit(shop.client(), "/contact", fields);
  assert.match(text, /\[false\]Email must be an address like name@example\.com 1 email/);
  assert.match(text, /<textarea><\/textarea>/);
  const french = { referer: `${shop.origin}/fr/pages/rain-care` };
  const page = await submit(shop.client(), "/contact", fields, french);
  assert.match(page.text, /Adresse e-mail doit être une adresse comme nom@example\.com/);
  assert.match(page.text, /<html lang="fr"/);
});

test("a rejected comment is shown again on the page of its article", async () => {
  const fields = { form_type: "new_comment", "comment[author]": "Grace & Co", "comment[email]": "" };
  const { status, text } = await submit(shop.client(), "/blogs/journal/rain-at-sea/comments", fields);
  assert.equal(status, 400);
  assert.match(text, /<h1>Rain at sea<\/h1>/i);
  assert.match(
    text,
    /email: Email can&#39;t be blank;body: Text can&#39;t be blank;<b>Grace &amp; Co<\/b>|email: Email can't be blank;body: Text can't be blank;<b>Grace &amp; Co<\/b>/,
  );
});

test("a rejected form of an unknown page shows a separate error page", async () => {
  const referer = { referer: `${shop.origin}/no/such/page` };
  const { status, text } = await submit(shop.client(), "/contact", { "contact[email]": "x" }, referer);
  assert.equal(status, 400);
  assert.match(text, /email address/);
});

test("a form without its token or from another site is rejected", async () => {
  const before = (await listed()).length;
  const fields = { "contact[email]": "a@b.example" };
  assert.equal((await submit(shop.client(), "/contact", { ...fields, csrf_token: "" })).status, 403);
  assert.equal((await submit(shop.client(), "/contact", fields, { "sec-fetch-site": "cross-site" })).status, 403);
  assert.equal((await shop.client().post("/contact", { contact: { email: "a@b.example" } })).status, 400);
  assert.equal((await listed()).length, before);
});

test("a form with a filled honeypot field gets the usual response and is not stored", async () => {
  const before = (await listed()).length;
  const reply = await submit(shop.client(), "/contact", {
    "contact[email]": "bot@b.example",
    website_address: "http://x",
  });
  assert.equal(reply.status, 303);
  assert.equal((await listed()).length, before);
});

test("one IP address sends five messages at once, then one a minute: 429 with Retry-After", async () => {
  const client = shop.client();
  const fields = { form_type: "contact", "contact[email]": "a@b.example" };
  for (let sent = 0; sent < 5; sent += 1) {
    assert.equal((await submit(client, "/contact", fields)).status, 303);
    now -= 3_600_000;
  }
  const refused = await submit(client, "/contact", fields);
  now -= 3_600_000;
  assert.deepEqual([refused.status, refused.headers["retry-after"]], [429, "60"]);
  assert.match(refused.text, /<li>Too many attempts/);
  assert.match(refused.text, /value='a@b\.example'/);
  now += 60_000;
  assert.equal((await submit(client, "/contact", fields)).status, 303);
});

test("`vitrine contacts` lists messages, filters by date, deletes by id, and escapes control characters", async () => {
  const client = shop.client();
  now = Date.parse("2027-01-10T12:00:00Z");
  await submit(client, "/contact", { "contact[email]": "late@b.example", "contact[body]": "\u001b[31mred\r\nline" });
  const { out } = await command(shop, "--since", "2027-01-10");
  assert.match(
    out,
    /^2027-01-10 13:00 {2}message {2}late@b\.example {2}\/pages\/rain-care\?x=1 {2}\S+\n {2}body: \[31mred\n {4}line\n$/,
  );
  const [sent] = await listed("--since", "2027-01-10");
  const body = "\u009b31m\u202ered\u2066";
  await submit(client, "/contact", { "contact[email]": "json@b.example", "contact[body]": body });
  const json = (await command(shop, "--since", "2027-01-10", "--json")).out.trim().split("\n").at(-1) ?? "";
  assert.doesNotMatch(json, /[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/);
  const written = JSON.parse(json) as { readonly id: string; readonly fields: Readonly<Record<string, string>> };
  assert.equal(written.fields.body, body);
  await command(shop, "--remove", written.id);
  assert.deepEqual(await command(shop, "--remove", String(sent?.id)), { code: 0, out: "Deleted: 1.\n", err: "" });
  assert.equal((await command(shop, "--remove", "no-such")).code, 1);
  assert.deepEqual(await listed("--since", "2027-01-10"), []);
  for (const args of [["--kind", "x"], ["--since", "soon"], ["--remove"], ["words"]])
    assert.equal((await command(shop, ...args)).code, 2, args.join(" "));
});
