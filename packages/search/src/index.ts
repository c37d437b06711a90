export { cutQuery } from "./analysis/chunks.ts";
export { fold } from "./analysis/fold.ts";
export { otherLayouts } from "./analysis/keyboards.ts";
export { addDeletes, noDeletes } from "./index/deletes.ts";
export type { DocumentTable, LeafDeletes } from "./index/leaf.ts";
export type { Segment, SegmentWithDeletes } from "./index/segment.ts";
export { createSegmentBuilder } from "./index/segment-builder.ts";
export {
  createSegmentFile,
  partName,
  partPrefix,
  readSegmentFile,
  type SegmentFileWriter,
} from "./index/segment-file.ts";
export { type LearnedChoice, type LearnedChoices, packLearned } from "./learned-choices.ts";
export type { Purchases } from "./purchases.ts";
export type { SynonymGroup } from "./query/synonyms.ts";
export type { Schema } from "./schema.ts";
export type { Explanation, Hit, Query, SearchDocument, SearchIndex } from "./search-index.ts";
export { Searcher } from "./searcher.ts";
export { phraseKey } from "./suggest/phrases.ts";
