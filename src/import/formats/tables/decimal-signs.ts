import type { Columns } from "./columns.ts";
import { type DecimalSign, decimalSignOf } from "./local-number.ts";
import type { Table } from "./open-table.ts";

/** The signs that columns show in all of a table's rows; none for a column that shows both, or neither. */
export async function findDecimalSigns(
  table: Table,
  columns: Columns,
  keys: readonly string[],
): Promise<ReadonlyMap<string, DecimalSign>> {
  const found = new Map<string, Set<DecimalSign>>(keys.map((key) => [key, new Set()]));
  for await (const { cells } of table.rows())
    for (const [key, signs] of found) {
      const sign = decimalSignOf((cells[columns.placeOf(key)] ?? "").trim());
      if (sign !== undefined) signs.add(sign);
    }
  return new Map([...found].flatMap(([key, signs]) => (signs.size === 1 ? [[key, [...signs][0] as DecimalSign]] : [])));
}
