import { Tokenizer } from "../analysis/tokenizer.ts";
import { checkSchema, type Schema } from "../schema.ts";
import type { SearchDocument } from "../search-index.ts";
import { LeafBuilder } from "./leaf-builder.ts";
import type { Segment } from "./segment.ts";

/** Collects the documents of a segment. */
export interface SegmentBuilder {
  /** @throws Error if the ids of one locale do not ascend */
  add(document: SearchDocument): void;
  /** Builds the segment; the builder cannot be used afterwards. */
  finish(): Segment;
}

/** Creates a builder of a segment: an immutable piece of an index.
 *  @param defaultLocale the locale whose documents are found where a searched locale has no document of that id
 *  @throws Error if the schema is invalid */
export function createSegmentBuilder(schema: Schema, defaultLocale: string): SegmentBuilder {
  checkSchema(schema);
  const tokenizer = new Tokenizer();
  const leaves = new Map<string, LeafBuilder>();
  return {
    add(document) {
      let leaf = leaves.get(document.locale);
      if (leaf === undefined) {
        leaf = new LeafBuilder(schema, document.locale, tokenizer);
        leaves.set(document.locale, leaf);
      }
      leaf.add(document);
    },
    finish: () => ({ defaultLocale, leaves: [...leaves.values()].map((leaf) => leaf.finish()) }),
  };
}
