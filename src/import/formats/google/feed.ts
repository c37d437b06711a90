import sax from "sax";
import type { DialectValue } from "../dialect.ts";
import type { TextEncoding } from "../encoding.ts";
import { readLines } from "../lines.ts";
import type { FileReading, ReadValue } from "../read-value.ts";
import { attributeOf, type FeedItem, lists } from "./item.ts";
import { productsOf } from "./products.ts";

/** Reads the items of a Google Merchant Center feed in XML: `item` elements of RSS, or `entry` elements of Atom. */
export function readFeed(
  file: string,
  encoding: TextEncoding,
  context: { readonly currency: string; readonly now: number },
): { values(): AsyncGenerator<ReadValue>; reading(): FileReading } {
  const ignored = new Map<string, number>();
  return {
    async *values() {
      let bytes = 0;
      const items = feedItems(file, encoding, ignored, (read) => {
        bytes = read;
      });
      for await (const value of productsOf(items, context)) yield { ...value, bytes };
    },
    reading: () => ({
      format: "Google Merchant Center's feed",
      encoding: encoding.name,
      isEncodingGuessed: encoding.isGuessed,
      isCurrencyAssumed: false,
      ignored: [...ignored].map(([name, rows]) => ({ name, rows })),
    }),
  };
}

/** An item that is being read. */
interface OpenItem {
  readonly line: number;
  readonly depth: number;
  /** Name in the file and text of each element. */
  readonly fields: { readonly name: string; text: string; hasElements: boolean }[];
}

async function* feedItems(
  file: string,
  encoding: TextEncoding,
  ignored: Map<string, number>,
  onBytes: (bytes: number) => void,
): AsyncGenerator<FeedItem | DialectValue> {
  const done: FeedItem[] = [];
  const state: { open?: OpenItem | undefined } = {};
  let depth = 0;
  let count = 0;
  // Strict mode keeps the case of names and rejects unknown entities. Entities are never fetched.
  const parser = sax.parser(true, { position: true });
  parser.onerror = (error) => {
    throw error;
  };
  parser.onopentag = ({ name, attributes }) => {
    depth += 1;
    const { open } = state;
    if (open === undefined) {
      if (["item", "entry"].includes(name)) state.open = { line: parser.line + 1, depth, fields: [] };
    } else if (depth === open.depth + 1) {
      const { href } = attributes;
      open.fields.push({ name, text: typeof href === "string" ? href : "", hasElements: false });
    } else {
      const field = open.fields.at(-1);
      if (field !== undefined) field.hasElements = true;
    }
  };
  const addText = (text: string): void => {
    const { open } = state;
    const field = open !== undefined && depth === open.depth + 1 ? open.fields.at(-1) : undefined;
    if (field !== undefined) field.text += text;
  };
  parser.ontext = addText;
  parser.oncdata = addText;
  parser.onclosetag = () => {
    if (depth === state.open?.depth) {
      done.push(itemOf(state.open, ignored));
      count += 1;
      state.open = undefined;
    }
    depth -= 1;
  };
  let lines = 0;
  try {
    for await (const { line, text, error, bytes } of readLines(file, encoding)) {
      lines = line;
      onBytes(bytes);
      if (error !== undefined) {
        yield { line, error, isOfFile: true };
        return;
      }
      parser.write(`${text}\n`);
      yield* done.splice(0);
    }
    parser.close();
    yield* done.splice(0);
  } catch (error) {
    const reason = error instanceof Error ? (error.message.split("\n", 1)[0] ?? "") : String(error);
    yield { line: Math.min(parser.line + 1, lines), error: `is not XML: ${reason.toLowerCase()}`, isOfFile: true };
    return;
  }
  if (count === 0) yield { line: 1, error: "holds no <item> of RSS and no <entry> of Atom", isOfFile: true };
}

function itemOf({ line, fields }: OpenItem, ignored: Map<string, number>): FeedItem {
  const values = new Map<string, string[]>();
  const names = new Map<string, string>();
  const passed = new Set<string>();
  for (const { name, text, hasElements } of fields) {
    const plain = text.trim();
    const attribute = hasElements || (name.includes(":") && !name.startsWith("g:")) ? undefined : attributeOf(name);
    const known = attribute === undefined ? undefined : values.get(attribute);
    if (attribute === undefined || (known !== undefined && !lists.has(attribute) && known[0] !== plain)) {
      if (plain !== "" || hasElements) passed.add(name);
    } else if (plain !== "") {
      values.set(attribute, [...new Set([...(known ?? []), plain])]);
      names.set(attribute, name);
    }
  }
  for (const name of passed) ignored.set(name, (ignored.get(name) ?? 0) + 1);
  const columns = [...values.keys()];
  return {
    line,
    values,
    nameOf: (attribute) => names.get(attribute) ?? attribute,
    source: () => ({ columns, rows: [columns.map((name) => (values.get(name) ?? []).join(","))] }),
  };
}
