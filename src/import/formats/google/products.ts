import type { Dialect, DialectFieldValue } from "../dialect.ts";
import { errorOf, getSourceText, isInvalidRow } from "../dialect.ts";
import { readCell, type TableRow } from "../tables/columns.ts";
import { type FeedItem, getAttributeName, splitValues, textOf } from "./item.ts";
import { type FeedContext, parseFeedProduct } from "./product.ts";

/** Google Merchant Center's feed in its table format (CSV or TSV). */
export const googleProducts: Dialect = {
  name: "Google Merchant Center's feed",
  hasCurrency: true,
  columnKeyOf: getAttributeName,
  requiredColumns: [["id"], ["title"], ["price"], ["link", "image_link", "availability", "brand", "item_group_id"]],
  async *read(rows, context) {
    async function* readItems(): AsyncGenerator<FeedItem | DialectFieldValue> {
      for await (const row of rows) yield isInvalidRow(row) ? errorOf(row, context) : toFeedItem(row);
    }
    yield* parseProducts(readItems(), context);
  },
};

/**
 * Yields products. Items with the same group id are variants of one product, which is yielded at the end of the file.
 */
export async function* parseProducts(
  items: AsyncIterable<FeedItem | DialectFieldValue>,
  context: FeedContext,
): AsyncGenerator<DialectFieldValue> {
  const groups = new Map<string, FeedItem[]>();
  const handles = new Set<string>();
  for await (const item of items) {
    if (!("values" in item)) {
      yield item;
      continue;
    }
    const group = textOf(item, "item_group_id");
    if (group === "") yield parseFeedProduct([item], handles, context);
    else groups.set(group, [...(groups.get(group) ?? []), item]);
  }
  for (const group of groups.values()) yield parseFeedProduct(group, handles, context);
}

function toFeedItem(row: TableRow): FeedItem {
  const values = row.columns.keys.flatMap((key) => {
    const text = readCell(row, key);
    return text === "" ? [] : [[key, splitValues(key, text)] as const];
  });
  return { line: row.line, values: new Map(values), nameOf: row.columns.nameOf, source: getSourceText([row]) };
}
