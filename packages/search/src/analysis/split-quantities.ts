import { decodeText } from "../terms/term-table.ts";
import { type Quantity, QuantityReader } from "./quantities.ts";
import { Tokenizer } from "./tokenizer.ts";
import { isMeasureWord } from "./units.ts";

/** A word of a text in lower case without accents, or a quantity. */
export interface TextPart {
  /** The word, or the quantity independent of its notation: "1500ml" for "1.5 l", "6pc" for "pack of 6", "@8" for "size 8". */
  readonly text: string;
  readonly isQuantity: boolean;
}

/** Returns a function that splits texts into words and quantities. It reuses its memory from text to text. */
export function createQuantitySplitter(): (text: string) => readonly TextPart[] {
  const tokenizer = new Tokenizer();
  const getText = (token: number): string =>
    decodeText(tokenizer.units, tokenizer.starts[token] as number, tokenizer.ends[token] as number);
  const reader = new QuantityReader(
    tokenizer,
    (token) => {
      const word = getText(token);
      return isMeasureWord(word) ? word : "";
    },
    false,
  );
  return (text) => {
    tokenizer.read(text);
    reader.read();
    const longestQuantityByStart = new Map<number, Quantity>();
    for (const quantity of reader.quantities)
      if (quantity.to >= (longestQuantityByStart.get(quantity.from)?.to ?? 0))
        longestQuantityByStart.set(quantity.from, quantity);
    const parts: TextPart[] = [];
    for (let token = 0; token < tokenizer.tokenCount; ) {
      const quantity = longestQuantityByStart.get(token);
      parts.push({ text: quantity?.term ?? getText(token), isQuantity: quantity !== undefined });
      token = quantity?.to ?? token + 1;
    }
    return parts;
  };
}
