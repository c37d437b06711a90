import type { CompiledTheme } from "../theme/files/compiled-theme.ts";
import { sectionScripts, sectionStyles } from "../theme/files/generated-assets.ts";
import { parseLocale } from "../theme/files/locales.ts";

/** Differences between two revisions of a theme. */
export interface ThemeChange {
  /** Liquid files that were added or removed, or whose markup or schema changed. */
  readonly liquid: ReadonlySet<string>;
  /** Changed JSON templates and section groups. */
  readonly json: readonly string[];
  /** Keys of changed translations, without plural forms; "all" if unknown. */
  readonly texts: ReadonlySet<string> | "all";
  /** Ids of changed theme settings. */
  readonly settings: ReadonlySet<string>;
  /** Types of changed sections whose settings are stored in the theme instead of a template. */
  readonly staticSections: ReadonlySet<string>;
  /** Whether the list of sections in `content_for_index` changed. */
  readonly hasOtherIndex: boolean;
  /** Names of changed style sheets. */
  readonly styles: readonly string[];
  /** Whether a page must be reloaded, because scripts, images, other assets, or its security policy changed. */
  readonly needsNewPage: boolean;
}

export function themeChange(before: CompiledTheme, now: CompiledTheme): ThemeChange {
  const changed = differing(before.folder.texts, now.folder.texts);
  const assets = [...differing(before.folder.stamps, now.folder.stamps)].flatMap(
    (file) => /^assets\/(.+)$/.exec(file)?.[1] ?? [],
  );
  const files = assets.filter((name) => !name.endsWith(".liquid"));
  const [styles, others] = [files.filter(isStyle), files.filter((name) => !isStyle(name))];
  const made = [...now.folder.texts.keys()].flatMap((file) => /^assets\/(.+)\.liquid$/.exec(file)?.[1] ?? []);
  const remade = [...made, sectionStyles].filter((name) => madeText(before, name) !== madeText(now, name));
  const isOther = (name: string): boolean => before.generated(name) === undefined || now.generated(name) === undefined;
  const values = valuesOf(before, now);
  return {
    liquid: new Set([...changed].filter((file) => isMarkup(file) && hasOtherMarkup(file, before, now))),
    json: [...changed].filter((file) => /^(?:templates|sections)\/.+\.json$/.test(file)),
    texts: changedTexts(
      [...changed].filter((file) => file.startsWith("locales/")),
      before,
      now,
    ),
    ...values,
    styles: [...styles, ...remade.filter((name) => isStyle(name))],
    needsNewPage:
      others.length > 0 ||
      remade.some((name) => !isStyle(name) || (name === sectionStyles && isOther(name))) ||
      before.generated(sectionScripts) !== now.generated(sectionScripts) ||
      before.inline.scripts !== now.inline.scripts ||
      before.inline.styles !== now.inline.styles,
  };
}

function isStyle(name: string): boolean {
  return name.endsWith(".css");
}

function isMarkup(file: string): boolean {
  return file.endsWith(".liquid") && !file.startsWith("assets/");
}

/** Returns whether the markup or schema of a file changed. Its style and script blocks are not markup. */
function hasOtherMarkup(file: string, before: CompiledTheme, now: CompiledTheme): boolean {
  if (!before.has(file) || !now.has(file)) return true;
  const [old, fresh] = [before.source(file), now.source(file)];
  return old.liquid !== fresh.liquid || old.schema !== fresh.schema;
}

/** Returns the rendered content of an asset with Liquid; undefined if the asset has an error. */
function madeText(theme: CompiledTheme, name: string): string | undefined {
  try {
    return theme.generated(name);
  } catch {
    return undefined;
  }
}

function changedTexts(files: readonly string[], before: CompiledTheme, now: CompiledTheme): ThemeChange["texts"] {
  const keys = new Set<string>();
  for (const file of files) {
    // Translations of schemas are defaults of settings, which any section may show.
    if (file.endsWith(".schema.json")) return "all";
    try {
      const [old, fresh] = [before, now].map((theme) => parseLocale(theme.folder.texts.get(file) ?? "{}"));
      for (const key of differing(old as Texts, fresh as Texts)) keys.add(key.replace(pluralForm, ""));
    } catch {
      return "all";
    }
  }
  return keys;
}

type Texts = ReadonlyMap<string, string>;

const pluralForm = /\.(?:zero|one|two|few|many|other)$/;

function valuesOf(
  before: CompiledTheme,
  now: CompiledTheme,
): Pick<ThemeChange, "settings" | "staticSections" | "hasOtherIndex"> {
  const { sections: oldSections, content_for_index: _, ...old } = before.values;
  const { sections, content_for_index: __, ...fresh } = now.values;
  const ofSchema = (theme: CompiledTheme) => new Map(theme.settings.map((one) => [one.id, one]));
  return {
    settings: new Set([
      ...differing(inWords(Object.entries(old)), inWords(Object.entries(fresh))),
      ...differing(inWords(ofSchema(before)), inWords(ofSchema(now))),
    ]),
    staticSections: differing(inWords(entriesOf(oldSections)), inWords(entriesOf(sections))),
    hasOtherIndex: JSON.stringify(before.index) !== JSON.stringify(now.index),
  };
}

function entriesOf(value: unknown): readonly (readonly [string, unknown])[] {
  return typeof value === "object" && value !== null ? Object.entries(value) : [];
}

function inWords(entries: Iterable<readonly [string, unknown]>): Texts {
  return new Map([...entries].map(([name, value]) => [name, JSON.stringify(value) ?? ""]));
}

/** Returns the names that exist in only one of the maps, or whose values differ. */
function differing(left: Texts, right: Texts): Set<string> {
  return new Set([...left.keys(), ...right.keys()].filter((name) => left.get(name) !== right.get(name)));
}
