import type { Explanation, ExplanationPart } from "@vitrine/search";

/** Reason why one result ranks before another one. */
export interface RankComparison {
  /** Sentence that states the main reason for the order of the two results. */
  readonly summary: string;
  /**
   * Score differences by word, boost, or other reason, greatest first. Empty if one result is in a later group, such as
   * partial matches.
   */
  readonly differences: readonly ScoreDifference[];
}

export interface ScoreDifference {
  /** Score of the better result minus score of the other result, for this reason only. */
  readonly points: number;
  /** Sentence that explains this part of the better result's score; undefined if the score has no such part. */
  readonly betterReason?: string;
  /** Sentence that explains this part of the other result's score; undefined if the score has no such part. */
  readonly other?: string;
}

/**
 * Returns the score of a result. Omits parts of kind `group`, whose only purpose is to sort, for example, partial
 * matches after complete ones.
 */
export function computeScore({ parts }: Explanation): number {
  return parts.reduce((sum, { kind, score }) => (kind === "group" ? sum : sum + score), 0);
}

/**
 * Returns whether explanations show the score of this part. Scores of the kinds `group` and `popularity` are not shown,
 * because they only affect the sort order.
 */
export function hasScore({ kind }: ExplanationPart): boolean {
  return kind !== "group" && kind !== "popularity";
}

/** Compares a result with one that ranks after it. */
export function compareRanks(betterResult: Explanation, otherResult: Explanation): RankComparison {
  const betterGroupReasons = new Set(listGroupReasons(betterResult));
  const [laterGroupReason] = listGroupReasons(otherResult).filter((reason) => !betterGroupReasons.has(reason));
  if (laterGroupReason !== undefined && computeGroupScore(betterResult) > computeGroupScore(otherResult))
    return { summary: `It is in a later group of results: ${laterGroupReason}.`, differences: [] };
  const [betterScoreParts, otherParts] = [mapPartsByKey(betterResult), mapPartsByKey(otherResult)];
  const differences = [...new Set([...betterScoreParts.keys(), ...otherParts.keys()])].map((key): ScoreDifference => {
    const [betterPart, otherPart] = [betterScoreParts.get(key), otherParts.get(key)];
    return {
      points: (betterPart?.score ?? 0) - (otherPart?.score ?? 0),
      ...(betterPart === undefined ? {} : { betterReason: betterPart.reason }),
      ...(otherPart === undefined ? {} : { other: otherPart.reason }),
    };
  });
  const [betterScores, otherScores] = [computeScore(betterResult), computeScore(otherResult)];
  const sortedDifferences = differences
    .filter(({ points }) => Math.abs(points) >= 0.005)
    .sort((a, b) => Math.abs(b.points) - Math.abs(a.points));
  const summary =
    sortedDifferences.length === 0
      ? "Both have the same points. The more popular result is first, then the one that was imported first."
      : `It has ${otherScores.toFixed(2)} points, and the better result has ${betterScores.toFixed(2)}.`;
  return { summary, differences: sortedDifferences };
}

function listGroupReasons({ parts }: Explanation): readonly string[] {
  return parts.flatMap(({ kind, reason }) => (kind === "group" ? reason : []));
}

function computeGroupScore({ parts }: Explanation): number {
  return parts.reduce((sum, { kind, score }) => (kind === "group" ? sum + score : sum), 0);
}

/** Returns the parts of a score by key: the word of a word match, the reason of a boost, or else the kind. */
function mapPartsByKey({ parts }: Explanation): ReadonlyMap<string, ExplanationPart> {
  const partKeyOf = ({ kind, word, reason }: ExplanationPart): string =>
    kind === "word" ? `word ${word}` : kind === "boost" ? `boost ${reason}` : kind;
  return new Map(parts.flatMap((part) => (part.kind === "group" ? [] : [[partKeyOf(part), part] as const])));
}
