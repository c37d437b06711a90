import assert from "node:assert/strict";
import { test } from "node:test";
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
