import { objectType, TextObject } from "../template-object.ts";

/**
 * A product's category in a taxonomy; it prints its most specific name.
 * @param path "Apparel & Accessories > Clothing", most general first
 */
export function categoryObject(path: string | undefined): TextObject<readonly string[]> | undefined {
  const names = (path ?? "").split(">").map((name) => name.trim());
  return names.at(-1) === "" ? undefined : categoryOf(names);
}

/** @param names most general first, at least one */
function categoryOf(names: readonly string[]): TextObject<readonly string[]> {
  return new TextObject(categoryType, names, names.at(-1) ?? "");
}

const categoryType = objectType<readonly string[]>(
  "taxonomy_category",
  { name: (names) => names.at(-1) },
  { ancestors: (names) => names.slice(0, -1).map((_, index) => categoryOf(names.slice(0, index + 1))) },
  {
    absent: "id gid",
    returns: { ancestors: "taxonomy_category[]" },
    identity: (names) => names.join("\n"),
  },
);
