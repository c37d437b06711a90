import { Tokenizer } from "../analysis/tokenizer.ts";
import { checkSchema, type Schema } from "../schema.ts";
import type { SearchDocument } from "../search-index.ts";
import { LeafBuilder } from "./leaf-builder.ts";
import type { Segment } from "./segment.ts";

export interface SegmentBuilder {
  /** @throws Error where numbers of one locale do not ascend */
  add(document: SearchDocument): void;
  finish(): Segment;
}

/** Makes a segment of documents in ascending order of their numbers; those of several locales are kept apart.
 *  @param defaultLocale whose documents stand in where another locale has none of that number */
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
