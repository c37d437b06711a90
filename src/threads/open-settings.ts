import { basename, extname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { FieldChange } from "../catalog/catalog-log.ts";
import { liveSettings } from "../config/live-settings.ts";
import { checkSettings } from "../config/load-config.ts";
import { formatSettingPath } from "../config/setting-line.ts";
import type { StoreSettings } from "../config/settings.ts";
import type { SavedSettings, SettingsEditor } from "../config/settings-editor.ts";
import {
  createConflictProblem,
  createReadOnlyProblem,
  isWritable,
  prepareChange,
  readSettingsFile,
  type SettingsFile,
} from "../config/settings-file.ts";
import { findComputedSettings, type SettingChange } from "../config/settings-source.ts";
import { sendTestMail } from "../events/mail/send-test-mail.ts";
import { Problem } from "../problem.ts";
import { SetupError } from "../setup-error.ts";
import { insertCatalogLogEntry } from "../storage/catalog/catalog-log-store.ts";
import { CommitInDoubtError } from "../storage/database.ts";
import type { OpenStore } from "./open-store.ts";

export interface SettingsResources
  extends Pick<OpenStore, "storeDir" | "source" | "database" | "consoleState" | "reloadSettings" | "newId"> {
  /** Tools of the development server, which restarts when the file changes. */
  readonly development?: object | undefined;
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
  const getReadOnlyReason = async (file: SettingsFile): Promise<SavedSettings["readOnlyReason"]> => {
    // Each server of a shared database has its own file.
    if (!("file" in source)) return "database";
    return (await isWritable(file)) ? undefined : "file";
  };
  const describe = async (file: SettingsFile): Promise<SavedSettings> => ({
    settings: selectSettings(file.settings),
    revision: file.revision,
    readOnlyReason: await getReadOnlyReason(file),
    computed: findComputedSettings(file.text).map(formatSettingPath),
  });
  const explainError = (error: unknown): unknown =>
    error instanceof SetupError
      ? new Problem("settings_read_only", error.message.replaceAll(`${storeDir}/`, ""))
      : error;
  const readFile = async (): Promise<SettingsFile> => {
    try {
      return await readSettingsFile(storeDir);
    } catch (error) {
      throw explainError(error);
    }
  };
  return {
    async read() {
      const file = await readFile();
      try {
        checkSettings(file.settings, basename(file.path), file.text);
      } catch (error) {
        throw explainError(error);
      }
      return describe(file);
    },
    async change(patch, { by, revisions, now }) {
      const file = await readFile();
      const readOnlyReason = await getReadOnlyReason(file);
      if (readOnlyReason === "file") throw createReadOnlyProblem();
      if (readOnlyReason === "database") throw new Problem("settings_read_only", SHARED_DATABASE_MESSAGE);
      if (revisions?.includes(file.revision) === false) throw createConflictProblem();
      const change = await prepareChange(file, keepMailPassword(file.settings, patch));
      try {
        if (change.changes.length > 0) {
          const fields = change.changes.map((setting) => describeChange(file.settings, setting));
          await change.save(join(storeDir, "data", `vitrine.config.previous${extname(file.path)}`));
          const entry = insertCatalogLogEntry({ id: newId(), at: now, by, operation: "settings", details: { fields } });
          await database.write([entry]).catch((error: unknown) => {
            throw new CommitInDoubtError("the settings were changed, but not their log", { cause: error });
          });
        }
      } finally {
        await change.close();
      }
      const newFile = await readFile();
      if (newFile.revision !== file.revision) await awaitSettings(newFile.revision);
      return describe(newFile);
    },
    async sendTestMail({ by, now }) {
      const id = newId();
      const result = await sendTestMail(consoleState().settings.config, id);
      const details = { to: result.to, accepted: result.isAccepted };
      await database.write([insertCatalogLogEntry({ id, at: now, by, operation: "test_email", details })]);
      return result;
    },
  };
}

const SHARED_DATABASE_MESSAGE =
  "Several servers may use this database, and each has its own vitrine.config.ts. Change the file of each server.";

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

/** Replaces the URL of the mail server by the saved one if a client sends it back as it was read, without password. */
function keepMailPassword(
  settings: Readonly<Record<string, unknown>>,
  patch: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const smtp: unknown = Object(patch.mail).smtp;
  if (smtp === undefined || smtp !== selectSettings(settings).mail?.smtp) return patch;
  return { ...patch, mail: { ...Object(patch.mail), smtp: Object(settings.mail).smtp } };
}

/** Describes a change for the log, without secrets. */
function describeChange(settings: Readonly<Record<string, unknown>>, { path, value }: SettingChange): FieldChange {
  const field = formatSettingPath(path);
  if (path[0] === "mail") return { field };
  const from = path.reduce<unknown>((group, key) => Object(group)[key], settings);
  return { field, ...(from === undefined ? {} : { from }), ...(value === undefined ? {} : { to: value }) };
}
