import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { run as exportCommand } from "../../src/cli/commands/export.ts";
import { run as importCommand } from "../../src/cli/commands/import.ts";
import { rows } from "../support/catalog.ts";
import { startShop } from "../support/shop.ts";
import { until } from "../support/until.ts";

const experts = [
  {
    kind: "metaobject",
    type: "expert",
    handle: "ann",
    fields: {
      name: "Ann <3",
      years: 7,
      photo: { type: "file_reference", value: "/media/ann.jpg" },
      likes: { type: "product_reference", value: "canvas-tote" },
      shelves: { type: "list.collection_reference", value: ["rainwear", "gone", "flags"] },
      team: { type: "metaobject_reference", value: "team/sea" },
    },
    translations: { fr: { name: "Anne" } },
  },
  { kind: "metaobject", type: "expert", handle: "bob", fields: { name: "Bob" } },
  { kind: "metaobject", type: "expert", handle: "cy", fields: { name: "Cy" }, published: false },
  { kind: "metaobject", type: "team", handle: "sea", fields: { name: "Sea" } },
];
const shop = await startShop({
  rows: [...rows, ...experts],
  themeFiles: {
    "sections/experts.liquid":
      "{{ metaobjects.expert.ann.name.value | escape }} {{ metaobjects.expert.ann.name }} {{ metaobjects.expert.ann.years.value | plus: 1 }} {{ metaobjects.expert.ann.photo.value | image_url: width: 10 }} {{ metaobjects.expert.ann.likes.value.title }} {{ metaobjects.expert.ann.shelves.value | map: 'title' | join: '+' }} {{ metaobjects.expert['ann'].team.value.name }} {{ metaobjects.expert.ann.system.handle }} {{ metaobjects.expert.ann.likes.type }};{% for m in metaobjects.expert.values %}{{ m.name.value }},{% endfor %}{{ metaobjects.expert.values_count }};{{ shop.metaobjects.team.sea.name }};{{ metaobjects.none.values.size }}{{ metaobjects.expert.none.name }}",
  },
});

async function section(path: string): Promise<string> {
  const { text } = await shop.client().get(`${path}?section_id=experts`);
  return text.slice(text.indexOf(">") + 1, text.lastIndexOf("</div>"));
}

test("metaobjects are available by type and handle, in loops, and with their references", async () => {
  assert.equal(
    await section("/"),
    "Ann &lt;3 Ann <3 8 /media/ann.jpg?width=10 Canvas Tote Rainwear+Signal Flags Sea ann product_reference;Ann <3,Bob,2;Sea;0",
  );
  assert.match(await section("/fr"), /^Anne Anne 8/);
});

function io(out: string[] = []) {
  const sink = { write: (text: string) => out.push(text) };
  return { cwd: shop.storeDir, env: shop.env, stdout: sink, stderr: sink } as never;
}

test("a metaobject imported while the server runs is shown, and exports contain all", async () => {
  const file = join(shop.storeDir, "more.jsonl");
  await writeFile(
    file,
    `${JSON.stringify({ kind: "metaobject", type: "expert", handle: "dee", fields: { name: "Dee" } })}\n`,
  );
  const errorMessages: string[] = [];
  assert.equal(await importCommand([file], io(errorMessages)), 0, errorMessages.join(""));
  await until(async () => (await section("/pages/rain-care")).includes("Dee"), "the import is shown");
  assert.match(await section("/pages/rain-care"), /Ann <3,Bob,Dee,3;/);
  const out = join(shop.storeDir, "out");
  assert.equal(await exportCommand(["--out", out], io(errorMessages)), 0, errorMessages.join(""));
  const exported = (await readFile(join(out, "metaobjects.jsonl"), "utf8")).trim().split("\n");
  assert.deepEqual(
    exported.map((line) => JSON.parse(line).handle),
    ["ann", "bob", "cy", "sea", "dee"],
  );
  assert.partialDeepStrictEqual(JSON.parse(exported[0] ?? ""), experts[0] ?? {});
});

test("a metaobject without a type or with invalid fields is rejected with its location", async () => {
  const file = join(shop.storeDir, "bad.jsonl");
  await writeFile(
    file,
    '{"kind":"metaobject","handle":"x"}\n{"kind":"metaobject","type":"a","handle":"y","fields":[1]}\n',
  );
  const errorMessages: string[] = [];
  assert.equal(await importCommand([file], io(errorMessages)), 1);
  assert.match(errorMessages.join(""), /bad\.jsonl:1: type: is required/);
  assert.match(errorMessages.join(""), /bad\.jsonl:2: fields: must be an object/);
});
