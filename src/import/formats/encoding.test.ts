import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { detectEncoding, encodingOf } from "./encoding.ts";

const dir = await mkdtemp(join(tmpdir(), "vitrine-encoding-"));
after(() => rm(dir, { recursive: true }));
const file = join(dir, "export.csv");

async function detectEncodingName(bytes: Uint8Array): Promise<string | undefined> {
  await writeFile(file, bytes);
  return (await detectEncoding(file))?.name;
}

/** Returns a function that encodes a text, or returns undefined if the encoding lacks one of its letters. */
function encoder(label: string): (text: string) => Buffer | undefined {
  const decoder = new TextDecoder(label);
  const bytes = new Map(Array.from({ length: 256 }, (_, byte) => [decoder.decode(Uint8Array.of(byte)), byte]));
  return (text) => {
    const encodedLetters = [...text].map((letter) => bytes.get(letter));
    return encodedLetters.some((byte) => byte === undefined) ? undefined : Buffer.from(encodedLetters as number[]);
  };
}

const toWindows = encoder("windows-1252");
const toMac = encoder("macintosh");

/** Returns names of countries, languages and currencies, as realistic words of a language. */
function wordsOf(locale: string): readonly string[] {
  const regions = new Intl.DisplayNames([locale], { type: "region", fallback: "none" });
  const languages = new Intl.DisplayNames([locale], { type: "language", fallback: "none" });
  const currencies = new Intl.DisplayNames([locale], { type: "currency", fallback: "none" });
  const letters = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"];
  const pairs = letters.flatMap((first) => letters.map((second) => first + second));
  return [
    ...pairs.map((code) => regions.of(code)),
    ...pairs.map((code) => languages.of(code.toLowerCase())),
    ...Intl.supportedValuesOf("currency").map((code) => currencies.of(code)),
  ].filter((word) => word !== undefined);
}

const texts = {
  de: "Grüße aus der Küche; Süßholz & Öl, fünf Stück für Gäste; Äpfel, Größe 38, weiß",
  fr: "Crème brûlée à la vanille; gâteau d’été, forêt, garçon, œufs, où, Noël, français, déjà",
  es: "Camisón de algodón para niños; café, año, jabón, cigüeña, ¿más?, canción, açaí, bebé",
};

/** Yields lists of consecutive words, short and long, from every position. */
function* filesOf(words: readonly string[]): Generator<readonly string[]> {
  for (const size of [4, 12, 40])
    for (let from = 0; from + size <= words.length; from += size) yield words.slice(from, from + size);
}

for (const locale of ["de", "fr", "es"] as const) {
  const words = [...texts[locale].split(/[;,] /), ...wordsOf(locale)];

  test(`words of ${locale} in Windows-1252 are decoded as Windows-1252, and never as MacRoman`, async () => {
    for (const sampleWords of filesOf(words.filter((word) => toWindows(word) !== undefined))) {
      const name = await detectEncodingName(toWindows(sampleWords.join("\n")) as Buffer);
      assert.ok(name === "Windows-1252" || name === "UTF-8", `${name}: ${sampleWords.join(" ")}`);
    }
  });

  test(`words of ${locale} as written by Excel for Mac are decoded as MacRoman, except a few that are ambiguous`, async () => {
    const missedSamples: string[] = [];
    let count = 0;
    for (const sampleWords of filesOf(words.filter((word) => toMac(word) !== undefined))) {
      const text = sampleWords.join("\r");
      if (text.replaceAll(/\p{ASCII}+/gu, "").length < 4) continue;
      count += 1;
      const name = await detectEncodingName(toMac(text) as Buffer);
      if (name !== "MacRoman") missedSamples.push(`${name}: ${sampleWords.join(" ")}`);
    }
    assert.ok(
      count > 10 && missedSamples.length < 0.07 * count,
      `${missedSamples.length} of ${count}: ${missedSamples.slice(0, 3).join("; ")}`,
    );
    assert.equal(await detectEncodingName(toMac(texts[locale]) as Buffer), "MacRoman");
  });
}

test("text in other encodings is not decoded as MacRoman", async () => {
  const otherEncodings = {
    "windows-1250": "Příliš žluťoučký kůň; Łódź, źródło, gęś; Őszi körte",
    "windows-1251": "Чай чёрный; Кофе молотый; Объём 5 л",
    "windows-1253": "Καφές ελληνικός; Ελιές; Μέλι θυμαρίσιο",
    "windows-1254": "Çay bardağı; İstanbul ışığı; Şeker, gümüş kaşık",
    "windows-1255": "קפה שחור; תה ירוק",
    "windows-1256": "قهوة عربية; شاي أخضر",
    "windows-1257": "Šalta arbata; Ķiršu ievārījums; Öökull",
    "koi8-r": "Чай чёрный; Кофе молотый",
    ibm866: "Чай чёрный; Кофе молотый",
    "iso-8859-2": "Příliš žluťoučký kůň; Łódź, źródło",
  };
  for (const [label, text] of Object.entries(otherEncodings))
    assert.notEqual(await detectEncodingName(encoder(label)(text) ?? assert.fail(label)), "MacRoman", label);
  const eastern = {
    "コーヒー豆 (Shift_JIS)": "\x83\x52\x81\x5b\x83\x71\x81\x5b\x93\xa4",
    "咖啡杯 (GBK)": "\xbf\xa7\xb7\xc8\xb1\xad",
    "커피 (EUC-KR)": "\xc4\xbf\xc7\xc7",
    "Öl, Käse, Gruß (CP850)": "\x99l, K\x84se, Gru\xe1",
  };
  for (const [label, bytes] of Object.entries(eastern))
    assert.notEqual(await detectEncodingName(Buffer.from(bytes, "latin1")), "MacRoman", label);
});

test("MacRoman is recognized by each of its names", () => {
  for (const name of ["macintosh", "MacRoman", "mac-roman", "x-mac-roman", "mac"])
    assert.equal(encodingOf(name)?.label, "macintosh", name);
});
