/** Relevance of products to a query: product id -> grade, 0 (wrong) to 3 (exactly what is meant). */
export type Grades = ReadonlyMap<string, number>;

/**
 * nDCG of the first ten: 1 for the best possible order; a product is worth 2^grade - 1, discounted by rank. Unjudged
 * products are worth 0.
 * @param ids best first
 */
export function ndcg10(ids: readonly string[], grades: Grades): number {
  const ideal = gain([...grades.values()].sort((one, other) => other - one));
  return ideal === 0 ? 0 : gain(ids.map((id) => grades.get(id) ?? 0)) / ideal;
}

/**
 * nDCG of judged products only: unjudged ones neither count nor take a rank. Source: Sakai, "Alternatives to bpref",
 * SIGIR 2007.
 * @param ids best first, more than ten of them
 */
export function condensedNdcg10(ids: readonly string[], grades: Grades): number {
  return ndcg10(
    ids.filter((id) => grades.has(id)),
    grades,
  );
}

/** Share of the relevant products among the first `depth`, of at most as many. */
export function recall(ids: readonly string[], grades: Grades, depth: number, relevantFrom: number): number {
  const relevant = [...grades.values()].filter((grade) => grade >= relevantFrom).length;
  const found = ids.slice(0, depth).filter((id) => (grades.get(id) ?? 0) >= relevantFrom).length;
  return relevant === 0 ? 0 : found / Math.min(depth, relevant);
}

/**
 * bpref: how rarely products judged wrong precede relevant ones; unjudged products do not count. As in trec_eval: each
 * relevant product found counts 1 - min(wrong ones above it, R) / min(R, N), over R.
 * @param isComplete whether products without a grade are judged wrong; there are `documents` in total
 */
export function bpref(
  ids: readonly string[],
  grades: Grades,
  relevantFrom: number,
  isComplete: boolean,
  documents: number,
): number {
  const relevant = [...grades.values()].filter((grade) => grade >= relevantFrom).length;
  if (relevant === 0) return 0;
  const wrong = (isComplete ? documents : grades.size) - relevant;
  const bound = Math.min(relevant, wrong);
  let above = 0;
  let sum = 0;
  for (const id of ids) {
    const grade = grades.get(id) ?? (isComplete ? 0 : undefined);
    if (grade === undefined) continue;
    if (grade >= relevantFrom) sum += above === 0 ? 1 : 1 - Math.min(above, relevant) / bound;
    else above += 1;
  }
  return sum / relevant;
}

/**
 * Number of forbidden products (a grade below 0) above a relevant one; all of them if no relevant product is shown.
 * Below all relevant ones they do no harm: a small shop has few products to fill the list.
 */
export function forbiddenAbove(ids: readonly string[], grades: Grades): number {
  const last = ids.findLastIndex((id) => (grades.get(id) ?? 0) > 0);
  const above = last < 0 ? ids : ids.slice(0, last);
  return above.filter((id) => (grades.get(id) ?? 0) < 0).length;
}

/** Share of judged products among the first ten. */
export function judged10(ids: readonly string[], grades: Grades): number {
  const first = ids.slice(0, 10);
  return first.length === 0 ? 0 : first.filter((id) => grades.has(id)).length / first.length;
}

function gain(grades: readonly number[]): number {
  return grades.slice(0, 10).reduce((sum, grade, at) => sum + (2 ** Math.max(0, grade) - 1) / Math.log2(at + 2), 0);
}
