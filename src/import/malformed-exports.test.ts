import assert from "node:assert/strict";
import { test } from "node:test";
import { parse } from "csv-parse/sync";
import { currency, malformedExports, today } from "./malformed-exports.fixture.ts";
import { readFiles } from "./read-files.fixture.ts";

/** Columns that may be empty, because they contain defaults or repeat other columns. */
const optionalColumns: ReadonlyMap<string, readonly string[]> = new Map([
  ["newer column names in another order", []],
  [
    "all columns of a shop with several markets",
    ["Published=true", "Variant Inventory Policy=deny", "Variant Taxable=true", "Gift Card=false", "Status=active"],
  ],
  ["WooCommerce in German, with decimal commas", ["Typ=simple", "Veröffentlicht=1"]],
  [
    "feed as a table: variants by group, a sale price, preorders",
    ["availability=in_stock", "description=Light & dry", "link=https://a.test/products/deck-shoe?v=41", "brand=Ansty"],
  ],
]);

test("every cell affects the imported data or the messages", async () => {
  for (const [defect, expected] of optionalColumns) {
    const malformedExport = malformedExports.find((candidate) => candidate.defect === defect);
    const [name, bytes] = malformedExport?.files[0] ?? assert.fail(defect);
    const text = bytes.toString();
    const delimiter = text.includes("\t") ? "\t" : ",";
    const [header = [], ...rows] = parse(text, { delimiter }) as string[][];
    const describeOutcome = async (cells: readonly (readonly string[])[]): Promise<string> => {
      const lines = [header, ...cells].map((row) =>
        row.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(delimiter),
      );
      const { acceptedRows, convertedValues, rejectedRows, ignoredColumns } = await readFiles(
        [[name, `${lines.join("\n")}\n`]],
        { currency, now: today },
      );
      return JSON.stringify({ acceptedRows, convertedValues, rejectedRows, ignoredColumns });
    };
    const fullOutcome = await describeOutcome(rows);
    const silent: string[] = [];
    for (const [y, row] of rows.entries())
      for (const [x, cell] of row.entries()) {
        if (cell.trim() === "") continue;
        const rowsWithoutCell = rows.map((cells, index) => (index === y ? cells.with(x, "") : cells));
        if ((await describeOutcome(rowsWithoutCell)) === fullOutcome) silent.push(`${header[x]}=${cell}`);
      }
    assert.deepEqual(silent, expected, defect);
  }
});

test("a product with too many variants is reported with their number", async () => {
  const rows = Array.from({ length: 2_049 }, (_, n) => `rope,${n === 0 ? "Rope" : ""},Length,${n} m,9\n`).join("");
  const text = `Handle,Title,Option1 Name,Option1 Value,Variant Price\n${rows}`;
  const { rejectedRows } = await readFiles([["export.csv", text]]);
  assert.match(
    JSON.stringify(rejectedRows),
    /"line":2,"field":"variants","message":"has 2049 entries; at most 2048 are possible"/,
  );
});
