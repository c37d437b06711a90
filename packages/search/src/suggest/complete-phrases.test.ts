import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { createSegmentBuilder } from "../index/leaf-builder.ts";
import { fields, schema } from "../schema.fixture.ts";
import { createSearcher } from "../searcher.ts";

const searcher = createSearcher(schema);

interface Shop {
  readonly titles: readonly string[];
  readonly descriptions?: readonly string[];
  readonly vendor?: string;
  readonly locale?: string;
  readonly popular?: Readonly<Record<string, number>>;
}

/** Returns the completion function of an index of the shop's products. */
function completer({ titles, descriptions = [], vendor, locale = "en", popular = {} }: Shop) {
  const builder = createSegmentBuilder(schema, locale);
  titles.forEach((title, number) => {
    const texts: [number, string][] = [[fields.title, title]];
    if (vendor !== undefined) texts.push([fields.vendor, vendor]);
    const description = descriptions[number];
    if (description !== undefined) texts.push([fields.body, description]);
    const document = { externalId: number, type: 0, available: true, popularity: 0, locale };
    builder.add({ ...document, phrases: "runs", fields: texts });
  });
  const terms = Object.entries(popular).map(([text, visitors]) => ({ locale, text, visitors }));
  const index = searcher.open([builder.finish()], { synonyms: [], popular: terms });
  return (typedText: string, limit = 5) => index.complete(typedText, locale, limit);
}

const titles = [
  "Galvanized Steel",
  "Adidas Running Shoes",
  "Adidas Running Shoes Blue",
  "Adidas Football",
  "Alpine Snowboard",
  "Snowboard Wax",
  "Snow Boots",
  "Blue Snow Boots for Kids",
  "Extra Virgin Olive Oil 1l",
  "Extra Virgin Olive Oil 5l",
  "Extra Virgin Olive Oil, Greek",
  "Extra Virgin Olive Oil (Spain)",
  "Running Socks",
];
const completeTitles = completer({ titles, descriptions: ["galvanised for the outdoors"] });

test("no completion ends in a word that is a preposition only in the language of the titles", () => {
  for (const [locale, product, others, typedText] of [
    ["sv", "Lås till", ["cykel", "moped"], "lås t"],
    ["pl", "Etui do", ["telefonu", "laptopa"], "etui d"],
    ["sk", "Prilba pre", ["bicykel", "moto"], "prilba"],
    ["cs", "Obal na", ["telefon", "notebook"], "obal n"],
  ] as const) {
    const completions = completer({ locale, titles: others.map((other) => `${product} ${other}`) })(typedText, 10);
    assert.ok(completions.length >= 2, locale);
    assert.ok(!completions.includes(product.toLowerCase()), completions.join());
  }
  const shop = { titles: ["Cash till black", "Cash till white"] };
  assert.ok(completer(shop)("cash").includes("cash till"));
});

test("a misspelled word is corrected at any position, alone or with others", () => {
  for (const typedText of [
    "adidsa runing sh",
    "adidas runing sh",
    "adidsa running sh",
    "adiddas running shoes",
    "adidsa",
  ])
    assert.match(completeTitles(typedText)[0] ?? "", /^adidas/, typedText);
  for (const typedText of ["adidsa runing sh", "adidas runing shoess"])
    assert.equal(completeTitles(typedText)[0], "adidas running shoes", typedText);
});

test("the surrounding words determine the correction of a misspelled word", () => {
  assert.equal(completeTitles("snow bots")[0], "snow boots");
  assert.equal(completeTitles("running sjoes")[0], "running shoes");
});

test("a text with results is not corrected", () => {
  assert.deepEqual(completeTitles("galvanised"), ["galvanised"]);
  assert.deepEqual(completeTitles("galvanissed"), ["galvanized", "galvanized steel"]);
  assert.deepEqual(completeTitles("zzzz"), []);
  assert.deepEqual(completeTitles("adidas adidas"), []);
});

test("words near the word before, and words at the end of a title, precede other words", () => {
  assert.equal(completeTitles("blue running sh")[0], "blue running shoes");
  assert.equal(completeTitles("kids bl")[0], "kids blue");
  // Snowboards have the highest weight, but none of them is blue.
  assert.deepEqual(completeTitles("blue sno"), ["blue snow", "blue snow boots", "blue snow boots for kids"]);
  // Only a description contains both words.
  assert.deepEqual(completeTitles("steel outd"), []);
  const shop = completer({ titles: ["Shower head brass Hewitt set", "Shower head chrome heater"] });
  assert.deepEqual(shop("shower he", 2), ["shower head", "shower heater"]);
});

test("words that follow the word before directly count twice", () => {
  const shop = completer({
    titles: ["Máy lọc nước", "Máy lọc khí", "Máy lọc dầu", "Máy ảnh Lock", "Máy xay Lock"],
    locale: "vi",
  });
  assert.deepEqual(shop("máy lo", 2), ["máy lọc", "máy lock"]);
});

test("words in more documents come first, and words that name the product precede others", () => {
  const shop = completer({
    titles: ["Lamp Tall Oak", "Lamp Torch", "Tall Torch Lamp", "Oak Table", "Oak Table Lamp", "Tin Lamp Oak Table"],
  });
  assert.equal(shop("oak t")[0], "oak table");
  assert.equal(shop("lamp to")[0], "lamp torch");
});

test("words that occur only within a longer phrase are completed to that phrase", () => {
  assert.equal(completeTitles("extra virgin ol")[0], "extra virgin olive oil");
});

test("a trailing space requests the next word", () => {
  assert.ok(completeTitles("snow ").includes("snow boots"));
  assert.ok(completeTitles("snow ").every((text) => text.startsWith("snow ")));
  // A completion may skip words of the title. The unit "dpi" is not suggested.
  const shop = completer({ titles: ["Laser, 1200 dpi, black, Mouse", "Laser, 1000 dpi, Mouse"] });
  assert.ok(shop("laser ", 10).includes("laser mouse"), String(shop("laser ", 10)));
  assert.ok(!shop("laser ", 10).includes("laser dpi"));
});

test("the typed words are shown unchanged, with accents and punctuation", () => {
  const shop = completer({ titles: ["Crème Brûlée Gérard’s Set", "Öko-Dental Zahnbürste"], locale: "fr" });
  assert.equal(shop("Gérard's Crème br")[0], "gérard's crème brûlée");
  assert.equal(shop("brûlée crè")[0], "brûlée crème");
  assert.equal(shop("zahnbürste öko-den")[0], "zahnbürste öko-dental");
});

test("typed accents remain if a title has them, and no other accents of the same letters replace them", () => {
  const shop = completer({
    titles: ["Giày búp bê nữ", "Giày bé gái", "Giày bé trai", "Dép đế bằng", "Dép để bảng", "Guốc để bảng"],
    locale: "vi",
  });
  assert.equal(shop("giày búp bê")[0], "giày búp bê");
  assert.equal(shop("giay bup be")[0], "giay bup bê");
  assert.equal(shop("đế bằng")[0], "đế bằng");
  assert.equal(shop("de bang")[0], "de bảng");
  assert.ok(completer({ titles: ["Żarówka LED"], locale: "pl" })("zarówka").includes("żarówka"));
  const described = completer({ titles: ["Cortadora"], descriptions: ["para un corta-uñas"], locale: "es" });
  assert.deepEqual(described("cortauñas"), ["cortauñas"]);
});

test("the last word has the accents that it has after the other words", () => {
  const shop = completer({ titles: ["Đồng hồ nam", "Đai hỗ trợ lưng", "Đai hỗ trợ gối"], locale: "vi" });
  assert.equal(shop("đồng h")[0], "đồng hồ");
  assert.equal(shop("dong h")[0], "dong hồ");
});

test("a word that no phrase contains has the final form of its last letter", () => {
  const complete = (vendor: string, locale: string, text: string) =>
    completer({ titles: ["Mop 2000"], vendor, locale })(text);
  assert.deepEqual(complete("Ανταλλακτικά Σκούπας", "el", "σκου"), ["σκουπας"]);
  assert.deepEqual(complete("Ανταλλακτικά Σκούπας", "el", "σκούπας"), ["σκούπας"]);
  assert.deepEqual(complete("כלי שולחן", "he", "שול"), ["שולחן"]);
});

test("a letter that titles contain after the word before it completes the text", () => {
  const shop = completer({
    titles: ["Guna Vitamina C Naturale", "Cebion Vitamina C Gocce", "Vitamina B12 Compresse", "Vitamina D3 Caps"],
  });
  assert.equal(shop("vitamina c")[0], "vitamina c");
  assert.ok(!shop("vitamina ").includes("vitamina c"));
});

test("no completion joins three words of a title", () => {
  const shop = completer({ titles: ["Reset Printer Epson/Canon/Dll", "Printer Epson L121 Print Only"] });
  assert.deepEqual(
    shop("printer ep", 10).filter((text) => text.includes("epsoncanon")),
    [],
  );
});

test("singular and plural share a completion if there are enough others; no completion ends in a filler word or a part of a quantity", () => {
  const shop = completer({
    titles: [
      ..."Lamp,Lamps,Lamp Cord,Lamp Shade,Lamp Oil,Lamp Foot".split(",").map((title) => `${title} Brass`),
      "Brass 5 kg",
      "Brass 5 Star",
      "Brass with Handle",
    ],
  });
  const lampCompletions = shop("lamp", 10);
  assert.ok(lampCompletions.includes("lamp") && !lampCompletions.includes("lamps"), String(lampCompletions));
  assert.deepEqual(completer({ titles: ["Lamp", "Lamps"] })("lam"), ["lamp", "lamps"]);
  for (const typedText of ["handle w", "handle wit", "brass 5", "brass w"])
    for (const text of shop(typedText, 10))
      assert.doesNotMatch(text, / (?:with|5|5kg|5000g)$|brass kg$/, `${typedText}: ${text}`);
});

test("popular searches come first if they have results", () => {
  const shop = completer({ titles, popular: { "snow shovel": 90, "snow kids": 30 } });
  assert.equal(shop("snow", 3)[0], "snow kids");
  assert.ok(!shop("snow", 5).includes("snow shovel"));
});

test("each completion occurs in one title, and each word near the word before it, or at the end, is suggested, in random catalogs", () => {
  // No two of these words are forms of each other, share their first four letters, or combine to another word.
  const word = fc.constantFrom("amber", "birch", "brass", "cable", "candle", "cotton", "copper", "drill", "bracket");
  const title = fc.uniqueArray(word, { minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(
      fc.array(title, { minLength: 1, maxLength: 12 }),
      word,
      word,
      fc.nat(5),
      (words, firstWord, secondWord, cutLength) => {
        const typedText = `${firstWord} ${secondWord.slice(0, 1 + cutLength)}`;
        const completions = completer({ titles: words.map((titleWords) => titleWords.join(" ")) })(typedText, 10);
        const containsAll = (text: string) =>
          words.some((titleWords) =>
            text.split(" ").every((titleWord) => (titleWords as readonly string[]).includes(titleWord)),
          );
        const hasCompletion = words.some(
          (titleWords) =>
            titleWords.includes(firstWord) &&
            titleWords.some((titleWord) => titleWord.startsWith(secondWord.slice(0, 1 + cutLength))),
        );
        for (const text of completions) assert.ok(containsAll(text), `${typedText}: ${text}`);
        if (!hasCompletion) return;
        const expectedWords = new Set(
          words
            .filter((titleWords) => titleWords.includes(firstWord))
            .flatMap((titleWords) =>
              titleWords.filter(
                (titleWord, index) =>
                  titleWord !== firstWord &&
                  titleWord.startsWith(secondWord.slice(0, 1 + cutLength)) &&
                  (Math.abs(index - titleWords.indexOf(firstWord)) <= 2 || index === titleWords.length - 1),
              ),
            ),
        );
        for (const titleWord of expectedWords)
          assert.ok(
            completions.some((text) => text.startsWith(`${firstWord} ${titleWord}`)),
            `${typedText}: ${titleWord} is missing in ${completions}`,
          );
      },
    ),
  );
});

test("a completion contains only words that were typed or that a title contains", () => {
  const notations = [
    "2 in. x 4 in. x 8 ft.",
    "2x4",
    "2 x 4 x 8",
    '5/8"',
    "⅝ in",
    "1.5 l",
    "150 cl",
    "6-pack",
    "#8",
    "No. 8",
  ];
  const words = ["board", "lumber", "bolt", "cleaner"];
  const title = fc
    .tuple(
      fc.constantFrom(...words),
      fc.constantFrom(...notations),
      fc.constantFrom(...words),
      fc.constantFrom(...notations),
    )
    .map((parts) => parts.join(" "));
  const typedText = fc.constantFrom(
    "2",
    "2x",
    "2x4",
    "5/8",
    "0.6",
    "1",
    "15",
    "6",
    "8",
    "#8",
    "board 2x",
    "bolt #",
    "lumber ",
    "cleaner 1",
  );
  fc.assert(
    fc.property(fc.array(title, { minLength: 1, maxLength: 8 }), typedText, (titles, text) => {
      const words = `${titles.join(" ")} ${text}`.toLowerCase().split(/[\s"]+/);
      const displayedWords = new Set(
        words.flatMap((word) => [word, ...word.split("/"), word.replace(/^\W+|\W+$/g, "")]),
      );
      for (const completion of completer({ titles })(text, 10))
        for (const word of completion.split(" ")) assert.ok(displayedWords.has(word), `${word} of "${completion}"`);
    }),
    { numRuns: 300 },
  );
});
