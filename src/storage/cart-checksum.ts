import { crc32 } from "node:zlib";
import type { CartIds } from "../cart/cart-store.ts";
import type { SqlValue } from "./database.ts";

/** What a row is found and changed by. */
type RowIds = CartIds & { readonly revision: number };

/** Tells a row of which a bit has flipped since it was written. @param data as it is kept  @returns "revision:checksum" */
export function checksumOf({ id, checkoutId, revision }: RowIds, data: string): string {
  return `${revision}:${crc32(JSON.stringify([id, checkoutId, revision, data])).toString(16)}`;
}

/** @param checksum as it is kept; null: the row is older than checksums */
export function isAsWritten(checksum: SqlValue, ids: RowIds, data: string): boolean {
  if (typeof checksum !== "string") return true;
  // A server of an older version, beside this one on the same database, leaves the checksum of the revision before.
  const revision = Number.parseInt(checksum, 10);
  return (revision > 0 && revision < ids.revision) || checksum === checksumOf(ids, data);
}
