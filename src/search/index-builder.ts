import { PartBuilder } from "./part-builder.ts";
import type { SearchDocument } from "./search-index.ts";
import type { Segment } from "./segments.ts";

export interface SegmentBuilder {
  /** @throws Error where numbers of one locale do not ascend */
  add(document: SearchDocument): void;
  finish(): Segment;
}

/** Makes a segment of documents in ascending order of their numbers; those of several locales are kept apart.
 *  @param defaultLocale whose documents stand in where another locale has none of that number */
export function createSegmentBuilder(defaultLocale: string): SegmentBuilder {
  const parts = new Map<string, PartBuilder>();
  return {
    add(document) {
      let part = parts.get(document.locale);
      if (part === undefined) {
        part = new PartBuilder(document.locale);
        parts.set(document.locale, part);
      }
      part.add(document);
    },
    finish: () => ({ defaultLocale, parts: [...parts.values()].map((part) => part.finish()) }),
  };
}
