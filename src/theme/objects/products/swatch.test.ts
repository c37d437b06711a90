import assert from "node:assert/strict";
import { test } from "node:test";
import { findColor, isColorOption } from "../../../catalog/color-names.ts";
import { buildCatalog, buildProduct, buildVariant, openTheme } from "../../example-shop.fixture.ts";

test("values of a color option have the color of their name, in any language", () => {
  const equalNames: readonly (readonly string[])[] = [
    ["Navy", "navy blue", "Bleu marine", "Azul marino", "ネイビー", "Lacivert", "тёмно-синий"],
    ["Red", "ROT", "rouge", "Rojo", "rosso", "赤", "红色", "красный", "أحمر", "κόκκινο", "Röd"],
    ["Grey", "gray", "Heather Grey", "gris chiné", "Grau meliert"],
    ["Black", "Black / White", "Noir & blanc", "schwarz"],
  ];
  for (const [firstName = "", ...otherNames] of equalNames) {
    assert.match(String(findColor(firstName)), /^#[0-9a-f]{6}$/, firstName);
    for (const otherName of otherNames) assert.equal(findColor(otherName), findColor(firstName), otherName);
  }
  for (const name of ["S", "Tartan", "", "100 g", "Ready"]) assert.equal(findColor(name), undefined, name);
  for (const [compound, part] of [
    ["Ziegelrot", "rot"],
    ["Grasgrün", "grün"],
    ["grasgrønn", "grønn"],
    ["Roomwit", "wit"],
    ["墨绿色", "绿色"],
    ["チャコールグレー", "グレー"],
  ] as const)
    assert.equal(findColor(compound), findColor(part), compound);
  for (const [light, name, dark] of [
    ["Light green", "green", "Dark Green"],
    ["Hellgrau", "Grau", "Dunkelgrau"],
    ["vert clair", "vert", "vert foncé"],
    ["浅绿色", "绿色", "深绿色"],
    ["أخضر فاتح", "أخضر", "أخضر داكن"],
  ] as const) {
    const [first = 0, second = 0, third = 0] = [light, name, dark].map((value) => brightnessOf(findColor(value)));
    assert.ok(first > second && second > third, `${light} ${name} ${dark}`);
  }
  for (const name of ["Layered", "Assorted", "Multicolored"]) assert.equal(findColor(name), undefined, name);
  for (const name of ["Color", "Colour", "Farbe", "Couleur", "Kleur", "色", "цвет", "اللون"])
    assert.ok(isColorOption(name), name);
  for (const name of ["Size", "Flavor", "Material"]) assert.ok(!isColorOption(name), name);
});

/** Returns the sum of the channels of a color, "#rrggbb". */
function brightnessOf(color = ""): number {
  return [1, 3, 5].reduce((sum, start) => sum + Number.parseInt(color.slice(start, start + 2), 16), 0);
}

test("option values have swatches, the setting first", async (t) => {
  const swatchTemplate = "{{ v.swatch.color }} {{ v.swatch.color.rgb }}{{ v.swatch.image }};";
  const theme = await openTheme(
    t,
    {
      "sections/a.liquid": `{% for o in product.options_with_values %}{% for v in o.values %}{{ v }} ${swatchTemplate}{% endfor %}{% endfor %}{{ product.options_with_values.first.values | map: 'swatch' | compact | size }}`,
    },
    { swatches: { red: "#aa0000", Tartan: "tartan.png", M: "rgb(1, 2, 3)" } },
  );
  const values = [
    ["Red", "S"],
    ["Blue", "M"],
    ["Tartan", "Gold"],
    ["Ready", "Gold"],
  ];
  const variants = values.map((options, index) => buildVariant({ id: `${index + 1}`, options }));
  const translations = { fr: { option_values: { Blue: "Azur" } } };
  const product = buildProduct({ options: ["Color", "Size"], variants, translations });
  const request = { target: "/products/tote", catalog: buildCatalog([product]) };
  assert.equal(
    await theme.section("a", request),
    "Red #aa0000 170 0 0;Blue #1976d2 25 118 210;Tartan  /media/tartan.png;Ready  ;S  ;M rgb(1, 2, 3) 1 2 3;Gold  ;3",
  );
  assert.match(await theme.section("a", { ...request, locale: "fr" }), /Azur #1976d2/);
});
