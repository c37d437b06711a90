import type { CatalogLogEntry } from "../../../catalog/catalog-log.ts";
import type { LogPosition, VersionedRow } from "../../../catalog/catalog-records.ts";
import { Problem } from "../../../problem.ts";
import type { Shop } from "../../../shop.ts";
import { awaitWithDeadline } from "../../deadline.ts";
import { type BearerServices, requireToken } from "../../sessions/bearer-session.ts";
import { createJsonReply, type Reply } from "../../wire/reply.ts";
import type { StoreRequest } from "../../wire/request.ts";

type RecordServices = BearerServices & Pick<Shop, "management">;

type RecordKind = "product" | "discount";

const DEFAULT_LIMIT = 50;
const MAX_ROWS = 100;

/** Handles `GET /api/products` and `GET /api/discounts`: returns a page of all rows of a kind, in catalog order. */
export async function listRecords(shop: RecordServices, kind: RecordKind, request: StoreRequest): Promise<Reply> {
  const { rows, next } = await listRows(shop, kind, request);
  return createJsonReply(200, { [`${kind}s`]: rows.map((row) => describeRow(kind, row)), next });
}

/** Handles `GET /api/products/<id or handle>` and `GET /api/discounts/<id or code>`. */
export async function readRecord(shop: RecordServices, kind: RecordKind, request: StoreRequest): Promise<Reply> {
  const row = await findRow(shop, kind, request);
  return createJsonReply(200, describeRow(kind, row), { etag: `"${row.revision}"` });
}

/** Handles `GET /api/catalog/log`: returns the changes of the catalog and of stock, newest first. */
export async function readCatalogLog(shop: RecordServices, request: StoreRequest): Promise<Reply> {
  await requireToken(shop, request, "catalog:read");
  const limit = readLimit(request);
  const cursor = parseLogPosition(request.query.get("after"));
  const results = await awaitWithDeadline(
    shop.management.records.readLog({ limit: limit + 1, ...(cursor === undefined ? {} : { before: cursor }) }),
  );
  const entries = results.slice(0, limit);
  const lastEntry = entries.at(-1);
  return createJsonReply(200, {
    entries: entries.map(describeEntry),
    next: results.length > limit && lastEntry !== undefined ? formatLogPosition(lastEntry) : null,
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

async function listRows(
  shop: RecordServices,
  kind: RecordKind,
  request: StoreRequest,
): Promise<{ readonly rows: readonly VersionedRow[]; readonly next: string | null }> {
  await requireToken(shop, request, "catalog:read");
  const limit = readLimit(request);
  const published = request.query.get("published");
  const results = await awaitWithDeadline(
    shop.management.records.list(kind, {
      after: readNumber(request, "after", 0),
      limit: limit + 1,
      ...(published === "true" || published === "false" ? { isPublished: published === "true" } : {}),
    }),
  );
  const rows = results.slice(0, limit);
  return { rows, next: results.length > limit ? String(rows.at(-1)?.position) : null };
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
