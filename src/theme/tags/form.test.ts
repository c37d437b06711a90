import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { openTheme } from "../example-shop.fixture.ts";

test("pickers of languages and currencies know the current and the available ones", async (t) => {
  const picker =
    "{{ form.current_locale.iso_code }} {{ form.available_locales | map: 'iso_code' | join: ',' }} {{ form.current_currency.iso_code }} {{ form.available_currencies.size }};";
  const theme = await openTheme(t, {
    "sections/a.liquid": `{% form 'localization' %}<i>${picker}</i>{% endform %}{% form 'contact' %}<i>${picker}</i>{% endform %}`,
  });
  const html = await theme.section("a", { locale: "fr" });
  assert.deepEqual(html.match(/(?<=<i>).*?(?=<)/g), ["fr en,fr,ja USD 1;", "   ;"]);
});

test("a form that is named by its article is the form of its comments", async (t) => {
  const theme = await openTheme(t, {
    "sections/a.liquid": "{% form article %}{{ form.author }}{% endform %}{% form collection %}{% endform %}",
  });
  const html = await theme.section("a", { target: "/blogs/news/first" });
  assert.match(html, /action="\/blogs\/news\/first\/comments#comment_form".*name="form_type" value="new_comment"/);
});

test("the URL of a form for messages names the id of the form, which is in the URL of the page afterwards", async (t) => {
  const theme = await openTheme(t, {
    "sections/a.liquid":
      "{% form 'contact', id: 'Write' %}{% endform %}{% form 'customer', id: section.id %}{% endform %}{% form 'new_comment', article, id: 'Say' %}{% endform %}{% form 'customer', id: nil %}{% endform %}{% form 'create_customer', id: 'Join' %}{% endform %}",
  });
  const html = await theme.section("a", { target: "/blogs/news/first" });
  assert.deepEqual(html.match(/(?<=action=").*?(?=")/g), [
    "/contact#Write",
    "/contact#a",
    "/blogs/news/first/comments#Say",
    "/contact#contact_form",
    "/account",
  ]);
});

test("the links of an address call the script of older themes in the compatibility mode", async (t) => {
  const compat = { forms: true, script: true, sectionClass: "shopify-section", sectionPrefix: "shopify-section-" };
  const liquid = "{{ 'Edit' | edit_customer_address_link: 7 }} {{ '<' | delete_customer_address_link: 'a\"' }}";
  assert.equal(
    await renderSection(t, liquid, { compat }),
    '<a href="#" onclick="Shopify.CustomerAddress.toggleForm(7);return false">Edit</a> <a href="#" onclick="Shopify.CustomerAddress.destroy(&quot;a\\&quot;&quot;);return false">&lt;</a>',
  );
});

test("country_option_tags starts with the shop's country, and an empty choice", async (t) => {
  const liquid = "{{ country_option_tags }}";
  const readOptions = (html: string) => [...html.matchAll(/<option value="([^"]*)"/g)].map(([, value]) => value);
  const shipping = { countries: ["DE"], rates: [] };
  const options = readOptions(await renderSection(t, liquid, { shipping }));
  assert.deepEqual(options.slice(0, 3), ["Germany", "---", "Afghanistan"]);
  assert.equal(options.filter((name) => name === "Germany").length, 2);
  assert.equal(readOptions(await renderSection(t, liquid, { shipping: { ...shipping, countries: [] } }))[0], "---");
});

test("country_option_tags contains the provinces that the checkout lists, with values for all languages", async (t) => {
  const readProvinces = async (country: string, locale: string): Promise<unknown> => {
    const html = await renderSection(t, "{{ all_country_option_tags }}", {}, locale);
    const [, text = ""] = new RegExp(`data-code="${country}" data-provinces="([^"]*)"`).exec(html) ?? [];
    return JSON.parse(text.replaceAll("&quot;", '"'));
  };
  assert.partialDeepStrictEqual(await readProvinces("CA", "en"), [["Alberta", "Alberta"]]);
  assert.partialDeepStrictEqual(await readProvinces("JP", "ja"), [["Aichi", "愛知県"]]);
  assert.deepEqual(await readProvinces("FR", "ja"), []);
});

async function renderSection(
  t: TestContext,
  liquid: string,
  settings: Parameters<typeof openTheme>[2],
  locale = "en",
): Promise<string> {
  const theme = await openTheme(t, { "sections/a.liquid": liquid }, settings);
  return theme.section("a", { locale });
}
