import * as v from "valibot";
import { SetupError } from "../setup-error.ts";
import { requireSupportedSchema } from "../storage/schema-version.ts";

/** Name of the last member of a backup. A file without it is incomplete. */
export const MANIFEST_NAME = "manifest.json";

/** Folder of the store's files in a backup. */
export const STORE_FOLDER = "store/";
/** Paths in a backup of the files that the server opens by a fixed name. */
export const SQLITE_PATH = `${STORE_FOLDER}data/vitrine.db`;
export const SECRET_PATH = `${STORE_FOLDER}data/secret`;
export const IMPORT_RECORD_PATH = `${STORE_FOLDER}data/catalog-taken`;
/** Prefix of the names of the parts of a PostgreSQL dump. The joined parts are one file in pg_dump's custom format. */
export const DUMP_PREFIX = "database.dump.";

/** Version of the format of a backup. */
export const FORMAT_VERSION = 1;

const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const memberSchema = v.object({ bytes: count, sha256: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/)) });

const manifestSchema = v.object({
  format: v.literal(FORMAT_VERSION),
  /** ISO 8601 time. */
  createdAt: v.string(),
  /** Version of Vitrine that made the backup. */
  version: v.string(),
  schemaVersion: count,
  /** Oldest schema version whose servers can use this database; 0 if only servers of `schemaVersion` can. */
  compatibleFrom: v.optional(count, 0),
  revision: count,
  database: v.picklist(["sqlite", "postgresql"]),
  tables: v.record(v.string(), count),
  members: v.record(v.string(), memberSchema),
});

/** Describes a backup: its versions, the rows of each table, and every other member of the file. */
export type Manifest = Readonly<v.InferOutput<typeof manifestSchema>>;

/** Size and hash of a file in a backup. */
export type ManifestMember = Readonly<v.InferOutput<typeof memberSchema>>;

export function formatManifest(manifest: Manifest): Buffer {
  return Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`);
}

/**
 * Parses a manifest.
 * @throws SetupError if this version of Vitrine cannot restore the backup
 */
export function parseManifest(text: string): Manifest {
  const result = v.safeParse(manifestSchema, parseJson(text));
  if (!result.success)
    throw new SetupError(
      `${MANIFEST_NAME}: ${result.issues[0].message}. Use the version of Vitrine that made the backup, or a newer one.`,
    );
  const { schemaVersion, compatibleFrom, version } = result.output;
  requireSupportedSchema({ schemaVersion, compatibleFrom, migratedBy: version });
  return result.output;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
