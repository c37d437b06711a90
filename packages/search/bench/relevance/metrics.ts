/** What the products of a query are worth: product id -> grade, 0 (wrong) to 3 (just what is meant). */
export type Grades = ReadonlyMap<string, number>;

/** How good the best ten are: 1 where they are the best there could be, a product worth 2^grade - 1, less the lower it stands.
 *  What nobody judged is worth nothing.
 *  @param ids best first */
export function ndcg10(ids: readonly string[], grades: Grades): number {
  const ideal = gain([...grades.values()].sort((one, other) => other - one));
  return ideal === 0 ? 0 : gain(ids.map((id) => grades.get(id) ?? 0)) / ideal;
}

/** The same of those alone that somebody judged: what was never looked at neither counts nor takes a place.
 *  Source: Sakai, "Alternatives to bpref", SIGIR 2007.
 *  @param ids best first, more than ten of them */
export function condensedNdcg10(ids: readonly string[], grades: Grades): number {
  return ndcg10(
    ids.filter((id) => grades.has(id)),
    grades,
  );
}

/** The share of the relevant products among the first `depth`, of as many at most. */
export function recall(ids: readonly string[], grades: Grades, depth: number, relevantFrom: number): number {
  const relevant = [...grades.values()].filter((grade) => grade >= relevantFrom).length;
  const found = ids.slice(0, depth).filter((id) => (grades.get(id) ?? 0) >= relevantFrom).length;
  return relevant === 0 ? 0 : found / Math.min(depth, relevant);
}

/** How seldom a product that was judged wrong stands above a relevant one; what nobody judged counts neither way.
 *  As trec_eval works it out: each relevant product found counts 1 - min(wrong ones above it, R) / min(R, N), over R.
 *  @param isComplete whatever has no grade was judged wrong; `documents` of them there are in all */
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

/** How many forbidden products (a grade below 0) stand above a relevant one; all of them where nothing relevant is among those shown. Below all that
 *  is meant they do no harm: a small shop has little else to fill the list with. */
export function forbiddenAbove(ids: readonly string[], grades: Grades): number {
  const last = ids.findLastIndex((id) => (grades.get(id) ?? 0) > 0);
  const above = last < 0 ? ids : ids.slice(0, last);
  return above.filter((id) => (grades.get(id) ?? 0) < 0).length;
}

/** The share of the first ten that somebody judged. */
export function judged10(ids: readonly string[], grades: Grades): number {
  const first = ids.slice(0, 10);
  return first.length === 0 ? 0 : first.filter((id) => grades.has(id)).length / first.length;
}

function gain(grades: readonly number[]): number {
  return grades.slice(0, 10).reduce((sum, grade, at) => sum + (2 ** Math.max(0, grade) - 1) / Math.log2(at + 2), 0);
}
