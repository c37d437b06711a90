import type { Config } from "../config/settings.ts";
import { createCache } from "../runtime/cache.ts";
import { SetupError } from "../setup-error.ts";
import { getFileVersion, getLiveThemesFile, hasTheme, MAIN_THEME_NAME, readLiveThemes } from "./files/store-themes.ts";
import type { Theme } from "./theme.ts";

/** A theme of the store, with the settings that apply to it. */
export interface LoadedTheme {
  readonly name: string;
  readonly theme: Theme;
  readonly config: Config;
}

/** The themes of a store. They are loaded when they are first used. */
export interface Themes {
  /** Returns the live theme. A newly published theme takes effect within {@link CHECK_INTERVAL_MS} milliseconds. */
  getLiveTheme(): LoadedTheme;
  /** Returns a theme; undefined if it does not exist or cannot be loaded. */
  find(name: string): LoadedTheme | undefined;
}

export interface ThemesOptions {
  readonly storeDir: string;
  /** Loads a theme.  @throws SetupError */
  readonly load: (name: string) => LoadedTheme;
  /** Returns the path of the file with the settings of a theme. A change of the file loads the theme again. */
  readonly settingsFile: (name: string) => string;
  /** Returns the revision of the store's settings. If it changes, themes are loaded again. */
  readonly settingsRevision: () => string;
  /** Receives the errors of themes that cannot be loaded. */
  readonly report: (error: unknown) => void;
}

/** Milliseconds between two checks whether the live theme has changed. */
const CHECK_INTERVAL_MS = 200;
/** Maximum number of themes that are loaded in addition to the live one. */
const MAX_OTHER_THEMES = 3;

/** Opens the themes of a store.  @throws SetupError if the live theme does not exist or cannot be loaded */
export function openThemes({ storeDir, load, settingsFile, settingsRevision, report }: ThemesOptions): Themes {
  const getVersion = (name: string): string => `${settingsRevision()} ${getFileVersion(settingsFile(name))}`;
  const loadVersion = (name: string): VersionedTheme => ({ fileVersion: getVersion(name), ...load(name) });
  const [firstName] = readLiveThemes(storeDir);
  requireTheme(storeDir, firstName);
  let loadedTheme = loadVersion(firstName);
  /** The loaded theme. It also serves the assets of the theme that was live before it. */
  let liveTheme: LoadedTheme = loadedTheme;
  let liveVersion = getFileVersion(getLiveThemesFile(storeDir));
  let checkedRevision = settingsRevision();
  let nextCheckTime = performance.now() + CHECK_INTERVAL_MS;
  const otherThemes = createCache<string, VersionedTheme>({
    name: "themes",
    maxWeight: MAX_OTHER_THEMES,
    isCurrent: ({ name, fileVersion }) => fileVersion === getVersion(name),
  });

  const checkLiveTheme = (): void => {
    const newVersion = getFileVersion(getLiveThemesFile(storeDir));
    const hasNewSettings = loadedTheme.fileVersion !== getVersion(loadedTheme.name);
    if (newVersion === liveVersion && !hasNewSettings) return;
    liveVersion = newVersion;
    const [name] = readLiveThemes(storeDir);
    if (name === loadedTheme.name && !hasNewSettings) return;
    requireTheme(storeDir, name);
    const oldTheme = loadedTheme;
    // If the theme cannot be loaded, the next check must not try again.
    loadedTheme = { ...oldTheme, fileVersion: getVersion(oldTheme.name) };
    loadedTheme = loadVersion(name);
    liveTheme = keepOldAssets(loadedTheme, oldTheme.theme);
  };
  return {
    getLiveTheme() {
      const now = performance.now();
      const revision = settingsRevision();
      if (now < nextCheckTime && revision === checkedRevision) return liveTheme;
      checkedRevision = revision;
      nextCheckTime = now + CHECK_INTERVAL_MS;
      try {
        checkLiveTheme();
      } catch (error) {
        report(error);
      }
      return liveTheme;
    },
    find(name) {
      if (!hasTheme(storeDir, name)) return undefined;
      try {
        return otherThemes.getOrCreate(name, () => loadVersion(name));
      } catch (error) {
        report(error);
        return undefined;
      }
    },
  };
}

/** @throws SetupError if the live theme does not exist. A store without the folder `theme/` uses the default theme. */
function requireTheme(storeDir: string, name: string): void {
  if (name === MAIN_THEME_NAME || hasTheme(storeDir, name)) return;
  throw new SetupError(
    `${getLiveThemesFile(storeDir)}: names the theme "${name}", which does not exist. Restore its folder, or publish another theme with "vitrine theme publish".`,
  );
}

/** Makes a theme serve the assets of the previously live theme too, because browsers may still show its pages. */
function keepOldAssets(loadedTheme: LoadedTheme, { assetFile: oldAssetFile }: Theme): LoadedTheme {
  const { theme } = loadedTheme;
  const getAssetFile: Theme["assetFile"] = (name, version) => {
    const file = theme.assetFile(name, version);
    if (version === undefined || file?.version === version) return file;
    const oldFile = oldAssetFile(name, version);
    return oldFile?.version === version ? oldFile : file;
  };
  return { ...loadedTheme, theme: { ...theme, assetFile: getAssetFile } };
}

interface VersionedTheme extends LoadedTheme {
  readonly fileVersion: string;
}
