export { convertOtherLayouts } from "./analysis/keyboards.ts";
export { createQuantitySplitter, type TextPart } from "./analysis/split-quantities.ts";
export type { Boosts } from "./boosts.ts";
export { createSegmentBuilder } from "./index/leaf-builder.ts";
export { loadSegment, saveSegment } from "./index/save-segment.ts";
export { deleteDocuments, type Segment } from "./index/segment.ts";
export type { SynonymGroup } from "./query/synonyms.ts";
export type { Schema } from "./schema.ts";
export type {
  ComparedWord,
  Explanation,
  ExplanationPart,
  Hit,
  Query,
  SearchDocument,
  SearchIndex,
} from "./search-index.ts";
export { createSearcher, type Searcher } from "./searcher.ts";
export { countEdits } from "./suggest/corrections.ts";
export { normalizeText as normalize } from "./suggest/phrases.ts";
