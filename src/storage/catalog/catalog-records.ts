import type { CatalogRecords, VersionedRow } from "../../catalog/catalog-records.ts";
import type { Database } from "../database.ts";
import { readStockLevels } from "../stock-store.ts";
import { readCatalogLog } from "./catalog-log-store.ts";
import { newestRowSql, readCatalogState } from "./catalog-store.ts";
import { readRowVersions, toVersionedRow, versionColumnsSql } from "./lookups.ts";

export function createRecordStore(database: Database): CatalogRecords {
  return {
    async find(kind, column, keys) {
      const { revision } = await readCatalogState(database);
      return readRowVersions(database, revision, kind, column, keys);
    },
    async list(kind, { after = 0, isPublished, limit }) {
      const { revision } = await readCatalogState(database);
      // Only unpublished rows contain the field `published`, so few rows need to be parsed.
      const publishedSql =
        isPublished === undefined ? "" : ` AND r.data ${isPublished ? "NOT LIKE" : "LIKE"} '%"published":false%'`;
      const rows: VersionedRow[] = [];
      for (let position = after; ; ) {
        const page = await database.read(
          `SELECT ${versionColumnsSql} FROM catalog_rows r
            WHERE r.kind = $2 AND r.position > $3 AND r.revision <= $1 AND r.deleted = 0 AND ${newestRowSql}${publishedSql}
            ORDER BY r.position LIMIT $4`,
          [revision, kind, position, limit],
        );
        rows.push(
          ...page
            .map(toVersionedRow)
            .filter(({ json }) => isPublished === undefined || isPublishedRow(json) === isPublished),
        );
        const lastRow = page.at(-1);
        if (lastRow === undefined || page.length < limit || rows.length >= limit) return rows.slice(0, limit);
        position = Number(lastRow.position);
      }
    },
    async readStock(variantIds) {
      const levels = await readStockLevels(database, variantIds);
      return new Map(levels.map(({ variantId, quantity, reserved }) => [variantId, { quantity, reserved }]));
    },
    readLog: (page) => readCatalogLog(database, page),
  };
}

function isPublishedRow(json: string): boolean {
  return (JSON.parse(json) as { readonly published?: boolean }).published !== false;
}
