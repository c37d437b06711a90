import { hasDigit, maxJoinedTokens, maxTermLength } from "./analysis/chunks.ts";
import { findEmoji } from "./analysis/emoji.ts";
import { introducesAddition, introducesPurpose, isPhraseBreak, startsWithNoun } from "./analysis/particles.ts";
import { QuantityReader } from "./analysis/quantities.ts";
import { isIndexedAsShingle } from "./analysis/shingles.ts";
import { hyphenateCode } from "./index/leaf-builder.ts";
import {
  bodyFieldBit,
  fieldMaskOf,
  maxPosition,
  packPayload,
  phraseEndBit,
  positionOf,
  purposeBitIndex,
} from "./index/postings.ts";
import { minModelCodeDigits } from "./index/text-reader.ts";
import { fields, schema } from "./schema.fixture.ts";
import type { Field } from "./schema.ts";
import type { SearchDocument } from "./search-index.ts";
import { type Chunk, createTokenStream, splitChunks } from "./slow-chunks.fixture.ts";

/** The terms of a document, computed in the simplest way. */
export interface ParsedDocument {
  /** Fields and first position of each term, as a payload. */
  readonly primary: Map<string, number>;
  readonly body: Set<string>;
  /** Number of words in the title. */
  readonly titleLength: number;
  readonly phraseLength: number;
  readonly textLength: number;
}

function toCodeUnits(text: string): Uint16Array {
  return Uint16Array.from(text, (_, index) => text.charCodeAt(index));
}

export function readDocument(document: SearchDocument): ParsedDocument {
  const primaryTerms = new Map<string, number>();
  const body = new Set<string>();
  let position = 0;
  let titleLength = 0;
  const lengths = { phrase: 0, text: 0 };
  const getFieldOrder = (field: number) => field;
  [...document.fields]
    .sort(([a], [b]) => getFieldOrder(a) - getFieldOrder(b))
    .forEach(([field, text], index) => {
      const addTerm = (term: string, wordPosition: number) => {
        if (field === fields.body) {
          const primaryPayload = primaryTerms.get(term);
          if (primaryPayload === undefined) body.add(term);
          else primaryTerms.set(term, primaryPayload | bodyFieldBit);
          return;
        }
        const existingPayload = primaryTerms.get(term);
        const isTitle = field === fields.title;
        const fieldBit = 1 << (isInPurpose ? purposeBitIndex : field);
        if (existingPayload === undefined) {
          primaryTerms.set(term, packPayload(fieldBit, wordPosition));
          return;
        }
        const isInTitle = isTitle && (fieldMaskOf(existingPayload) & 1) === 1;
        const isRepeated =
          isInTitle && !isInPurpose && Math.min(wordPosition, maxPosition) !== positionOf(existingPayload);
        const addedFieldMask = isInTitle && isInPurpose ? 0 : fieldBit | (isRepeated ? 1 << purposeBitIndex : 0);
        const payload = existingPayload | packPayload(addedFieldMask, 0);
        const offset = wordPosition - from;
        const startsTitle = (fieldMaskOf(payload) & 1) === 1 && positionOf(payload) === offset;
        const isMaker = field === schema.maker && startsTitle;
        primaryTerms.set(term, !isMaker ? payload : offset === 0 ? payload | phraseEndBit : payload & ~phraseEndBit);
      };
      let previousTerm = "";
      let isInPurpose = false;
      let isInAddition = false;
      /** Last word of the title so far; undefined in a quantity, a purpose ("for iPhone") or an addition ("with lid"). */
      let lastTerm: string | undefined;
      const finishPhrase = () => {
        if (lastTerm !== undefined) primaryTerms.set(lastTerm, (primaryTerms.get(lastTerm) ?? 0) | phraseEndBit);
      };
      const from = position;
      const isCodeField = field === fields.sku || field === fields.barcode;
      const chunks = splitChunks(isCodeField ? hyphenateCode(text) : text);
      const tokens = chunks.flat();
      const reader = new QuantityReader(createTokenStream(tokens), (token) => tokens[token]?.text ?? "", false);
      if (field === fields.body) reader.readNumbers();
      else if (!isCodeField) reader.read();
      const remainingQuantities = [...reader.quantities];
      let token = 0;
      let quantityEndToken = 0;
      for (const chunk of chunks) {
        const texts = chunk.map((token) => token.text);
        const [firstText = ""] = texts;
        const hasGrams = chunk[0]?.isGram === true;
        if (field === fields.title) {
          const word = texts.length === 1 ? firstText : "";
          const isAfterBreak = chunk[0]?.isAfterBreak === true;
          const isNumber = /^[0-9]/.test(firstText);
          const isModelCode = texts.join("").replace(/[^0-9]/g, "").length >= minModelCodeDigits;
          if (isAfterBreak || isNumber || isModelCode || isPhraseBreak(word, document.locale)) finishPhrase();
          if (position > 0 && introducesAddition(word)) isInAddition = true;
          else if (isAfterBreak || isNumber) isInAddition = false;
          if (isAfterBreak) isInPurpose = false;
          else if (position > 0 && introducesPurpose(word, document.locale)) isInPurpose = true;
        }
        texts.forEach((term, offset) => {
          addTerm(term, position + offset);
          const isPartOfQuantity = token < quantityEndToken || remainingQuantities[0]?.from === token;
          if (field === fields.title) lastTerm = isInPurpose || isInAddition || isPartOfQuantity ? undefined : term;
        });
        if (field === fields.title && token === 0 && startsWithNoun(document.locale)) finishPhrase();
        const lastContinuationIndex = chunk.findLastIndex(
          (_, index) => index > 0 && reader.isContinuation(token + index),
        );
        for (const form of joinTokens(chunk, lastContinuationIndex < 0 ? 0 : lastContinuationIndex + 1))
          addTerm(form.text, position + form.start);
        if (!hasGrams && field !== fields.body) {
          if (
            previousTerm !== "" &&
            isIndexedAsShingle(
              toCodeUnits(previousTerm + firstText),
              0,
              previousTerm.length,
              previousTerm.length,
              firstText.length,
            )
          )
            addTerm(previousTerm + firstText, position - 1);
          while (
            texts.some(hasDigit) &&
            (remainingQuantities[0]?.from ?? Number.POSITIVE_INFINITY) < token + chunk.length
          ) {
            const { term = "", from = 0, to = 0 } = remainingQuantities.shift() ?? {};
            quantityEndToken = Math.max(quantityEndToken, to);
            addTerm(term, position + from - token);
          }
        }
        token += chunk.length;
        previousTerm = hasGrams ? "" : (texts.at(-1) ?? "");
        position += chunk.length;
      }
      finishPhrase();
      isInPurpose = false;
      for (const emoji of findEmoji(text)) addTerm(emoji, position);
      const { kind } = schema.fields[field] as Field;
      if (kind === "phrase" || kind === "text") lengths[kind] += position - from;
      if (index === 0 && field === fields.title) titleLength = position;
      position += 3;
    });
  return { primary: primaryTerms, body, titleLength, phraseLength: lengths.phrase, textLength: lengths.text };
}

/** Adds the last word of each compound in a document to the document.  @param lastWordTerms result of `findLastWords` */
export function addLastWords(
  words: ParsedDocument,
  terms: readonly string[],
  lastWordTerms: ReadonlyMap<number, number>,
): ParsedDocument {
  const primaryTerms = new Map(words.primary);
  for (const [term, value] of words.primary) {
    const lastWord = terms[lastWordTerms.get(terms.indexOf(term)) ?? -1];
    if (lastWord !== undefined && !primaryTerms.has(lastWord))
      primaryTerms.set(lastWord, packPayload(fieldMaskOf(value), maxPosition));
  }
  return { ...words, primary: primaryTerms };
}

/**
 * Returns the terms that consist of several joined tokens. `t-shirt` gives `tshirt`. If there is a digit, terms may
 * start at any token except the last one: `NOR.0707-60` gives `nor070760` and `070760`.
 * @param from index of the first token at which a term may start
 * @returns each term with the index of its first token
 */
function joinTokens(chunk: Chunk, from: number): { readonly text: string; readonly start: number }[] {
  if (chunk.length < 2 || chunk.length > maxJoinedTokens || chunk[0]?.isGram) return [];
  const texts = chunk.map((token) => token.text);
  const lastGramStart = texts.some(hasDigit) ? texts.length - 2 : 0;
  const starts = Array.from({ length: lastGramStart + 1 }, (_, start) => start).slice(from);
  return starts.map((start) => ({ text: texts.slice(start).join("").slice(0, maxTermLength), start }));
}
