import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import type { Kind } from "../catalog/catalog.ts";
import { SetupError } from "../setup-error.ts";
import { findAppliedWrites, recordAppliedWrites } from "../storage/applied-writes.ts";
import { readCatalogState } from "../storage/catalog/catalog-store.ts";
import { CatalogBusy } from "../storage/catalog/lease.ts";
import { findRows } from "../storage/catalog/look-ups.ts";
import type { Database } from "../storage/database.ts";
import type { LocalImages } from "./images/local-images.ts";
import { importFiles } from "./import-files.ts";
import type { ImportOptions } from "./import-options.ts";
import type { ImportedRows } from "./imported-rows.ts";
import type { MergeRows } from "./merge-rows.ts";
import { createPatch, type NamedRow, namedRow } from "./patch-rows.ts";

/** A line of what another system sends: a row as in a file, `{"patch": row}` or `{"delete": {"kind", "id" or "handle"}}`. */
export interface EditLine {
  readonly line: number;
  readonly value: Readonly<Record<string, unknown>>;
}

/** What a batch is known by, so that it is done once however often it is sent. */
interface EditKey {
  readonly scope: string;
  readonly key?: string;
  readonly fingerprint: string;
}

interface LineError {
  readonly line: number;
  readonly field: string;
  readonly message: string;
}

/** What became of a batch; nothing was changed unless it was "done". */
export type EditOutcome =
  | { readonly kind: "done"; readonly changed: number; readonly removed: number; readonly isRepeated: boolean }
  | { readonly kind: "faults"; readonly first: readonly LineError[]; readonly count: number }
  | { readonly kind: "key used" | "busy" };

export interface CatalogEdits {
  /** All or nothing, as files are imported. @param now milliseconds since 1970  @throws DatabaseUnavailable */
  apply(lines: readonly EditLine[], key: EditKey, now: number): Promise<EditOutcome>;
}

/** Takes edits of the catalogue from other systems into the store. @param currentImages pictures of other servers that the store has */
export function createCatalogEdits(
  database: Database,
  options: Pick<ImportOptions, "currency" | "timezone" | "now" | "newId">,
  currentImages: () => Promise<LocalImages>,
): CatalogEdits {
  return {
    async apply(lines, { scope, key, fingerprint }, now) {
      const repeated = async (): Promise<EditOutcome | undefined> => {
        if (key === undefined) return undefined;
        const [found] = await findAppliedWrites(database, [{ key, fingerprint, visitor: scope }], undefined, now);
        if (found === undefined) return undefined;
        if (found.fingerprint !== fingerprint) return { kind: "key used" };
        const { changed, removed } = JSON.parse(found.answer ?? "{}") as {
          readonly changed?: number;
          removed?: number;
        };
        return { kind: "done", changed: changed ?? 0, removed: removed ?? 0, isRepeated: true };
      };
      const record: ImportOptions["record"] = (counts) =>
        key === undefined
          ? []
          : recordAppliedWrites([{ key, fingerprint, scopes: [scope], answer: JSON.stringify(counts) }], now);
      const { rows, deletions, errors } = sortLines(lines);
      if (errors.length > 0) return { kind: "faults", first: errors, count: errors.length };
      const giveUpAt = performance.now() + WAIT_MS;
      for (;;) {
        const before = await repeated();
        if (before !== undefined) return before;
        try {
          const result = await importLines(database, rows, deletions, {
            ...options,
            images: await currentImages(),
            record,
          });
          if (result.errors.count === 0)
            return { kind: "done", changed: result.changed, removed: result.removed, isRepeated: false };
          const first = result.errors.first.map(({ line, field, message }) => ({ line, field, message }));
          return { kind: "faults", first, count: result.errors.count };
        } catch (error) {
          if (!(error instanceof SetupError)) throw error;
          const meanwhile = await repeated();
          if (meanwhile !== undefined) return meanwhile;
          // Another import runs, or began while this one ran: nothing was changed.
          if (performance.now() > giveUpAt) return { kind: "busy" };
          await setTimeout(error instanceof CatalogBusy ? RETRY_MS : 0);
        }
      }
    },
  };
}

/** Milliseconds for which an import that runs is waited for. */
const WAIT_MS = 3_000;
const RETRY_MS = 50;

function sortLines(lines: readonly EditLine[]): {
  readonly rows: readonly EditLine[];
  readonly deletions: readonly NamedRow[];
  readonly errors: readonly LineError[];
} {
  const errors: LineError[] = [];
  const deletions: NamedRow[] = [];
  const rows = lines.filter(({ line, value }) => {
    if (value.delete === undefined) return true;
    const deletion = namedRow(value.delete, undefined);
    if (deletion !== undefined) deletions.push(deletion);
    else errors.push({ line, field: "delete", message: "must name a kind, and an id, a handle or a code" });
    return false;
  });
  return { rows, deletions, errors };
}

/** Imports lines as a file of which they are the lines. */
async function importLines(
  database: Database,
  rows: readonly EditLine[],
  deletions: readonly NamedRow[],
  options: Omit<ImportOptions, "patch" | "taken">,
): ReturnType<typeof importFiles> {
  const gone = await goneRows(database, deletions);
  const dir = await mkdtemp(join(tmpdir(), "vitrine-edits-"));
  try {
    const path = join(dir, "lines.jsonl");
    await writeFile(path, fileOf(rows));
    const merge = mergePatches(database);
    return await importFiles(database, [{ path, name: "body" }], { ...options, merge, imported: allNew(gone) });
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

/** Blank lines stand for those that are no rows, so that faults name the lines that were sent. */
function fileOf(rows: readonly EditLine[]): string {
  let text = "";
  let next = 1;
  for (const { line, value } of rows) {
    text += `${"\n".repeat(line - next)}${JSON.stringify(value)}\n`;
    next = line + 1;
  }
  return text;
}

async function goneRows(
  database: Database,
  deletions: readonly NamedRow[],
): Promise<ReadonlyMap<Kind, ReadonlySet<string>>> {
  const { revision } = await readCatalogState(database);
  const gone = new Map<Kind, ReadonlySet<string>>();
  for (const [kind, some] of Map.groupBy(deletions, (deletion) => deletion.kind)) {
    const handles = some.flatMap(({ handle }) => handle ?? []);
    const found = await findRows(database, revision, kind, "handle", handles);
    gone.set(kind, new Set([...some.flatMap(({ id }) => id ?? []), ...found.map(({ id }) => id)]));
  }
  return gone;
}

/** All rows count, and others go: one that is deleted and sent in the same batch stays. */
function allNew(gone: ReadonlyMap<Kind, ReadonlySet<string>>): ImportedRows {
  const sent = new Set<string>();
  return {
    isFirst: true,
    record(kind, id) {
      sent.add(`${kind} ${id}`);
      return true;
    },
    removed: () =>
      new Map([...gone].map(([kind, ids]) => [kind, new Set([...ids].filter((id) => !sent.has(`${kind} ${id}`)))])),
    error: () => undefined,
    stranded: () => [],
    save: async () => {},
  };
}

/** Completes the rows that are patches. */
function mergePatches(database: Database): MergeRows {
  const complete = createPatch(database, "send it without patch");
  return async (values, fallback) => {
    const patches = values.map(patchIn).filter((patch) => patch !== undefined);
    const completed = (await complete(patches, fallback)).values();
    return values.map((value) => (patchIn(value) === undefined ? { value } : (completed.next().value ?? { value })));
  };
}

function patchIn(value: unknown): unknown {
  return typeof value === "object" && value !== null && "patch" in value ? (value.patch ?? {}) : undefined;
}
