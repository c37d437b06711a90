// Compares every language of the default theme, of the server's messages, and of the console with English. A language
// file that is added later is covered, too.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

/** Texts by key and plural form. A text without plural forms has the form "". */
type Translations = ReadonlyMap<string, Forms>;
type Forms = ReadonlyMap<string, string>;

const root = fileURLToPath(new URL("../..", import.meta.url));
const folders = ["themes/default/locales", "src/messages", "src/console/messages"];
const pluralForms = ["zero", "one", "two", "few", "many", "other"];

/** Words that a language spells like English. */
const sameWords: Readonly<Record<string, string>> = {
  cs: "menu newsletter port reference server test text token",
  da: "database destination download for handle menu port reference revision scan server status stop subtotal system tags test token type upload variant",
  de: "code domain filter handle name port revision server status system tags test text threads token",
  es: "host subtotal token total",
  fr: "actions active article articles code collection collections description destination images menu message messages newsletter note options page pages points port stock suggestion suggestions test total type",
  hr: "token",
  id: "checkout domain edit email filter margin menu port server status subtotal token total",
  it: "account home menu newsletter password server token",
  nb: "database for handle margin port status system test token type variant",
  nl: "account code handle home menu percentage product server status tags test threads token type variant",
  pl: "menu newsletter port status system test token",
  "pt-BR": "host item menu status subtotal tags threads token total",
  "pt-PT": "menu stock subtotal tags threads token total",
  ro: "catalog port server subtotal test text token total",
  sk: "menu server text token variant",
  sv: "order period port revision server status system test text token variant",
  tr: "port test",
  vi: "email menu",
};

/** Words in Latin letters that languages with other scripts have, too, and names of folders. */
const internationalWords =
  /\b(?:JavaScript|Vitrine|[A-Z]|name@example\.com|https|cookies?|e-?mail|API|BIC|CSV|IBAN|ISO|ID|PDF|PIN|QR|SKU|URL|VAT)\b|\b(?:search|catalog)\//gi;

/** Words that no other language of the theme has. */
const englishWords = /\b(?:the|your|you|this|with|from|and|isn’t|couldn’t)\b/i;

test("the theme, the server's messages, and the console have the same languages", () => {
  const [themeLanguages, ...otherLanguages] = folders.map((folder) => [...readFolder(folder).keys()].sort());
  for (const languages of otherLanguages) assert.deepEqual(languages, themeLanguages);
});

test("the console has no key of the server's messages, which it also shows", () => {
  const [serverKeys, consoleKeys] = folders.slice(1).map((folder) => readFolder(folder).get("en")?.keys() ?? []);
  assert.deepEqual([...new Set(serverKeys).intersection(new Set(consoleKeys))], []);
});

test("French texts for customers have no-break spaces inside quotation marks and before punctuation marks", () => {
  for (const folder of ["themes/default/locales", "src/messages"])
    for (const [key, forms] of readFolder(folder).get("fr") ?? [])
      for (const text of forms.values()) assert.doesNotMatch(text, / [:;!?»]|« /, `${folder}: ${key}`);
});

for (const folder of folders) {
  const files = readFolder(folder);
  const english = files.get("en") ?? new Map();
  for (const [language, translations] of files) {
    test(`${folder}: ${language} has the keys of English and all plural forms of its language`, () => {
      assert.deepEqual([...translations.keys()].sort(), [...english.keys()].sort());
      for (const [key, forms] of translations) {
        assert.equal(forms.has(""), english.get(key)?.has(""), key);
        if (forms.has("")) continue;
        for (const form of usedForms(language).keys())
          assert.ok(forms.has(form), `${key} lacks the plural form ${form}`);
      }
    });

    test(`${folder}: ${language} has the placeholders of English`, () => {
      const numbers = usedForms(language);
      for (const [key, forms] of translations) {
        const expected = placeholdersOf(english.get(key)?.get("other") ?? english.get(key)?.get(""));
        for (const [form, text] of forms) {
          // A form for one number may say the number as a word.
          const isWord = (numbers.get(form) ?? 0) <= 1 && form !== "" && form !== "other";
          const ignored = isWord && !/\bcount\b/.test(text) ? ["count"] : [];
          assert.deepEqual(
            placeholdersOf(text),
            expected.filter((name) => !ignored.includes(name)),
            `${key} ${form}: ${text}`,
          );
        }
      }
    });

    if (language !== "en")
      test(`${folder}: ${language} contains no English`, () => {
        const allowed = new Set(sameWords[language]?.split(" "));
        const otherWords = new Intl.Locale(language).maximize().script === "Latn" ? englishWords : /[a-z]{2}/i;
        const englishTexts = [...translations].flatMap(([key, forms]) =>
          [...forms].flatMap(([form, text]) => {
            const ownText = text.replace(/\{\{?\s*\w+\s*\}\}?/g, "").replace(internationalWords, "");
            const words = ownText.toLowerCase().match(/\p{L}+/gu) ?? [];
            const isEqual = [...(english.get(key)?.values() ?? [])].includes(text);
            const isEnglish = isEqual ? words.some((word) => !allowed.has(word)) : otherWords.test(ownText);
            return isEnglish ? [`${key} ${form}: ${text}`] : [];
          }),
        );
        assert.deepEqual(englishTexts, [], "words that the language spells like English belong into sameWords");
      });
  }
}

function readFolder(folder: string): ReadonlyMap<string, Translations> {
  return new Map(
    readdirSync(`${root}/${folder}`).flatMap((file) => {
      const language = /^([\w-]+?)(?:\.default)?\.json$/.exec(file)?.[1];
      return language === undefined ? [] : [[language, readTranslations(`${root}/${folder}/${file}`)] as const];
    }),
  );
}

function readTranslations(file: string): Translations {
  const translations = new Map<string, Map<string, string>>();
  const collect = (node: object, prefix: string): void => {
    for (const [name, value] of Object.entries(node)) {
      if (typeof value === "object") collect(value, `${prefix}${name}.`);
      else {
        const isForm = pluralForms.includes(name);
        const key = isForm ? prefix.slice(0, -1) : prefix + name;
        translations.set(key, (translations.get(key) ?? new Map()).set(isForm ? name : "", value));
      }
    }
  };
  collect(JSON.parse(readFileSync(file, "utf8")), "");
  return translations;
}

/** Returns the plural forms of a language for numbers from 0 to 120, and how many of the numbers from 1 to 120 have each. */
function usedForms(language: string): ReadonlyMap<string, number> {
  const rules = new Intl.PluralRules(language);
  const counts = new Map<string, number>([["other", 0]]);
  for (let number = 0; number <= 120; number += 1) {
    const form = rules.select(number);
    counts.set(form, (counts.get(form) ?? 0) + (number === 0 ? 0 : 1));
  }
  return counts;
}

function placeholdersOf(text = ""): readonly string[] {
  return [...new Set([...text.matchAll(/\{\{?\s*(\w+)\s*\}\}?/g)].map((match) => match[1] as string))].sort();
}
