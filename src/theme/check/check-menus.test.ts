import assert from "node:assert/strict";
import test from "node:test";
import { type Files, findingsOf } from "./theme-files.fixture.ts";

const header = `{% schema %}
{ "name": "Header",
  "settings": [{ "type": "link_list", "id": "menu", "default": "main-menu" }],
  "blocks": [{ "type": "more", "name": "More", "settings": [{ "type": "link_list", "id": "more", "default": "footer" }] }],
  "default": { "blocks": [{ "type": "more" }, { "type": "more", "settings": { "more": "" } }] } }
{% endschema %}`;
const group = (settings: object, blocks: object) =>
  JSON.stringify({ sections: { header: { type: "header", settings, blocks } }, order: ["header"] });

test("menus that a theme asks for and the store does not have are told where they are named", (t) => {
  const menus = { main: [], footer: [] };
  const told = (files: Files) => findingsOf(t, files, { menus }).filter((one) => !one.includes("unused"));
  const noMenu = 'no menu "main-menu": "menus" of vitrine.config.ts has "main", "footer"';
  const asked = "sections/header.liquid:3:64 warning unknown-menu: ";
  const placed = { "sections/header.liquid": header, "sections/header-group.json": group({}, {}) };
  assert.deepEqual(told(placed), [asked + noMenu]);
  const tagged = {
    "sections/header.liquid": header,
    "layout/theme.liquid": "{% section 'header' %}{{ content_for_layout }}",
  };
  assert.deepEqual(
    told(tagged).filter((one) => one.includes("menu")),
    [asked + noMenu],
  );
  const given = group({ menu: "main" }, { one: { type: "more", settings: { more: "links" } } });
  assert.deepEqual(told({ ...placed, "sections/header-group.json": given }), [
    'sections/header-group.json:1:117 warning unknown-menu: no menu "links": "menus" of vitrine.config.ts has "main", "footer"',
  ]);
  assert.deepEqual(told({ "sections/header.liquid": header }), []);
  assert.deepEqual(
    findingsOf(t, placed).filter((one) => one.includes("menu")),
    [],
  );
  const read =
    "{{ linklists.main.title }}{{ linklists['main-menu'].title }}{{ linklists[x].title }}{% assign x = 'a' %}";
  assert.deepEqual(told({ "sections/a.liquid": read }), [
    'sections/a.liquid:1:40 warning unknown-property: "menus" of vitrine.config.ts has no menu "main-menu"',
  ]);
  const general = {
    "config/settings_schema.json":
      '[{ "settings": [{ "type": "link_list", "id": "m", "label": "M", "default": "main-menu" }] }]',
    "config/settings_data.json": '{ "current": {} }',
  };
  assert.deepEqual(told(general), [`config/settings_schema.json:1:76 warning unknown-menu: ${noMenu}`]);
});
