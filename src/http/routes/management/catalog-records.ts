import type { CatalogLogEntry } from "../../../catalog/catalog-log.ts";
import type { LogPosition, VersionedRow } from "../../../catalog/catalog-records.ts";
import { Problem } from "../../../problem.ts";
import type { Shop } from "../../../shop.ts";
import { awaitWithDeadline } from "../../deadline.ts";
import { readPage } from "../../read-page.ts";
import { type BearerServices, requireToken } from "../../sessions/bearer-session.ts";
import { createJsonReply, type Reply } from "../../wire/reply.ts";
import type { StoreRequest } from "../../wire/request.ts";

type RecordServices = BearerServices & Pick<Shop, "management">;

type RecordKind = "product" | "discount";

const DEFAULT_LIMIT = 50;
const MAX_ROWS = 100;

/** Handles `GET /api/products` and `GET /api/discounts`: returns a page of all rows of a kind, in catalog order. */
export async function listRecords(shop: RecordServices, kind: RecordKind, request: StoreRequest): Promise<Reply> {
  await requireToken(shop, request, "catalog:read");
  const after = readNumber(request, "after", 0);
  const published = request.query.get("published");
  const filter = published === "true" || published === "false" ? { isPublished: published === "true" } : {};
  const { items, lastItem } = await readPage(readLimit(request), (limit) =>
    shop.management.records.list(kind, { ...filter, after, limit }),
  );
  return createJsonReply(200, {
    [`${kind}s`]: items.map((row) => describeRow(kind, row)),
    next: lastItem === undefined ? null : String(lastItem.position),
  });
}

/** Handles `GET /api/products/<id or handle>` and `GET /api/discounts/<id or code>`. */
export async function readRecord(shop: RecordServices, kind: RecordKind, request: StoreRequest): Promise<Reply> {
  const row = await findRow(shop, kind, request);
  return createJsonReply(200, describeRow(kind, row), { etag: `"${row.revision}"` });
}

/** Handles `GET /api/catalog/log`: returns the changes of the catalog and of stock, newest first. */
export async function readCatalogLog(shop: RecordServices, request: StoreRequest): Promise<Reply> {
  await requireToken(shop, request, "catalog:read");
  const before = parseLogPosition(request.query.get("after"));
  const { items, lastItem } = await readPage(readLimit(request), (limit) =>
    shop.management.records.readLog({ limit, before }),
  );
  return createJsonReply(200, {
    entries: items.map(describeEntry),
    next: lastItem === undefined ? null : formatLogPosition(lastItem),
  });
}

/** Formats the position of a log entry for a URL. */
export function formatLogPosition({ at, id }: LogPosition): string {
  return `${at}.${id}`;
}

/** Parses the position of a log entry in a URL; undefined if it is missing or invalid. */
export function parseLogPosition(text: string | null): LogPosition | undefined {
  const [, at, id] = /^(\d{1,15})\.([\w-]{1,64})$/.exec(text ?? "") ?? [];
  return at === undefined || id === undefined ? undefined : { at: Number(at), id };
}

async function findRow(shop: RecordServices, kind: RecordKind, request: StoreRequest): Promise<VersionedRow> {
  await requireToken(shop, request, "catalog:read");
  const { id = "" } = request.params;
  const { records } = shop.management;
  const find = async (column: "id" | "handle", key: string): Promise<VersionedRow | undefined> =>
    (await awaitWithDeadline(records.find(kind, column, [key])))[0];
  const row = (await find("id", id)) ?? (await find("handle", kind === "discount" ? id.trim().toUpperCase() : id));
  if (row === undefined) throw new Problem("not_found", `There is no ${kind} with this id.`);
  return row;
}

function describeRow(kind: RecordKind, { revision, json }: VersionedRow): object {
  return { revision, [kind]: JSON.parse(json) };
}

function describeEntry({ at, by, operation, details }: CatalogLogEntry): object {
  return {
    ...{ at: new Date(at).toISOString(), source: by.source, token: by.token ?? null },
    ...{ operation, details },
  };
}

function readLimit(request: StoreRequest): number {
  return Math.max(1, Math.min(readNumber(request, "limit", DEFAULT_LIMIT), MAX_ROWS));
}

function readNumber({ query }: StoreRequest, name: string, fallback: number): number {
  const text = query.get(name);
  return text !== null && /^\d{1,15}$/.test(text) ? Number(text) : fallback;
}
