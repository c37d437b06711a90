import { hasDigit, joinTokens, splitChunks } from "./analysis/chunks.ts";
import { findEmoji } from "./analysis/emoji.ts";
import { isPhraseBreak, isPurpose } from "./analysis/particles.ts";
import { QuantityReader } from "./analysis/quantities.ts";
import { isIndexedTogether } from "./analysis/shingles.ts";
import { createTokenStream } from "./analysis/token-stream.ts";
import { joinCode } from "./index/leaf-builder.ts";
import {
  alsoInBody,
  fieldMaskOf,
  lastPosition,
  packPayload,
  phraseEnd,
  positionOf,
  purposeBit,
} from "./index/postings.ts";
import { fields, schema } from "./schema.fixture.ts";
import type { Field } from "./schema.ts";
import type { SearchDocument } from "./search-index.ts";

/** A document tokenized by definition. */
export interface Words {
  /** Fields and first position of each term, as a payload. */
  readonly primary: Map<string, number>;
  readonly body: Set<string>;
  /** Number of words in the title. */
  readonly titleLength: number;
  readonly phraseLength: number;
  readonly textLength: number;
}

function unitsOf(text: string): Uint16Array {
  return Uint16Array.from(text, (_, index) => text.charCodeAt(index));
}

export function readDocument(document: SearchDocument): Words {
  const primary = new Map<string, number>();
  const body = new Set<string>();
  let position = 0;
  let titleLength = 0;
  const lengths = { phrase: 0, text: 0 };
  const order = (field: number) => field;
  [...document.fields]
    .sort(([one], [other]) => order(one) - order(other))
    .forEach(([field, text], index) => {
      const add = (term: string, at: number) => {
        if (field === fields.body) {
          const named = primary.get(term);
          if (named === undefined) body.add(term);
          else primary.set(term, named | alsoInBody);
          return;
        }
        const known = primary.get(term);
        const isTitle = field === fields.title;
        const own = 1 << (isPurposeNow ? purposeBit : field);
        if (known === undefined) {
          primary.set(term, packPayload(own, at));
          return;
        }
        const isInTitle = isTitle && (fieldMaskOf(known) & 1) === 1;
        const isAgain = isInTitle && !isPurposeNow && Math.min(at, lastPosition) !== positionOf(known);
        const more = isInTitle && isPurposeNow ? 0 : own | (isAgain ? 1 << purposeBit : 0);
        primary.set(term, known | packPayload(more, 0));
      };
      let before = "";
      let isPurposeNow = false;
      /** Last word of the title so far, unless it is part of a purpose. */
      let lastTerm: string | undefined;
      const endPhrase = () => {
        if (lastTerm !== undefined) primary.set(lastTerm, (primary.get(lastTerm) ?? 0) | phraseEnd);
      };
      const from = position;
      const isCode = field === fields.sku || field === fields.barcode;
      const cut = splitChunks(isCode ? joinCode(text) : text);
      const tokens = cut.flat();
      const reader = new QuantityReader(createTokenStream(tokens), (token) => tokens[token]?.text ?? "", false);
      if (field === fields.body) reader.readNumbers();
      else if (!isCode) reader.read();
      const said = [...reader.quantities];
      let token = 0;
      let quantityEnd = 0;
      for (const chunk of cut) {
        const texts = chunk.map((token) => token.text);
        const [first = ""] = texts;
        const isGrams = chunk[0]?.isGram === true;
        if (field === fields.title) {
          const word = texts.length === 1 ? first : "";
          const isAfterBreak = chunk[0]?.isAfterBreak === true;
          if (isAfterBreak || /^[0-9]/.test(first) || isPhraseBreak(word)) endPhrase();
          if (isAfterBreak) isPurposeNow = false;
          else if (position > 0 && isPurpose(word)) isPurposeNow = true;
        }
        texts.forEach((term, offset) => {
          add(term, position + offset);
          const isInQuantity = token < quantityEnd || said[0]?.from === token;
          if (field === fields.title) lastTerm = isPurposeNow || isInQuantity ? undefined : term;
        });
        const inner = chunk.findLastIndex((_, index) => index > 0 && reader.isContinuation(token + index));
        for (const form of joinTokens(chunk, inner < 0 ? 0 : inner + 1)) add(form.text, position + form.start);
        if (!isGrams && field !== fields.body) {
          if (
            before !== "" &&
            isIndexedTogether(unitsOf(before + first), 0, before.length, before.length, first.length)
          )
            add(before + first, position - 1);
          while (texts.some(hasDigit) && (said[0]?.from ?? Number.POSITIVE_INFINITY) < token + chunk.length) {
            const { term = "", from = 0, to = 0 } = said.shift() ?? {};
            quantityEnd = Math.max(quantityEnd, to);
            add(term, position + from - token);
          }
        }
        token += chunk.length;
        before = isGrams ? "" : (texts.at(-1) ?? "");
        position += chunk.length;
      }
      endPhrase();
      isPurposeNow = false;
      for (const emoji of findEmoji(text)) add(emoji, position);
      const { kind } = schema.fields[field] as Field;
      if (kind === "phrase" || kind === "text") lengths[kind] += position - from;
      if (index === 0 && field === fields.title) titleLength = position;
      position += 3;
    });
  return { primary, body, titleLength, phraseLength: lengths.phrase, textLength: lengths.text };
}

/** Returns a document with the last words of its compounds.  @param lastWords result of `findLastWords` */
export function withLastWords(words: Words, terms: readonly string[], lasts: ReadonlyMap<number, number>): Words {
  const primary = new Map(words.primary);
  for (const [term, value] of words.primary) {
    const last = terms[lasts.get(terms.indexOf(term)) ?? -1];
    if (last !== undefined && !primary.has(last)) primary.set(last, packPayload(fieldMaskOf(value), lastPosition));
  }
  return { ...words, primary };
}
