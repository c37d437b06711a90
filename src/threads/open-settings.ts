import { extname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { FieldChange } from "../catalog/catalog-log.ts";
import { liveSettings } from "../config/live-settings.ts";
import type { StoreSettings } from "../config/settings.ts";
import type { SavedSettings, SettingsEditor } from "../config/settings-editor.ts";
import {
  createConflictProblem,
  formatSettingPath,
  isWritable,
  prepareChange,
  readSettingsFile,
  type SettingsFile,
} from "../config/settings-file.ts";
import { findComputedSettings, type SettingChange } from "../config/settings-source.ts";
import type { ConsoleState } from "../console/console.ts";
import { Problem } from "../problem.ts";
import { SetupError } from "../setup-error.ts";
import { insertCatalogLogEntry } from "../storage/catalog/catalog-log-store.ts";
import type { CatalogDatabase } from "../storage/catalog/catalog-reader.ts";
import type { Database } from "../storage/database.ts";

export interface SettingsResources {
  readonly storeDir: string;
  readonly source: CatalogDatabase;
  readonly database: Database;
  readonly consoleState: () => ConsoleState;
  readonly reloadSettings: () => Promise<void>;
  readonly newId: () => string;
  /** Tools of the development server, which restarts when the file changes. */
  readonly development?: object;
}

/** Milliseconds to wait until this thread uses changed settings. */
const MAX_APPLY_TIME_MS = 3_000;
const POLL_INTERVAL_MS = 20;

/** Creates the object through which an event-loop thread reads and changes the settings file. */
export function openSettings(parts: SettingsResources): SettingsEditor {
  const { storeDir, source, database, consoleState, reloadSettings, newId } = parts;
  const awaitSettings = async (revision: string): Promise<void> => {
    if (parts.development !== undefined) return;
    await reloadSettings();
    for (const end = performance.now() + MAX_APPLY_TIME_MS; performance.now() < end; await sleep(POLL_INTERVAL_MS))
      if (consoleState().settings.revision === revision) return;
  };
  const describe = async (file: SettingsFile): Promise<SavedSettings> => ({
    settings: selectSettings(file.settings),
    revision: file.revision,
    // Each server of a shared database has its own file.
    readOnlyReason: !("file" in source) ? "database" : (await isWritable(file)) ? undefined : "file",
    computed: findComputedSettings(file.text).map(formatSettingPath),
  });
  const readFile = async (): Promise<SettingsFile> => {
    try {
      return await readSettingsFile(storeDir);
    } catch (error) {
      if (!(error instanceof SetupError)) throw error;
      throw new Problem("settings_read_only", error.message.replaceAll(`${storeDir}/`, ""));
    }
  };
  return {
    read: async () => describe(await readFile()),
    async change(patch, { by, revisions, now }) {
      const file = await readFile();
      const { readOnlyReason } = await describe(file);
      if (readOnlyReason !== undefined) throw new Problem("settings_read_only", readOnlyMessages[readOnlyReason]);
      if (revisions?.includes(file.revision) === false) throw createConflictProblem();
      const change = await prepareChange(file, patch);
      try {
        if (change.changes.length > 0) {
          const fields = change.changes.map((setting) => describeChange(file.settings, setting));
          await database.write([
            insertCatalogLogEntry({ id: newId(), at: now, by, operation: "settings", details: { fields } }),
          ]);
          await change.save(join(storeDir, "data", `vitrine.config.previous${extname(file.path)}`));
        }
      } finally {
        await change.close();
      }
      const newFile = await readFile();
      if (newFile.revision !== file.revision) await awaitSettings(newFile.revision);
      return describe(newFile);
    },
  };
}

const readOnlyMessages: Readonly<Record<NonNullable<SavedSettings["readOnlyReason"]>, string>> = {
  database:
    "Several servers may use this database, and each has its own vitrine.config.ts. Change the file of each server.",
  file: "The server may not write to vitrine.config.ts. Change the file, or allow the server to write to its folder.",
};

/** Returns the settings that can be changed while the server runs, without the password of the mail server. */
function selectSettings(settings: Readonly<Record<string, unknown>>): StoreSettings {
  const selectedSettings: StoreSettings = Object.fromEntries(
    liveSettings.flatMap((name) => (settings[name] === undefined ? [] : [[name, settings[name]]])),
  );
  const url = URL.parse(selectedSettings.mail?.smtp ?? "");
  if (url === null) return selectedSettings;
  url.password = "";
  return { ...selectedSettings, mail: { ...selectedSettings.mail, smtp: url.href } };
}

/** Describes a change for the log, without secrets. */
function describeChange(settings: Readonly<Record<string, unknown>>, { path, value }: SettingChange): FieldChange {
  const field = formatSettingPath(path);
  if (path[0] === "mail") return { field };
  const from = path.reduce<unknown>((group, key) => Object(group)[key], settings);
  return { field, ...(from === undefined ? {} : { from }), ...(value === undefined ? {} : { to: value }) };
}
