import assert from "node:assert/strict";
import { test } from "node:test";
import { rows } from "../support/catalog.ts";
import type { Client } from "../support/client.ts";
import { customerToken } from "../support/customer-token.ts";
import { startShop, type TestShop } from "../support/shop.ts";

const addresses = [
  {
    first_name: "Ada",
    last_name: "Byron",
    address1: "1 Quay",
    city: "Bristol",
    zip: "BS1",
    province: "England",
    province_code: "ENG",
    country: "United Kingdom",
  },
  { company: "Harbour Ltd", address1: "2 Pier", country: "FR" },
];
const content = [
  ...rows,
  {
    kind: "customer",
    id: 9,
    email: "ada@example.test",
    first_name: "Ada",
    last_name: "Byron",
    phone: "+44 1",
    tags: ["vip"],
    accepts_marketing: true,
    addresses,
  },
];
const shop = await startShop({
  rows: content,
  config: { customers: { accounts: true } },
  themeFiles: {
    "templates/customers/account.liquid":
      "{{ template }} {{ template.directory }} {{ template.name }} {{ request.page_type }} {{ customer.name }} {{ customer.phone }} {{ customer.tags | join: ',' }} {{ customer.accepts_marketing }} {{ customer.orders.size }} {{ customer.addresses_count }} {{ customer.default_address | format_address }} {{ shop.customer_accounts_enabled }}",
    "templates/customers/addresses.json": JSON.stringify({
      sections: { main: { type: "addresses" } },
      order: ["main"],
    }),
    "sections/addresses.liquid":
      "{% paginate customer.addresses by 1 %}{% for address in customer.addresses %}{{ address.id }}|{{ address.street }}|{{ address.country }}|{{ address.country.iso_code }}|{{ address.province }} {{ address.province_code }}|{% form 'customer_address', address %}{{ form.city }}, {{ form.country }}, {{ form.id }}{% endform %}{% endfor %}{{ paginate.pages }}{% endpaginate %}{% form 'customer_address', customer.new_address %}{{ form.id }}{% endform %}",
    "templates/customers/login.liquid":
      "{% form 'customer_login', return_to: '/account' %}{{ form.errors | default_errors }}{% endform %}{% form 'recover_customer_password' %}{{ form.posted_successfully? }}{% endform %}",
    "templates/customers/reset_password.liquid": "{% form 'reset_customer_password' %}{% endform %}",
    "templates/gift_card.liquid":
      "{% layout none %}{{ gift_card.balance | money }} {{ gift_card.code | format_code }} {{ gift_card.last_four_characters }} {{ gift_card.enabled }} {{ gift_card.expired }} {{ gift_card.url }}",
  },
});

function signedIn(at: TestShop, id = "9"): Client {
  const client = at.client();
  client.cookies.set("customer", customerToken(id));
  return client;
}

test("theme templates show account and addresses to the signed-in customer", async () => {
  const { status, text, headers } = await signedIn(shop).get("/account");
  assert.equal(status, 200);
  assert.equal(headers["cache-control"], "no-store");
  assert.match(
    text,
    /customers\/account customers account customers\/account Ada Byron \+44 1 vip true 0 2 <p>Ada Byron<br>1 Quay<br>BS1 Bristol England<br>United Kingdom<\/p> true/,
  );
  const list = await signedIn(shop).get("/fr/account/addresses?page=1");
  assert.match(
    list.text,
    /\d+\|1 Quay\|Royaume-Uni\|GB\|England ENG\|<form method="post" action="\/fr\/account\/addresses\/\d+"[^>]*>/,
  );
  assert.match(
    list.text,
    /\/account\/addresses\/(\d+)"[^>]*>.*Bristol, Royaume-Uni, \1<input[\s\S]*<\/form>2<form method="post" action="\/fr\/account\/addresses" id="address_form_new".*>new<input/,
  );
});

test("an anonymous visitor is redirected to the login and back", async () => {
  for (const [path, prefix] of [
    ["/account", ""],
    ["/account/addresses", ""],
    ["/fr/account", "/fr"],
  ] as const) {
    const { status, headers } = await shop.client().get(path);
    assert.equal(status, 302);
    assert.equal(headers.location, `${prefix}/account/login?return_url=${encodeURIComponent(path)}`);
  }
  assert.equal((await shop.client().get("/account/login")).status, 200);
  assert.equal((await signedIn(shop).get("/account/login?return_url=%2Fcart")).headers.location, "/cart");
  assert.equal((await signedIn(shop).get("/account/login?return_url=//evil.example")).headers.location, "/account");
});

test("account forms show their result and contain the secret of a mail link", async () => {
  const failed = await shop.client().get("/account/login?customer_login_failed=true");
  assert.match(failed.text, /<li>Incorrect email or password\.<\/li>/);
  const recoverPage = await shop.client().get("/fr/account/login?recover_customer_password_posted=true");
  assert.match(recoverPage.text, /action="\/fr\/account\/recover"[\s\S]*true/);
  const reset = await shop.client().get("/account/reset/7/x%2BZ");
  assert.match(reset.text, /name="id" value="7"[\s\S]*name="token" value="x\+Z"/);
  assert.equal((await shop.client().get("/account/reset/7")).status, 404);
  assert.equal((await shop.client().get("/account/account")).status, 404);
});

test("an account form without an external login is rejected with a message", async () => {
  const headers = {
    "content-type": "application/x-www-form-urlencoded",
    accept: "text/html",
    "sec-fetch-mode": "navigate",
  };
  const { status, text } = await shop.client().send("POST", "/account/login", { headers, body: "customer[email]=a" });
  assert.equal(status, 404);
  assert.match(text, /Signing in is not possible here at the moment/);
});

test("a logout link works only from pages of the store", async () => {
  const client = signedIn(shop);
  const foreign = await client.get("/account/logout", { "sec-fetch-site": "cross-site" });
  assert.deepEqual([foreign.status, foreign.headers["set-cookie"]], [302, undefined]);
  const logoutReply = await client.get("/account/logout", {
    "sec-fetch-site": "same-origin",
    "sec-fetch-mode": "navigate",
    "sec-fetch-dest": "document",
  });
  assert.deepEqual(
    [logoutReply.status, logoutReply.headers.location, client.cookies.has("customer")],
    [302, "/", false],
  );
});

test("account pages are 404 pages of the theme if accounts are off", async () => {
  const closed = await startShop({ rows: content });
  for (const path of ["/account", "/account/login", "/account/register", "/account/addresses"])
    assert.equal((await signedIn(closed).get(path)).status, 404, path);
});

test("a theme without account templates gets default pages in its layout", async () => {
  const plainShop = await startShop({ rows: content, config: { customers: { accounts: true } } });
  for (const [path, words] of [
    ["/account/register", /<h1>Create account<\/h1>[\s\S]*name="customer\[password\]"/],
    ["/account/activate/7/x", /<h1>Activate account<\/h1>/],
    ["/fr/account/login", /<h1>Se connecter<\/h1>/],
  ] as const) {
    const { status, text } = await plainShop.client().get(path);
    assert.equal(status, 200, path);
    assert.match(text, words);
    assert.match(text, /<meta name="csrf-token"/);
  }
  assert.match((await signedIn(plainShop).get("/account/addresses")).text, /Harbour Ltd<br>2 Pier<br>France/);
  assert.match((await signedIn(plainShop, "7").get("/account/addresses")).text, /No addresses yet/);
  assert.match((await signedIn(plainShop, "7").get("/account")).text, /mate@example\.test[\s\S]*\$7\.00/);
  assert.match((await plainShop.client().get("/gift_cards/GIFT-AAAA-1234")).text, /\$10\.00/);
});

test("a gift card has a page by its code, and wrong codes are rate limited", async () => {
  for (const path of ["/gift_cards/GIFT-AAAA-1234", "/gift_cards/123/gift-aaaa-1234"]) {
    const { status, text, headers } = await shop.client().get(path);
    assert.equal(status, 200);
    assert.deepEqual([headers["referrer-policy"], headers["x-robots-tag"]], ["no-referrer", "noindex"]);
    assert.equal(text, "$10.00 GIFT -AAA A-12 34 1234 true false /gift_cards/GIFT-AAAA-1234");
  }
  let tries = 0;
  let status = 404;
  // On a busy machine, the limit of 300 increases by a few meanwhile.
  for (; status === 404 && tries < 400; tries += 1) status = (await shop.client().get(`/gift_cards/X${tries}`)).status;
  assert.equal(status, 429);
  assert.ok(tries > 300);
});

test("a theme with the element shopify-account loads its script, with the name of the signed-in customer", async () => {
  const layout =
    "<html><head>{{ content_for_header }}</head><body><shopify-account></shopify-account>{{ content_for_layout }}</body></html>";
  const config = { customers: { accounts: true }, compat: true };
  const compatShop = await startShop({ rows: content, config, themeFiles: { "layout/theme.liquid": layout } });
  const scriptOf = async (client: Client, path: string): Promise<string | undefined> =>
    /"\/vitrine\/shopify-account\.js"[^>]*/.exec((await client.get(path)).text)?.[0];
  const script =
    '"/vitrine/shopify-account.js" type="module" data-root="/fr/" data-login="Se connecter" data-account="Compte" data-logout="Se déconnecter"';
  assert.equal(await scriptOf(signedIn(compatShop), "/fr/pages/care"), `${script} data-customer="Ada"`);
  assert.equal(await scriptOf(compatShop.client(), "/fr/pages/care"), script);
  assert.equal(await scriptOf(shop.client(), "/"), undefined);
  await compatShop.close();
});
