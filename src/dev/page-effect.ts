import { assetVersion } from "../theme/files/asset-files.ts";
import type { CompiledTheme } from "../theme/files/compiled-theme.ts";
import type { JsonTemplate, Placement } from "../theme/files/json-template.ts";
import { type ThemeChange, themeChange } from "./theme-change.ts";

/** A page that is open in a browser. */
export interface ShownPage {
  /** Name of a file in `templates/`, without extension. */
  readonly template: string;
  /** Types of the sections by section id. */
  readonly sections: ReadonlyMap<string, string>;
}

/** Updates that a page needs to show the current theme. */
export interface PageEffect {
  /** Whether to reload the page. If true, the other fields are ignored. */
  readonly isReload: boolean;
  /** Ids of the sections to replace. */
  readonly sections: readonly string[];
  /** Versions of the style sheets to load, by name. */
  readonly styles: Readonly<Record<string, string>>;
}

export const reload: PageEffect = { isReload: true, sections: [], styles: {} };

/** Returns the updates that a page needs after a change of the theme.  @param before theme that rendered the page */
export function effectOn(page: ShownPage, before: CompiledTheme, now: CompiledTheme): PageEffect {
  if (before === now) return { isReload: false, sections: [], styles: {} };
  const change = themeChange(before, now);
  const touched = touchedIn(change, before, now);
  const placed = changedPlacements(page, change, before, now);
  const frame = frameFiles(page, now);
  if (change.needsNewPage || placed === "elsewhere" || frame.some(touched) || isTemplateReplaced(page, before, now))
    return reload;
  if (change.hasOtherIndex && page.template === "index") return reload;
  const sections = [...page.sections].filter(
    ([id, type]) => placed.has(id) || change.staticSections.has(id) || touched(`sections/${type}.liquid`),
  );
  const versions = change.styles.map((name) => [name, assetVersion(now, name)] as const);
  const styles = Object.fromEntries(
    versions.flatMap(([name, version]) => (version === undefined ? [] : [[name, version]])),
  );
  return { isReload: false, sections: sections.map(([id]) => id), styles };
}

/**
 * Returns a function that tells whether the output of a file may have changed. It depends on the file, its snippets and
 * blocks, and the translations and settings that they use.
 */
function touchedIn(change: ThemeChange, before: CompiledTheme, now: CompiledTheme): (file: string) => boolean {
  return (file) =>
    [before, now].some((theme) =>
      withParts(theme, file).some((part) => change.liquid.has(part) || names(change, textOf(theme, part))),
    );
}

/** Returns a file and all snippets and blocks that it may render. */
function withParts(theme: CompiledTheme, file: string): readonly string[] {
  const found = new Set<string>();
  const open = [file];
  const all = (folder: string): string[] =>
    [...theme.folder.texts.keys()].filter((one) => one.startsWith(`${folder}/`));
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    if (found.has(one)) continue;
    found.add(one);
    const { snippets, blocks } = theme.dependencies(one);
    open.push(...snippets.map((name) => `snippets/${name}.liquid`), ...blocks.map((name) => `blocks/${name}.liquid`));
    const text = textOf(theme, one);
    if (/\bcontent_for\s+["']blocks/.test(text)) open.push(...all("blocks"));
    if (/\binclude\s+[a-z_]/i.test(text)) open.push(...all("snippets"));
  }
  return [...found];
}

/** Returns whether the text of a file uses a changed translation or setting. Returns true if this is uncertain. */
function names({ texts, settings }: ThemeChange, text: string): boolean {
  if (settings.size > 0 && (/\bsettings\s*\[/.test(text) || [...settings].some((id) => text.includes(id)))) return true;
  if (texts === "all") return text !== "";
  if (texts.size === 0) return false;
  // A computed key, such as `{{ key | t }}`, may refer to any translation.
  return /[^\s"'][\s]*\|\s*t(?:ranslate)?\b/.test(text) || [...texts].some((key) => text.includes(key));
}

function textOf(theme: CompiledTheme, file: string): string {
  return theme.folder.texts.get(file) ?? "";
}

/**
 * Returns the files that contain the sections of a page: its layout and, without a JSON template, its Liquid template.
 */
function frameFiles({ template }: ShownPage, theme: CompiledTheme): readonly string[] {
  const json = jsonOf(theme, `templates/${template}.json`);
  if (json !== undefined) return json.layout === false ? [] : [`layout/${json.layout}.liquid`];
  const layouts = [...theme.folder.texts.keys()].filter((file) => file.startsWith("layout/"));
  return [`templates/${template}.liquid`, ...layouts];
}

/** Returns whether the template of a page was added, removed, or changed to another format. */
function isTemplateReplaced({ template }: ShownPage, before: CompiledTheme, now: CompiledTheme): boolean {
  return [`templates/${template}.json`, `templates/${template}.liquid`].some(
    (file) => before.has(file) !== now.has(file),
  );
}

/**
 * Returns the ids of sections whose settings or blocks changed in the template or the section groups; "elsewhere" if
 * the list of sections changed.
 */
function changedPlacements(
  { template }: ShownPage,
  { json }: ThemeChange,
  before: CompiledTheme,
  now: CompiledTheme,
): ReadonlySet<string> | "elsewhere" {
  const ids = new Set<string>();
  for (const file of json) {
    if (file.startsWith("templates/") && file !== `templates/${template}.json`) continue;
    const [old, fresh] = [jsonOf(before, file), jsonOf(now, file)];
    if (old === undefined || fresh === undefined || frameOf(old) !== frameOf(fresh)) return "elsewhere";
    for (const [index, placement] of fresh.sections.entries())
      if (JSON.stringify(placement) !== JSON.stringify(old.sections[index])) ids.add(placement.id);
  }
  return ids;
}

/** Serializes a JSON template without the settings and blocks of its sections. */
function frameOf({ sections, ...rest }: JsonTemplate): string {
  return JSON.stringify([rest, sections.map(({ id, type }: Placement) => [id, type])]);
}

function jsonOf(theme: CompiledTheme, file: string): JsonTemplate | undefined {
  try {
    return theme.json(file);
  } catch {
    return undefined;
  }
}
