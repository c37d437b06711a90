import type { DialectFieldValue } from "./dialect.ts";
import { handleOf } from "./text.ts";

/**
 * Returns the paths of categories and their parents: "Clothing", "Clothing > Hoodies".
 * @param categories names of each category and its parents, from general to specific
 */
export function listCategoryPaths(categories: readonly (readonly string[])[]): readonly string[] {
  const paths = categories.flatMap((names) => names.map((_, index) => names.slice(0, index + 1).join(" > ")));
  return [...new Set(paths)];
}

/**
 * Yields a collection for each path of a category. A rule selects its products by tag, so an import of a few products
 * does not remove other products from the collection.
 */
export function* listCategoryCollections(paths: ReadonlySet<string>): Generator<DialectFieldValue> {
  for (const path of paths) {
    const title = path.split(" > ").at(-1) ?? path;
    yield {
      line: 1,
      isGenerated: true,
      value: { kind: "collection", handle: handleOf(path), title, rules: { tag: path } },
    };
  }
}
