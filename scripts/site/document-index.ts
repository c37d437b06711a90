import { createSegmentBuilder, type Schema, saveSegment } from "@vitrine/search";
import type { Section } from "./document.ts";

const schema: Schema = {
  fields: [
    { label: "heading", weight: 100, kind: "title" },
    { label: "page", weight: 50, kind: "text" },
    { label: "text", weight: 12, kind: "body" },
  ],
};

/** Characters of a section that its result shows. */
const excerptLength = 140;

/** A section as the page shows it in results: heading, title of its page, URL from the root of the site, excerpt. */
type SectionRow = readonly [heading: string, page: string, url: string, excerpt: string];

/** Indexes sections of documents with the search engine of the product.
 *  @returns a saved segment, its schema, and the sections by id */
export function documentIndex(sections: readonly (Section & { readonly page: string; readonly url: string })[]): {
  readonly segment: Uint8Array;
  readonly schema: Schema;
  readonly sections: readonly SectionRow[];
} {
  const builder = createSegmentBuilder(schema, "en");
  const rows = sections.map(({ heading, page, url, text, level }, externalId): SectionRow => {
    const isManual = !url.startsWith("project/");
    builder.add({
      externalId,
      locale: "en",
      fields: [
        [0, heading],
        [1, page],
        [2, text],
      ],
      popularity: (isManual ? 0.5 : 0) + (level === 1 ? 0.5 : 0),
    });
    const excerpt = text.replaceAll(/\s+/g, " ").trim();
    return [
      heading,
      page,
      url,
      excerpt.length > excerptLength ? `${excerpt.slice(0, excerptLength).trimEnd()}…` : excerpt,
    ];
  });
  return { segment: saveSegment(builder.finish()), schema, sections: rows };
}
