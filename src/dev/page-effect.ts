import { getAssetVersion } from "../theme/files/asset-files.ts";
import { type CompiledTheme, getSnippetFile } from "../theme/files/compiled-theme.ts";
import type { JsonTemplate, SectionPlacement } from "../theme/files/json-template.ts";
import { compareThemes, type ThemeChange } from "./theme-change.ts";

/** A page that is open in a browser. */
export interface OpenPage {
  /** Name of a file in `templates/`, without extension. */
  readonly template: string;
  /** Types of the sections by section id. */
  readonly sections: ReadonlyMap<string, string>;
}

/** Updates that a page needs to show the current theme. */
export interface PageUpdate {
  /** Whether to reload the page. If true, the other fields are ignored. */
  readonly isReload: boolean;
  /** Ids of the sections to replace. */
  readonly sections: readonly string[];
  /** Versions of the style sheets to load, by name. */
  readonly styles: Readonly<Record<string, string>>;
}

export const reloadUpdate: PageUpdate = { isReload: true, sections: [], styles: {} };

/** Returns the updates that a page needs after a theme change.  @param previousTheme theme that rendered the page */
export function getPageUpdates(page: OpenPage, previousTheme: CompiledTheme, currentTheme: CompiledTheme): PageUpdate {
  if (previousTheme === currentTheme) return { isReload: false, sections: [], styles: {} };
  const themeChange = compareThemes(previousTheme, currentTheme);
  const isFileAffected = createFileMatcher(themeChange, previousTheme, currentTheme);
  const changedSections = findChangedSections(page, themeChange, previousTheme, currentTheme);
  const layoutFileNames = listLayoutFiles(page, currentTheme);
  if (
    themeChange.needsNewPage ||
    changedSections === "elsewhere" ||
    layoutFileNames.some(isFileAffected) ||
    isTemplateReplaced(page, previousTheme, currentTheme)
  )
    return reloadUpdate;
  const sections = [...page.sections].filter(
    ([id, type]) => changedSections.has(id) || isFileAffected(`sections/${type}.liquid`),
  );
  const versions = themeChange.styles.map((name) => [name, getAssetVersion(currentTheme, name)] as const);
  const styles = Object.fromEntries(
    versions.flatMap(([name, version]) => (version === undefined ? [] : [[name, version]])),
  );
  return { isReload: false, sections: sections.map(([id]) => id), styles };
}

/** Returns a function that reports whether a file, or a snippet or block that it renders, has changed. */
function createFileMatcher(
  { liquidFiles }: ThemeChange,
  previousTheme: CompiledTheme,
  currentTheme: CompiledTheme,
): (file: string) => boolean {
  return (file) =>
    [previousTheme, currentTheme].some((theme) => listDependencies(theme, file).some((part) => liquidFiles.has(part)));
}

/** Returns a file and all snippets and blocks that it may render. */
function listDependencies(theme: CompiledTheme, file: string): readonly string[] {
  const visitedFiles = new Set<string>();
  const pendingFiles = [file];
  const listFiles = (folder: string): string[] =>
    [...theme.folder.texts.keys()].filter((file) => file.startsWith(`${folder}/`));
  for (let file = pendingFiles.pop(); file !== undefined; file = pendingFiles.pop()) {
    if (visitedFiles.has(file)) continue;
    visitedFiles.add(file);
    const { snippets, blocks } = theme.dependencies(file);
    pendingFiles.push(...snippets.map(getSnippetFile), ...blocks.map((name) => `blocks/${name}.liquid`));
    const text = theme.folder.texts.get(file) ?? "";
    if (/\bcontent_for\s+["']blocks/.test(text)) pendingFiles.push(...listFiles("blocks"));
    if (/\binclude\s+[a-z_]/i.test(text)) pendingFiles.push(...listFiles("snippets"));
  }
  return [...visitedFiles];
}

/**
 * Returns the Liquid files that surround a page's sections: its layout or, without a JSON template, its template and
 * all layouts.
 */
function listLayoutFiles({ template }: OpenPage, theme: CompiledTheme): readonly string[] {
  const json = readJsonTemplate(theme, `templates/${template}.json`);
  if (json !== undefined) return json.layout === false ? [] : [`layout/${json.layout}.liquid`];
  const layouts = [...theme.folder.texts.keys()].filter((file) => file.startsWith("layout/"));
  return [`templates/${template}.liquid`, ...layouts];
}

/** Returns whether the template of a page was added, removed, or changed to another format. */
function isTemplateReplaced(
  { template }: OpenPage,
  previousTheme: CompiledTheme,
  currentTheme: CompiledTheme,
): boolean {
  return [`templates/${template}.json`, `templates/${template}.liquid`].some(
    (file) => previousTheme.has(file) !== currentTheme.has(file),
  );
}

/**
 * Returns the ids of sections whose settings or blocks changed in the page's JSON template or in a section group.
 * Returns "elsewhere" if anything else in these files changed.
 */
function findChangedSections(
  { template }: OpenPage,
  { jsonFiles }: ThemeChange,
  previousTheme: CompiledTheme,
  currentTheme: CompiledTheme,
): ReadonlySet<string> | "elsewhere" {
  const ids = new Set<string>();
  for (const file of jsonFiles) {
    if (file.startsWith("templates/") && file !== `templates/${template}.json`) continue;
    const [oldTemplate, newTemplate] = [readJsonTemplate(previousTheme, file), readJsonTemplate(currentTheme, file)];
    if (
      oldTemplate === undefined ||
      newTemplate === undefined ||
      serializeOutline(oldTemplate) !== serializeOutline(newTemplate)
    )
      return "elsewhere";
    for (const [index, placement] of newTemplate.sections.entries())
      if (JSON.stringify(placement) !== JSON.stringify(oldTemplate.sections[index])) ids.add(placement.id);
  }
  return ids;
}

/** Serializes a JSON template without the settings and blocks of its sections. */
function serializeOutline({ sections, ...otherFields }: JsonTemplate): string {
  return JSON.stringify([otherFields, sections.map(({ id, type }: SectionPlacement) => [id, type])]);
}

function readJsonTemplate(theme: CompiledTheme, file: string): JsonTemplate | undefined {
  try {
    return theme.json(file);
  } catch {
    return undefined;
  }
}
