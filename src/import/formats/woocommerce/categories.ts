import { cell, type TableRow } from "../tables/columns.ts";
import { splitList } from "./cells.ts";

/** Paths of a product's categories and of those above them: "Clothing", "Clothing > Hoodies". */
export function categoriesOf(row: TableRow): readonly string[] {
  const paths = splitList(cell(row, "Categories")).flatMap((path) => {
    const names = path
      .split(">")
      .map((name) => name.trim())
      .filter((name) => name !== "");
    return names.map((_, index) => names.slice(0, index + 1).join(" > "));
  });
  return [...new Set(paths)].filter(
    (path) => !/^(?:uncategori[sz]ed|unkategorisiert|sin categorizar|non classé)$/i.test(path),
  );
}
