import assert from "node:assert/strict";
import { test } from "node:test";
import { buildCatalog, buildProduct, buildVariant, openTheme } from "../../example-shop.fixture.ts";

test("an option value has the variant with the other selected values; a selected one has that of the page", async (t) => {
  const boot = buildProduct({
    handle: "boot",
    options: ["Size", "Colour"],
    variants: [
      buildVariant({ id: "71", options: ["S", "Red"] }),
      buildVariant({ id: "72", options: ["S", "Blue"] }),
      buildVariant({ id: "73", options: ["M", "Red"] }),
    ],
  });
  const theme = await openTheme(t, {
    "sections/ids.liquid": "{% for o in product.options_with_values %}{{ o.values[1].id }},{% endfor %}",
    "sections/picker.liquid":
      "{% for o in product.options_with_values %}{% for v in o.values %}{{ v }}{% if v.selected %}*{% endif %}>{{ v.variant.id }} {% endfor %}{% endfor %}",
  });
  const render = (name: string, query: string): Promise<string | undefined> =>
    theme.section(name, { target: `/products/boot${query}`, catalog: buildCatalog([boot]) });
  assert.equal(await render("picker", "?variant=72"), "S*>72 M> Red>71 Blue*>72 ");
  const mediumBlue = await render("ids", "");
  assert.equal(await render("picker", `?option_values=${mediumBlue}`), "S>72 M*>71 Red>73 Blue*>71 ");
});
