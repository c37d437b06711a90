import { holdsGround, holdsTyped } from "../docset/doc-set.ts";
import { fuzzyKindAt, fuzzyRangeOf } from "../fuzzy/fuzzy-matches.ts";
import { popularityOf, titleLengthOf } from "../index/doc-values.ts";
import { docIdOf, isDeleted, type Leaf, type LeafReader, partitionOf } from "../index/leaf.ts";
import { alsoDescribed, type ForwardIndex, fieldMaskOf, firstNotBelow, purposeBit } from "../index/postings.ts";
import type { LearnedStrength } from "../learned-choices.ts";
import { relaxationStepsOf } from "../query/execute.ts";
import { pointsOf } from "../query/lift-learned.ts";
import type { RelaxationStep } from "../query/relaxation-step.ts";
import type { Synonyms } from "../query/synonyms.ts";
import type { TermQuery } from "../query/term-query.ts";
import type { Schema } from "../schema.ts";
import type { SearchContext } from "../search-context.ts";
import type { Explanation, Query } from "../search-index.ts";
import { textAt } from "../terms/dictionary.ts";
import {
  brevityOf,
  categoryPoints,
  describedPoints,
  impact,
  type MatchKind,
  matchBoosts,
  pointUnit,
  proximityPoints,
  unavailablePoints,
  weighedByIdf,
} from "./score.ts";
import { Scorer } from "./scorer.ts";
import { tierPoints, tierReasons } from "./tiers.ts";

/** Why a document ranks where it does; undefined where the query does not find it. The scores of the parts add up to that of the document. */
export function explain(
  context: SearchContext,
  query: Query,
  externalId: number,
  readers: readonly LeafReader[],
  synonyms: Synonyms,
  learned: readonly LearnedStrength<number>[],
): Explanation | undefined {
  const index = readers.findIndex(({ leaf, deleted }) => {
    const docId = docIdOf(leaf.documents, externalId);
    return docId >= 0 && !isDeleted(deleted, docId);
  });
  const reader = readers[index];
  if (reader === undefined) return undefined;
  const docId = docIdOf(reader.leaf.documents, externalId);
  const partition = partitionOf(reader.leaf.documents, docId);
  if (query.accept?.(externalId, partition.type) === false) return undefined;
  if (query.unavailable === "hide" && !partition.isAvailable) return undefined;
  const strength = learned.find(({ id }) => id === externalId)?.strength ?? 0;
  const facts = { isAvailable: partition.isAvailable, strength };
  for (const step of relaxationStepsOf(context, query, readers, synonyms)) {
    if (!holdsTyped(step, index, docId)) continue;
    const { termQueries } = step;
    const found = explainDoc(step, termQueries[index] as readonly TermQuery[], reader, docId, facts);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Why a document ranks where it does among those that a step finds; undefined where the step does not find it. */
function explainDoc(
  step: RelaxationStep,
  termQueries: readonly TermQuery[],
  { leaf }: LeafReader,
  docId: number,
  { isAvailable, strength }: { readonly isAvailable: boolean; readonly strength: number },
): Explanation | undefined {
  const { context, words, counted, partial, query, tier } = step;
  const scorer = new Scorer(context.scores, termQueries);
  const named = scorer.scoreNaming(leaf, docId, counted);
  const { points, positions } = context.scores;
  const isNamed = partial === undefined ? named === words.length : holdsGround(partial, context.scores);
  const held = named + scorer.scoreBody(leaf, docId, counted);
  if (partial === undefined ? held < words.length : !holdsGround(partial, context.scores)) return undefined;
  const docValues = leaf.documents.docValues[docId] as number;
  const parts: { reason: string; score: number }[] = [];
  words.forEach((word, at) => {
    const score = points[at] as number;
    if (score === 0) {
      parts.push({ reason: `"${word.text}" is lacking`, score: 0 });
      return;
    }
    const reason = `"${word.text}" ${matchOf(step, leaf, termQueries[at] as TermQuery, docId, score)}`;
    const idf = partial?.idfs[at];
    parts.push({
      reason: idf === undefined ? reason : `${reason}, ${rarityOf(idf)}`,
      score: idf === undefined ? score : weighedByIdf(score, idf),
    });
  });
  const bonus = partial === undefined ? 0 : partial.categoryBonuses.of(leaf, docId);
  if (bonus > 0) {
    const ofWords = parts.reduce((sum, { score }) => sum + score, 0);
    parts.push({ reason: categoryReason(bonus), score: categoryPoints(ofWords, bonus) });
  }
  const proximity = words.length > 1 ? proximityPoints(words.length, points, positions, titleLengthOf(docValues)) : 0;
  if (proximity !== 0)
    parts.push({ reason: "words in order and close together, or all of the title", score: proximity });
  if (strength > 0 && partial === undefined)
    parts.push({ reason: "shoppers who searched this chose it", score: pointsOf(strength) });
  parts.push({ reason: "popularity, to order equals", score: popularityOf(docValues) });
  if (!isNamed)
    parts.push({
      reason: "some word stands in the description alone: after all that say it elsewhere",
      score: describedPoints,
    });
  if (tier !== "typed") parts.push({ reason: tierReasons[tier], score: tierPoints(tier) });
  if (query.unavailable === "last" && !isAvailable)
    parts.push({ reason: "out of stock: after all that is in stock", score: unavailablePoints });
  return { score: parts.reduce((sum, { score }) => sum + score, 0), parts };
}

function categoryReason(bonus: number): string {
  return `+ ${bonus}% for its category: most of what is called by these words is of it`;
}

/** How much a word counts for its rarity where words may lack. */
function rarityOf(idf: number): string {
  return `× ${(weighedByIdf(100, idf) / 100).toFixed(2)} as so many documents hold it`;
}

const wordings: Readonly<Record<MatchKind, string>> = {
  exact: "is",
  quantity: "is part of",
  form: "is another form of",
  joined: "joined is or begins",
  split: "split is",
  prefix: "begins",
  synonym: "means the same as",
  typo: "is one edit from",
  twoTypos: "is two edits from",
  typoPrefix: "is one edit from the beginning of",
  twoTyposPrefix: "is two edits from the beginning of",
  nearSynonym: "may become a word that means the same as",
};

/** How a document matches a word: what gave the word its points. */
function matchOf(
  { context, counted, words }: RelaxationStep,
  leaf: Leaf,
  termQuery: TermQuery,
  docId: number,
  points: number,
): string {
  const { schema } = context;
  const brevity = brevityOf(leaf.documents.docValues[docId] as number, words.length);
  const said = (kind: MatchKind, text: string, mask: number): string => {
    const boost = matchBoosts[kind] === 100 ? "" : ` (${matchBoosts[kind]}% of the points)`;
    return `${wordings[kind]} "${text}" in ${fieldList(schema, mask)}${boost}`;
  };
  const { starts, terms, payloads } = leaf.naming.forward;
  for (let at = starts[docId] as number; at < (starts[docId + 1] as number); at += 1) {
    const value = payloads[at] as number;
    for (const { low, high, kind } of [...termQuery.ranges, ...run(termQuery, terms[at] as number)]) {
      if ((terms[at] as number) < low || (terms[at] as number) >= high) continue;
      if (matchBoosts[kind] * impact(value, brevity, counted) === points)
        return said(kind, textAt(leaf.terms, terms[at] as number), fieldMaskOf(value));
    }
  }
  for (const { kind, documents, payloads: values, label } of termQuery.phraseMatches) {
    const value = values[firstNotBelow(documents, 0, documents.length, docId)] ?? 0;
    if (matchBoosts[kind] * impact(value, brevity, counted) === points) return said(kind, label, fieldMaskOf(value));
  }
  const described = [...termsOf(leaf.body.forward, docId), ...termsOf(leaf.naming.forward, docId, payloads)];
  for (const term of described)
    for (const { low, high, kind } of [...termQuery.ranges, ...run(termQuery, term)])
      if (low <= term && term < high && matchBoosts[kind] * counted.body === points)
        return `${wordings[kind]} "${textAt(leaf.terms, term)}" in ${schema.fields.at(-1)?.label}`;
  return `matches (${points / pointUnit} points)`;
}

/** Terms of a document. @param payloads where given, only terms with `alsoDescribed` */
function termsOf({ starts, terms }: ForwardIndex, docId: number, payloads?: Uint16Array): number[] {
  const from = starts[docId] as number;
  const row = Array.from(terms.subarray(from, starts[docId + 1]));
  return payloads === undefined ? row : row.filter((_, at) => ((payloads[from + at] as number) & alsoDescribed) !== 0);
}

function run({ fuzzy }: TermQuery, term: number): Pick<TermQuery["ranges"][number], "low" | "high" | "kind">[] {
  const found = fuzzyRangeOf(fuzzy, term);
  return found < 0 ? [] : [{ low: term, high: term + 1, kind: fuzzyKindAt(fuzzy, found) }];
}

/** Labels of the fields of a mask. */
function fieldList({ fields, purpose }: Schema, mask: number): string {
  const labels = fields.filter((_, field) => field < purposeBit && mask & (1 << field)).map(({ label }) => label);
  return [...labels, ...(mask & (1 << purposeBit) ? [purpose.label] : [])].join(", ");
}
