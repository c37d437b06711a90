// Asks Vitrine the first ten of many queries over several sets of documents, in one process, with segments that were
// built before; the constants of the source may be changed (see override-constants.ts). Arguments: a file of tasks, a
// file for the answers.
import { readFileSync, writeFileSync } from "node:fs";
import { deserialize } from "node:v8";
import type { Segment } from "@vitrine/search";
import { createSearcher } from "@vitrine/search";
import { schema } from "../../../../src/predictive-search/schema.ts";
import { packFrequentRanges } from "../../src/index/champion-lists.ts";
import { SchemaPoints } from "../../src/scoring/field-points.ts";
import { product } from "./vitrine-index.ts";

export interface SetTask {
  /** A segment, as `node:v8` serializes it. */
  readonly segment: string;
  readonly locale: string;
  readonly queries: readonly string[];
}

const [tasks = "", answers = ""] = process.argv.slice(2);
const limits = new Map([[product, 10]]);
const found = (JSON.parse(readFileSync(tasks, "utf8")) as readonly SetTask[]).map(({ segment, locale, queries }) => {
  const index = createSearcher(schema).open([withChampions(segment)], { synonyms: [], popular: [] });
  return queries.map((text) =>
    (index.search({ text, locale, limits, typos: true, unavailable: "last" }).get(product) ?? []).map(
      ({ externalId }) => externalId,
    ),
  );
});
writeFileSync(answers, JSON.stringify(found));

/** Recomputes the segment's champion lists with the current constants; nothing else in it depends on them. */
function withChampions(file: string): Segment {
  const segment = deserialize(readFileSync(file)) as Segment;
  const points = new SchemaPoints(schema).of();
  const leaves = segment.leaves.map((leaf) => ({
    ...leaf,
    frequent: packFrequentRanges(leaf.terms, leaf.primary.postings, leaf.documents, points),
  }));
  return { ...segment, leaves };
}
