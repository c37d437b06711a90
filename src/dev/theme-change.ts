import type { CompiledTheme } from "../theme/files/compiled-theme.ts";
import { sectionScriptsName, sectionStylesName } from "../theme/files/generated-assets.ts";

/** Differences between two revisions of a theme. */
export interface ThemeChange {
  /** Liquid files that were added or removed, or whose markup or schema changed. */
  readonly liquidFiles: ReadonlySet<string>;
  /** Changed JSON templates and section groups. */
  readonly jsonFiles: readonly string[];
  /** Names of changed style sheets. */
  readonly styles: readonly string[];
  /**
   * Whether pages must be reloaded, because a translation, a setting of the theme, their security policy, or an asset
   * other than a style sheet changed.
   */
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
  const [oldSettings, newSettings] = [previousTheme, currentTheme].map(({ values, settings }) =>
    JSON.stringify([values, settings]),
  );
  return {
    liquidFiles: new Set(
      [...changedFiles].filter((file) => isMarkup(file) && isMarkupChanged(file, previousTheme, currentTheme)),
    ),
    jsonFiles: [...changedFiles].filter((file) => /^(?:templates|sections)\/.+\.json$/.test(file)),
    styles: [...styles, ...changedAssets.filter((name) => isStyleFile(name))],
    needsNewPage:
      oldSettings !== newSettings ||
      [...changedFiles].some((file) => file.startsWith("locales/")) ||
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

/** Returns the names that exist in only one of the maps, or whose values differ. */
function findDifferences(left: ReadonlyMap<string, string>, right: ReadonlyMap<string, string>): Set<string> {
  return new Set([...left.keys(), ...right.keys()].filter((name) => left.get(name) !== right.get(name)));
}
