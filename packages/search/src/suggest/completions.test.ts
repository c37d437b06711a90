import assert from "node:assert/strict";
import { test } from "node:test";
import { createSegmentBuilder } from "../index/leaf-builder.ts";
import { deleteDocuments } from "../index/segment.ts";
import { fields, schema } from "../schema.fixture.ts";
import { createSearcher, type PopularTerm } from "../searcher.ts";

const searcher = createSearcher(schema);

function indexOf(titles: readonly string[], popular: readonly PopularTerm[] = [], removed: readonly number[] = []) {
  const builder = createSegmentBuilder(schema, "en");
  titles.forEach((title, number) => {
    builder.add({
      externalId: number,
      type: title.startsWith("Collection: ") ? 1 : 0,
      available: true,
      popularity: 0,
      locale: "en",
      phrases: title.startsWith("Collection: ") ? "whole" : "runs",
      fields: [
        [fields.title, title.replace("Collection: ", "")],
        [fields.vendor, "Årets Design <b>"],
      ],
    });
  });
  return searcher.open([deleteDocuments(builder.finish(), removed)], { synonyms: [], popular });
}

const titles = [
  "Alpine Snowboard",
  "Snowboard Wax",
  "Snow Boots",
  "Blue Snow Boots for Kids",
  "Collection: Snow & Ice",
];

test("phrases of the catalog complete the typed text, in lower case", () => {
  const completions = indexOf(titles).complete("SNO", "en", 10);
  for (const phrase of ["snowboard", "snow boots", "snow"])
    assert.ok(completions.includes(phrase), `${phrase} is missing in ${completions}`);
  assert.ok(completions.every((phrase) => phrase === phrase.toLowerCase() && phrase.startsWith("sno")));
});

test("every completion has results, and words of deleted documents are not suggested", () => {
  const index = indexOf(titles, [{ locale: "en", text: "snow shovel", visitors: 50 }], [0, 1]);
  const completions = index.complete("sno", "en", 10);
  assert.ok(
    completions.length > 0 && !completions.includes("snowboard") && !completions.includes("snow shovel"),
    String(completions),
  );
  for (const text of completions) {
    const query = { text, locale: "en", limits: new Map([0, 1].map((type) => [type, 1])), typos: false } as const;
    assert.ok(
      [...index.search({ ...query, unavailable: "show" }).values()].some((hits) => hits.length > 0),
      text,
    );
  }
});

test("popular searches come first", () => {
  const popular = [
    { locale: "en", text: "Snow boots kids", visitors: 30 },
    { locale: "fr", text: "snow wax", visitors: 90 },
  ];
  assert.equal(indexOf(titles, popular).complete("snow", "en", 3)[0], "snow boots kids");
});

test("the last word is completed if no phrase starts with all words, and corrected if it is unknown", () => {
  assert.deepEqual(indexOf(titles).complete("wax snowb", "en", 1), ["wax snowboard"]);
  assert.ok(indexOf(titles).complete("snwoboa", "en", 3).includes("snowboard"));
});

test("accents are shown and need not be typed; no phrase contains markup", () => {
  assert.deepEqual(indexOf(titles).complete("arets", "en", 1), ["årets design b"]);
  for (const text of ["", " ", "<", "\u0000", "zzzzzzzz"])
    assert.deepEqual(indexOf(titles).complete(text, "en", 5), []);
});

test("completions contain numbers as the titles write them", () => {
  const completions = indexOf(["Needle 2,5 mm", "Needle 3/8 mm", "Needle 1.25 mm", "Needle, red"]).complete(
    "need",
    "en",
    10,
  );
  for (const phrase of ["needle 2,5 mm", "needle 3/8 mm", "needle 1.25 mm", "needle red"])
    assert.ok(completions.includes(phrase), `${phrase} is missing in ${completions}`);
});

test("completions of a misspelled text have the accents of the titles", () => {
  const index = indexOf(["Crème brûlée", "Brûlée tarte à la crème", "Tarte"]);
  assert.ok(index.complete("crmee tatre", "en", 10).includes("crème tarte"));
});

test("a word that documents contain in another form is completed in that form", () => {
  const index = indexOf(["Brass floor lamp", "Brass table lamp"]);
  const completions = index.complete("lamps", "en", 10);
  assert.ok(completions.includes("lamp") && !completions.includes("lamps"), `${completions}`);
  assert.ok(index.complete("brass lamps", "en", 10).includes("brass lamp"));
});
