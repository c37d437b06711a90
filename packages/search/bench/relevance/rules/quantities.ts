import type { Random } from "../../../../../bench/random.ts";
import { readDataLines } from "../../../../../bench/store.ts";
import { wordsOf } from "../edits.ts";
import type { JudgedQuery } from "../judged.ts";
import { drawQueries, type Item, joinWords, type RuledQuery } from "./draw.ts";

interface Source {
  readonly name: string;
  readonly unit: string | null;
  readonly quantity: number | null;
}

/** A grocery product with its pack size. */
interface Pack extends Item {
  readonly words: ReadonlySet<string>;
  /** Amount in grams or milliliters. */
  readonly amount: number;
  readonly unit: "g" | "ml";
  /** Whether the product name contains the amount in any notation. */
  readonly isInName: boolean;
}

/** Minimum number of product names that must contain a word for the word to count as a kind of product. */
const minCount = 8;
const maxCount = 400;

/**
 * Creates queries such as "kekse 0,5 kg" for products whose names contain "500g". The amount comes from columns of the
 * catalog, and its notation in the query is random.
 */
export function quantityQueries(): JudgedQuery[] {
  const packs = readDataLines("catalogues/heissepreise-de-sl-30k.jsonl")
    .map((line, at) => readPack(JSON.parse(line) as Source, at + 1))
    .filter((pack) => pack !== undefined);
  const frequencies = new Map<string, number>();
  for (const { words } of packs) for (const word of words) frequencies.set(word, (frequencies.get(word) ?? 0) + 1);
  return drawQueries(
    packs.filter(({ isInName }) => isInName),
    { count: 200, seed: 26, maxPerKind: 8 },
    ({ amount, unit }) => `${amount} ${unit}`,
    (target, random) => ask(target, random, frequencies),
    packs,
  );
}

function readPack({ name, unit, quantity }: Source, id: number): Pack | undefined {
  if ((unit !== "g" && unit !== "ml") || quantity === null || quantity < 10) return undefined;
  const amounts = [String(quantity), String(quantity / 1000), String(quantity / 10)];
  const namedAmount = /(\d+(?:[.,]\d+)?) ?(?:g|kg|ml|l|cl)\b/i.exec(name)?.[1]?.replace(",", ".");
  const isInName = namedAmount !== undefined && amounts.some((amount) => Number(amount) === Number(namedAmount));
  return { id: String(id), title: name, words: new Set(wordsOf(name)), amount: quantity, unit, isInName };
}

function ask(target: Pack, random: Random, frequencies: ReadonlyMap<string, number>): RuledQuery<Pack> | undefined {
  const words = [...target.words].filter((word) => {
    const frequency = frequencies.get(word) ?? 0;
    return /^\p{L}{4,}$/u.test(word) && frequency >= minCount && frequency <= maxCount;
  });
  if (words.length === 0) return undefined;
  const word = random.pick(words);
  return {
    text: joinWords(word, random.pick(notations(target))),
    grade({ words: packWords, amount, unit }) {
      if (!packWords.has(word)) return 0;
      return unit === target.unit && amount === target.amount ? 3 : 1;
    },
  };
}

/** Returns the ways to write an amount, such as "500g" and "0,5 kg". */
function notations({ amount, unit }: Pack): string[] {
  const large = unit === "g" ? ["kg", "kilo"] : ["l", "liter"];
  const amountTexts = [`${amount}${unit}`, `${amount} ${unit}`];
  if (amount >= 250 && amount % 50 === 0) {
    const thousandth = String(amount / 1000);
    for (const name of large)
      amountTexts.push(
        `${thousandth} ${name}`,
        `${thousandth.replace(".", ",")} ${name}`,
        `${thousandth.replace(".", ",")}${name}`,
      );
  }
  return amountTexts;
}
