import { type Quantity, QuantityReader } from "./quantities.ts";
import { type Token, Tokenizer } from "./tokenizer.ts";
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
  let tokens: readonly Token[] = [];
  const getText = (token: number): string => tokens[token]?.text ?? "";
  const getMeasureWord = (token: number): string => (isMeasureWord(getText(token)) ? getText(token) : "");
  const reader = new QuantityReader(tokenizer, getMeasureWord, false);
  return (text) => {
    tokens = tokenizer.listTokens(text);
    reader.read();
    const longestQuantityByStart = new Map<number, Quantity>();
    for (const quantity of reader.quantities)
      if (quantity.to >= (longestQuantityByStart.get(quantity.from)?.to ?? 0))
        longestQuantityByStart.set(quantity.from, quantity);
    const parts: TextPart[] = [];
    for (let token = 0; token < tokens.length; ) {
      const quantity = longestQuantityByStart.get(token);
      parts.push({ text: quantity?.term ?? getText(token), isQuantity: quantity !== undefined });
      token = quantity?.to ?? token + 1;
    }
    return parts;
  };
}
