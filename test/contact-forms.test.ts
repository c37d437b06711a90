import assert from "node:assert/strict";
import { test } from "node:test";
import { run as contactsCommand } from "../src/cli/verbs/contacts.ts";
import { rows } from "./support/catalogue.ts";
import type { Client, Headers, Reply } from "./support/client.ts";
import { startShop, type TestShop } from "./support/shop.ts";

let now = Date.parse("2026-06-01T09:00:00Z");
const shop = await startShop({
  rows,
  now: () => now,
  themeFiles: {
    "sections/context.liquid":
      "{% form 'contact' %}[{% if form.posted_successfully? %}thanks{% else %}write{% endif %}]{% endform %}{% form 'customer' %}[{{ form.posted_successfully? }}]{% endform %}",
  },
});

async function submit(
  client: Client,
  path: string,
  fields: Readonly<Record<string, string>>,
  headers: Headers = {},
): Promise<Reply> {
  // Each test writes from then on.
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

test("a message is kept with all its fields, and the page then says that it was sent", async () => {
  const reply = await submit(shop.client(), "/fr/contact#contact_form", {
    form_type: "contact",
    "contact[name]": "Ada",
    "contact[email]": " ada@example.com ",
    "contact[Order number]": "1001",
    "contact[body]": "Where is\nmy coat?",
  });
  assert.deepEqual(
    [reply.status, reply.headers.location],
    [303, "/pages/rain-care?x=1&contact_posted=true#contact_form"],
  );
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

test("an address is on the newsletter's list once, however often it is sent", async () => {
  const client = shop.client();
  for (const email of ["bob@example.com", "Bob@Example.com"]) {
    const fields = { form_type: "customer", "contact[email]": email, "contact[tags]": "newsletter", return_to: "/" };
    assert.equal((await submit(client, "/contact", fields)).headers.location, "/?customer_posted=true#contact_form");
  }
  assert.deepEqual(
    (await listed("--kind", "newsletter")).map(({ email }) => email),
    ["bob@example.com"],
  );
});

test("a comment is kept with its article's page; an article that is not there takes none", async () => {
  const fields = {
    form_type: "new_comment",
    "comment[author]": "Grace",
    "comment[email]": "g@example.com",
    "comment[body]": "Wet!",
  };
  const reply = await submit(shop.client(), "/blogs/journal/rain-at-sea/comments", fields);
  assert.equal(reply.headers.location, "/blogs/journal/rain-at-sea?comment_posted=true#comment_form");
  const [sent] = await listed("--kind", "comment");
  assert.deepEqual([sent?.page, sent?.fields], ["/blogs/journal/rain-at-sea", { author: "Grace", body: "Wet!" }]);
  assert.equal((await submit(shop.client(), "/blogs/journal/no-such/comments", fields)).status, 404);
});

const wrong: readonly (readonly [string, Readonly<Record<string, string>>, RegExp])[] = [
  ["no address", { "contact[body]": "Hello" }, /e-mail address/],
  ["an address that is none", { "contact[email]": "ada@example" }, /e-mail address/],
  ["two addresses", { "contact[email]": "a@b.example,c@d.example" }, /e-mail address/],
  ["a text that is too long", { "contact[email]": "a@b.example", "contact[body]": "x".repeat(5_001) }, /5000 char/],
  [
    "a comment without a name",
    { form_type: "new_comment", "comment[email]": "a@b.example", "comment[body]": "x" },
    /your name/,
  ],
];
for (const [name, fields, message] of wrong) {
  test(`${name} is told on a page, and to scripts as JSON`, async () => {
    const before = (await listed()).length;
    const page = await submit(shop.client(), "/contact", fields);
    assert.equal(page.status, 400);
    assert.match(String(page.headers["content-type"]), /^text\/html/);
    assert.match(page.text, message);
    const script = await submit(shop.client(), "/contact", fields, { "sec-fetch-mode": "cors", accept: "*/*" });
    assert.equal(script.json().error, "validation_failed");
    assert.equal((await listed()).length, before);
  });
}

test("without the page's token, or from another site, nothing is taken", async () => {
  const before = (await listed()).length;
  const fields = { "contact[email]": "a@b.example" };
  assert.equal((await submit(shop.client(), "/contact", { ...fields, csrf_token: "" })).status, 403);
  assert.equal((await submit(shop.client(), "/contact", fields, { "sec-fetch-site": "cross-site" })).status, 403);
  assert.equal((await shop.client().post("/contact", { contact: { email: "a@b.example" } })).status, 400);
  assert.equal((await listed()).length, before);
});

test("what fills the field that people do not see is answered alike and not kept", async () => {
  const before = (await listed()).length;
  const reply = await submit(shop.client(), "/contact", {
    "contact[email]": "bot@b.example",
    website_address: "http://x",
  });
  assert.equal(reply.status, 303);
  assert.equal((await listed()).length, before);
});

test("one address can send five at once, then one a minute: 429 with Retry-After", async () => {
  const client = shop.client();
  const fields = { "contact[email]": "a@b.example" };
  for (let sent = 0; sent < 5; sent += 1) {
    assert.equal((await submit(client, "/contact", fields)).status, 303);
    now -= 3_600_000;
  }
  const refused = await submit(client, "/contact", fields);
  now -= 3_600_000;
  assert.deepEqual([refused.status, refused.headers["retry-after"]], [429, "60"]);
  now += 60_000;
  assert.equal((await submit(client, "/contact", fields)).status, 303);
});

test("`vitrine contacts` lists in words, since a day, and forgets by id; control characters do not reach the terminal", async () => {
  const client = shop.client();
  now = Date.parse("2027-01-10T12:00:00Z");
  await submit(client, "/contact", { "contact[email]": "late@b.example", "contact[body]": "\u001b[31mred\r\nline" });
  const { out } = await command(shop, "--since", "2027-01-10");
  assert.match(
    out,
    /^2027-01-10 13:00 {2}message {2}late@b\.example {2}\/pages\/rain-care\?x=1 {2}\S+\n {2}body: \[31mred\n {4}line\n$/,
  );
  const [sent] = await listed("--since", "2027-01-10");
  assert.deepEqual(await command(shop, "--remove", String(sent?.id)), { code: 0, out: "Forgotten: 1.\n", err: "" });
  assert.equal((await command(shop, "--remove", "no-such")).code, 1);
  assert.deepEqual(await listed("--since", "2027-01-10"), []);
  for (const args of [["--kind", "x"], ["--since", "soon"], ["--remove"], ["words"]])
    assert.equal((await command(shop, ...args)).code, 2, args.join(" "));
});
