import { hash } from "node:crypto";
import { readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { unlessAbsent } from "../absence.ts";
import type { Kind } from "../catalog/catalog.ts";
import type { Removal } from "./clashes.ts";
import type { CatalogFault } from "./faults.ts";

/** The rows of `catalog/` beside those that it held when it was last taken into the store: what was edited since. Rows that came into the
 *  store otherwise are none of its business. */
export interface TakenRows {
  /** Nothing was taken before: all rows are new. */
  readonly isFirst: boolean;
  /** Notes a row of the files. @returns whether it was not there, or otherwise @param json as `formatRow` writes it */
  note(kind: Kind, id: string, json: string): boolean;
  /** Rows that were there and are not among those noted. */
  gone(): ReadonlyMap<Kind, ReadonlySet<string>>;
  /** What speaks against these removals: files that hold few of the rows they held are rather half saved. */
  refusal(removals: readonly Removal[]): CatalogFault | undefined;
  /** Remembers the rows that were noted. @param stamp of the files they were read from */
  save(stamp: string): Promise<void>;
}

/** Removals that are never doubted. */
const FEW = 10;

/** @returns undefined where nothing was remembered yet */
export async function readTakenRows(storeDir: string): Promise<TakenRows | undefined> {
  const lines = await readLines(storeDir);
  return lines && createTakenRows(storeDir, new Map(lines.slice(1).map(splitLine)));
}

/** The stamp of the files that were taken last; undefined where nothing was remembered yet. */
export async function takenStamp(storeDir: string): Promise<string | undefined> {
  const [stamp] = (await readLines(storeDir)) ?? [];
  return stamp === undefined ? undefined : String(JSON.parse(stamp));
}

/** Rows of files that are read for the first time: all are new. */
export function noTakenRows(storeDir: string): TakenRows {
  return createTakenRows(storeDir, new Map());
}

/** @param before "kind id" -> a hash of the row */
function createTakenRows(storeDir: string, before: ReadonlyMap<string, string>): TakenRows {
  const noted = new Map<string, string>();
  return {
    isFirst: before.size === 0,
    note(kind, id, json) {
      const digest = hash("sha256", json, "base64url").slice(0, 22);
      noted.set(`${kind} ${id}`, digest);
      return before.get(`${kind} ${id}`) !== digest;
    },
    gone() {
      const gone = new Map<Kind, Set<string>>();
      for (const key of before.keys()) {
        if (noted.has(key)) continue;
        const { kind, id } = splitKey(key);
        gone.set(kind, (gone.get(kind) ?? new Set()).add(id));
      }
      return gone;
    },
    refusal(removals) {
      for (const [kind, some] of Map.groupBy(removals, (removal) => removal.kind)) {
        const [had, has] = [before, noted].map((rows) => [...rows.keys()].filter((key) => splitKey(key).kind === kind));
        if (some.length <= FEW || (has?.length ?? 0) * 2 >= (had?.length ?? 0)) continue;
        const message = `holds ${has?.length} of ${had?.length} rows of kind ${kind}: is a file half saved? If the others are to go: "vitrine import --prune" with the files`;
        return { file: "catalog", line: 0, field: "", message };
      }
      return undefined;
    },
    async save(stamp) {
      const file = fileOf(storeDir);
      const lines = [JSON.stringify(stamp), ...[...noted].map(([key, digest]) => `${digest} ${key}`)];
      await writeFile(`${file}.part`, `${lines.join("\n")}\n`);
      await rename(`${file}.part`, file);
    },
  };
}

function fileOf(storeDir: string): string {
  return join(storeDir, "data", "catalog-taken");
}

async function readLines(storeDir: string): Promise<readonly string[] | undefined> {
  const text = await readFile(fileOf(storeDir), "utf8").catch(unlessAbsent);
  // A file that is not whole has no end; it is as if nothing was remembered.
  return text?.endsWith("\n") ? text.trimEnd().split("\n") : undefined;
}

/** "digest kind id" */
function splitLine(line: string): [key: string, digest: string] {
  const at = line.indexOf(" ");
  return [line.slice(at + 1), line.slice(0, at)];
}

function splitKey(key: string): { readonly kind: Kind; readonly id: string } {
  const at = key.indexOf(" ");
  return { kind: key.slice(0, at) as Kind, id: key.slice(at + 1) };
}
