import { createSegmentBuilder, type Schema, saveSegment } from "@vitrine/search";
import type { Section } from "./document.ts";

const schema: Schema = {
  fields: [
    { label: "heading", weight: 100, kind: "title" },
    { label: "page", weight: 50, kind: "text" },
    { label: "text", weight: 12, kind: "body" },
  ],
};

/** Maximum characters of a section in a search result. */
const excerptLength = 140;

/** Section in search results. `url` is relative to the root of the site. */
type SectionRow = readonly [heading: string, page: string, url: string, excerpt: string];

/**
 * Indexes sections of documents with the search engine of this project.
 * @returns a saved segment, its schema, and the sections by id
 */
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
