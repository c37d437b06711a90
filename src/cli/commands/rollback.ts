import { SetupError } from "../../setup-error.ts";
import { openIndexFolder } from "../../snapshot/index-files.ts";
import { listSharedRevisions } from "../../snapshot/shared/list-revisions.ts";
import { openObjectStore } from "../../snapshot/shared/open-object-store.ts";
import { readCatalogState } from "../../storage/catalog/catalog-store.ts";
import { endRollbackStatement, readRollback, startRollback } from "../../storage/catalog/index-builders.ts";
import { defineCommand, flag, text, UsageError } from "../arguments.ts";
import type { CommandIo } from "../io.ts";
import { type OpenedStore, openCommandStore } from "../store-database.ts";

const usage = `Usage: vitrine rollback [REVISION] [--end] [--store DIR]

Shows an earlier revision of the catalog on all servers, until the rollback ends. Stock, carts, and orders stay current.
The store needs the setting server.sharedIndex.
  REVISION     number of the revision (default: the one before the revision that the servers show)
  --end        show the newest revision again
  --store DIR  folder of the store (default: the current folder)`;

/** Runs `vitrine rollback`. */
export const run = defineCommand(usage, { store: text, end: flag }, async ({ values, positionals }, io) => {
  const [revisionText, ...otherTexts] = positionals;
  if (otherTexts.length > 0 || (values.end === true && revisionText !== undefined))
    throw new UsageError("name one revision, or --end.");
  if (revisionText !== undefined && !/^[1-9]\d{0,14}$/.test(revisionText))
    throw new UsageError(`${revisionText} is not the number of a revision.`);
  await using store = await openCommandStore(io, values.store);
  if (values.end) return await end(store, io);
  return await start(store, revisionText === undefined ? undefined : Number(revisionText), io);
});

async function end({ database }: OpenedStore, io: CommandIo): Promise<number> {
  const { revision } = await readCatalogState(database);
  await database.write([endRollbackStatement]);
  io.stdout.write(`The servers show revision ${revision} of the catalog, the newest.\n`);
  return 0;
}

async function start(
  { storeDir, config, database }: OpenedStore,
  requestedRevision: number | undefined,
  io: CommandIo,
): Promise<number> {
  const { sharedIndex } = config.server;
  if (sharedIndex === undefined)
    throw new SetupError("a rollback needs the setting server.sharedIndex: set it, and restart the servers.");
  const folder = openIndexFolder(storeDir, config);
  const store = await openObjectStore(sharedIndex, storeDir, io.env);
  const revisions = await listSharedRevisions(await store.list(), folder, database);
  const { revision: newestRevision } = await readCatalogState(database);
  const activeRevision = (await readRollback(database)) ?? newestRevision;
  const revision = requestedRevision ?? revisions.find((candidate) => candidate < activeRevision);
  if (revision === undefined || !revisions.includes(revision)) {
    const missingText = revision === undefined ? `no revision before ${activeRevision}` : `no revision ${revision}`;
    throw new SetupError(`the shared index has ${missingText}. It has: ${revisions.join(", ") || "none"}.`);
  }
  await database.write([startRollback(revision)]);
  io.stdout.write(
    `The servers show revision ${revision} of the catalog instead of ${newestRevision}, also after the next import. To end this, run \`vitrine rollback --end\`.\n`,
  );
  return 0;
}
