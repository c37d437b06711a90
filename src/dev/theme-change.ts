import type { CompiledTheme } from "../theme/files/compiled-theme.ts";
import { sectionScriptsName, sectionStylesName } from "../theme/files/generated-assets.ts";
import { parseLocale } from "../theme/files/locales.ts";

/** Differences between two revisions of a theme. */
export interface ThemeChange {
  /** Liquid files that were added or removed, or whose markup or schema changed. */
  readonly liquidFiles: ReadonlySet<string>;
  /** Changed JSON templates and section groups. */
  readonly jsonFiles: readonly string[];
  /** Keys of changed translations, without plural suffixes such as ".one"; "all" if unknown. */
  readonly texts: ReadonlySet<string> | "all";
  /** Ids of changed theme settings. */
  readonly settings: ReadonlySet<string>;
  /** Types of sections whose settings changed in `config/settings_data.json` instead of a template. */
  readonly staticSections: ReadonlySet<string>;
  /** Whether the list of sections in `content_for_index` changed. */
  readonly hasOtherIndex: boolean;
  /** Names of changed style sheets. */
  readonly styles: readonly string[];
  /** Whether pages must be reloaded, because their security policy or an asset other than a style sheet changed. */
  readonly needsNewPage: boolean;
}

export function compareThemes(previousTheme: CompiledTheme, currentTheme: CompiledTheme): ThemeChange {
  const changedFiles = findDifferences(previousTheme.folder.texts, currentTheme.folder.texts);
  const assets = [...findDifferences(previousTheme.folder.versions, currentTheme.folder.versions)].flatMap(
    (file) => /^assets\/(.+)$/.exec(file)?.[1] ?? [],
  );
  const files = assets.filter((name) => !name.endsWith(".liquid"));
  const [styles, nonStyleAssets] = [files.filter(isStyleFile), files.filter((name) => !isStyleFile(name))];
  const liquidAssets = [...currentTheme.folder.texts.keys()].flatMap(
    (file) => /^assets\/(.+)\.liquid$/.exec(file)?.[1] ?? [],
  );
  const changedAssets = [...liquidAssets, sectionStylesName].filter(
    (name) => renderAsset(previousTheme, name) !== renderAsset(currentTheme, name),
  );
  const isNotGenerated = (name: string): boolean =>
    previousTheme.generateAsset(name) === undefined || currentTheme.generateAsset(name) === undefined;
  const values = compareValues(previousTheme, currentTheme);
  return {
    liquidFiles: new Set(
      [...changedFiles].filter((file) => isMarkup(file) && isMarkupChanged(file, previousTheme, currentTheme)),
    ),
    jsonFiles: [...changedFiles].filter((file) => /^(?:templates|sections)\/.+\.json$/.test(file)),
    texts: findChangedTexts(
      [...changedFiles].filter((file) => file.startsWith("locales/")),
      previousTheme,
      currentTheme,
    ),
    ...values,
    styles: [...styles, ...changedAssets.filter((name) => isStyleFile(name))],
    needsNewPage:
      nonStyleAssets.length > 0 ||
      changedAssets.some((name) => !isStyleFile(name) || (name === sectionStylesName && isNotGenerated(name))) ||
      previousTheme.generateAsset(sectionScriptsName) !== currentTheme.generateAsset(sectionScriptsName) ||
      previousTheme.inlineCode.hasScripts !== currentTheme.inlineCode.hasScripts ||
      previousTheme.inlineCode.hasStyles !== currentTheme.inlineCode.hasStyles,
  };
}

function isStyleFile(name: string): boolean {
  return name.endsWith(".css");
}

function isMarkup(file: string): boolean {
  return file.endsWith(".liquid") && !file.startsWith("assets/");
}

/** Returns whether the markup or schema of a file changed, ignoring `{% stylesheet %}` and `{% javascript %}`. */
function isMarkupChanged(file: string, previousTheme: CompiledTheme, currentTheme: CompiledTheme): boolean {
  if (!previousTheme.has(file) || !currentTheme.has(file)) return true;
  const [oldSource, newSource] = [previousTheme.source(file), currentTheme.source(file)];
  return oldSource.liquid !== newSource.liquid || oldSource.schema !== newSource.schema;
}

/** Renders an asset that contains Liquid; undefined if the asset has an error. */
function renderAsset(theme: CompiledTheme, name: string): string | undefined {
  try {
    return theme.generateAsset(name);
  } catch {
    return undefined;
  }
}

function findChangedTexts(
  files: readonly string[],
  previousTheme: CompiledTheme,
  currentTheme: CompiledTheme,
): ThemeChange["texts"] {
  const keys = new Set<string>();
  for (const file of files) {
    // Schema translations are default values of settings, which any section may show.
    if (file.endsWith(".schema.json")) return "all";
    try {
      const [oldTexts, newTexts] = [previousTheme, currentTheme].map((theme) =>
        parseLocale(theme.folder.texts.get(file) ?? "{}"),
      );
      for (const key of findDifferences(oldTexts as TextsByKey, newTexts as TextsByKey))
        keys.add(key.replace(pluralFormPattern, ""));
    } catch {
      return "all";
    }
  }
  return keys;
}

type TextsByKey = ReadonlyMap<string, string>;

const pluralFormPattern = /\.(?:zero|one|two|few|many|other)$/;

function compareValues(
  previousTheme: CompiledTheme,
  currentTheme: CompiledTheme,
): Pick<ThemeChange, "settings" | "staticSections" | "hasOtherIndex"> {
  const { sections: oldSections, content_for_index: _, ...oldValues } = previousTheme.values;
  const { sections, content_for_index: _indexContent, ...newValues } = currentTheme.values;
  const mapSettingsById = (theme: CompiledTheme) => new Map(theme.settings.map((setting) => [setting.id, setting]));
  return {
    settings: new Set([
      ...findDifferences(serializeValues(Object.entries(oldValues)), serializeValues(Object.entries(newValues))),
      ...findDifferences(
        serializeValues(mapSettingsById(previousTheme)),
        serializeValues(mapSettingsById(currentTheme)),
      ),
    ]),
    staticSections: findDifferences(serializeValues(entriesOf(oldSections)), serializeValues(entriesOf(sections))),
    hasOtherIndex: JSON.stringify(previousTheme.homeSections) !== JSON.stringify(currentTheme.homeSections),
  };
}

function entriesOf(value: unknown): readonly (readonly [string, unknown])[] {
  return typeof value === "object" && value !== null ? Object.entries(value) : [];
}

function serializeValues(entries: Iterable<readonly [string, unknown]>): TextsByKey {
  return new Map([...entries].map(([name, value]) => [name, JSON.stringify(value) ?? ""]));
}

/** Returns the names that exist in only one of the maps, or whose values differ. */
function findDifferences(left: TextsByKey, right: TextsByKey): Set<string> {
  return new Set([...left.keys(), ...right.keys()].filter((name) => left.get(name) !== right.get(name)));
}
