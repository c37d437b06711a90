import { hash } from "node:crypto";
import { LRUCache } from "lru-cache";
import type { Catalog } from "../../catalog/catalog.ts";
import type { StockMark } from "../../catalog/live/live-stock.ts";
import { localize } from "../../catalog/localize.ts";
import type { EntryType, PredictiveSearchHits } from "../../predictive-search/predictive-search.ts";
import { ByteString, utf8 } from "../wire/byte-string.ts";
import { inertJson } from "./inert-json.ts";
import { entryJson, queryJson, type SuggestView } from "./suggest-json.ts";

/** The body of `/search/suggest.json`, and an entity tag for it. */
export interface SuggestText {
  readonly body: ByteString;
  readonly tag: string;
}

/** Makes answers of what was found. What a catalogue's entry is as JSON is remembered, bounded, so that an answer is joined from texts, and its tag made of
 *  theirs: of a few hundred bytes instead of thousands. */
export interface SuggestTexts {
  /** @param redirectUrl where the merchant sends who searches this  @see spec 2.1 */
  of(found: Omit<PredictiveSearchHits, "redirect">, view: SuggestView, redirectUrl?: string): SuggestText;
}

/** Bytes of entries' texts that are remembered: of some ten thousand products. */
const MAX_BYTES = 32 * 1_024 * 1_024;
/** Bytes that an entry takes besides its text. */
const OVERHEAD = 300;

/** UTF-8, a character for each byte, and its digest. */
interface EntryText {
  readonly bytes: string;
  readonly digest: string;
  /** Absent: it is no product. */
  readonly stock?: StockMark;
}

/** The arrays of the answer, and what stands in them. */
const lists: readonly (readonly [name: string, type: EntryType])[] = [
  ["products", "product"],
  ["collections", "collection"],
  ["pages", "page"],
  ["articles", "article"],
  ["bundles", "bundle"],
];

export function createSuggestTexts(maxBytes = MAX_BYTES): SuggestTexts {
  let from: Catalog | undefined;
  const texts = new LRUCache<string, EntryText>({
    maxSize: maxBytes,
    sizeCalculation: ({ bytes }) => bytes.length + OVERHEAD,
  });
  const textOf = (number: number, type: EntryType, view: SuggestView): EntryText | undefined => {
    const name = `${view.locale} ${number}`;
    const known = texts.get(name);
    if (known?.stock === undefined ? known !== undefined : view.catalog.stock.holds(known.stock)) return known;
    const entry = view.catalog.entry(number);
    if (entry?.kind !== type) return undefined;
    const bytes = utf8(inertJson(entryJson(localize(entry, view.locale), view)));
    const stock = entry.kind === "product" ? { stock: view.catalog.stock.markOf(entry) } : {};
    const text: EntryText = { bytes, digest: digestOf(bytes), ...stock };
    texts.set(name, text);
    return text;
  };
  return {
    of({ queries, hits }, view, redirectUrl) {
      if (view.catalog !== from) {
        texts.clear();
        from = view.catalog;
      }
      const { prefix } = view;
      const redirect = redirectUrl === undefined ? "" : `"redirect_url":${utf8(inertJson(redirectUrl))},`;
      const shownQueries = utf8(inertJson(queries.map((query) => queryJson({ query, prefix }))));
      let bytes = `{${redirect}"resources":{"results":{"queries":${shownQueries}`;
      let outline = bytes;
      for (const [name, type] of lists) {
        bytes += `,"${name}":[`;
        outline += `,"${name}":[`;
        let separator = "";
        for (const { externalId } of hits[type]) {
          const text = textOf(externalId, type, view);
          if (text === undefined) continue;
          bytes += separator + text.bytes;
          outline += separator + text.digest;
          separator = ",";
        }
        bytes += "]";
        outline += "]";
      }
      return { body: new ByteString(`${bytes}}}}`), tag: digestOf(outline) };
    },
  };
}

/** A short text that another one does not have, by SHA-256. */
function digestOf(bytes: string): string {
  return hash("sha256", bytes, "base64url").slice(0, DIGEST_LENGTH);
}

/** Characters of 6 bits each. */
const DIGEST_LENGTH = 22;
