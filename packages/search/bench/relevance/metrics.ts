/** Relevance of products to a query: a grade from 0 (wrong) to 3 (exactly the intended product), by product id. */
export type Grades = ReadonlyMap<string, number>;

/**
 * Returns nDCG of the first ten results: 1 for the best possible order. A product is worth 2^grade - 1, discounted by
 * rank, and 0 if it was not judged.
 * @param ids product ids, the best first
 */
export function ndcg10(ids: readonly string[], grades: Grades): number {
  const idealGain = gain([...grades.values()].sort((one, other) => other - one));
  return idealGain === 0 ? 0 : gain(ids.map((id) => grades.get(id) ?? 0)) / idealGain;
}

/**
 * Returns nDCG of judged products only: unjudged products neither count nor take a rank. Source: Sakai, "Alternatives
 * to bpref", SIGIR 2007.
 * @param ids product ids, the best first, more than ten of them
 */
export function condensedNdcg10(ids: readonly string[], grades: Grades): number {
  return ndcg10(
    ids.filter((id) => grades.has(id)),
    grades,
  );
}

/**
 * Returns the share of all relevant products that are among the first `depth` results. If there are more than `depth`
 * relevant products, the result is 1 if all `depth` results are relevant.
 */
export function recall(ids: readonly string[], grades: Grades, depth: number, relevantFrom: number): number {
  const relevantCount = [...grades.values()].filter((grade) => grade >= relevantFrom).length;
  const foundCount = ids.slice(0, depth).filter((id) => (grades.get(id) ?? 0) >= relevantFrom).length;
  return relevantCount === 0 ? 0 : foundCount / Math.min(depth, relevantCount);
}

/**
 * Returns bpref, which measures how rarely wrong products rank above relevant ones. Unjudged products do not count. As
 * in trec_eval, each returned relevant product counts 1 - min(wrong products above it, R) / min(R, N), and the sum is
 * divided by R. R is the number of relevant products and N the number of wrong products.
 * @param isComplete whether products without a grade count as wrong
 * @param documents number of documents in the catalog
 */
export function bpref(
  ids: readonly string[],
  grades: Grades,
  relevantFrom: number,
  isComplete: boolean,
  documents: number,
): number {
  const relevantCount = [...grades.values()].filter((grade) => grade >= relevantFrom).length;
  if (relevantCount === 0) return 0;
  const wrongCount = (isComplete ? documents : grades.size) - relevantCount;
  const maxWrong = Math.min(relevantCount, wrongCount);
  let wrongAbove = 0;
  let sum = 0;
  for (const id of ids) {
    const grade = grades.get(id) ?? (isComplete ? 0 : undefined);
    if (grade === undefined) continue;
    if (grade >= relevantFrom) sum += wrongAbove === 0 ? 1 : 1 - Math.min(wrongAbove, relevantCount) / maxWrong;
    else wrongAbove += 1;
  }
  return sum / relevantCount;
}

/**
 * Returns the number of forbidden products (grade below 0) above the last relevant product. If no relevant product is
 * returned, all forbidden products count. Those below the last relevant product are harmless, because a small shop has
 * few products to fill the list.
 */
export function countForbiddenAbove(ids: readonly string[], grades: Grades): number {
  const lastRelevant = ids.findLastIndex((id) => (grades.get(id) ?? 0) > 0);
  const idsAbove = lastRelevant < 0 ? ids : ids.slice(0, lastRelevant);
  return idsAbove.filter((id) => (grades.get(id) ?? 0) < 0).length;
}

/** Returns the share of judged products among the first ten. */
export function judged10(ids: readonly string[], grades: Grades): number {
  const firstTen = ids.slice(0, 10);
  return firstTen.length === 0 ? 0 : firstTen.filter((id) => grades.has(id)).length / firstTen.length;
}

function gain(grades: readonly number[]): number {
  return grades.slice(0, 10).reduce((sum, grade, at) => sum + (2 ** Math.max(0, grade) - 1) / Math.log2(at + 2), 0);
}
