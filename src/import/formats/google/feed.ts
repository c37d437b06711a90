import sax from "sax";
import type { DialectFieldValue } from "../dialect.ts";
import type { TextEncoding } from "../encoding.ts";
import { readLines } from "../lines.ts";
import type { FileSummary, ParsedValue } from "../read-value.ts";
import { type FeedItem, getAttributeName, repeatedAttributes, splitValues } from "./item.ts";
import type { FeedContext } from "./product.ts";
import { parseProducts } from "./products.ts";

/** Reads the items of a Google Merchant Center feed in XML: `item` elements of RSS, or `entry` elements of Atom. */
export function readFeed(
  file: string,
  encoding: TextEncoding,
  context: FeedContext,
): { values(): AsyncGenerator<ParsedValue>; summary(): FileSummary } {
  const ignoredAttributes = new Map<string, number>();
  return {
    async *values() {
      let bytes = 0;
      const items = readFeedItems(file, encoding, ignoredAttributes, (bytesRead) => {
        bytes = bytesRead;
      });
      for await (const value of parseProducts(items, context)) yield { ...value, bytes };
    },
    summary: () => ({
      format: "Google Merchant Center's feed",
      encoding: encoding.name,
      isEncodingGuessed: encoding.isGuessed,
      isCurrencyAssumed: false,
      ignoredColumns: [...ignoredAttributes].map(([name, rows]) => ({ name, rows })),
    }),
  };
}

/** Usual prefixes of names by their namespace. Files may use others, such as "ns0:". */
const prefixesByNamespace: ReadonlyMap<string, string> = new Map([
  ["http://base.google.com/ns/1.0", "g:"],
  ["http://www.w3.org/2005/Atom", ""],
]);

/** An item that is being read. */
interface OpenFeedItem {
  readonly line: number;
  readonly depth: number;
  /** Name and text of each child element of the item. */
  readonly fields: { readonly name: string; text: string; hasElements: boolean }[];
}

async function* readFeedItems(
  file: string,
  encoding: TextEncoding,
  ignoredAttributes: Map<string, number>,
  onBytesRead: (bytes: number) => void,
): AsyncGenerator<FeedItem | DialectFieldValue> {
  const finishedItems: FeedItem[] = [];
  const state: { currentItem?: OpenFeedItem | undefined; isWordPressExport?: boolean } = {};
  let depth = 0;
  let count = 0;
  // Strict mode keeps the case of names and rejects unknown entities. Entities are never fetched.
  const parser = sax.parser(true, { position: true });
  parser.onerror = (error) => {
    throw error;
  };
  const usualPrefixes = new Map<string, string>();
  parser.onopentag = ({ name: nameInFile, attributes }) => {
    depth += 1;
    for (const [attribute, uri] of Object.entries(attributes)) {
      const usualPrefix = prefixesByNamespace.get(String(uri));
      if (usualPrefix !== undefined) usualPrefixes.set(attribute.replace("xmlns:", ""), usualPrefix);
    }
    if (nameInFile === "wp:wxr_version") state.isWordPressExport = true;
    const name = nameInFile.replace(/^([^:]+):/, (prefix, word: string) => usualPrefixes.get(word) ?? prefix);
    const { currentItem } = state;
    if (currentItem === undefined) {
      if (["item", "entry"].includes(name)) state.currentItem = { line: parser.line + 1, depth, fields: [] };
    } else if (depth === currentItem.depth + 1) {
      const { href } = attributes;
      currentItem.fields.push({ name, text: typeof href === "string" ? href : "", hasElements: false });
    } else {
      const field = currentItem.fields.at(-1);
      if (field !== undefined) field.hasElements = true;
    }
  };
  const addText = (text: string): void => {
    const { currentItem } = state;
    const field = currentItem !== undefined && depth === currentItem.depth + 1 ? currentItem.fields.at(-1) : undefined;
    if (field !== undefined) field.text += text;
  };
  parser.ontext = addText;
  parser.oncdata = addText;
  parser.onclosetag = () => {
    if (depth === state.currentItem?.depth) {
      finishedItems.push(toFeedItem(state.currentItem, ignoredAttributes));
      count += 1;
      state.currentItem = undefined;
    }
    depth -= 1;
  };
  let lines = 0;
  try {
    for await (const { line, text, error, bytes } of readLines(file, encoding)) {
      lines = line;
      onBytesRead(bytes);
      if (error !== undefined) {
        yield { line, error, isFileError: true };
        return;
      }
      parser.write(`${text}\n`);
      if (state.isWordPressExport === true) {
        const message = "is an export of WordPress, which is not read: export the products as CSV (Products, Export)";
        yield { line, error: message, isFileError: true };
        return;
      }
      yield* finishedItems.splice(0);
    }
    parser.close();
    yield* finishedItems.splice(0);
  } catch (error) {
    const reason = error instanceof Error ? (error.message.split("\n", 1)[0] ?? "") : String(error);
    yield { line: Math.min(parser.line + 1, lines), error: `is not XML: ${reason.toLowerCase()}`, isFileError: true };
    return;
  }
  if (count === 0) yield { line: 1, error: "contains no <item> (RSS) and no <entry> (Atom)", isFileError: true };
}

function toFeedItem({ line, fields }: OpenFeedItem, ignoredAttributes: Map<string, number>): FeedItem {
  const values = new Map<string, string[]>();
  const names = new Map<string, string>();
  const skippedNames = new Set<string>();
  for (const { name, text, hasElements } of fields) {
    const trimmedText = text.trim();
    const attribute =
      hasElements || (name.includes(":") && !name.startsWith("g:")) ? undefined : getAttributeName(name);
    const earlierValues = attribute === undefined ? undefined : values.get(attribute);
    if (
      attribute === undefined ||
      (earlierValues !== undefined && !repeatedAttributes.has(attribute) && earlierValues[0] !== trimmedText)
    ) {
      if (trimmedText !== "" || hasElements) skippedNames.add(name);
    } else if (trimmedText !== "") {
      values.set(attribute, [...new Set([...(earlierValues ?? []), ...splitValues(attribute, trimmedText)])]);
      names.set(attribute, name);
    }
  }
  for (const name of skippedNames) ignoredAttributes.set(name, (ignoredAttributes.get(name) ?? 0) + 1);
  const columns = [...values.keys()];
  return {
    line,
    values,
    nameOf: (attribute) => names.get(attribute) ?? attribute,
    source: () => ({ columns, rows: [columns.map((name) => (values.get(name) ?? []).join(","))] }),
  };
}
