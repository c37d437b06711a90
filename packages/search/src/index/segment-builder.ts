import { Tokenizer } from "../analysis/tokenizer.ts";
import { checkSchema, type Schema } from "../schema.ts";
import type { SearchDocument } from "../search-index.ts";
import { LeafBuilder } from "./leaf-builder.ts";
import type { Segment } from "./segment.ts";

export interface SegmentBuilder {
  /** @throws Error where external ids of one locale do not ascend */
  add(document: SearchDocument): void;
  finish(): Segment;
}

/** Builds a segment from documents in ascending order of their external ids, with a leaf for each locale.
 *  @param defaultLocale whose documents stand in where another locale has none of that id */
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
